"""`make bench`: every figure beside its anchor, measured in one run, as a table.

Each module `bench_*` has `rows()`: dicts of goal, what, value, unit, anchor, ratio, wanted and
reached. Names of modules on the command line (`make bench`: all) choose some of them;
`NAME=NUMBER` hands `rows` the number, where it takes one.
"""

import importlib
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent))


def main() -> None:
    """Measures and prints; a module that cannot run here says why in a row of its own."""
    console = Console(width=140)
    names = sys.argv[1:] or sorted(path.stem for path in Path(__file__).parent.glob("bench_*.py"))
    table = Table(title=_title(), title_justify="left")
    for heading in ("goal", "what", "value", "anchor", "ratio", "wanted", "reached"):
        table.add_column(heading, justify="left" if heading in ("goal", "what") else "right")
    for number, name in enumerate(names, start=1):
        console.print(f"[{number}/{len(names)}] {name} …", style="dim", markup=False)
        module, _, number_of = name.partition("=")
        for row in importlib.import_module(module).rows(*map(int, number_of.split())):
            table.add_row(*_cells(row))
    console.print(table)


def _title() -> str:
    return (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {platform.machine()}, "
        f"CPython {platform.python_version()}: ratios count, absolute figures are this machine's"
    )


def _cells(row: dict[str, Any]) -> list[str]:
    unit = row["unit"]
    reached = {True: "yes", False: "NO", None: "–"}[row.get("reached")]
    return [
        str(row["goal"]),
        str(row["what"]),
        _number(row.get("value"), unit),
        _number(row.get("anchor"), unit),
        _number(row.get("ratio"), "×"),
        str(row.get("wanted") or "–"),
        reached,
    ]


def _number(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    digits = 0 if abs(value) >= 1000 else 2 if abs(value) >= 1 else 4
    return f"{value:,.{digits}f} {unit}"


if __name__ == "__main__":
    main()
