"""Uploads: what is taken, what is refused, and that each refusal says what and where."""

import io
import resource
import stat
import struct
import zipfile

import pytest

from bots.archive import MAX_ENTRIES, plain_file_name, read_upload, unpack
from bots.errors import UploadRefused

BOT = b"print('hello')\n"


def packed(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def packed_entries(*entries: tuple[zipfile.ZipInfo, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for info, content in entries:
            archive.writestr(info, content)
    return buffer.getvalue()


def refusal(file_name: str, data: bytes) -> str:
    with pytest.raises(UploadRefused) as refused:
        read_upload(file_name, data)
    return refused.value.message


def test_one_python_file_becomes_bot_py() -> None:
    assert read_upload("моят бот.PY", BOT) == {"bot.py": BOT}


def test_fc022_windows_line_ends_a_bom_and_a_shebang_are_fine() -> None:
    source = b"\xef\xbb\xbf#!/usr/bin/env python3\r\nprint('x')\r\n"
    assert read_upload("bot.py", source) == {"bot.py": source}


def test_an_archive_keeps_its_folders_and_data() -> None:
    files = {"bot.py": BOT, "model/weights.bin": b"\0\1", "model/__init__.py": b"x = 1\n"}
    assert read_upload("bot.zip", packed(files)) == files


def test_what_file_managers_add_is_left_out() -> None:
    files = {
        "bot.py": BOT,
        "__MACOSX/._bot.py": b"\0\5\x16\7",
        ".DS_Store": b"\0",
        "__pycache__/bot.cpython-311.pyc": b"\0",
    }
    assert read_upload("bot.zip", packed(files)) == {"bot.py": BOT}


@pytest.mark.parametrize(
    ("file_name", "data", "says"),
    [
        ("bot.py", b"", "empty"),
        ("bot.py", b" \n\t\n", "empty"),
        ("bot.exe", b"MZ", ".zip"),
        ("bot", BOT, ".py"),
        ("bot.py", b"x" * 1_000_001, "1000000"),
        ("bot.zip", b"PK" + b"x" * 5_000_000, "5000000"),
        ("bot.py", b"print('a')\n\0", "line 2"),
        ("bot.py", b"def f(:\n    pass\n", "line 1"),
        ("bot.py", b"x = 1\n\tif x:\n", "line 2"),
        ("bot.zip", b"no zip at all", "zip"),
        ("bot.zip", packed({"main.py": BOT}), "bot.py"),
        ("bot.zip", packed({"mybot/bot.py": BOT}), "folder"),
        ("bot.zip", packed({"bot.py": BOT, "other.py": b"def"}), "other.py, line 1"),
    ],
)
def test_fc069_each_kind_of_bad_upload_is_told_apart(
    file_name: str, data: bytes, says: str
) -> None:
    assert says in refusal(file_name, data)


def test_fc019_a_latin_1_source_is_told_its_line_and_byte() -> None:
    message = refusal("bot.py", b"a = 1\nb = 'caf\xe9'\n")
    assert "line 2" in message
    assert "0xE9" in message
    assert "UTF-8" in message


def test_fc072_newer_syntax_is_told_the_version_that_bots_run_on() -> None:
    import platform

    assert platform.python_version() in refusal("bot.py", b"type X = int\n")


def test_fc058_nothing_of_an_upload_is_run(tmp_path_factory: pytest.TempPathFactory) -> None:
    trace = tmp_path_factory.mktemp("trace") / "ran"
    source = f"open({str(trace)!r}, 'w').close()\n".encode()
    read_upload("bot.py", source)
    read_upload("bot.zip", packed({"bot.py": source, "sitecustomize.py": source}))
    assert not trace.exists()


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "../bot.py",
        "a/../../b",
        "a\\b.py",
        "C:/x",
        "./x",
        "a//b",
        "x\n.py",
        "d" * 300,
    ],
)
def test_fc068_names_that_lead_elsewhere_are_refused(name: str) -> None:
    assert len(refusal("bot.zip", packed({"bot.py": BOT, name: b"x"}))) > 30


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK])
def test_fc068_links_and_devices_are_refused(kind: int) -> None:
    link = zipfile.ZipInfo("d")
    link.external_attr = (kind | 0o777) << 16
    data = packed_entries((zipfile.ZipInfo("bot.py"), BOT), (link, b"/tmp"))
    assert "link" in refusal("bot.zip", data)


def test_fc071_names_equal_after_case_folding_are_refused() -> None:
    assert "rename" in refusal("bot.zip", packed({"bot.py": BOT, "A.txt": b"1", "a.TXT": b"2"}))


def test_fc071_names_equal_after_normalisation_are_refused() -> None:
    files = {"bot.py": BOT, "caf\u00e9.txt": b"1", "cafe\u0301.txt": b"2"}
    assert "rename" in refusal("bot.zip", packed(files))


def test_fc071_names_come_normalised() -> None:
    assert "caf\u00e9.txt" in read_upload("b.zip", packed({"bot.py": BOT, "cafe\u0301.txt": b""}))


@pytest.mark.parametrize("encoding", ["utf-8", "cp437"])
def test_fc071_names_of_old_packers_are_read(encoding: str) -> None:
    """Without the UTF-8 flag: cp437 by the book, UTF-8 by the habit of many packers."""
    data = packed({"bot.py": BOT, "XXXXXX.txt": b"data"})
    name = {"utf-8": "бот", "cp437": "caféée"}[encoding]
    raw = name.encode(encoding)
    assert len(raw) == 6
    assert f"{name}.txt" in read_upload("b.zip", data.replace(b"XXXXXX", raw))


def test_a_file_that_is_also_a_folder_is_refused() -> None:
    assert "folder" in refusal("b.zip", packed({"bot.py": BOT, "a": b"1", "A/b": b"2"}))


def test_an_archive_inside_an_archive_is_data() -> None:
    files = {"bot.py": BOT, "inner.zip": packed({"x": b"1"})}
    assert read_upload("b.zip", packed(files)) == files


def test_fc066_too_many_entries_are_refused() -> None:
    files = {f"f{number}": b"" for number in range(MAX_ENTRIES)}
    assert str(MAX_ENTRIES) in refusal("b.zip", packed({"bot.py": BOT, **files}))


def test_fc066_what_inflates_too_far_is_refused_while_inflating() -> None:
    bomb = packed({"bot.py": BOT, "zeros": b"\0" * 15_000_000})
    assert "zeros" in refusal("b.zip", bomb)
    many = {f"z{number}": bytes(range(256)) * 3_900 for number in range(25)}
    assert "20 MB" in refusal("b.zip", packed({"bot.py": BOT, **many}))


def test_fc066_a_size_that_lies_is_not_believed() -> None:
    data = bytearray(packed({"bot.py": BOT, "zeros": b"\0" * 30_000_000}))
    true, false = struct.pack("<L", 30_000_000), struct.pack("<L", 10)
    assert data.count(true) == 2
    message = refusal("b.zip", bytes(data).replace(true, false))
    assert "zeros" in message


def test_an_encrypted_archive_is_told_so() -> None:
    data = bytearray(packed({"bot.py": BOT}))
    for magic, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(magic) + place] |= 1
    assert "password" in refusal("b.zip", bytes(data))


def test_an_unknown_compression_is_no_crash() -> None:
    data = bytearray(packed({"bot.py": BOT}))
    for magic, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        data[data.index(magic) + place] = 99
    assert "deflate" in refusal("b.zip", bytes(data))


def test_every_truncation_of_an_archive_is_a_refusal_and_never_a_crash() -> None:
    data = packed({"bot.py": BOT, "data/x.bin": bytes(range(256))})
    for size in range(1, len(data)):
        refusal("bot.zip", data[:size])


def test_every_flipped_byte_of_an_archive_is_taken_or_refused_and_never_a_crash() -> None:
    data = packed({"bot.py": BOT, "data/x.bin": bytes(range(256))})
    outcomes = set()
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 0xFF
        try:
            unpack("bot.zip", bytes(changed))
        except UploadRefused:
            outcomes.add("refused")
        else:
            outcomes.add("taken")
    assert outcomes == {"refused", "taken"}


@pytest.mark.parametrize(
    "source",
    [
        b"(" * 5000 + b")" * 5000,
        b"-" * 100_000 + b"1",
        b"x = " + b"[" * 300,
        b"+".join([b"1"] * 400_000),
    ],
)
def test_source_that_overwhelms_the_compiler_is_refused(source: bytes) -> None:
    assert "bot.py" in refusal("bot.py", source)


def test_source_that_takes_gigabytes_to_compile_is_refused_and_costs_us_nothing() -> None:
    digits = (bytes([48 + place % 10]) for place in range(2_500_000))
    archive = packed({"bot.py": BOT, "weights.py": b",".join(digits)})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert "weights.py" in refusal("bot.zip", archive)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500_000  # KB


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_inflate_without_bounds_are_refused(method: int) -> None:
    whole = packed({"bot.py": BOT * 50}, method)
    assert "deflate" in refusal("bot.zip", whole)
    for place in range(30, len(whole)):
        assert refusal("bot.zip", whole[:place] + b"\xff" * 8 + whole[place + 8 :])


def test_a_long_file_name_is_shortened_and_keeps_its_kind() -> None:
    assert plain_file_name("b" * 300 + ".zip") == "b" * 80 + ".zip"
    assert len(plain_file_name("b" * 300 + "." + "p" * 300)) <= 255


def test_a_file_name_is_shown_without_its_path_and_controls() -> None:
    assert plain_file_name("C:\\Users\\me\\b\x1bot.py") == "b�ot.py"
