import json
import sys
import threading

sys.stdin.readline()


def hoard():
    kept = []
    try:
        while True:
            kept.append(bytearray(1 << 20))
    except MemoryError:
        kept.clear()


thread = threading.Thread(target=hoard)
thread.start()
thread.join()
print(json.dumps({"r": "fine"}))
