"""What bots wrote, as text that is safe to store and to show."""

from collections.abc import Iterable

import msgspec

from arena.referee import ExitReport, Fault

_KEPT_LINE = 4_096


def shown(data: bytes) -> str:
    """Decoded leniently, as `shown_text` (FC017)."""
    return shown_text(data.decode("utf-8", errors="replace").replace("\r\n", "\n"))


def shown_text(text: str) -> str:
    """Control characters but newline and tab as `�`: PostgreSQL stores no NUL, in JSON neither, and
    others would turn round or hide the words beside them.
    """
    return "".join(
        c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text
    )


def shown_notes(notes: Iterable[tuple[int, str]]) -> list[list[object]]:
    """`[request id, note]` pairs."""
    return [[request, shown_text(note)] for request, note in notes]


def shown_fault(fault: Fault) -> dict[str, object]:
    """The fields of a fault: its action is the bot's, and so may words of its cause be."""
    fields: dict[str, object] = msgspec.to_builtins(fault)
    return {name: shown_text(is_) if isinstance(is_, str) else is_ for name, is_ in fields.items()}


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
