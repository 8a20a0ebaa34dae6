import ctypes
import signal
import sys

sys.stdin.readline()
# The handler is noted and returns: the same instruction fails again, without end.
for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, lambda number, frame: None)
ctypes.string_at(0)
