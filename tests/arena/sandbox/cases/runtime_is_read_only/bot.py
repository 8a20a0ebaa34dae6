import json
import os
import sys

sys.stdin.readline()
got = []
for path in (sys.executable, json.__file__, os.path.dirname(json.__file__) + "/new.py", "/dev/urandom"):
    for flags in (os.O_WRONLY, os.O_RDWR, os.O_WRONLY | os.O_CREAT, os.O_RDONLY | os.O_TRUNC):
        if path == "/dev/urandom" and flags == os.O_RDONLY | os.O_TRUNC:
            continue  # truncates nothing there
        try:
            os.close(os.open(path, flags))
            got.append([path, flags])
        except OSError:
            pass
print(json.dumps({"r": "BREACH" if got else "blocked", "d": got}))
