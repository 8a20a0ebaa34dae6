import json
import socket
import sys

sys.stdin.readline()
got = []
for family in range(46):
    for kind in (1, 2, 3, 5):
        try:
            socket.socket(family, kind).close()
            got.append((family, kind))
        except OSError:
            pass
for family, kind in ((1, 2), (1, 5), (30, 1)):
    try:
        socket.socketpair(family, kind)
        got.append(("pair", family, kind))
    except OSError:
        pass
left, right = socket.socketpair()
left.send(b"within")
for attack in (
    lambda: left.bind("\0santase"),
    lambda: left.connect("\0sbx-host"),
    lambda: left.listen(),
    lambda: socket.send_fds(left, [b"x"], [0]),
):
    try:
        attack()
        got.append("more than a pair")
    except OSError:
        pass
print(json.dumps({"r": "BREACH" if got or right.recv(6) != b"within" else "blocked", "d": got}))
