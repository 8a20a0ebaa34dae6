"""The rules of a deal once more, slow and plain: strings and sets, no masks, nothing of `arena`.

Written from the clauses and not from the engine, so that the two can be held against each other.
"""

from collections.abc import Iterable

POINTS = {"9": 0, "J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}
PACK = [rank + suit for suit in "CDHS" for rank in "9JQKTA"]

Options = dict[str, bool | int | str]


def beats(reply: str, lead: str, trump: str) -> bool:
    """R3.3."""
    if reply[1] == lead[1]:
        return POINTS[reply[0]] > POINTS[lead[0]]
    return reply[1] == trump


def in_pack_order(cards: Iterable[str]) -> list[str]:
    return sorted(cards, key=PACK.index)


class Oracle:
    """A deal under way; `options` holds every option of R15."""

    def __init__(self, deck: list[str], dealer: int, options: Options) -> None:
        self.options = options
        self.dealer = dealer
        self.trump = deck[12][1]
        eldest = 1 - dealer
        self.hands: list[set[str]] = [set(), set()]
        self.hands[eldest] = {*deck[0:3], *deck[6:9]}
        self.hands[dealer] = {*deck[3:6], *deck[9:12]}
        self.talon = [*deck[13:], deck[12]]
        self.turn = eldest
        self.lead: str | None = None
        self.pair_due: str | None = None
        self.won: list[list[tuple[str, str]]] = [[], []]
        self.melds: list[list[tuple[str, int]]] = [[], []]
        self.closer: int | None = None
        self.at_close: dict[str, list[int]] = {}
        self.exchanged: tuple[int, str] | None = None
        self.shown: list[set[str]] = [set(), set()]  # cards all know to be in a hand
        self.bonus_to: int | None = None
        self.result: dict[str, object] | None = None

    # --- what can be said of the position

    def tricks(self) -> int:
        return len(self.won[0]) + len(self.won[1])

    def points(self) -> list[int]:
        totals = []
        for seat in (0, 1):
            cards = sum(POINTS[card[0]] for trick in self.won[seat] for card in trick)
            total = cards + sum(worth for _, worth in self.melds[seat])
            total = total if self.won[seat] else 0  # R6.4
            totals.append(total + (10 if self.bonus_to == seat else 0))
        return totals

    def strict(self) -> bool:
        return self.closer is not None or not self.talon

    def may_exchange(self) -> bool:
        if "9" + self.trump not in self.hands[self.turn] or self.tricks() == 0:
            return False
        minimum = self.options["exchange_min_talon"]
        assert isinstance(minimum, int)
        return self.closer is None and len(self.talon) >= minimum

    def may_close(self) -> bool:
        if self.tricks() == 0 and not self.options["close_first_trick"]:
            return False
        minimum = self.options["close_min_talon"]
        assert isinstance(minimum, int)
        return self.closer is None and len(self.talon) >= minimum

    def may_meld(self, suit: str) -> bool:
        if self.tricks() == 0 and not self.options["meld_first_trick"]:
            return False
        if self.strict() and not self.options["meld_in_strict"]:
            return False
        return {"K" + suit, "Q" + suit} <= self.hands[self.turn]

    def may_claim(self) -> bool:
        return self.options["claim_mode"] == "explicit" and bool(self.won[self.turn])

    def legal(self) -> set[str]:
        if self.result is not None:
            return set()
        if self.lead is not None:
            actions = {"play:" + card for card in self.replies(self.lead)}
            if self.options["exchange_turn"] == "own_turn" and self.may_exchange():
                actions.add("exchange")
            return actions
        actions = {"claim"} if self.may_claim() else set()
        if self.pair_due is not None:
            return actions | {f"play:K{self.pair_due}", f"play:Q{self.pair_due}"}
        actions |= {"play:" + card for card in self.hands[self.turn]}
        actions |= {"meld:" + suit for suit in "CDHS" if self.may_meld(suit)}
        actions |= {"exchange"} if self.may_exchange() else set()
        actions |= {"close"} if self.may_close() else set()
        return actions

    def replies(self, lead: str) -> set[str]:
        hand = self.hands[self.turn]
        if not self.strict():
            return hand
        suit = {card for card in hand if card[1] == lead[1]}
        higher = {card for card in suit if POINTS[card[0]] > POINTS[lead[0]]}
        trumps = {card for card in hand if card[1] == self.trump}
        return higher or suit or trumps or hand

    def view(self, seat: int, score: list[int]) -> dict[str, object]:
        """What the protocol's `view` says to a seat, told from what that seat has seen."""
        opponent = 1 - seat
        seen = set(self.hands[seat]) | {card for pair in self.won for t in pair for card in t}
        seen |= {self.lead} if self.lead else set()
        known = set(PACK) - seen if not self.talon else self.shown[opponent]
        return {
            "hand": in_pack_order(self.hands[seat]),
            "opponent_hand": len(self.hands[opponent]),
            "opponent_known": in_pack_order(known),
            "trump": self.trump,
            "face_up": self.talon[-1] if self.talon else None,
            "talon": len(self.talon),
            "closed_by": self.closer,
            "exchanged": self.exchanged,
            "led": self.lead,
            "points": self.points(),
            "tricks": self.won,
            "melds": self.melds,
            "dealer": self.dealer,
            "score": score,
        }

    # --- what happens

    def do(self, action: str) -> None:
        assert action in self.legal()
        me = self.turn
        word, _, thing = action.partition(":")
        if word == "claim":
            self.claimed(me)
        elif word == "close":
            self.closer = me
            self.at_close = {
                "points": self.points(),
                "tricks": [len(self.won[0]), len(self.won[1])],
            }
        elif word == "exchange":
            taken = self.talon[-1]
            self.talon[-1] = "9" + self.trump
            self.hands[me] = (self.hands[me] - {"9" + self.trump}) | {taken}
            self.exchanged = (me, taken)
            self.shown[me].add(taken)
        elif word == "meld":
            self.meld(me, thing)
            self.pair_due = thing
        else:
            self.play(me, thing)

    def meld(self, me: int, suit: str) -> None:
        self.melds[me].append((suit, 40 if suit == self.trump else 20))
        self.shown[me] |= {"K" + suit, "Q" + suit}
        self.won_without_a_word(me)

    def play(self, me: int, card: str) -> None:
        leading = self.lead is None
        melds_itself = (
            leading
            and self.pair_due is None
            and bool(self.options["meld_compulsory"])
            and card[0] in "KQ"
            and self.may_meld(card[1])
        )
        if melds_itself:
            self.melds[me].append((card[1], 40 if card[1] == self.trump else 20))
            self.shown[me] |= {"K" + card[1], "Q" + card[1]}
        self.hands[me].remove(card)
        self.shown[me].discard(card)
        self.pair_due = None
        if self.lead is None:
            self.lead = card
            if melds_itself:
                self.won_without_a_word(me)
            self.turn = me if self.result else 1 - me
            return
        self.take(self.lead, card)

    def take(self, lead: str, reply: str) -> None:
        replier, leader = self.turn, 1 - self.turn
        winner = replier if beats(reply, lead, self.trump) else leader
        self.won[winner].append((lead, reply))
        self.lead = None
        self.turn = winner
        if self.tricks() < 12:
            self.won_without_a_word(winner)
        if self.result is not None:
            return
        if self.closer is None and self.talon:
            for seat in (winner, 1 - winner):
                card = self.talon.pop(0)
                self.hands[seat].add(card)
                if not self.talon:
                    self.shown[seat].add(card)
        if not self.hands[0] and not self.hands[1]:
            self.played_out(winner)

    # --- how it ends

    def won_without_a_word(self, me: int) -> None:
        if self.options["claim_mode"] == "auto" and self.points()[me] >= 66:
            self.claimed(me)

    def claimed(self, me: int) -> None:
        other = 1 - me
        if self.points()[me] >= 66:
            if self.closer == other:
                self.end(me, self.failed_close(), "claim_against_closer")
            else:
                self.end(me, self.worth(other), "claim")
        elif self.closer == me:
            self.end(other, self.failed_close(), "failed_close")
        else:
            fixed = {"two": 2, "three": 3}.get(str(self.options["wrong_claim"]))
            self.end(other, fixed or (2 if self.won[other] else 3), "wrong_claim")

    def played_out(self, last: int) -> None:
        if self.closer is None and self.options["last_trick_bonus"] == 10:
            self.bonus_to = last
        points = self.points()
        with_66 = [seat for seat in (last, 1 - last) if points[seat] >= 66]
        winner = with_66[0] if with_66 else None
        if self.options["no_claim_end"] == "higher_total" and len(with_66) == 2:
            winner = None if points[0] == points[1] else points.index(max(points))
        if self.closer is not None and winner != self.closer:
            self.end(1 - self.closer, self.failed_close(), "failed_close")
        elif winner is not None:
            self.end(winner, self.worth(1 - winner), "settled")
        elif self.options["tie_end"] == "last_trick":
            self.end(last, self.worth(1 - last), "tie_last_trick")
        else:
            self.end(None, 0, "void")

    def worth(self, loser: int) -> int:
        points, tricks = self.points()[loser], len(self.won[loser])
        if self.closer is not None and self.options["close_eval"] == "at_close":
            points, tricks = self.at_close["points"][loser], self.at_close["tricks"][loser]
        return 3 if tricks == 0 else 2 if points < 33 else 1

    def failed_close(self) -> int:
        assert self.closer is not None
        if self.options["failed_close"] == "three":
            return 3
        return 2 if self.at_close["tricks"][1 - self.closer] else 3

    def end(self, winner: int | None, points: int, reason: str) -> None:
        self.result = {
            "winner": winner,
            "points": points,
            "reason": reason,
            "totals": self.points(),
            "tricks": [len(self.won[0]), len(self.won[1])],
            "bonus_to": self.bonus_to,
        }


def count(
    deck: list[str], dealer: int, options: Options, depth: int, line: tuple[str, ...] = ()
) -> int:
    """How many lines of `depth` more actions there are after a line ("perft"); one that ends
    the deal earlier counts once."""
    deal = Oracle(deck, dealer, options)
    for action in line:
        deal.do(action)
    if depth == 0 or deal.result is not None:
        return 1
    return sum(count(deck, dealer, options, depth - 1, (*line, action)) for action in deal.legal())
