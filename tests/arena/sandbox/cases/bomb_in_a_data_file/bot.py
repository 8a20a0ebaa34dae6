import pkgutil
import sys
import zlib

sys.stdin.readline()
packed = pkgutil.get_data("brain", "weights.z")
print('{"r": "BREACH", "d": %d}' % len(zlib.decompress(zlib.decompress(packed))))
