import json
import mmap
import sys

MB = 1 << 20
AT_ONCE, MOST = 50 * MB, 900 * MB

sys.stdin.readline()
kept, held = [], 0
try:
    while held < MOST:
        room = mmap.mmap(-1, AT_ONCE, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
        for page in range(0, AT_ONCE, mmap.PAGESIZE):
            room[page] = 1
        held += AT_ONCE
        # All but a page is given back as address space; the pages behind it stay in the kernel.
        room.resize(mmap.PAGESIZE)
        kept.append(room)
except OSError as error:
    said = error.strerror
else:
    said = "took it"
print(json.dumps({"r": "BREACH" if held > 256 * MB else "blocked", "d": [said, held // MB]}))
