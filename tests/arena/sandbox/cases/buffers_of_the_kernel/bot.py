import json
import os
import socket
import sys

sys.stdin.readline()
# What waits in a pipe or a socket is memory of the kernel, and no address of the bot's.
held, kept = 0, []
try:
    while held < 64 << 20:
        mine, other = socket.socketpair()
        kept += [mine, other]
        there, here = os.pipe()
        kept.append(there)
        for end in (mine.fileno(), other.fileno(), here):
            os.set_blocking(end, False)
            try:
                while True:
                    held += os.write(end, bytes(4096))
            except BlockingIOError:
                pass
except OSError:
    pass
print(json.dumps({"r": "BREACH" if held > 16 << 20 else "blocked", "d": held >> 10}))
