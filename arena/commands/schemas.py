"""Writes the JSON Schemas of protocol and replay; `make schemas` puts them into the docs."""

import json
import sys
from pathlib import Path
from typing import Any

from arena.protocol.schema import protocol_schema
from arena.referee.replay_lines import replay_schema


def schema_files() -> dict[str, str]:
    """File name to text of every generated schema."""
    schemas: dict[str, dict[str, Any]] = {
        "protocol.schema.json": protocol_schema(),
        "replay.schema.json": replay_schema(),
    }
    return {name: json.dumps(schema, indent=2) + "\n" for name, schema in schemas.items()}


def main() -> None:
    """Writes them into the folder named on the command line."""
    folder = Path(sys.argv[1])
    for name, text in schema_files().items():
        (folder / name).write_text(text, encoding="utf-8")
        print(folder / name)


if __name__ == "__main__":
    main()
