import sys

sys.stdin.readline()
raise ValueError("x" * 40_000_000)
