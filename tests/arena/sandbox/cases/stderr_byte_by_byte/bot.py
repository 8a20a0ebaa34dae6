import os
import sys

sys.stdin.readline()
print('{"r": "dripping"}', flush=True)
while True:
    os.write(2, b".")
