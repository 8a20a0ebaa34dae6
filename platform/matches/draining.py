"""Whether this worker is being stopped: one byte shared with the processes forked from it."""

import mmap

_flag = mmap.mmap(-1, 1)  # written from a signal handler, so no lock


def start_draining() -> None:
    """From now on no further match is begun in this worker."""
    _flag[0] = 1


def is_draining() -> bool:
    """Whether the worker is being stopped."""
    return _flag[0] != 0
