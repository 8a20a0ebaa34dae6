"""tactician: counts cards, saves its trumps, closes when it pays, claims in time.

Everything is decided from the request alone. While the talon is open, each card is weighed by a
formula (`lead_value`, `reply_value`). In the strict phase, and to judge a close, the bot plays the
rest of the deal in its head (`Rest`) against hands that the opponent may hold.
"""

from math import comb

from santase_bot import PACK, SUITS, Request, my_points, opponent_points, run, unseen

TARGET = 66  # points that win the deal
MATCH = 11  # game points that win the match
FAILED_CLOSE = 3  # what a failed close gives to the opponent

WORLDS_TO_CLOSE = 16  # hands imagined to judge a close
WORLDS_TO_PLAY = 6  # hands imagined to choose a card once the talon is closed
CLOSING_PAYS = 1.0  # game points that a close must be expected to win

TRUMP_IS_WORTH = 8  # a trump held wins a trick some time: card points, besides its own
MARRIAGE_IS_WORTH = 8  # a king and queen held may still be melded; twice as much in trumps
AVERAGE_CARD = 2  # what the opponent is thought to add to a trick

# Cards are numbers here, 0 to 23 in pack order: suit = card // 6, rank = card % 6 (9 J Q K T A).
NUMBER = {card: number for number, card in enumerate(PACK)}
POINTS = [0, 2, 3, 4, 10, 11] * len(SUITS)
QUEEN, KING = 2, 3


class Position:
    """A request in numbers; in pairs the first is mine, the second the opponent's."""

    def __init__(self, request: Request) -> None:
        view, me = request["view"], request["seat"]
        self.legal = request["legal"]
        self.hand = [NUMBER[card] for card in view["hand"]]
        self.playable = [NUMBER[action[5:]] for action in self.legal if action[:4] == "play"]
        self.led = None if view["led"] is None else NUMBER[view["led"]]
        self.trump = SUITS.index(view["trump"])
        self.points = (my_points(request), opponent_points(request))
        self.tricks = (len(view["tricks"][me]), len(view["tricks"][1 - me]))
        self.score = (view["score"][me], view["score"][1 - me])
        self.closer = None if view["closed_by"] is None else view["closed_by"] ^ me
        self.strict = self.closer is not None or view["talon"] == 0
        self.known = [NUMBER[card] for card in view["opponent_known"]]
        self.hidden = [NUMBER[card] for card in unseen(request)]
        self.hidden_in_hand = view["opponent_hand"] - len(self.known)

    def chance(self, wanted: range) -> float:
        """How likely it is that the opponent holds one of these cards, all that is hidden alike."""
        if any(card in self.known for card in wanted):
            return 1.0
        others = sum(card not in wanted for card in self.hidden)
        return 1 - comb(others, self.hidden_in_hand) / comb(len(self.hidden), self.hidden_in_hand)

    def worlds(self, count: int) -> list[list[int]]:
        """Hands that the opponent may hold: the one there is, or so many drawn at random.

        The draw starts anew each time, so that equal requests get equal answers.
        """
        if self.hidden_in_hand == len(self.hidden):
            return [self.known + self.hidden]
        state, hands = 1, []
        for _ in range(count):
            cards = self.hidden.copy()
            hand = self.known.copy()
            for _ in range(self.hidden_in_hand):
                state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
                hand.append(cards.pop((state >> 16) % len(cards)))
            hands.append(hand)
        return hands

    def worth(self, game_points: int) -> int:
        """Game points won (or, negative, lost), as far as the match has use for them."""
        if game_points > 0:
            return min(game_points, MATCH - self.score[0])
        return max(game_points, self.score[1] - MATCH)


def choose(request: Request) -> str:
    """Claim, exchange, close and meld where it is right; else the best card."""
    position = Position(request)
    legal = position.legal
    if "claim" in legal and position.points[0] >= TARGET:
        return "claim"
    if "exchange" in legal:
        return "exchange"
    if "close" in legal and closing_pays(position):
        return "close"
    melds = [action for action in legal if action.startswith("meld:")]
    if melds:
        in_trumps = "meld:" + SUITS[position.trump]
        return in_trumps if in_trumps in melds else melds[0]
    return "play:" + PACK[best_card(position)]


def closing_pays(position: Position) -> bool:
    """Whether closing now wins enough game points on average over the imagined hands."""
    within_reach = position.points[0] + sum(POINTS[card] for card in position.hand)
    if within_reach < TARGET:
        return False
    hands = position.worlds(WORLDS_TO_CLOSE)
    won = sum(position.worth(Rest(position, hand, closer=0).play()) for hand in hands)
    return won > CLOSING_PAYS * len(hands)


def best_card(position: Position) -> int:
    """The card to play: the best by formula, or in the strict phase by playing on in the head."""
    if len(position.playable) == 1:
        return position.playable[0]
    if not position.strict:
        value = lead_value if position.led is None else reply_value
        return max(position.playable, key=lambda card: value(position, card))
    hands = position.worlds(WORLDS_TO_PLAY)

    def outcome(card: int) -> tuple[int, int]:
        ends = [Rest(position, hand, position.closer).play(card) for hand in hands]
        return sum(map(position.worth, ends)), -POINTS[card]

    return max(position.playable, key=outcome)


def lead_value(position: Position, card: int) -> float:
    """Card points to be expected from leading a card while the talon is open."""
    suit = card // 6
    danger = position.chance(range(card + 1, 6 * suit + 6))
    if suit != position.trump:
        trumped = position.chance(range(6 * position.trump, 6 * position.trump + 6))
        danger += (1 - danger) * trumped * POINTS[card] / 11  # he trumps what is worth it
    return (1 - 2 * danger) * (POINTS[card] + AVERAGE_CARD) - worth_keeping(position, card)


def reply_value(position: Position, card: int) -> float:
    """Card points won or lost by a reply while the talon is open."""
    assert position.led is not None
    trick = POINTS[position.led] + POINTS[card]
    won = takes(card, position.led, position.trump)
    return (trick if won else -trick) - worth_keeping(position, card)


def worth_keeping(position: Position, card: int) -> float:
    """Card points that a card in the hand is good for later."""
    suit, rank = divmod(card, 6)
    in_trumps = suit == position.trump
    worth = 0.5 * POINTS[card] + (TRUMP_IS_WORTH if in_trumps else 0)
    if rank in (QUEEN, KING) and 6 * suit + QUEEN + KING - rank in position.hand:
        worth += MARRIAGE_IS_WORTH * (2 if in_trumps else 1)
    return worth


def takes(reply: int, led: int, trump: int) -> bool:
    """Whether a reply takes the trick."""
    if reply // 6 == led // 6:
        return reply > led
    return reply // 6 == trump


def strict_replies(hand: list[int], led: int, trump: int) -> list[int]:
    """What the strict rules leave to the replier: all take the trick, or none does."""
    of_suit = [card for card in hand if card // 6 == led // 6]
    if of_suit:
        return [card for card in of_suit if card > led] or of_suit
    return [card for card in hand if card // 6 == trump] or hand


class Rest:
    """The rest of a deal in the strict phase, both hands open, played by simple good sense.

    Whoever leads claims, melds, then leads the richest card that can't be taken, or else the
    cheapest; the replier plays the cheapest card that he may. Side 0 is mine.
    """

    def __init__(self, position: Position, other_hand: list[int], closer: int | None) -> None:
        self.trump = position.trump
        self.led = position.led
        self.closer = closer
        self.leader = 0 if position.led is None else 1
        self.hands = (position.hand.copy(), other_hand.copy())
        self.points = list(position.points)
        self.tricks = list(position.tricks)

    def play(self, card: int | None = None) -> int:
        """Game points that I win (or, negative, lose) when I begin with `card`."""
        while not self.over():
            if self.led is None:
                self.lead(card)
            else:
                self.reply(card)
            card = None
        return self.result()

    def over(self) -> bool:
        """Whether the leader, before he leads, has 66 or no card left."""
        leader = self.leader
        return self.led is None and (self.points[leader] >= TARGET or not self.hands[leader])

    def lead(self, card: int | None) -> None:
        """Lead a card, or else meld and choose one; no card is led if the meld makes 66."""
        hand = self.hands[self.leader]
        if card is None:
            choice = self.meld() or hand
            if self.points[self.leader] >= TARGET:
                return
            card = self.best_lead(choice)
        hand.remove(card)
        self.led = card

    def meld(self) -> list[int]:
        """Meld the best marriage; gives the queen and king, nothing where there is none."""
        hand = self.hands[self.leader]
        kings = [card for card in hand if card % 6 == KING and card - 1 in hand]
        if not kings or self.tricks[self.leader] == 0:
            return []
        king = next((card for card in kings if card // 6 == self.trump), kings[0])
        self.points[self.leader] += 40 if king // 6 == self.trump else 20
        return [king - 1, king]

    def best_lead(self, cards: list[int]) -> int:
        """The richest card that the replier can't take, or else the cheapest."""
        other = self.hands[1 - self.leader]
        richest_first = sorted(cards, key=POINTS.__getitem__, reverse=True)
        for card in richest_first:
            if not takes(strict_replies(other, card, self.trump)[0], card, self.trump):
                return card
        return richest_first[-1]

    def reply(self, card: int | None) -> None:
        """Complete the trick and give it to whom it belongs."""
        led, hand = self.led, self.hands[1 - self.leader]
        assert led is not None
        if card is None:
            card = min(strict_replies(hand, led, self.trump), key=POINTS.__getitem__)
        hand.remove(card)
        if takes(card, led, self.trump):
            self.leader = 1 - self.leader
        self.points[self.leader] += POINTS[led] + POINTS[card]
        self.tricks[self.leader] += 1
        self.led = None

    def result(self) -> int:
        """Game points to me: the leader has 66, or all tricks have been played."""
        winner = self.leader
        if self.points[winner] < TARGET:
            if self.closer is None:
                self.points[winner] += 10
            if self.points[winner] < TARGET <= self.points[1 - winner]:
                winner = 1 - winner
        if self.closer is not None and (winner != self.closer or self.points[winner] < TARGET):
            return -FAILED_CLOSE if self.closer == 0 else FAILED_CLOSE
        loser = 1 - winner
        value = 3 if self.tricks[loser] == 0 else 2 if self.points[loser] < 33 else 1
        return value if winner == 0 else -value


if __name__ == "__main__":
    run(choose)
