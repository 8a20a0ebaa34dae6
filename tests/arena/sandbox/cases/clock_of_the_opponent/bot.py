import json
import sys
import time

worker = int(json.loads(sys.stdin.readline())["pid"])
got = []
for pid in (worker, 1):
    for read in (time.clock_gettime, time.clock_getres):
        try:
            read((~pid << 3) | 2)
            got.append(pid)
        except OSError:
            pass
own = [time.clock_gettime(clock) for clock in (0, 1, time.CLOCK_PROCESS_CPUTIME_ID)]
print(json.dumps({"r": "BREACH" if got else "blocked", "d": [got, len(own)]}))
