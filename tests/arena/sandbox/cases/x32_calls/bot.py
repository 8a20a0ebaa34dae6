import ctypes
import os
import sys

sys.stdin.readline()
if os.uname().machine != "x86_64":
    os.kill(os.getpid(), 31)
libc = ctypes.CDLL(None)
libc.syscall(0x40000000 + 57)
print('{"r": "BREACH", "d": "an x32 call came back"}')
