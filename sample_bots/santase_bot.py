"""Speak the arena's protocol: copy this file next to your `bot.py`.

A whole bot:

    from santase_bot import run

    def choose(request):
        return request["legal"][0]

    run(choose)

`run` reads one JSON message a line from stdin, asks `choose` whenever a decision is due, and
writes the answer to stdout. It remembers nothing about the deal: every request says all that you
may know (`request["view"]`) and all that you may do (`request["legal"]`). It adds one thing, your
seat: `request["seat"]` is 0 or 1, and in every pair of the view the first belongs to seat 0.

While `run` is at work, `print` and `log` write to stderr, which only you get to read. If `choose`
raises an exception, the bot ends and loses the match; the traceback is in that log.

Only the standard library is used. Python 3.11 or later.
"""

from __future__ import annotations

import json
import sys

TYPE_CHECKING = False  # typing takes longer to import than the rest of this file: checkers only
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypedDict

    class View(TypedDict):
        """What your seat may know now."""

        hand: list[str]
        opponent_hand: int  # how many cards he holds, the card led not counted
        opponent_known: list[str]  # cards proven to be in his hand; all, once the talon is drawn
        trump: str
        face_up: str | None  # the turned card; None once it has been drawn
        talon: int  # cards left, the turned one included
        closed_by: int | None
        exchanged: tuple[int, str] | None  # who, and the card he took
        led: str | None  # the card you have to reply to; None if it is for you to lead
        points: tuple[int, int]  # card points and melds of this deal
        tricks: tuple[list[tuple[str, str]], list[tuple[str, str]]]  # each (lead, reply)
        melds: tuple[list[tuple[str, int]], list[tuple[str, int]]]  # each (suit, 20 or 40)
        dealer: int
        score: tuple[int, int]  # game points of the match

    class Clock(TypedDict):
        """Time left, in milliseconds of your process's CPU time."""

        move_ms: int
        bank_ms: int

    class Request(TypedDict):
        """A decision is due."""

        id: int
        deal: int
        seat: int  # added by `run`
        view: View
        events: list[tuple[int, str]]  # what was done since your last request: (seat, action)
        legal: list[str]  # "play:QH", "meld:H", "exchange", "close", "claim"; all that is allowed
        clock: Clock

    Message = dict[str, Any]
    Answer = str | tuple[str, str]
    Hook = Callable[[Message], object]
else:
    View = Clock = Request = Message = dict


def run(
    choose: Callable[[Request], Answer],
    on_hello: Hook | None = None,
    on_deal: Hook | None = None,
    on_deal_end: Hook | None = None,
) -> None:
    """Play one match; gives back when it is over.

    `choose` gets a request and gives an action out of its `legal`, or a pair (action, note); a
    note of at most 512 bytes is kept beside the replay, for you alone. The hooks are optional and
    get the messages `hello` (once, with the rules, the limits and a seed), `deal` and `deal_end`.
    """
    replies, sys.stdout = sys.stdout, sys.stderr
    seat = -1
    for line in sys.stdin.buffer:
        message = json.loads(line)
        answer = None
        match message["type"]:
            case "request":
                message["seat"] = seat
                chosen = choose(message)
                action, note = (chosen, None) if isinstance(chosen, str) else chosen
                answer = {"id": message["id"], "action": action}
                if note is not None:
                    answer["note"] = note
            case "hello":
                seat = message["seat"]
                if on_hello is not None:
                    on_hello(message)
                answer = {"type": "ready"}
            case "deal" if on_deal is not None:
                on_deal(message)
            case "deal_end" if on_deal_end is not None:
                on_deal_end(message)
            case "match_end":
                break
        if answer is not None:
            replies.write(json.dumps(answer) + "\n")
            replies.flush()
    sys.stdout = replies


def log(*things: object) -> None:
    """Print to the bot's log, which only its owner can read."""
    print(*things, file=sys.stderr, flush=True)


# A card is its rank and its suit: "TH" is the ten of hearts.

RANKS = "9JQKTA"  # low to high: the ten beats the king
SUITS = "CDHS"
PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)
POINTS = {"9": 0, "J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}


def points(card: str) -> int:
    """Card points: ace 11, ten 10, king 4, queen 3, jack 2, nine 0."""
    return POINTS[card[0]]


def strength(card: str) -> int:
    """Place within its suit, from 0 for the nine to 5 for the ace."""
    return RANKS.index(card[0])


def beats(reply: str, led: str, trump: str) -> bool:
    """Whether a reply takes the trick: a higher card of the suit led, or else a trump."""
    if reply[1] == led[1]:
        return strength(reply) > strength(led)
    return reply[1] == trump


def playable(request: Request) -> list[str]:
    """The cards that may be played now, in alphabetical order."""
    return [action[5:] for action in request["legal"] if action.startswith("play:")]


def my_points(request: Request) -> int:
    """Card points and melds that you have in this deal; at 66 you may claim it."""
    return request["view"]["points"][request["seat"]]


def opponent_points(request: Request) -> int:
    """Card points and melds that the opponent has in this deal."""
    return request["view"]["points"][1 - request["seat"]]


def unseen(request: Request) -> list[str]:
    """The cards that you have not seen, in pack order.

    Each is in the opponent's hand or face down in the talon. Those that he is known to hold
    (`opponent_known`) have been seen and are not among them.
    """
    view = request["view"]
    seen = {*view["hand"], *view["opponent_known"], view["face_up"], view["led"]}
    for tricks in view["tricks"]:
        for trick in tricks:
            seen.update(trick)
    return [card for card in PACK if card not in seen]
