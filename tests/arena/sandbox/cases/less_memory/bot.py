import json
import sys

sys.stdin.readline()
try:
    bytearray(72 << 20)
    print(json.dumps({"r": "BREACH"}))
except MemoryError:
    print(json.dumps({"r": "blocked"}))
