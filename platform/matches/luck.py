"""The luck of the cards in a match: from its record when it is booked, later from its replay."""

from collections.abc import Iterable

from arena.rating import match_luck
from arena.referee.played_again import deals_of, last_states
from arena.referee.replay_lines import Score
from arena.santase import DealState, SantaseError
from replays.errors import ReplayDamaged
from replays.reader import Replay


def luck_in_record(body: bytes) -> float | None:
    """`Match.luck` of a match just played; `body` is its replay without the seal."""
    return _luck(deals_of(body))


def luck_in_replay(replay: Replay) -> float | None:
    """`Match.luck` by the replay. Raises `ReplayDamaged` where its actions break the rules."""
    try:
        return _luck(last_states(replay.header, replay.deals))
    except SantaseError as error:
        raise ReplayDamaged(f"the replay of {replay.header.match} breaks the rules: {error}") from (
            error
        )


def _luck(deals: Iterable[tuple[Score, DealState]]) -> float | None:
    """None where no card was dealt: then nobody could be lucky."""
    dealt = list(deals)
    return match_luck(dealt) if dealt else None
