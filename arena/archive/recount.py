"""A tournament counted again from its archive alone: every replay proven, every sum made anew."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path

import msgspec

from arena.archive import lines
from arena.archive.errors import NotAnArchive
from arena.archive.reading import Archive
from arena.rating import (
    BadHypotheses,
    Hypotheses,
    Line,
    RatingError,
    Result,
    Trial,
    rate,
    tally,
    trial_of,
    versions_in,
)
from arena.referee.dealer import commitment_to
from arena.referee.errors import NotAReplay
from arena.referee.keys import signature_holds
from arena.referee.replay import inflated, verify
from arena.referee.replay_lines import EndLine, Header

CLOSE = 0.0015
"""Elo by which a figure may differ: it is rounded to a thousandth on each machine."""

MOST_VERSIONS = 5_000
"""Their ratings take some gigabytes of memory; more are refused."""

Tick = Callable[[int, int], None]
"""Told how many results of how many have been looked at."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that does not hold: where in the archive, and what."""

    where: str
    what: str


@dataclass(frozen=True, slots=True)
class Recounted:
    """What came out. `key` sealed the archive; `key_known` is whether it is one of those named."""

    header: lines.ArchiveHeader
    standings: list[Line]
    matches: int
    """Results counted."""
    proven: int
    """Of these, replays that hold."""
    differences: list[Difference]
    key: str
    key_known: bool
    trial: Trial | None = None
    """Of a sequential test: how it stands."""


MOST_DIFFERENCES = 10_000
"""So many are named: what differs in more places is another thing altogether."""


def recount(
    path: Path, known_keys: set[str] | None = None, tick: Tick = lambda done, of: None
) -> Recounted:
    """Counts an archive again. Without `known_keys` the archive's own list of keys is believed.

    Raises `NotAnArchive`. Needs no network and no database; takes memory by the number of matches.
    """
    differences: list[Difference] = []

    def report(where: str, what: str) -> None:
        if len(differences) < MOST_DIFFERENCES:
            differences.append(Difference(_printable(where), _printable(what)))
        elif len(differences) == MOST_DIFFERENCES:
            more = f"there are more than {MOST_DIFFERENCES:,} differences: the rest is not named"
            differences.append(Difference("the archive", more))

    archive = Archive(path, report)
    try:
        return _Recount(archive, report, known_keys).run(differences, tick)
    finally:
        archive.close()


class _Recount:
    """One run over one archive."""

    def __init__(
        self, archive: Archive, report: Callable[[str, str], None], known: set[str] | None
    ) -> None:
        self._archive = archive
        self._report = report
        self._known = known
        self._header = archive.header()
        self._keys = archive.keys()
        self._versions = {version.id: version for version in self._header.versions}
        self._commitments = frozenset(self._header.commitments)
        self._secrets = {commitment_to(secret): secret for secret in self._header.secrets}
        self._days = dict(self._periods())
        self._results: dict[tuple[int, int], list[Result]] = defaultdict(list)
        self._seeds: dict[tuple[int, int, int], dict[int, str]] = {}
        self._matches = self._proven = 0

    def run(self, differences: list[Difference], tick: Tick) -> Recounted:
        key = self._check_seal()
        self._check_header()
        expected = set(lines.SEALED) | {lines.SEAL}
        for result in self._archive.results():
            name = lines.replay_member(result.match)
            if name in expected:
                self._report(lines.RESULTS, f"{result.match} is there twice")
                continue
            expected.add(name)
            self._count(result, name)
            tick(self._matches, self._header.results)
        for name in self._archive.members:
            if name not in expected:
                self._report(name, "does not belong there: no result names it")
        if self._matches != self._header.results:
            self._report(
                lines.HEADER,
                f"says that there are {self._header.results} results; {self._matches} are there",
            )
        standings = self._rated()
        self._compare_standings(standings)
        return Recounted(
            self._header, standings, self._matches, self._proven, differences, key,
            self._known is None or key in self._known, self._trial(),
        )  # fmt: skip

    def _periods(self) -> Iterator[tuple[str, date]]:
        """Commitments of a ladder and their days."""
        for period in self._header.periods:
            try:
                yield period.commitment, date.fromisoformat(period.day)
            except ValueError:
                self._report(lines.HEADER, f"{period.day} is no day")

    def _check_periods(self) -> None:
        """One secret a day, a day a commitment: with more there would be decks to choose from."""
        periods = self._header.periods
        if bool(periods) != (self._header.tournament.format == "ladder"):
            self._report(lines.HEADER, "a ladder lists its days, and nothing else does")
        if not periods:
            if len(self._commitments) > 1:
                self._report(lines.HEADER, "there is more than one commitment, and no days")
            return
        if len({period.day for period in periods}) != len(periods):
            self._report(lines.HEADER, "a day is listed twice")
        if self._days.keys() != self._commitments:
            self._report(lines.HEADER, "the days are not those of the commitments")

    def _trial(self) -> Trial | None:
        asked = self._header.tournament.trial
        if asked is None:
            return None
        try:
            question = Hypotheses(asked.elo0, asked.elo1, asked.alpha, asked.beta)
        except BadHypotheses as error:
            self._report(lines.HEADER, f"trial: {error}")
            return None
        first = asked.first
        meetings = sorted(both for both in self._results if first in both)
        if len(meetings) > 1:
            self._report(lines.RESULTS, "a test is between two versions, here are more")
        (low, _), results = (
            (meetings[0], self._results[meetings[0]]) if meetings else ((first, first), [])
        )
        return trial_of(results, question, first_is_lower=low == first, until=asked.until)

    def _check_seal(self) -> str:
        seal = self._archive.seal()
        if seal is None:
            return ""
        digest = self._archive.sealed_hash()
        if digest.hex() != seal.sha256:
            self._report(lines.SEAL, f"a byte of {', '.join(lines.SEALED)} was changed")
        elif not signature_holds(seal.key, seal.signature, digest):
            self._report(lines.SEAL, "the signature does not fit the hash and the key")
        if seal.key not in self._keys:
            self._report(lines.KEYS, "the key of the seal is not listed")
        return seal.key

    def _check_header(self) -> None:
        header = self._header
        for commitment in self._secrets:
            if commitment not in self._commitments:
                self._report(lines.HEADER, "a secret is not the one that was committed to")
        self._check_periods()
        if len(self._versions) != len(header.versions):
            self._report(lines.HEADER, "a version is listed twice")
        if len(self._versions) > MOST_VERSIONS:
            raise NotAnArchive(
                f"{lines.HEADER} lists {len(self._versions):,} versions: more than "
                f"{MOST_VERSIONS:,} are not rated here"
            )

    def _count(self, result: lines.ResultLine, name: str) -> None:
        self._matches += 1
        played = self._proof(result, name)
        if not result.low < result.high or not self._versions.keys() >= {result.low, result.high}:
            self._report(result.match, "is no match of two listed versions, the lower first")
            return
        place = (result.low, result.high, result.pair)
        seed = "" if played is None else played[0].seed
        games = self._seeds.setdefault(place, {})
        if result.game in games:
            self._report(
                result.match, f"game {result.game} of pair {result.pair} was counted before"
            )
            return
        games[result.game] = seed
        if len(set(games.values()) - {""}) > 1:
            self._report(result.match, "its mirror match was played with other decks")
        end = None if played is None else _fields_of(played[1])
        booked = (result.winner, result.score, result.reason, result.faults)
        winner, score, _, faults = booked if end is None else end
        for what, replay, row in zip(
            ("winner", "score", "reason", "faults"), end or booked, booked, strict=True
        ):
            if replay != row:
                self._report(
                    result.match, f"the {what} is {_shown(row)} in {lines.RESULTS}, "
                    f"{_shown(replay)} by its replay",
                )  # fmt: skip
        self._results[place[:2]].append(
            Result(result.pair, result.game, winner, *score, *faults, result.voids)
        )

    def _proof(self, result: lines.ResultLine, name: str) -> tuple[Header, EndLine] | None:
        """The first and the last of its replay's lines, where it holds and is this match's."""
        data = self._archive.replay(name)
        if data is None:
            return None
        try:
            replay = inflated(data, name)
            rows = replay.split(b"\n")
            header = msgspec.json.decode(rows[0], type=Header)
            committed = header.commitment or ""
            secret, day = self._secrets.get(committed), self._days.get(committed)
            found = verify(replay, self._keys, secret, day)
        except (NotAReplay, msgspec.MsgspecError, ValueError, RecursionError) as error:
            what = error if isinstance(error, NotAReplay | msgspec.MsgspecError) else "not readable"
            self._report(name, f"is no replay: {what}")
            return None
        if not found.ok or not found.key_known:
            where = "" if found.line is None else f"line {found.line}: "
            self._report(name, f"{where}{found.error}")
            return None
        if not self._is_of(result, header, name):
            return None
        self._proven += 1
        return header, msgspec.json.decode(rows[-3], type=EndLine)

    def _is_of(self, result: lines.ResultLine, header: Header, name: str) -> bool:
        """Whether a replay is that of a result: what differs is reported."""
        tournament = self._header.tournament
        ids = (result.low, result.high)
        uploads = [self._versions.get(version) for version in ids]
        if result.game == 1:
            ids, uploads = ids[::-1], uploads[::-1]
        held = True
        for what, replay, row in (
            ("match", header.match, result.match),
            ("tournament", header.tournament, tournament.id),
            ("pair and game", (header.pair, header.game_of_pair), (result.pair, result.game)),
            ("bots", tuple(bot.id for bot in header.bots), ids),
            (
                "bots' files",
                [(bot.version, bot.sha256) for bot in header.bots],
                [version and (version.number, version.sha256) for version in uploads],
            ),
            ("rules", header.ruleset, tournament.ruleset),
            ("limits", header.limits, tournament.limits),
            ("first dealer", header.first_dealer, 0),
            ("commitment", header.commitment in self._commitments, True),
        ):
            if replay != row:
                held = False
                self._report(
                    name, f"the {what}: {_shown(replay)} in the replay, {_shown(row)} expected"
                )
        return held

    def _rated(self) -> list[Line]:
        sums = {both: tally(results) for both, results in self._results.items()}
        anchor = self._header.anchor
        if anchor is not None and anchor not in versions_in(sums):
            self._report(lines.HEADER, f"version {anchor} is the anchor and has no result")
            anchor = None
        try:
            return rate(sums, anchor)[1]
        except RatingError as error:
            self._report(lines.RESULTS, f"cannot be rated: {error}")
            return []

    def _compare_standings(self, counted: list[Line]) -> None:
        written: dict[int, Line] = {}
        for line in self._archive.standings():
            if written.setdefault(line.version, line) is not line:
                self._report(lines.STANDINGS, f"version {line.version} is there twice")
        ours = {line.version: line for line in counted}
        for version in sorted(ours.keys() | written.keys()):
            counted_line, other = ours.get(version), written.get(version)
            if counted_line is None or other is None:
                where = lines.STANDINGS if counted_line is None else "the results"
                self._report(
                    f"{lines.STANDINGS}, version {version}", f"is in the standings by {where} only"
                )
                continue
            for what, mine, theirs in _unlike(counted_line, other):
                self._report(
                    f"{lines.STANDINGS}, version {version}",
                    f"{what} is {theirs}, {mine} by the results",
                )


def _unlike(one: Line, other: Line) -> Iterator[tuple[str, object, object]]:
    for field in fields(Line):
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        near = isinstance(mine, float) and abs(mine - theirs) <= CLOSE
        if mine != theirs and not near:
            yield field.name, mine, theirs


def _fields_of(end: EndLine) -> tuple[int | None, tuple[int, int], str, tuple[str, str]]:
    named = {fault.seat: fault.name.value for fault in end.faults}
    return end.winner, end.score, end.reason, (named.get(0, ""), named.get(1, ""))


def _shown(value: object) -> str:
    text = str(value)
    return text if len(text) <= 200 else text[:200] + "…"


def _printable(text: str) -> str:
    """The text without what a terminal might take for an order."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)
