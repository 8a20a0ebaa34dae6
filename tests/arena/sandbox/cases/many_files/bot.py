import importlib.resources
import json
import pkgutil
import random
import sys

import brain.nested.deep
from brain import weights

sys.stdin.readline()
found = [
    random.randint(1, 1),
    weights.load(),
    brain.nested.deep.NAME,
    pkgutil.get_data("brain", "data/weights.json").decode(),
    pkgutil.get_data("__main__", "opening.txt").decode(),
    sorted(entry.name for entry in importlib.resources.files("brain").iterdir()),
    (importlib.resources.files("brain") / "data" / "weights.json").read_text(),
    importlib.resources.read_text("brain", "note.txt"),
    __file__,
    __name__,
]
assert "there is none" not in str(found)
print(json.dumps({"r": "fine", "d": found}))
