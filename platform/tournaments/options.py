"""Options of a tournament, checked; each error says which one, what is wrong, what is allowed."""

import re
import unicodedata
from dataclasses import asdict, dataclass
from typing import Any

import msgspec
from django.conf import settings

from arena.protocol import Limits
from arena.rating import BadHypotheses, Hypotheses
from arena.santase import PRESETS, RuleSet, ruleset
from tournaments.errors import BadTournament
from tournaments.formats import FORMATS
from tournaments.models import ABOUT_ONE, TournamentFormat

MOST_PAIRS = 10_000
"""Pairs of a sequential test at most, where nothing is said."""
MOST_MAX_PAIRS = 20_000
"""More cannot be allowed: with every pump and on every page all pairs of a test are counted."""

_MOST_DEALS = 100
"""A match is cut then (R12); with the presets it ends after 21 at the latest."""
_MOST_REQUESTS = 30
"""Requests of both seats in one deal: 24 cards and what may stand before a lead."""


@dataclass(frozen=True, slots=True)
class TournamentOptions:
    """What a tournament is made from. `ruleset` and `limits` are checked and complete.

    `challenger` is the id of a version, and `asked` holds the fields of `Hypotheses`, where the
    format has them.
    """

    name: str
    slug: str
    ruleset: dict[str, Any]
    limits: dict[str, Any]
    pairs_per_pairing: int
    cycles: int
    open: bool
    format: TournamentFormat
    challenger: int | None
    asked: dict[str, float] | None


def options(
    name: str,
    *,
    slug: str = "",
    preset: str = "santase-bg",
    limits: object = None,
    pairs: int | None = None,
    cycles: int = 1,
    open: bool = False,
    format: str = TournamentFormat.ROUND_ROBIN,
    challenger: int | None = None,
    question: Hypotheses | None = None,
    max_pairs: int | None = None,
) -> TournamentOptions:
    """Checked options. `question` and `max_pairs` are of a sequential test, which has no `cycles`:
    how often its two versions meet follows from the pairs. Raises `BadTournament`.
    """
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(name) <= 100:
        raise BadTournament("the name has 1 to 100 characters")
    kind = _format_of(format)
    how = FORMATS[kind]
    pairs = how.default_pairs if pairs is None else pairs
    for what, count, most in (("pairs", pairs, 1_000), ("cycles", cycles, 100_000)):
        if not 1 <= count <= most:
            raise BadTournament(f"{what} is {count}: it must be 1 to {most:,}")
    _check_format(kind, challenger, open)
    asked = None
    if kind == TournamentFormat.SEQUENTIAL:
        asked = asdict(question or Hypotheses())
        cycles = _meetings(MOST_PAIRS if max_pairs is None else max_pairs, pairs)
    elif question is not None or max_pairs is not None:
        raise BadTournament("elo0, elo1, alpha, beta and max-pairs are for a sequential test alone")
    return TournamentOptions(
        name=name,
        slug=_slug(slug or _slug_from(name)),
        ruleset=rules_of(preset).as_dict(),
        limits=limits_of(default_limits() if limits is None else limits),
        pairs_per_pairing=pairs,
        cycles=cycles,
        open=open,
        format=kind,
        challenger=challenger,
        asked=asked,
    )


def question_of(
    elo0: float | None = None,
    elo1: float | None = None,
    alpha: float | None = None,
    beta: float | None = None,
) -> Hypotheses | None:
    """What a sequential test is to ask, the rest by default; None where nothing is said.

    Raises `BadTournament`.
    """
    given = {"elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta}
    said = {name: value for name, value in given.items() if value is not None}
    try:
        return Hypotheses(**said) if said else None
    except BadHypotheses as error:
        raise BadTournament(str(error)) from error


def _format_of(text: str) -> TournamentFormat:
    if text not in TournamentFormat.values:
        raise BadTournament(
            f"there is no format {text!r}: choose one of {', '.join(TournamentFormat.values)}"
        )
    return TournamentFormat(text)


def _check_format(kind: TournamentFormat, challenger: int | None, open: bool) -> None:
    is_about_one = kind in ABOUT_ONE
    if is_about_one and challenger is None:
        raise BadTournament(f"a {kind.value} is about one version: name it as the challenger")
    if challenger is not None and not is_about_one:
        raise BadTournament(f"a {kind.value} has no challenger: leave it out")
    if open and not FORMATS[kind].may_be_open:
        raise BadTournament(f"a {kind.value} is between two versions: it cannot be open")


def _meetings(max_pairs: int, pairs: int) -> int:
    if not 1 <= max_pairs <= MOST_MAX_PAIRS:
        raise BadTournament(f"max-pairs is {max_pairs}: it must be 1 to {MOST_MAX_PAIRS:,}")
    return -(-max_pairs // pairs)


def rules_of(preset: str) -> RuleSet:
    """The rules of a preset's name."""
    if preset not in PRESETS:
        raise BadTournament(f"there is no rule set {preset!r}: choose one of {', '.join(PRESETS)}")
    return ruleset(preset)


def default_limits() -> dict[str, Any]:
    """All limits of the protocol with their defaults."""
    plain: dict[str, Any] = msgspec.to_builtins(Limits())
    return plain


def limits_of(given: object) -> dict[str, Any]:
    """All limits, checked; none may be missing (FC031), and no match may outlast the deadline."""
    if not isinstance(given, dict):
        raise BadTournament("limits is no object of names and numbers")
    missing = sorted(set(default_limits()) - set(given))
    if missing:
        raise BadTournament(f"limits lacks {', '.join(missing)}: write all of them out")
    try:
        limits = msgspec.convert(given, Limits)
    except msgspec.ValidationError as error:
        raise BadTournament(f"limits: {error}") from error
    longest = longest_match_s(limits)
    if longest > settings.MATCH_DEADLINE_S:
        raise BadTournament(
            f"limits: a match could last {longest:,.0f} s; the platform ends one after "
            f"{settings.MATCH_DEADLINE_S:,} s: lower move_ms, bank_ms, start_ms or wall_factor"
        )
    return dict(given)


def longest_match_s(limits: Limits) -> float:
    """Wall time of a match in which both bots use up everything they may."""
    moves_ms = _MOST_DEALS * _MOST_REQUESTS * limits.move_ms
    banks_ms = 2 * (limits.bank_ms + limits.start_ms)
    return limits.wall_factor * (moves_ms + banks_ms) / 1000


def _slug_from(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60]


def _slug(slug: str) -> str:
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,59}", slug):
        raise BadTournament(
            f"the address {slug!r} is not usable: name one with --slug, of a-z, 0-9 and hyphens"
        )
    return slug
