import asyncio
import collections
import concurrent.futures
import dataclasses
import datetime
import decimal
import enum
import fractions
import hashlib
import json
import logging
import pickle
import queue
import secrets
import sqlite3
import statistics
import subprocess
import sys
import time
import typing
import uuid

sys.stdin.readline()


async def think():
    await asyncio.sleep(0.01)
    return await asyncio.to_thread(lambda: 6)


@dataclasses.dataclass
class Hand:
    cards: list[str]


with concurrent.futures.ThreadPoolExecutor(16) as pool:
    squares = sum(pool.map(lambda n: n * n, range(100)))
refused = []
for run in (lambda: subprocess.run(["true"]), lambda: __import__("multiprocessing").Process().start()):
    try:
        run()
    except OSError as error:
        refused.append(type(error).__name__)
null = open("/dev/null", "w")
print("away", file=null)
facts = [
    asyncio.run(think()),
    squares,
    pickle.loads(pickle.dumps(Hand(["QH"]))).cards,
    sqlite3.connect(":memory:").execute("select 6*7").fetchone()[0],
    hashlib.sha256(b"x").hexdigest()[:4],
    len(secrets.token_hex(4)),
    str(uuid.uuid4()).count("-"),
    hash("hash seed 0"),
    refused,
]
print(json.dumps({"r": "fine", "d": facts}))
