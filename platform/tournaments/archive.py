"""A tournament's archive for download: all that a stranger needs to count it again.

It is made in two steps. `prepare` reads the database once, into files without a name, so that the
memory it takes does not grow with the tournament; `chunks` needs no database, however slowly they
are fetched.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import IO

import msgspec
from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from arena import __version__
from arena.archive import lines, tar, writing
from arena.protocol import Limits
from arena.rating import Result, Sums, rate, tally, versions_in
from bots import queries as bots
from bots.models import Version
from matches.models import Match, MatchStatus
from matches.reading import consistent_read
from replays import store
from replays.errors import ReplayMissing
from tournaments.models import Tournament
from tournaments.periods import published_secrets, sources_of
from tournaments.trials import trial_now

_CHUNK = 1 << 16
_ROWS = 2_000
"""Rows of the database held at a time."""

_FIELDS = (
    "pk", "pairing__low_id", "pairing__high_id", "pair", "game", "winner", "score0", "score1",
    "reason", "fault0", "fault1", "voids", "replay",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Prepared:
    """An archive about to be sent."""

    header: bytes
    keys: bytes
    standings: bytes
    results: IO[bytes]
    """The contents of `results.jsonl`."""
    replays: IO[bytes]
    """A line a replay: the match, and its name in the store."""
    modified: int
    """When, in seconds after 1970."""


def prepare(tournament: Tournament) -> Prepared:
    """Everything that the archive of a tournament holds, as it is at this moment.

    The standings are computed when all has been read: anybody may download, at any time, and with
    many versions it takes seconds.
    """
    now = timezone.now()
    results, replays = _nameless_file(), _nameless_file()
    with consistent_read():
        tournament.refresh_from_db()
        open_pairs = _booked(tournament).filter(_has_open_mirror()).count()
        sums = _write_results(_booked(tournament).exclude(_has_open_mirror()), results, replays)
        anchor = bots.anchor_among(versions_in(sums))
        sources = sources_of(tournament).values()
        header = lines.ArchiveHeader(
            archive=lines.ARCHIVE_VERSION,
            game="santase",
            platform=__version__,
            made_at=now.isoformat(timespec="seconds").replace("+00:00", "Z"),
            tournament=_tournament(tournament),
            commitments=[source.commitment for source in sources],
            secrets=published_secrets(tournament),
            anchor=anchor,
            results=sum(row["played"] for row in sums.values()),
            left_out=open_pairs,
            struck=Match.objects.filter(tournament=tournament, status=MatchStatus.VOID).count(),
            versions=_versions(sums),
            periods=[
                lines.PeriodLine(source.day.isoformat(), source.commitment)
                for source in sources
                if source.day is not None
            ],
        )
    return Prepared(
        header=writing.header_bytes(header),
        keys=writing.keys_bytes(store.public_keys()),
        standings=writing.standings_bytes(rate(sums, anchor)[1]),
        results=results,
        replays=replays,
        modified=int(now.timestamp()),
    )


def chunks(prepared: Prepared) -> Iterator[bytes]:
    """The bytes of the archive. A replay that is missing in the store is missing here too."""
    sealed = writing.Sealed(prepared.modified)
    with prepared.results, prepared.replays:
        yield from sealed.part(lines.HEADER, len(prepared.header), [prepared.header])
        yield from sealed.part(lines.KEYS, len(prepared.keys), [prepared.keys])
        size = prepared.results.tell()
        prepared.results.seek(0)
        yield from sealed.part(
            lines.RESULTS, size, iter(lambda: prepared.results.read(_CHUNK), b"")
        )
        yield from sealed.part(lines.STANDINGS, len(prepared.standings), [prepared.standings])
        yield sealed.seal(store.keyring())
        prepared.replays.seek(0)
        for line in prepared.replays:
            match, name = line.decode().split()
            try:
                data = store.load_compressed(name)
            except ReplayMissing:
                continue
            yield writing.whole(lines.replay_member(match), data, prepared.modified)
        yield tar.END


def _nameless_file() -> IO[bytes]:
    settings.STATE.mkdir(parents=True, exist_ok=True)
    return tempfile.TemporaryFile(dir=settings.STATE)


def _booked(tournament: Tournament) -> QuerySet[Match]:
    return Match.objects.filter(tournament=tournament, status=MatchStatus.FINISHED)


def _has_open_mirror() -> Exists:
    """Whether the other match of the pair is still to be played (PROTOCOL §6)."""
    return Exists(
        Match.objects.filter(
            pairing=OuterRef("pairing"), pair=OuterRef("pair"), status=MatchStatus.QUEUED
        )
    )


def _write_results(matches: QuerySet[Match], results: IO[bytes], replays: IO[bytes]) -> Sums:
    rows = (
        matches.order_by("pairing__low_id", "pairing__high_id", "pair", "game")
        .values_list(*_FIELDS)
        .iterator(_ROWS)
    )
    sums: dict[tuple[int, int], dict[str, int]] = {}
    for both, group in groupby(rows, lambda row: (row[1], row[2])):
        booked: list[Result] = []
        for pk, low, high, pair, game, winner, score0, score1, reason, *rest in group:
            fault0, fault1, voids, replay = rest
            line = lines.ResultLine(
                f"m{pk}", low, high, pair, game, winner, (score0, score1), reason,
                (fault0, fault1), voids,
            )  # fmt: skip
            results.write(writing.result_bytes(line))
            replays.write(f"{line.match} {replay}\n".encode())
            booked.append(Result(pair, game, winner, score0, score1, fault0, fault1, voids))
        sums[both] = tally(booked)
    return sums


def _tournament(tournament: Tournament) -> lines.TournamentLine:
    return lines.TournamentLine(
        id=tournament.pk,
        name=tournament.name,
        slug=tournament.slug,
        format=tournament.format,
        status=tournament.status,
        ruleset=tournament.ruleset,
        limits=msgspec.convert(tournament.limits, Limits),
        pairs_per_pairing=tournament.pairs_per_pairing,
        trial=_trial(tournament),
    )


def _trial(tournament: Tournament) -> lines.TrialLine | None:
    if tournament.asked is None or tournament.challenger_id is None:
        return None
    until = trial_now(tournament).until
    return lines.TrialLine(first=tournament.challenger_id, until=until, **tournament.asked)


def _versions(sums: Sums) -> list[lines.VersionLine]:
    found = Version.objects.filter(pk__in=versions_in(sums)).select_related("bot").order_by("pk")
    return [
        lines.VersionLine(version.pk, version.bot.name, version.number, version.sha256)
        for version in found
    ]
