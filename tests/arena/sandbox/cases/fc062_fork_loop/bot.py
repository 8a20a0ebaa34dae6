import os
import sys
import time

sys.stdin.readline()
deadline = time.monotonic() + 0.3
made = 0
while time.monotonic() < deadline:
    try:
        if os.fork() == 0:
            os._exit(0)
        made += 1
    except OSError:
        pass
print('{"r": "%s"}' % ("BREACH" if made else "blocked"))
