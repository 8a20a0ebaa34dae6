import os
import signal
import sys

sys.stdin.readline()
print('{"r": "stopping"}', flush=True)
os.kill(os.getpid(), signal.SIGSTOP)
while True:
    signal.pause()
