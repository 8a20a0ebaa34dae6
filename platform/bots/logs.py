"""What bots wrote, as text that is safe to store and to show."""

from collections.abc import Iterable

from arena.referee import ExitReport

_KEPT_LINE = 4_096


def shown(data: bytes) -> str:
    """Decoded leniently; control characters but newline and tab shown as `�` (FC017)."""
    text = data.decode("utf-8", errors="replace").replace("\r\n", "\n")
    return "".join(
        c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text
    )


def shown_with_marks(data: bytes, marks: Iterable[tuple[int, int]]) -> tuple[str, list[list[int]]]:
    """The text as `shown` gives it, and `[request id, characters before it]` for each mark.

    `marks` are `(request id, bytes before it)`, in order. Where a bot has printed half a character
    before a request and half after it, both halves are shown as `�`.
    """
    parts: list[str] = []
    placed: list[list[int]] = []
    begin = length = 0
    for request, end in marks:
        parts.append(shown(data[begin:end]))
        begin, length = end, length + len(parts[-1])
        placed.append([request, length])
    return "".join([*parts, shown(data[begin:])]), placed


def shown_line(data: bytes | None) -> str:
    """A refused line, cut to what a reply may be."""
    return "" if data is None else shown(data[:_KEPT_LINE])


def exit_words(report: ExitReport) -> str:
    """How a process ended, in words."""
    if report.killed:
        return f"ended by the referee: {report.why}"
    if report.signal is not None:
        return f"ended by signal {report.signal}"
    if report.code is not None:
        return f"ended with exit code {report.code}"
    return "its end could not be seen"
