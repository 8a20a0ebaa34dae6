import os
import sys

sys.stdin.readline()
os.write(2, b"the inner wall: Landlock: Function not implemented\n")
os._exit(70)
