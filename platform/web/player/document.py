"""A match for the script of its page: one JSON document, the same for every reader.

Each frame says only what has changed since the one before, so a long match (21 deals, R12.4) stays
below half a megabyte before it is compressed. What comes from a bot in it is its name and, at the
end of a match that a fault ended, the action and the cause that the fault names; all escaped.
"""

from typing import Any, Final

from django.utils.translation import gettext

from arena.santase import PACK
from web.player.faces import back, face
from web.player.frames import Film, Frame, Laid
from web.words import card_name

_MARKS: Final = {"": "", "new": "+", "melded": "!", "takes": "*"}
"""How the document writes the marks of cards."""


def document(film: Film) -> dict[str, Any]:
    """`faces`: every card's name and addresses by deck; `frames`: what changes, in order."""
    frames: list[dict[str, Any]] = []
    before: dict[str, Any] = {}
    for position in film.row:
        now = _flat(film.frame(position.at))
        frames.append({key: value for key, value in now.items() if before.get(key) != value})
        before = now
    return {
        "faces": {
            str(card): [card_name(card), face(card, "two"), face(card, "four")] for card in PACK
        },
        "back": [gettext("a card face down"), back(), back()],
        "frames": frames,
    }


def _flat(frame: Frame) -> dict[str, Any]:
    return {
        "deal": frame.deal,
        "trick": frame.trick,
        "seat": frame.seat,
        "request": frame.request,
        "stop": frame.stop,
        "opens": frame.opens,
        "turn": frame.turn,
        "closed": frame.closed,
        **{f"zone {name}": " ".join(map(token, laid)) for name, laid in frame.zones.items()},
        **{
            f"pile {seat}": " ".join(
                f"{trick.number}:{trick.at}:{trick.lead}:{trick.reply}" for trick in pile
            )
            for seat, pile in enumerate(frame.piles)
        },
        **{f"text {name}": text for name, text in frame.texts.items()},
    }


def token(laid: Laid) -> str:
    """A card in its place: its code, `?` where it is covered, a sign for its mark."""
    return f"{laid.card}{'?' if laid.covered else ''}{_MARKS[laid.mark]}"
