"""Options of a tournament, checked; each error says which one, what is wrong, what is allowed."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Any

import msgspec
from django.conf import settings

from arena.protocol import Limits
from arena.santase import PRESETS, RuleSet, ruleset
from tournaments.errors import BadTournament

_MOST_DEALS = 100
"""A match is cut then (R12); with the presets it ends after 21 at the latest."""
_MOST_REQUESTS = 30
"""Requests of both seats in one deal: 24 cards and what may stand before a lead."""


@dataclass(frozen=True, slots=True)
class TournamentOptions:
    """What a tournament is made from. `ruleset` and `limits` are checked and complete."""

    name: str
    slug: str
    ruleset: dict[str, Any]
    limits: dict[str, Any]
    pairs_per_pairing: int
    cycles: int
    open: bool


def options(
    name: str,
    *,
    slug: str = "",
    preset: str = "santase-bg",
    limits: object = None,
    pairs: int = 10,
    cycles: int = 1,
    open: bool = False,
) -> TournamentOptions:
    """Checked options. Raises `BadTournament`."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(name) <= 100:
        raise BadTournament("the name has 1 to 100 characters")
    for what, count, most in (("pairs", pairs, 1_000), ("cycles", cycles, 100_000)):
        if not 1 <= count <= most:
            raise BadTournament(f"{what} is {count}: it must be 1 to {most:,}")
    return TournamentOptions(
        name=name,
        slug=_slug(slug or _slug_from(name)),
        ruleset=rules_of(preset).as_dict(),
        limits=limits_of(default_limits() if limits is None else limits),
        pairs_per_pairing=pairs,
        cycles=cycles,
        open=open,
    )


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
