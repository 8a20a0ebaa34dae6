import signal
import sys

rung = {}


def ring(number, frame):
    rung[number] = rung.get(number, 0) + 1


sys.stdin.readline()
TIMERS = (
    (signal.ITIMER_REAL, signal.SIGALRM),
    (signal.ITIMER_VIRTUAL, signal.SIGVTALRM),
    (signal.ITIMER_PROF, signal.SIGPROF),
)
for timer, number in TIMERS:
    signal.signal(number, ring)
    signal.setitimer(timer, 1e-4, 1e-4)
while sum(rung.values()) < 20:
    sum(range(1000))
print('{"r": "hailing"}', flush=True)
while True:
    signal.pause()
