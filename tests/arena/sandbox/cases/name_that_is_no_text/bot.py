import ctypes
import json
import sys

sys.stdin.readline()
PR_SET_NAME = 15
ctypes.CDLL(None).prctl(PR_SET_NAME, b"\xff) Z 1\n", 0, 0, 0)
print(json.dumps({"r": "renamed"}), flush=True)
sys.stdin.read()
