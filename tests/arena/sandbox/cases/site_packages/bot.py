import importlib.util
import json
import os
import sys

sys.stdin.readline()
got = [
    name
    for name in ("pip", "pytest", "django", "msgspec", "numpy", "arena", "test", "idlelib")
    if importlib.util.find_spec(name)
]
for folder in sys.path:
    for name in ("site-packages", "dist-packages"):
        try:
            got += os.listdir(os.path.join(folder, name))
        except OSError:
            pass
print(json.dumps({"r": "BREACH" if got else "blocked", "d": got}))
