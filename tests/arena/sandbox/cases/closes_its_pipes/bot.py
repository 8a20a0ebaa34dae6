import os
import signal
import sys

sys.stdin.readline()
os.closerange(0, 32)
while True:
    signal.pause()
