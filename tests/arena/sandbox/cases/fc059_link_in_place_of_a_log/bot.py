import json
import os
import sys

sys.stdin.readline()
# Whoever opens a path that a bot could write follows its link: so there is no such path.
PLACES = ("", "/", "/tmp/", "/bot/", "/dev/", "/io/", "/var/log/", "/run/", "/lib/")
made = []
for place in PLACES:
    for name in ("stderr", "stdout", "log", "bot.log"):
        for make in (os.symlink, os.link):
            try:
                make("/etc/passwd", place + name)
                made.append([make.__name__, place + name])
            except OSError:
                pass
    try:
        os.rename(place + "stderr", place + "other")
        made.append(["rename", place])
    except OSError:
        pass
print(json.dumps({"r": "BREACH" if made else "blocked", "d": made}))
