"""`santase doctor`: whether bots can be run safely on this machine, and what to do if not."""

import json

from arena.commands.errors import UNFIT
from arena.commands.sandbox_name import named_sandbox
from arena.sandbox import Finding, NoSandbox


def run(sandbox: str, as_json: bool) -> int:
    """Probes the back-end named (or `auto`) and prints every finding; exit 4 where none holds.

    Raises `UsageError` for a name that is none.
    """
    try:
        chosen = named_sandbox(sandbox)
    except NoSandbox as error:
        _report(error.findings, None, as_json)
        return UNFIT
    _report(chosen.probe(), f"{chosen.kind} ({chosen.image})", as_json)
    return 0


def _report(findings: tuple[Finding, ...], chosen: str | None, as_json: bool) -> None:
    if as_json:
        for finding in findings:
            fields = {
                "name": finding.name,
                "ok": finding.ok,
                "what": finding.what,
                "remedy": finding.remedy,
            }
            print(json.dumps(fields, ensure_ascii=False))
        print(json.dumps({"summary": True, "sandbox": chosen}, ensure_ascii=False))
        return
    for finding in findings:
        print(f"{'ok  ' if finding.ok else 'FAIL'} {finding.name}: {finding.what}")
        if not finding.ok:
            print(f"     what to do: {finding.remedy}")
    print(f"Bots run in: {chosen}" if chosen else "No sandbox holds here: bots are not run.")
