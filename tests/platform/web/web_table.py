"""What the tests of the pages share: sources of bots, versions as rows, a table to look at."""

import hashlib
from dataclasses import dataclass

from accounts.models import User
from bots import services as bots
from bots.models import Bot, Version, VersionLog
from matches.models import Match, Pairing
from tournaments.models import Tournament

ODD_NAME = '<b>Сантасе & "66" 🂡</b> שלום'

LARGEST_PAGE = 150_000
"""Bytes of a page without its card faces."""

PLAYER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
        print("I sit at seat", message["seat"], file=sys.stderr)
    elif message["type"] == "request":
        action = [each for each in message["legal"] if each != "claim"][0]
        print(json.dumps({"id": message["id"], "action": action}), flush=True)
"""

CHEAT = PLAYER.replace('for each in message["legal"] if each != "claim"', 'for each in ["play:XX"]')


@dataclass
class Table:
    """Two authors, their bots, a tournament of which one pairing has been played for real."""

    ada: User
    boris: User
    good: Version
    cheat: Version
    tournament: Tournament
    pairing: Pairing

    @property
    def match(self) -> Match:
        return Match.objects.filter(pairing=self.pairing, game=0).get()


def accepted(owner: User, name: str, source: str) -> Version:
    """A version that has passed validation, as far as its row is concerned."""
    version = bots.enter_bot(owner, name, "bot.py", source.encode())
    claimed = bots.claim(version.pk)
    assert claimed is not None
    bots.accept(claimed, "3.11", VersionLog(stderr="ready to play\n", stderr_total=14))
    return claimed


def rejected(owner: User, name: str, log: VersionLog) -> Version:
    version = bots.enter_bot(owner, name, "bot.py", f"print({name!r})\n".encode())
    claimed = bots.claim(version.pk)
    assert claimed is not None
    bots.reject(claimed, "It did not start.", "3.11", log)
    claimed.refresh_from_db()
    return claimed


def bots_named(owner: User, count: int) -> list[Bot]:
    """Bots with an accepted version each, as rows alone."""
    made = [
        Bot.objects.create(owner=owner, name=f"bot {number}", name_key=f"bot {number}")
        for number in range(count)
    ]
    Version.objects.bulk_create(
        Version(
            bot=bot,
            number=1,
            file_name="bot.py",
            sha256=hashlib.sha256(bot.name.encode()).hexdigest(),
            size=1,
            status="accepted",
        )
        for bot in made
    )
    return made
