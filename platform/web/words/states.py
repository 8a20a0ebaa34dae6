"""What tournaments, versions and workers are doing, in a word or two."""

from typing import Final

from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from arena.finding import Level
from bots.models import VersionStatus
from matches.models import WorkerState
from matches.queries import WorkerHealth
from tournaments.queries import ProgressState

_PROGRESS: Final = {
    ProgressState.DRAFT: pgettext_lazy("a tournament is", "in preparation"),
    ProgressState.WAITING_FOR_ENTRIES: pgettext_lazy("a tournament is", "waits for a second entry"),
    ProgressState.STANDS_STILL: pgettext_lazy(
        "a tournament is", "stands still: a version has left or is paused"
    ),
    ProgressState.NO_WORKER: pgettext_lazy("a tournament is", "waits for a worker"),
    ProgressState.PLAYING: pgettext_lazy("a tournament is", "being played"),
    ProgressState.PAUSED: pgettext_lazy("a tournament is", "paused"),
    ProgressState.PARKED: pgettext_lazy("a tournament is", "being played; some pairings put aside"),
    ProgressState.FINISHED: pgettext_lazy("a tournament is", "all played"),
    ProgressState.CANCELLED: pgettext_lazy("a tournament is", "cancelled"),
}

_VERSIONS: Final = {
    VersionStatus.PENDING: gettext_lazy("waits for its first match"),
    VersionStatus.VALIDATING: gettext_lazy("plays its first match"),
    VersionStatus.ACCEPTED: gettext_lazy("accepted"),
    VersionStatus.REJECTED: gettext_lazy("rejected"),
}


_LEVELS: Final = {
    Level.OK: pgettext_lazy("a finding is", "all right"),
    Level.WARNING: pgettext_lazy("a finding is", "note"),
    Level.FAIL: pgettext_lazy("a finding is", "fails"),
}


def level_word(level: Level) -> str:
    """What a finding of the doctor means."""
    return str(_LEVELS[level])


def progress_state(state: ProgressState) -> str:
    """What a tournament does now."""
    return str(_PROGRESS[state])


def version_state(status: VersionStatus) -> str:
    """Where a version stands between upload and play."""
    return str(_VERSIONS[status])


def worker_state(worker: WorkerHealth) -> str:
    """Whether a worker plays, and if not why."""
    if worker.plays:
        return gettext("plays")
    if worker.state == WorkerState.STOPPED:
        return gettext("stopped")
    if not worker.alive:
        return gettext("silent")
    return gettext("has no sandbox")
