import json
import os
import signal
import sys

sys.stdin.readline()
signal.pthread_sigmask(signal.SIG_BLOCK, set(range(34, 65)))
for _ in range(20_000):
    os.kill(os.getpid(), 40)
taken = 0
while signal.sigtimedwait({40}, 0):
    taken += 1
print(json.dumps({"r": "blocked" if taken <= 1 else "BREACH", "d": taken}))
