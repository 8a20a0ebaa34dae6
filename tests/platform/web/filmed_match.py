"""A booked match whose replay is a made one, so that no bot has to run."""

from typing import Any

import msgspec
from made_replays import made_body

from matches.models import Match, SeatLog
from replays import store
from replays.reader import parse_replay
from tournaments.pump import pump

SECRET = ("stderr of seat 0: my secret plan", "stderr of seat 1: боб")


def filmed(made: Any, seed: int = 1, **options: Any) -> Match:
    """A finished match, published, with what both bots wrote beside it."""
    tournament = made.tournament(2)
    pump(tournament.pk)
    pairing = made.play(tournament.pairings.get())
    match: Match = Match.objects.get(pairing=pairing, game=0)
    body = made_body(seed, match=match.public_id, **options)
    name = store.keep(match.public_id, body)
    replay = parse_replay(name, store.load(name))
    Match.objects.filter(pk=match.pk).update(
        replay=name,
        winner=replay.end.winner,
        score0=replay.end.score[0],
        score1=replay.end.score[1],
        reason=replay.end.reason,
        faults=msgspec.to_builtins(replay.end.faults),
        deals=len(replay.deals),
    )
    for seat, text in enumerate(SECRET):
        first = requests_of(replay, seat)[:3]
        SeatLog.objects.filter(match=match, seat=seat).update(
            stderr=f"loading {seat}\n{text}\nat the end {seat}\n",
            stderr_total=100,
            marks=[[first[0], 10], [first[1], 10 + len(text) + 1]],
            notes=[[first[1], f"note <b>{seat}</b> & more"]],
        )
    match.refresh_from_db()
    return match


def requests_of(replay: Any, seat: int) -> list[int]:
    """The numbers of the requests that went to a seat."""
    actions = [action for deal in replay.deals for action in deal.actions]
    return [number for number, action in enumerate(actions, 1) if action[0] == seat]
