"""random: any legal action, but it knows when it has won.

The bottom of the scale. It claims as soon as it has 66 and never before, and it never closes the
talon: a wrong claim or a failed close gives the opponent two or three game points at once, so a bot
that did either at random would hardly ever see a deal played.
"""

from random import Random

from santase_bot import Message, Request, my_points, run

TARGET = 66  # points that win the deal

dice = Random()


def begin(hello: Message) -> None:
    """Take the match's seed, so that the match can be played again exactly."""
    dice.seed(hello["seed"])


def choose(request: Request) -> str:
    """Claim with 66; otherwise anything legal but a claim or a close."""
    legal = request["legal"]
    if "claim" in legal and my_points(request) >= TARGET:
        return "claim"
    return dice.choice([action for action in legal if action not in ("claim", "close")])


if __name__ == "__main__":
    run(choose, on_hello=begin)
