"""Faults in plain words: what the bot did, where, and what was allowed."""

import re
from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext, gettext_lazy

_NAMES: Final = {
    "start": gettext_lazy("did not start"),
    "exit": gettext_lazy("ended too early"),
    "memory": gettext_lazy("out of memory"),
    "time": gettext_lazy("out of time"),
    "output": gettext_lazy("too much output"),
    "protocol": gettext_lazy("no valid reply"),
    "illegal": gettext_lazy("illegal action"),
}

FAULT_NAMES: Final = tuple(_NAMES)
"""The names of faults as the protocol has them (PROTOCOL, "Faults")."""

_WHAT: Final = {
    "exit": gettext_lazy("Its process ended before it answered."),
    "memory": gettext_lazy("It used more memory than it may."),
    "time": gettext_lazy("It used up its time."),
    "output": gettext_lazy("It wrote more than it may."),
    "protocol": gettext_lazy("Its reply was no valid message."),
    "illegal": gettext_lazy("It took an action that the rules do not allow here."),
}

_EXPLAINED: Final = ("protocol", "illegal")
"""Faults whose cause says more than their name: what could not be read, which clause forbids."""

_CLAUSE: Final = re.compile(r"\bR\d+\.\d+\b")

_UNITS: Final = {
    "ms": gettext_lazy("ms"),
    "mb": gettext_lazy("MB"),
    "bytes": gettext_lazy("bytes"),
}

Fault = Mapping[str, Any]
"""A fault as the replay has it: seat, name, cause, phase, deal, request, limit, used, unit …"""


def fault_name(name: str) -> str:
    """A fault by its short name, e.g. "out of time"."""
    return str(_NAMES.get(name, name))


def fault_where(fault: Fault) -> str:
    """The place: before the first deal, or deal and request."""
    if fault.get("phase") == "start" or fault.get("deal") is None:
        return gettext("At the start, before the first deal.")
    return gettext("Deal %(deal)s, request %(request)s.") % {
        "deal": fault["deal"],
        "request": fault.get("request"),
    }


def fault_clause(fault: Fault) -> str:
    """The clause that an illegal action breaks, as its cause names it; else "" (R14.1)."""
    found = _CLAUSE.search(str(fault.get("cause") or ""))
    return found[0] if found and fault["name"] == "illegal" else ""


def fault_sentence(fault: Fault) -> str:
    """What the bot did, with limit and use, exit code or signal, or the action refused."""
    name = str(fault["name"])
    kind, said = (name, fault.get("cause")) if name != "start" else _cause_at_start(fault)
    parts = [str(_WHAT.get(kind, fault_name(kind)))]
    if fault.get("action"):
        parts.append(gettext("The action was “%(action)s”.") % {"action": fault["action"]})
    if fault.get("used") is not None and fault.get("limit") is not None:
        parts.append(
            gettext("Used: %(used)s %(unit)s, allowed: %(limit)s %(unit)s.")
            % {
                "used": fault["used"],
                "limit": fault["limit"],
                "unit": _UNITS.get(str(fault.get("unit")), fault.get("unit") or ""),
            }
        )
    if fault.get("signal"):
        parts.append(gettext("Ended by signal %(signal)s.") % {"signal": fault["signal"]})
    elif fault.get("exit") is not None:
        parts.append(gettext("Exit code %(code)s.") % {"code": fault["exit"]})
    if kind in _EXPLAINED and said:
        parts.append(gettext("The referee says: %(cause)s.") % {"cause": str(said).rstrip(".")})
    return " ".join(parts)


def _cause_at_start(fault: Fault) -> tuple[str, str | None]:
    """What went wrong at the start: its cause reads "<fault's name>" or "<fault's name>: <why>"."""
    kind, _, why = str(fault.get("cause") or "start").partition(": ")
    return kind, why or None
