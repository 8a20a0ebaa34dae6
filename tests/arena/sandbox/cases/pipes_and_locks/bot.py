import fcntl
import json
import os
import sys

sys.stdin.readline()
got = []
for command, argument in (
    (fcntl.F_SETPIPE_SZ if hasattr(fcntl, "F_SETPIPE_SZ") else 1031, 1 << 20),
    (fcntl.F_SETLEASE, fcntl.F_RDLCK),
    (fcntl.F_NOTIFY, 1),
    (fcntl.F_SETOWN, os.getpid()),
    (10, 12),
):
    try:
        fcntl.fcntl(1, command, argument)
        got.append(command)
    except OSError:
        pass
runtime = open(json.__file__, "rb")
for lock in (
    lambda: fcntl.flock(runtime, fcntl.LOCK_SH | fcntl.LOCK_NB),
    lambda: fcntl.lockf(runtime, fcntl.LOCK_SH | fcntl.LOCK_NB),
):
    try:
        lock()
        got.append("lock")
    except OSError:
        pass
print(json.dumps({"r": "BREACH" if got else "blocked", "d": got}))
