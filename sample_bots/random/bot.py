"""random: any legal action, but it knows when it has won.

The bottom of the scale. It claims as soon as it has 66 and never before, and it never closes the
talon: a wrong claim or a failed close gives the opponent two or three game points at once, so a bot
that did either at random would hardly ever see a deal played.
"""

from santase_bot import Message, Request, my_points, run

TARGET = 66  # points that win the deal


class Dice:
    """Random numbers by Marsaglia's xorshift, the same for the same seed wherever they are drawn.

    Python's own `random.Random(seed)` would do as well; it only takes longer to import.
    """

    def __init__(self) -> None:
        self.state = 1

    def seed(self, seed: int) -> None:
        """Start anew; 0 would stay 0 for ever."""
        self.state = seed or 1

    def below(self, limit: int) -> int:
        """A whole number from 0 to limit - 1, all equally likely (but for one in 2**27)."""
        state = self.state
        state ^= (state << 13) & 0xFFFFFFFF
        state ^= state >> 17
        state ^= (state << 5) & 0xFFFFFFFF
        self.state = state
        return state % limit


dice = Dice()


def begin(hello: Message) -> None:
    """Take the match's seed, so that the match can be played again exactly."""
    dice.seed(hello["seed"])


def choose(request: Request) -> str:
    """Claim with 66; otherwise anything legal but a claim or a close."""
    legal = request["legal"]
    if "claim" in legal and my_points(request) >= TARGET:
        return "claim"
    sensible = [action for action in legal if action not in ("claim", "close")]
    return sensible[dice.below(len(sensible))]


if __name__ == "__main__":
    run(choose, on_hello=begin)
