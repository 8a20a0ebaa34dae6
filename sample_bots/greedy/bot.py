"""greedy: looks at this one trick and never at the next.

The anchor of the scale: its rating is 1500 by definition, so what it plays must never change
without everybody being told.
"""

from santase_bot import Request, beats, my_points, playable, points, run

TARGET = 66  # points that win the deal
TRUMP_COSTS = 10  # a trump is only spent on a trick that brings more than a loss and this


def choose(request: Request) -> str:
    """Claim, exchange or meld as soon as it can; otherwise the card that suits this trick best."""
    legal = request["legal"]
    if "claim" in legal and my_points(request) >= TARGET:
        return "claim"
    if "exchange" in legal:
        return "exchange"
    melds = [action for action in legal if action.startswith("meld:")]
    if melds:
        in_trumps = "meld:" + request["view"]["trump"]
        return in_trumps if in_trumps in melds else melds[0]
    return "play:" + (lead(request) if request["view"]["led"] is None else reply(request))


def lead(request: Request) -> str:
    """The card with fewest points, a trump only if there is nothing else."""
    trump = request["view"]["trump"]
    return min(playable(request), key=lambda card: (card[1] == trump, points(card)))


def reply(request: Request) -> str:
    """Win as much as possible; if that can't be or costs too much, lose as little as possible."""
    view = request["view"]
    led, trump = view["led"], view["trump"]
    assert led is not None

    def gain(card: str) -> int:
        trick = points(led) + points(card)
        cost = TRUMP_COSTS if card[1] == trump else 0
        return (trick if beats(card, led, trump) else -trick) - cost

    return max(playable(request), key=gain)


if __name__ == "__main__":
    run(choose)
