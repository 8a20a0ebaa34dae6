"""`santase rules check`: holds the rules against records of deals, matches and refused actions."""

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from arena.commands.errors import DOES_NOT_HOLD, USAGE
from arena.commands.vector_check import Difference, check
from arena.commands.vector_records import BadRecord, read_record
from arena.named_file import open_named_file

WHAT_TO_DO = (
    "Give files of records: one JSON object a line, a deal, a match or a refused action, "
    "as in tests/data/vectors.jsonl and illegal.jsonl of the project."
)

_LINE_BYTES = 4 << 20
"""A record is far shorter: the longest match in the tests' vectors takes less than 100 KB."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A record that differs (`difference`), or a line or file that is no record (`bad`)."""

    line: int | None
    record: str | None
    difference: Difference | None = None
    bad: str | None = None

    def __str__(self) -> str:
        record = "" if self.record is None else f"{self.record}, "
        what = self.bad if self.difference is None else str(self.difference)
        return f"{'' if self.line is None else f'line {self.line}: '}{record}{what}"


@dataclass(frozen=True, slots=True)
class Report:
    """What was found in one file of so many records."""

    file: Path
    records: int
    findings: tuple[Finding, ...]

    @property
    def exit_code(self) -> int:
        """0 all hold, 1 something differs, 2 not a file of records."""
        if any(finding.bad is not None for finding in self.findings):
            return USAGE
        return DOES_NOT_HOLD if self.findings else 0


def run(files: list[Path], as_json: bool) -> int:
    """Checks the files and prints what was found; gives the exit code of the worst."""
    reports = []
    for report in check_files(files):
        reports.append(report)
        _print_json(report) if as_json else _print(report)
    return max(report.exit_code for report in reports)


def check_files(files: Iterable[Path]) -> Iterator[Report]:
    """A report for each file, as soon as it has been read."""
    for file in files:
        yield _check_file(file)


def _check_file(file: Path) -> Report:
    """The report of a file; it is read no further than to a line that is no record."""
    records: int = 0
    findings: list[Finding] = []
    try:
        with open_named_file(file) as lines:
            for number, line in enumerate(iter(partial(lines.readline, _LINE_BYTES), b""), start=1):
                if not line.strip():
                    continue
                records += 1
                finding = _check_line(number, line)
                if finding is not None:
                    findings.append(finding)
                    if finding.bad is not None:
                        break
    except OSError as error:
        findings.append(Finding(None, None, bad=f"cannot be read: {error.strerror}"))
    if records == 0 and not findings:
        findings.append(Finding(None, None, bad="holds no records"))
    return Report(file, records, tuple(findings))


def _check_line(number: int, line: bytes) -> Finding | None:
    if len(line) == _LINE_BYTES:
        return Finding(number, None, bad=f"longer than {_LINE_BYTES >> 20} MB, so no record")
    try:
        record = read_record(line.removeprefix(b"\xef\xbb\xbf"))
    except BadRecord as error:
        return Finding(number, None, bad=str(error))
    try:
        difference = check(record)
    except BadRecord as error:
        return Finding(number, record.name, bad=str(error))
    return None if difference is None else Finding(number, record.name, difference)


def _print(report: Report) -> None:
    for finding in report.findings:
        if finding.bad is None:
            print(f"{report.file}: {finding}")
        else:
            print(f"{report.file}: {finding}. {WHAT_TO_DO}", file=sys.stderr)
    if report.exit_code == DOES_NOT_HOLD:
        print(f"{report.file}: {len(report.findings)} of {report.records} records differ")
    elif report.exit_code == 0:
        print(f"{report.file}: all {report.records} records hold")


def _print_json(report: Report) -> None:
    first = report.findings[0] if report.findings else None
    fields = {
        "file": str(report.file),
        "ok": not report.findings,
        "records": report.records,
        "line": None if first is None else first.line,
        "error": None if first is None else str(first),
        "findings": [_finding_fields(finding) for finding in report.findings],
    }
    print(json.dumps(fields, ensure_ascii=False))


def _finding_fields(finding: Finding) -> dict[str, object]:
    difference = finding.difference
    return {
        "line": finding.line,
        "record": finding.record,
        "deal": None if difference is None else difference.deal,
        "step": None if difference is None else difference.step,
        "what": finding.bad if difference is None else difference.what,
    }
