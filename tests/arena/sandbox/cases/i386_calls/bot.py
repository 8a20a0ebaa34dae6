import ctypes
import mmap
import os
import sys

sys.stdin.readline()
if os.uname().machine != "x86_64":
    os.kill(os.getpid(), 31)
# mov eax, 2 (fork); int 0x80; ret
code = mmap.mmap(
    -1,
    4096,
    flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS,
    prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC,
)
code.write(b"\xb8\x02\x00\x00\x00\xcd\x80\xc3")
start = ctypes.addressof(ctypes.c_char.from_buffer(code))
ctypes.CFUNCTYPE(ctypes.c_int)(start)()
print('{"r": "BREACH", "d": "a 32-bit call came back"}')
