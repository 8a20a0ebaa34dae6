import fcntl
import os
import sys

sys.stdin.readline()
# Not to wait, to be signalled, to keep writes apart: modes of an open file, which its ends share.
ODD = os.O_NONBLOCK | os.O_ASYNC | os.O_DIRECT | os.O_APPEND
for fd in (0, 1, 2):
    fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | ODD)
wrong = []
for fd, attempt in ((0, lambda fd: os.write(fd, b"x")), (1, lambda fd: os.read(fd, 1))):
    try:
        attempt(fd)
        wrong.append(fd)
    except OSError:
        pass
for letter in b'{"r": "%s"}\n' % (b"BREACH" if wrong else b"blocked"):
    while True:
        try:
            os.write(1, bytes([letter]))  # each a packet of its own now
            break
        except BlockingIOError:
            pass
