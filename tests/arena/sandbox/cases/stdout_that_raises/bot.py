import sys


class Stream:
    def __getattr__(self, name):
        raise ValueError(name)


sys.stdin.readline()
print('{"r": "fine"}')
sys.stdout = sys.stderr = Stream()
