"""Files that a user names: opened without waiting, whatever they turn out to be."""

import os
from pathlib import Path
from typing import BinaryIO


def open_named_file(path: Path) -> BinaryIO:
    """The file for reading; a pipe that no one writes to is empty, and is not waited for.

    Raises `OSError`. How much to read is the caller's to bound: /dev/zero has no end.
    """
    # A pipe by the shell's `<(…)` has its writer already, and is read to its end.
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb")
    os.set_blocking(file.fileno(), True)
    return file
