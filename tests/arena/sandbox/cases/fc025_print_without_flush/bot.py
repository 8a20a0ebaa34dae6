import sys

for line in sys.stdin:
    print('{"r": "heard"}')
