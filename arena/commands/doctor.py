"""`santase doctor`: whether bots can be run safely on this machine, and what to do if not."""

import json
from collections.abc import Iterable, Iterator
from itertools import groupby

from arena.commands.errors import UNFIT, UsageError
from arena.finding import Finding, Level
from arena.sandbox import Sandbox
from arena.sandbox.choice import NAMES
from arena.sandbox.doctor import examine

_LABELS = {Level.OK: "ok  ", Level.WARNING: "note", Level.FAIL: "FAIL"}


def run(sandbox: str, slots: int, as_json: bool, more: Iterable[Finding] = ()) -> int:
    """Examines this machine for `slots` matches at once (0: one a core) and prints every finding,
    then `more` of them.

    Exit 4 where bots can't be run. Raises `UsageError` for a name that is none.
    """
    if sandbox not in NAMES:
        raise UsageError(f"--sandbox {sandbox!r}: choose one of {', '.join(NAMES)}.")
    if slots < 0:
        raise UsageError("--slots takes a whole number: 0 is one a core.")
    diagnosis = examine(sandbox, slots or None)
    findings = (*diagnosis.findings, *more)
    _print(findings, diagnosis.sandbox, as_json)
    return 0 if all(each.ok for each in findings) else UNFIT


def _print(findings: Iterable[Finding], sandbox: Sandbox | None, as_json: bool) -> None:
    chosen = f"{sandbox.kind} ({sandbox.image})" if sandbox else None
    if as_json:
        lines = [each.as_fields() for each in findings]
        for fields in (*lines, {"summary": True, "sandbox": chosen}):
            print(json.dumps(fields, ensure_ascii=False))
    else:
        for line in _told(findings):
            print(line)
        print(f"Bots run in: {chosen}" if chosen else "No sandbox holds here: bots are not run.")


def _told(findings: Iterable[Finding]) -> Iterator[str]:
    """A line for each, and one for all attempts of a probe that ended as they should."""
    for trial, group in groupby(findings, _trial):
        found = tuple(group)
        if trial:
            yield f"{_LABELS[Level.OK]} {trial}: {len(found)} attempts were refused"
            continue
        for each in found:
            yield f"{_LABELS[each.level]} {each.name}: {each.what}"
            if each.remedy:
                yield f"     what to do: {each.remedy}"


def _trial(finding: Finding) -> str:
    """The trial of a probe that a finding belongs to, where nothing is to be said of it."""
    trial, _, _ = finding.name.partition(": ")
    return trial if ", " in trial and finding.level is Level.OK else ""
