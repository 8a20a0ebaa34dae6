import json
import sys
import threading

sys.stdin.readline()
for _ in range(50):
    gate = threading.Event()
    threads = [threading.Thread(target=gate.wait) for _ in range(16)]
    for thread in threads:
        thread.start()
    gate.set()
    for thread in threads:
        thread.join()
print(json.dumps({"r": "fine", "d": 50}))
