import json
import os
import sys

sys.stdin.readline()
left = []
for place in (os.path.expanduser("~"), "/", "/tmp", "/dev/shm", "/var/tmp", os.getcwd()):
    path = os.path.join(place, ".santase-fc061")
    if os.path.exists(path):
        left.append(path)
    try:
        open(path, "w").close()
        left.append(path)
    except OSError:
        pass
print(json.dumps({"r": "BREACH" if left else "blocked", "d": left}))
