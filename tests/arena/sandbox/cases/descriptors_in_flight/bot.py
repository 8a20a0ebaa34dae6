import json
import os
import socket
import sys

sys.stdin.readline()
# A descriptor that is on its way in a socket counts to no one's limit: pipes by the hundred.
sent = 0
try:
    mine, other = socket.socketpair()
    for _ in range(100):
        ends = os.pipe()
        socket.send_fds(mine, [b"x"], ends)
        sent += 1
        for end in ends:
            os.close(end)
    received = len(socket.recv_fds(other, 1, 2)[1])
except OSError as error:
    received = error.strerror
print(json.dumps({"r": "BREACH" if sent else "blocked", "d": [sent, received]}))
