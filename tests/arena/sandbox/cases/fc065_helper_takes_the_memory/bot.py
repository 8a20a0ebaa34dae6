import subprocess
import sys

sys.stdin.readline()
subprocess.run([sys.executable, "-c", "bytearray(1 << 30)"], check=True)
