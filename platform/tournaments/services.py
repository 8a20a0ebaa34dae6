"""Writes to tournaments: making one, who enters and leaves, start, pause, cancel."""

from collections.abc import Iterable

from django.db import IntegrityError, transaction
from django.utils import timezone

from arena.referee.dealer import commitment_to, new_secret
from bots.models import Version, VersionStatus
from matches.services.orders import cancel_pairings
from tournaments.errors import BadStep, SlugTaken, UnknownVersion
from tournaments.models import Entry, Tournament, TournamentStatus
from tournaments.options import TournamentOptions

_OVER = frozenset({TournamentStatus.CANCELLED})


def create_tournament(options: TournamentOptions) -> Tournament:
    """A draft with a secret of its own, its commitment published. Raises `SlugTaken`."""
    secret = new_secret()
    try:
        with transaction.atomic():
            return Tournament.objects.create(
                name=options.name,
                slug=options.slug,
                ruleset=options.ruleset,
                limits=options.limits,
                pairs_per_pairing=options.pairs_per_pairing,
                cycles=options.cycles,
                open=options.open,
                secret=secret,
                commitment=commitment_to(secret),
            )
    except IntegrityError as error:
        raise SlugTaken(
            f"there is a tournament at {options.slug!r} already: name another address (--slug)"
        ) from error


def enter(tournament: Tournament, version_ids: Iterable[int]) -> int:
    """Enters accepted versions, each in place of its bot's older ones; gives how many are new.

    Raises `UnknownVersion` or `BadStep`, and enters none then.
    """
    with transaction.atomic():
        locked = _locked(tournament.pk)
        if locked.status == TournamentStatus.CANCELLED:
            raise BadStep(f"{locked.name} is cancelled: nobody can enter")
        if locked.published_secret is not None:  # all decks to come are known
            raise BadStep(
                f"{locked.name} is finished and its secret is published: nobody can enter, make "
                "another tournament"
            )
        new = sum(_enter_one(locked, version_id) for version_id in version_ids)
        if new:
            _entries_changed(locked)
    return new


def withdraw(tournament: Tournament, version_id: int) -> bool:
    """Takes a version out; what it has played stays. False where it was not in."""
    with transaction.atomic():
        locked = _locked(tournament.pk)
        left = _withdraw(locked, [version_id])
        if left:
            _entries_changed(locked)
    return bool(left)


def enter_open_tournaments(version_id: int) -> None:
    """An accepted version enters every open tournament."""
    for tournament in Tournament.objects.filter(open=True).exclude(status__in=_OVER):
        enter(tournament, [version_id])


def enter_missed() -> int:
    """Enters what open tournaments have missed since they were made; gives how many are new.

    An accepted version is announced once, and the message may be lost. What was withdrawn stays so.
    """
    new = 0
    for tournament in Tournament.objects.filter(open=True).exclude(status__in=_OVER):
        missed = Version.objects.filter(
            status=VersionStatus.ACCEPTED, validated_at__gte=tournament.created_at
        ).exclude(entries__tournament=tournament)
        version_ids = list(missed.order_by("pk").values_list("pk", flat=True))
        if version_ids:
            new += enter(tournament, version_ids)
    return new


def start(tournament: Tournament) -> None:
    """DRAFT or PAUSED → RUNNING. Raises `BadStep`."""
    with transaction.atomic():
        locked = _locked(tournament.pk)
        if locked.status == TournamentStatus.RUNNING:
            raise BadStep(f"{locked.name} is running already")
        if locked.status not in {TournamentStatus.DRAFT, TournamentStatus.PAUSED}:
            raise BadStep(f"{locked.name} is {locked.get_status_display()}: it cannot be started")
        locked.status = TournamentStatus.RUNNING
        locked.started_at = locked.started_at or timezone.now()
        locked.save(update_fields=["status", "started_at"])


def pause(tournament: Tournament) -> None:
    """RUNNING → PAUSED: what is queued is still played, nothing is added. Raises `BadStep`."""
    with transaction.atomic():
        locked = _locked(tournament.pk)
        if locked.status != TournamentStatus.RUNNING:
            raise BadStep(f"{locked.name} is {locked.get_status_display()}: it cannot be paused")
        locked.status = TournamentStatus.PAUSED
        locked.save(update_fields=["status"])


def cancel(tournament: Tournament) -> None:
    """Ends a tournament for good; what was played stays, what is being played is stopped."""
    with transaction.atomic():
        locked = _locked(tournament.pk)
        if locked.status == TournamentStatus.CANCELLED:
            raise BadStep(f"{locked.name} is cancelled already")
        cancel_pairings(locked.pk, running=True)
        locked.status = TournamentStatus.CANCELLED
        locked.finished_at = timezone.now()
        locked.save(update_fields=["status", "finished_at"])


def _locked(tournament_id: int) -> Tournament:
    return Tournament.objects.select_for_update().get(pk=tournament_id)


def _enter_one(tournament: Tournament, version_id: int) -> bool:
    version = Version.objects.filter(pk=version_id, status=VersionStatus.ACCEPTED).first()
    if version is None:
        raise UnknownVersion(f"there is no accepted version with the id {version_id}")
    entry, created = Entry.objects.get_or_create(tournament=tournament, version=version)
    if not created and entry.withdrawn_at is None:
        return False
    siblings = Entry.objects.filter(
        tournament=tournament, version__bot=version.bot_id, withdrawn_at=None
    ).exclude(version=version)
    if siblings.filter(version__number__gt=version.number).exists():
        entry.withdrawn_at = timezone.now()
        entry.save(update_fields=["withdrawn_at"])
        return False
    entry.withdrawn_at = None
    entry.save(update_fields=["withdrawn_at"])
    _withdraw(tournament, list(siblings.values_list("version_id", flat=True)))
    return True


def _withdraw(tournament: Tournament, version_ids: list[int]) -> int:
    left = Entry.objects.filter(
        tournament=tournament, version__in=version_ids, withdrawn_at=None
    ).update(withdrawn_at=timezone.now())
    for version_id in version_ids:
        cancel_pairings(tournament.pk, version_id)
    return left


def _entries_changed(tournament: Tournament) -> None:
    """The round robin is looked through from its beginning, so that who is new catches up first."""
    tournament.position = 0
    if tournament.status == TournamentStatus.FINISHED:
        tournament.status = TournamentStatus.RUNNING
        tournament.finished_at = None
    tournament.save(update_fields=["position", "status", "finished_at"])
