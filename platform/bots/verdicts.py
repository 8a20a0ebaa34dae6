"""Why a version is rejected, in plain words: what, where, limit and use, what to do."""

from typing import assert_never

from arena.referee import Fault, FaultName
from bots.logs import shown_text


def rejection(fault: Fault) -> str:
    """The message for the version's page; the owner finds stderr beside it."""
    parts = [f"The validation match ended with the fault “{fault.name}” {_where(fault)}."]
    if fault.cause:
        parts.append(f"Cause: {shown_text(fault.cause)}.")
    if fault.action:
        parts.append(f"The action was {fault.action!r}.")
    if fault.limit is not None:
        unit = "MB" if fault.unit == "mb" else fault.unit
        used = "" if fault.used is None else f", used {fault.used:,} {unit}"
        parts.append(f"Limit {fault.limit:,} {unit}{used}.")
    if fault.signal:
        parts.append(f"The process was ended by {fault.signal}.")
    elif fault.exit is not None:
        parts.append(f"The process ended with exit code {fault.exit}.")
    parts.append(_remedy(fault.name))
    return " ".join(parts)


def _where(fault: Fault) -> str:
    if fault.deal is None or fault.request is None:
        return "before the first deal"
    return f"in deal {fault.deal}, at request {fault.request}"


def _remedy(name: FaultName) -> str:
    match name:
        case FaultName.START:
            return (
                'The bot must answer `hello` with {"type":"ready"} and a newline, flushed; its '
                "stderr, shown to its owner here, may say why it did not."
            )
        case FaultName.EXIT:
            return (
                "The bot must run until the end of its input; its stderr, shown to its owner "
                "here, may say why it did not."
            )
        case FaultName.MEMORY:
            return "Keep less in memory, or load less."
        case FaultName.TIME:
            return "Answer faster, and flush stdout after each reply."
        case FaultName.OUTPUT:
            return "Write one short line for each request to stdout, and less to stderr."
        case FaultName.PROTOCOL:
            return (
                "Write exactly one JSON object a line for each request, nothing else on stdout; "
                "for debugging there is stderr."
            )
        case FaultName.ILLEGAL:
            return "Choose an action out of the request's `legal`."
        case _:
            assert_never(name)
