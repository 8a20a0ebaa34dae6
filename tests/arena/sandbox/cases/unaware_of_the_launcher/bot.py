import gc
import json
import sys

sys.stdin.readline()
got = []
frame = sys._getframe()
while frame:
    for value in list(frame.f_locals.values()):
        if isinstance(value, (bytes, str)) and ("/work" in str(value) or "seccomp" in str(value)):
            got.append(str(value)[:80])
    frame = frame.f_back
for thing in gc.get_objects():
    if isinstance(thing, dict) and {"seccomp", "landlock", "limits"} <= {
        key for key in thing if isinstance(key, str)
    }:
        got.append("orders")
print(json.dumps({"r": "BREACH" if got else "blocked", "d": got}))
