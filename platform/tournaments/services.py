"""Writes to tournaments: making one, who enters and leaves, start, pause, resume, freeze, cancel.

A step that the state does not allow, or that has been done, changes nothing and raises `BadStep`,
which says how things are.
"""

from collections.abc import Iterable

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.referee.dealer import commitment_to, new_secret
from bots.models import Version, VersionStatus
from matches.services.orders import cancel_pairings
from tournaments.errors import BadStep, SlugTaken, UnknownVersion
from tournaments.formats import format_of
from tournaments.models import Entry, Tournament, TournamentFormat, TournamentStatus
from tournaments.options import TournamentOptions
from tournaments.periods import publish


def create_tournament(options: TournamentOptions) -> Tournament:
    """A draft, its commitment published, its challenger entered. A ladder has a commitment a day.

    Raises `SlugTaken` or `UnknownVersion`.
    """
    ladder = options.format == TournamentFormat.LADDER
    secret = "" if ladder else new_secret()
    if options.challenger is not None:
        _accepted(options.challenger)
    with transaction.atomic():
        made = _made(options, secret)
        if ladder:
            publish(made, timezone.now())
        if options.challenger is not None:
            enter(made, [options.challenger])
    return made


def _made(options: TournamentOptions, secret: str) -> Tournament:
    try:
        with transaction.atomic():
            return Tournament.objects.create(
                name=options.name,
                slug=options.slug,
                format=options.format,
                challenger_id=options.challenger,
                asked=options.asked,
                ruleset=options.ruleset,
                limits=options.limits,
                pairs_per_pairing=options.pairs_per_pairing,
                cycles=options.cycles,
                open=options.open,
                secret=secret,
                commitment=commitment_to(secret) if secret else "",
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
        _check_open_to_entries(locked)
        new = sum(_enter_one(locked, version_id) for version_id in version_ids)
        _check_number(locked)
        if new:
            _entries_changed(locked)
    return new


def _check_open_to_entries(tournament: Tournament) -> None:
    if tournament.status == TournamentStatus.CANCELLED:
        raise BadStep(_said(tournament, _("%(name)s is cancelled: nobody can enter")))
    if tournament.status == TournamentStatus.FINISHED and not tournament.open:
        raise BadStep(
            _said(
                tournament,
                _(
                    "%(name)s is finished and its secret is published: nobody can enter, make "
                    "another tournament"
                ),
            )
        )
    if tournament.frozen:
        raise BadStep(
            _said(tournament, _("the entries of %(name)s are frozen: unfreeze them first"))
        )


def _check_number(tournament: Tournament) -> None:
    most = format_of(tournament).most_entries
    if most is not None and Entry.objects.filter(tournament=tournament).count() > most:
        raise BadStep(_said(tournament, _("%(name)s is between two versions: no other can enter")))


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
    for tournament in _taking_in():
        enter(tournament, [version_id])


def enter_missed() -> int:
    """Enters what open tournaments have missed since they were made; gives how many are new.

    An accepted version is announced once, and the message may be lost. What was withdrawn stays so.
    """
    new = 0
    for tournament in _taking_in():
        missed = Version.objects.filter(
            status=VersionStatus.ACCEPTED, validated_at__gte=tournament.created_at
        ).exclude(entries__tournament=tournament)
        version_ids = list(missed.order_by("pk").values_list("pk", flat=True))
        if version_ids:
            new += enter(tournament, version_ids)
    return new


def _taking_in() -> "QuerySet[Tournament]":
    """Those that accepted versions enter by themselves."""
    there = Tournament.objects.filter(open=True, frozen=False)
    return there.exclude(status=TournamentStatus.CANCELLED)


def start(tournament: Tournament) -> None:
    """DRAFT or PAUSED → RUNNING. Raises `BadStep`."""
    with transaction.atomic():
        locked = _locked(tournament.pk)
        if locked.status == TournamentStatus.RUNNING:
            raise BadStep(_said(locked, _("%(name)s is running already")))
        if locked.status not in {TournamentStatus.DRAFT, TournamentStatus.PAUSED}:
            raise BadStep(_said(locked, _("%(name)s is %(status)s: it cannot be started")))
        locked.status = TournamentStatus.RUNNING
        locked.started_at = locked.started_at or timezone.now()
        locked.save(update_fields=["status", "started_at"])


def pause(tournament: Tournament) -> None:
    """RUNNING → PAUSED: what is queued is still played, nothing is added. Raises `BadStep`."""
    with transaction.atomic():
        locked = _locked(tournament.pk)
        if locked.status != TournamentStatus.RUNNING:
            raise BadStep(_said(locked, _("%(name)s is %(status)s: it cannot be paused")))
        locked.status = TournamentStatus.PAUSED
        locked.save(update_fields=["status"])


def resume(tournament: Tournament) -> None:
    """PAUSED → RUNNING. Raises `BadStep`."""
    with transaction.atomic():
        locked = _locked(tournament.pk)
        if locked.status != TournamentStatus.PAUSED:
            raise BadStep(_said(locked, _("%(name)s is %(status)s, not paused")))
        locked.status = TournamentStatus.RUNNING
        locked.save(update_fields=["status"])


def freeze(tournament: Tournament) -> None:
    """From now on nobody enters, and no newer version takes an older one's place.

    Who is in plays on, and may still be withdrawn. Raises `BadStep`.
    """
    _set_frozen(tournament, True, _("the entries of %(name)s are frozen already"))


def unfreeze(tournament: Tournament) -> None:
    """Entries are taken in again; an open tournament catches up with those it has missed
    (`enter_missed`). Raises `BadStep`.
    """
    _set_frozen(tournament, False, _("the entries of %(name)s are not frozen"))


def _set_frozen(tournament: Tournament, frozen: bool, as_it_is: str) -> None:
    with transaction.atomic():
        locked = _locked(tournament.pk)
        if locked.status == TournamentStatus.CANCELLED:
            raise BadStep(_said(locked, _("%(name)s is cancelled: nobody can enter")))
        if locked.frozen == frozen:
            raise BadStep(_said(locked, as_it_is))
        locked.frozen = frozen
        locked.save(update_fields=["frozen"])


def cancel(tournament: Tournament) -> None:
    """Ends a tournament for good; what was played stays, what is being played is stopped."""
    with transaction.atomic():
        locked = _locked(tournament.pk)
        if locked.status == TournamentStatus.CANCELLED:
            raise BadStep(_said(locked, _("%(name)s is cancelled already")))
        cancel_pairings(locked.pk, running=True)
        locked.status = TournamentStatus.CANCELLED
        locked.finished_at = timezone.now()
        locked.save(update_fields=["status", "finished_at"])


def look_again(version_id: int) -> None:
    """A version was paused, or plays again: the tournaments that it is in take that up."""
    entered = Entry.objects.filter(version=version_id, withdrawn_at=None)
    for pk in list(entered.order_by("tournament").values_list("tournament", flat=True)):
        with transaction.atomic():
            _entries_changed(_locked(pk))


def _said(tournament: Tournament, text: str) -> str:
    return text % {"name": tournament.name, "status": tournament.get_status_display()}


def _locked(tournament_id: int) -> Tournament:
    return Tournament.objects.select_for_update().get(pk=tournament_id)


def _accepted(version_id: int) -> Version:
    version = Version.objects.filter(pk=version_id, status=VersionStatus.ACCEPTED).first()
    if version is None:
        raise UnknownVersion(f"there is no accepted version with the id {version_id}")
    return version


def _enter_one(tournament: Tournament, version_id: int) -> bool:
    version = _accepted(version_id)
    entry, created = Entry.objects.get_or_create(tournament=tournament, version=version)
    if not created and entry.withdrawn_at is None:
        return False
    siblings = _siblings(tournament, version)
    if any(number > version.number for number in siblings.values()):
        entry.withdrawn_at = timezone.now()
        entry.save(update_fields=["withdrawn_at"])
        return False
    entry.withdrawn_at = None
    entry.save(update_fields=["withdrawn_at"])
    _withdraw(tournament, list(siblings))
    return True


def _siblings(tournament: Tournament, version: Version) -> dict[int, int]:
    """The other versions of its bot that are in, with their numbers: one of them all may play, but
    for those that were entered as themselves.
    """
    how = format_of(tournament)
    if how.is_named(tournament, version.pk):
        return {}
    there = Entry.objects.filter(
        tournament=tournament, version__bot=version.bot_id, withdrawn_at=None
    ).exclude(version=version)
    rows = there.values_list("version_id", "version__number")
    return {pk: number for pk, number in rows if not how.is_named(tournament, pk)}


def _withdraw(tournament: Tournament, version_ids: list[int]) -> int:
    left = Entry.objects.filter(
        tournament=tournament, version__in=version_ids, withdrawn_at=None
    ).update(withdrawn_at=timezone.now())
    for version_id in version_ids:
        cancel_pairings(tournament.pk, version_id)
    return left


def _entries_changed(tournament: Tournament) -> None:
    """A schedule is looked through from its beginning, so that who is new catches up first.

    What has ended goes on where it is open; else its secret is published, and it stays as it is.
    """
    tournament.position = 0
    if tournament.status == TournamentStatus.FINISHED and tournament.open:
        tournament.status = TournamentStatus.RUNNING
        tournament.finished_at = None
    tournament.save(update_fields=["position", "status", "finished_at"])
