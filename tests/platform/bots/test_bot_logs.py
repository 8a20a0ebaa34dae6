import pytest

from bots.logs import shown, shown_with_marks


@pytest.mark.parametrize(
    ("data", "marks"),
    [
        (b"", [(1, 0)]),
        (b"one\ntwo\nthree\n", [(1, 4), (3, 4), (5, 8)]),
        ("взятка\r\nкоз\x1b[0m\n".encode(), [(1, 14), (4, 20)]),
        (b"\xff\xfe raw \x00", [(2, 1), (9, 7)]),
    ],
)
def test_the_text_is_that_of_the_whole_log_and_marks_fall_between_the_same_letters(data, marks):
    text, placed = shown_with_marks(data, marks)
    assert text == shown(data)
    assert [request for request, _ in placed] == [request for request, _ in marks]
    for (_, in_bytes), (_, in_text) in zip(marks, placed, strict=True):
        assert text[:in_text] == shown(data[:in_bytes])


def test_a_letter_cut_by_a_request_is_shown_as_two_halves_and_nothing_after_it_moves():
    text, placed = shown_with_marks("аб!".encode(), [(1, 1), (3, 4)])
    assert text == "\ufffd\ufffdб!"
    assert placed == [[1, 1], [3, 3]]
