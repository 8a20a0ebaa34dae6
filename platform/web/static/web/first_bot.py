"""A whole bot: it answers every request with an action drawn from the legal ones."""

import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        random.seed(message["seed"])
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "request":
        # A claim that is wrong loses the deal: this bot does not count, so it never claims.
        actions = [action for action in message["legal"] if action != "claim"]
        reply = {"id": message["id"], "action": random.choice(actions)}
        print(json.dumps(reply), flush=True)
