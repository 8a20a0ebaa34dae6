import os
import sys

print("the talon was not what I thought", file=sys.stderr)
os.abort()
