"""Compiles the seccomp filters; `make filters` puts them into the sandbox."""

import sys
from pathlib import Path

from arena.sandbox.wall.bpf import assemble
from arena.sandbox.wall.filters import file_name
from arena.sandbox.wall.policy import BOT, OUTER
from arena.sandbox.wall.syscalls import ARCHES


def filter_files() -> dict[str, bytes]:
    """File name to bytes of every program for every processor."""
    return {
        file_name(program, machine): assemble(policy, arch)
        for program, policy in (("bot", BOT), ("outer", OUTER))
        for machine, arch in ARCHES.items()
    }


def main() -> None:
    """Writes them into the folder named on the command line."""
    folder = Path(sys.argv[1])
    for name, program in filter_files().items():
        (folder / name).write_bytes(program)
        print(folder / name)


if __name__ == "__main__":
    main()
