import ctypes
import os
import sys
import threading

libc = ctypes.CDLL(None, use_errno=True)


def go_on():
    os.write(2, b"going on\n")
    while True:
        sum(range(1000))


sys.stdin.readline()
threading.Thread(target=go_on).start()
# The first thread ends, by a call of its own, not the process: to look at, it is a zombie now.
libc.syscall(93 if os.uname().machine == "aarch64" else 60, 0)
