"""The standings counted again from the replay files alone, and compared with the database."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

from django.db.models import Count

from arena.rating import TALLY, Result, Sums, tally
from matches.claims import differences, result_of
from matches.models import Match, MatchStatus, Pairing
from matches.reading import consistent_read
from ratings import services as ratings
from ratings.models import Rating, Snapshot
from replays.errors import ReplayStoreError
from replays.reader import read_replay
from tournaments.models import Tournament

_REFITS = 5
"""So often the standings may be overtaken by results before that is said."""


@dataclass(frozen=True, slots=True)
class Recount:
    """What came out: `matches` counted, and every difference as a line of text."""

    matches: int
    differences: tuple[str, ...]


@dataclass(slots=True)
class _Booked:
    """What the database says, read at one moment."""

    matches: list[Match]
    pairings: dict[int, Pairing]
    ratings: list[Rating]
    settled: bool
    """Whether these ratings rest on these results."""
    results: dict[int, list[Result]] = field(default_factory=lambda: defaultdict(list))


def recount(tournament: Tournament) -> Recount:
    """Compares files and database: each match, the sums of each pairing, the standings."""
    booked = _read(tournament)
    differences = [
        *_compare_matches(booked),
        *_compare_sums(booked),
        *_compare_standings(booked),
        *_played_twice(tournament),
    ]
    return Recount(len(booked.matches), tuple(differences))


def _read(tournament: Tournament) -> _Booked:
    """Refits first: what comes in between the refit and the reading is refitted again."""
    for _ in range(_REFITS):
        ratings.refit(tournament.pk)
        booked = _read_at_once(tournament)
        if booked.settled:
            break
    return booked


def _read_at_once(tournament: Tournament) -> _Booked:
    with consistent_read():
        matches = Match.objects.filter(tournament=tournament, status=MatchStatus.FINISHED)
        pairings = Pairing.objects.filter(tournament=tournament, played__gt=0)
        standings = Rating.objects.filter(snapshot__tournament=tournament)
        return _Booked(
            matches=list(matches.prefetch_related("pairing", "seat0", "seat1").order_by("id")),
            pairings={pairing.pk: pairing for pairing in pairings},
            ratings=list(standings),
            settled=Snapshot.objects.filter(
                tournament=tournament,
                basis=ratings.basis_of(Pairing.objects.filter(tournament=tournament)),
            ).exists(),
        )


def _compare_matches(booked: _Booked) -> Iterator[str]:
    for match in booked.matches:
        try:
            replay = read_replay(match.replay)
        except ReplayStoreError as error:
            yield f"{match}: {error}"
            continue
        yield from differences(match, replay)
        booked.results[match.pairing_id].append(result_of(match, replay))


def _compare_sums(booked: _Booked) -> Iterator[str]:
    for pairing_id, pairing in booked.pairings.items():
        counted = tally(booked.results[pairing_id])
        for name in TALLY:
            if getattr(pairing, name) != counted[name]:
                yield (
                    f"pairing {pairing_id}: {name} is {counted[name]} by the replays, "
                    f"{getattr(pairing, name)} in the database"
                )


def _compare_standings(booked: _Booked) -> Iterator[str]:
    if not booked.settled:
        yield "the standings: results come in faster than they follow; count again in a calmer hour"
        return
    counted = {line.version: line for line in ratings.rating_lines(_sums(booked))}
    stored = {row.version_id: row for row in booked.ratings}
    for version_id in sorted(counted.keys() | stored.keys()):
        line, row = counted.get(version_id), stored.get(version_id)
        if line is None or row is None:
            where = "the database" if line is None else "the replays"
            yield f"version {version_id} is in the standings by {where} only"
            continue
        for name, value in asdict(line).items():
            stored_value = getattr(row, "version_id" if name == "version" else name)
            if stored_value != value:
                yield (
                    f"version {version_id}: {name} is {value} by the replays, "
                    f"{stored_value} in the database"
                )


def _sums(booked: _Booked) -> Sums:
    sums: dict[tuple[int, int], dict[str, int]] = {}
    for pairing_id, pairing in booked.pairings.items():
        key = (pairing.low_id, pairing.high_id)
        total = sums.setdefault(key, dict.fromkeys(TALLY, 0))
        for name, value in tally(booked.results[pairing_id]).items():
            total[name] += value
    return sums


def _played_twice(tournament: Tournament) -> Iterator[str]:
    """What constraints forbid, counted all the same: a game of a pair that is there twice."""
    twice = (
        Match.objects.filter(tournament=tournament)
        .values_list("pairing_id", "pair", "game")
        .annotate(count=Count("id"))
        .filter(count__gt=1)
        .order_by()
    )
    for pairing_id, pair, game, count in twice:
        yield f"pairing {pairing_id}: game {game} of pair {pair} is there {count} times"
