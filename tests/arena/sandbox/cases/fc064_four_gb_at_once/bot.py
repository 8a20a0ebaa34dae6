import sys

sys.stdin.readline()
bytearray(4 << 30)
