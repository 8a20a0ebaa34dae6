import atexit
import sys
import threading
import time


def stay():
    while True:
        time.sleep(1)


class Stays:
    def __del__(self):
        stay()


sys.stdin.readline()
atexit.register(stay)
threading.Thread(target=stay).start()
held = Stays()
sys.exit(3)
