"""The deals of a replay as the game's own states, by playing its actions again."""

from collections.abc import Iterable, Iterator

import msgspec

from arena.referee.replay_lines import DealLine, Header, Score
from arena.santase import DealState, apply, parse_cards, parse_move, ruleset_from_dict, start_deal


def deals_of(body: bytes) -> Iterator[tuple[Score, DealState]]:
    """The score before each deal, and the deal's last state; `body` is a replay, sealed or not.

    For replays that hold (`verify`): raises what msgspec or the rules raise where one does not.
    """
    first, *lines = body.splitlines()
    return last_states(msgspec.json.decode(first, type=Header), _deal_lines(lines))


def _deal_lines(lines: Iterable[bytes]) -> Iterator[DealLine]:
    for line in lines:
        if b'"end"' in line:
            return
        yield msgspec.json.decode(line, type=DealLine)


def last_states(header: Header, deals: Iterable[DealLine]) -> Iterator[tuple[Score, DealState]]:
    """As `deals_of`, from a replay's lines; raises `SantaseError` where they break the rules."""
    rules = ruleset_from_dict(header.ruleset)
    score = (0, 0)
    for played in deals:
        deal = start_deal(parse_cards(played.deck), played.dealer, rules)
        for _, action, _, _ in played.actions:
            deal = apply(deal, parse_move(action))
        yield score, deal
        score = played.score
