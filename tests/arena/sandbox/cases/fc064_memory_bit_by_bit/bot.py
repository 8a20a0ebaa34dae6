import sys

sys.stdin.readline()
kept = []
while True:
    kept.append([len(kept)] * 100)
