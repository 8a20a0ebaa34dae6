import _thread
import json
import sys
import threading
import time

sys.stdin.readline()
threading.stack_size(32768)
started = 0
try:
    while started < 200:
        threading.Thread(target=time.sleep, args=(3,), daemon=True).start()
        started += 1
except RuntimeError:
    pass
print(json.dumps({"r": "BREACH" if started > 16 else "blocked", "d": started}))
