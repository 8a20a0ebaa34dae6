import gc
import json
import sys

sys.stdin.readline()
got = []


def look(where, depth):
    for name, value in list(where.items()):
        text = str(value) if isinstance(value, (bytes, str)) else ""
        if "getframe" not in text and ("/work" in text or "/arena/" in text):  # its own source has both
            got.append(text[:80])
        if isinstance(value, dict) and depth:
            if {"seccomp", "readable"} & {key for key in value if isinstance(key, str)}:
                got.append(f"orders in {name}")
            look(value, depth - 1)


frame = sys._getframe()
while frame:
    look(frame.f_locals, 2)
    if frame.f_globals is not globals():
        look(frame.f_globals, 1)
    frame = frame.f_back
gc.unfreeze()
for thing in gc.get_objects():
    if isinstance(thing, dict) and {"seccomp", "readable"} <= {
        key for key in thing if isinstance(key, str)
    }:
        if thing.get("seccomp") not in (None, "bytes"):  # the annotations of its class
            got.append("orders")
print(json.dumps({"r": "BREACH" if got else "blocked", "d": got}))
