import json
import os
import sys

sys.stdin.readline()
got = []
if os.environ or os.environb:
    got.append("environment")
for path in ("/proc/1/environ", "/proc/self/environ", "/proc/1/cmdline", "/proc/self/cmdline"):
    try:
        seen = open(path, "rb").read()
        if b"TOPSECRET" in seen or b"arena" in seen or b"bwrap" in seen:
            got.append(path)
    except OSError:
        pass
words = [*sys.argv, *sys.orig_argv, *sys.path, *sys.warnoptions, os.getcwd()]
got += [word for word in words if "arena" in word or "site-packages" in word]
got += [name for name in sys.modules if "arena" in name or "launcher" in name]
for fd in range(3, 1024):
    try:
        os.fstat(fd)
        got.append(fd)
    except OSError:
        pass
try:
    import socket

    socket.create_connection(("169.254.169.254", 80), timeout=1)
    got.append("metadata")
except OSError:
    pass
print(json.dumps({"r": "BREACH" if got else "blocked", "d": got}))
