"""What a format is asked."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, NamedTuple

from tournaments.models import Entry, Tournament

AHEAD = 2
"""Pairings under way for each slot, all tournaments together."""


class Meeting(NamedTuple):
    """A pairing that is due."""

    lower: int
    higher: int
    cycle: int
    """From 1: the how-manieth of the two in the tournament."""


@dataclass(frozen=True, slots=True)
class Lineup:
    """Who may be given a pairing now, and by which rules of thumb."""

    entries: Sequence[Entry]
    """Neither withdrawn nor paused, in the order of entering."""
    slots: int
    """The tournament's share of the places at which is played."""
    room: int
    """Pairings that may be added; below 0 where there are more than should be already."""
    commitment: str
    """To the secret that seeds come from now."""
    now: datetime

    @property
    def versions(self) -> list[int]:
        """Their ids."""
        return [entry.version_id for entry in self.entries]


class Format(ABC):
    """One way to play. The pump asks, and orders what is due; the services and pages ask too."""

    most_entries: ClassVar[int | None] = None
    """More versions cannot enter."""
    may_be_open: ClassVar[bool] = True
    """Whether accepted versions may enter by themselves."""
    default_pairs: ClassVar[int] = 10
    """Mirrored pairs of a pairing, where nothing is said."""

    def ahead(self, slots: int) -> int:
        """Pairings under way at most, for so many slots."""
        return AHEAD * slots

    def is_named(self, tournament: Tournament, version: int) -> bool:
        """Whether a version was entered as itself: no other version of its bot takes its place, and
        it takes nobody's.
        """
        return version == tournament.challenger_id

    def stands_still(self, tournament: Tournament, playing: Sequence[int]) -> bool:
        """Whether it is about one version, and that does not play, so that nothing can."""
        challenger = tournament.challenger_id
        return challenger is not None and challenger not in playing

    @abstractmethod
    def due(self, tournament: Tournament, lineup: Lineup) -> list[Meeting]:
        """The next pairings. May move the tournament's `position` on; the pump saves it."""

    @abstractmethod
    def planned(self, tournament: Tournament, playing: Sequence[int]) -> int | None:
        """Pairings in all with those who play now; None where there is no end."""

    @abstractmethod
    def is_complete(self, tournament: Tournament, playing: Sequence[int]) -> bool:
        """Whether nothing more will be due unless others enter. Asked when nothing was due."""

    @abstractmethod
    def is_all_there(self, tournament: Tournament, versions: Sequence[int]) -> bool:
        """Whether everything that these versions are to play is ordered, and nothing of it called
        off. `position` is not asked: it knows only of those who play now.
        """

    def is_decided(self, tournament: Tournament) -> bool:
        """Whether the answer is known, so that whatever is left need not be played."""
        return False
