"""Decks and seeds (PROTOCOL §6): everything that is random in a match comes from its seed.

A seed is 32 bytes, written as 64 hex digits in lower case.
"""

import hashlib
import hmac
import secrets
from datetime import date

from arena.referee.errors import BadSeed
from arena.santase import PACK, Card

SEED_BYTES = 32
_BLOCK = 64
"""Bytes of SHAKE-256 asked for at once; a deck takes about 26."""

_BOUNDS = tuple(256 - 256 % (place + 1) for place in range(len(PACK)))
"""Bytes from here up are skipped for a place, so that each choice is uniform."""


def new_secret() -> str:
    """A fresh seed or secret from the operating system, as hex."""
    return secrets.token_hex(SEED_BYTES)


def parse_seed(text: str) -> str:
    """`text` as a seed in lower case. Raises `BadSeed` with what a seed looks like."""
    seed = text.strip().lower()
    if len(seed) != 2 * SEED_BYTES or not set(seed) <= set("0123456789abcdef"):
        raise BadSeed(
            f"a seed is {2 * SEED_BYTES} hex digits (0-9, a-f); this has {len(seed)} characters"
            if len(seed) != 2 * SEED_BYTES
            else f"a seed is {2 * SEED_BYTES} hex digits; this has other characters"
        )
    return seed


def draw_deck(seed: str, deal: int) -> tuple[Card, ...]:
    """The drawn order of deal `deal` (from 1): Fisher–Yates over the pack, bytes from SHAKE-256."""
    stream = hashlib.shake_256(f"santase/1/{seed}/{deal}".encode())
    pack = list(PACK)
    place = len(pack) - 1
    used, size = 0, _BLOCK
    while True:
        for byte in stream.digest(size)[used:]:
            if byte >= _BOUNDS[place]:
                continue
            other = byte % (place + 1)
            pack[place], pack[other] = pack[other], pack[place]
            place -= 1
            if place == 0:
                return tuple(pack)
        used, size = size, 2 * size


def deck_for(seed: str, deal: int, dealer: int) -> tuple[Card, ...]:
    """The deck after the cut, top card first (R2.3), when `dealer` deals.

    The packets belong to the seats, whoever deals: seat 0 gets places 1–3 and 7–9 of the drawn
    order, so where seat 1 is the non-dealer the packets change places.
    """
    drawn = draw_deck(seed, deal)
    if dealer == 1:
        return drawn
    return drawn[3:6] + drawn[0:3] + drawn[9:12] + drawn[6:9] + drawn[12:]


def bot_seed(seed: str, game: int, seat: int) -> int:
    """The seed of a bot's own generator (32 bits); it says nothing about the cards."""
    digest = hashlib.shake_256(f"santase/1/{seed}/bot/{game}/{seat}".encode()).digest(4)
    return int.from_bytes(digest, "big")


def derive_seed(secret: str, message: str) -> str:
    """HMAC-SHA256 of `message` under the 32 secret bytes, as a seed."""
    return hmac.new(bytes.fromhex(secret), message.encode(), hashlib.sha256).hexdigest()


def local_pair_seed(secret: str, pair: int) -> str:
    """The seed of pair `pair` (from 0) of `santase play --seed`."""
    return derive_seed(secret, f"play/{pair}")


def tournament_pair_seed(secret: str, tournament: int, one: int, other: int, pair: int) -> str:
    """The seed of pair `pair` (from 0) between two versions of a tournament, in either order."""
    low, high = sorted((one, other))
    return derive_seed(secret, f"{tournament}/{low}/{high}/{pair}")


def ladder_pair_seed(secret: str, ladder: int, day: date, one: int, other: int, pair: int) -> str:
    """Likewise of a ladder, which has a secret a day (UTC)."""
    low, high = sorted((one, other))
    return derive_seed(secret, f"{ladder}/{day.isoformat()}/{low}/{high}/{pair}")


def commitment_to(secret: str) -> str:
    """SHA-256 of the 32 secret bytes, as hex: published before entries are frozen."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()
