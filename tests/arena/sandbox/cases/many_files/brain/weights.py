import importlib.resources
import json

def load():
    with importlib.resources.files("brain").joinpath("data", "weights.json").open() as file:
        return json.load(file)
