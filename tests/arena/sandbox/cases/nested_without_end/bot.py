import sys

sys.stdin.readline()
nest = ()
for _ in range(300_000):
    nest = (nest,)
hash(nest)  # goes down the stack without asking how deep it is
