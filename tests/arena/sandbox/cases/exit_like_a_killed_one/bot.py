import os
import sys

sys.stdin.readline()
os._exit(137)
