import sys

for line in sys.stdin:
    sys.stdout.buffer.write(b'{"r": "heard"}\n')
