"""The books proven: every sum made again from what lies below it, every state looked at.

Nothing is changed. It may run while matches are played: what seems wrong is looked at once more
before it is said to be, and what must fit together is read at one moment (`consistent_read`).
"""

import atexit
import fcntl
import os
import random
import subprocess
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

import msgspec
import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from arena.rating import TALLY, Result, tally
from arena.referee import Fault, verify
from arena.referee.dealer import commitment_to
from matches.claims import differences
from matches.models import Match, MatchStatus, Pairing, PairingStatus, Ruling, RulingKind, SeatLog
from matches.reading import consistent_read
from matches.services.rulings import chain_breaks
from ratings import proof
from ratings import services as ratings
from ratings.models import Audit, Snapshot
from replays import store
from replays.errors import ReplayStoreError
from replays.reader import parse_replay
from tournaments.errors import AuditRunning
from tournaments.models import Tournament
from tournaments.periods import sources_of

SAMPLE = 200
"""Replays that are proven in one audit, drawn anew each time; that they exist is seen of all."""
KEPT = 500
"""Discrepancies that are stored, in words."""
LATE = timedelta(minutes=5)
"""Standings that have not followed the results for so long are a discrepancy."""
_NOT_OURS = (ValueError, TypeError, LookupError, ArithmeticError)
"""What a value in the database may come to that nothing of ours has written."""
_BATCH = 100
"""Pairings looked at in one query."""

_log = structlog.get_logger(__name__)

Tick = Callable[[str, int, int], None]
"""Told what is looked at, how many of how many."""


@dataclass(slots=True)
class Findings:
    """What an audit has found so far."""

    checked: Counter[str] = field(default_factory=Counter)
    discrepancies: list[str] = field(default_factory=list)


def audit(
    findings: Findings, tick: Tick = lambda what, done, of: None, *, sample: int | None = SAMPLE
) -> None:
    """Adds to `findings` while it goes, so that who stops it has them. `sample` None proves all
    replays.
    """
    checks: dict[str, Callable[[Counter[str], Tick], Iterator[str]]] = {
        "pairings": _pairings,
        "standings": _standings,
        "tournaments": _tournaments,
        "rulings": _rulings,
        "replays": partial(_replays, sample=sample),
    }
    for name, check in checks.items():
        try:
            for line in check(findings.checked, tick):
                findings.discrepancies.append(line)
        except _NOT_OURS as error:  # the others go on
            _log.exception("a check of the audit broke off", check=name)
            findings.discrepancies.append(f"{name}: the check broke off, see the log: {error}")


def audit_and_keep(tick: Tick = lambda what, done, of: None, sample: int | None = SAMPLE) -> Audit:
    """An audit whose result is stored, for the staff; also what there is of one that is stopped.

    Raises `AuditRunning`.
    """
    with _alone():
        run = Audit.objects.create()
        findings = Findings()
        try:
            audit(findings, tick, sample=sample)
            run.finished_at = timezone.now()
        finally:
            run.checked = dict(findings.checked)
            run.discrepancies = len(findings.discrepancies)
            run.found = findings.discrepancies[:KEPT]
            run.save()
    return run


def start_audit() -> "subprocess.Popen[bytes]":
    """Has `manage.py audit` run beside us, and does not wait for it.

    An audit takes minutes, and the worker that is told to do it does one thing at a time: in its
    process no pairing would be ordered and no rating refitted until the audit is at its end. When
    that worker leaves, the audit ends too.
    """
    process = subprocess.Popen(
        [sys.executable, str(settings.ROOT / "manage.py"), "audit"],
        env={**os.environ, "SANTASE_STATE": str(settings.STATE)},
        stdin=subprocess.DEVNULL,
    )
    atexit.register(process.terminate)
    threading.Thread(target=process.wait, daemon=True).start()  # else it stays as a zombie
    return process


@contextmanager
def _alone() -> Iterator[None]:
    """Raises `AuditRunning` where another one runs. A lock of the kernel's goes with its process,
    however that ends; a row would stay.
    """
    settings.STATE.mkdir(parents=True, exist_ok=True)
    with (settings.STATE / "audit.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AuditRunning("another audit is running: its result comes at its end") from None
        yield


def _pairings(checked: Counter[str], tick: Tick) -> Iterator[str]:
    """Matches against pairings: numbers, seats, states, sums."""
    pks = list(Pairing.objects.order_by("pk").values_list("pk", flat=True))
    for begin in range(0, len(pks), _BATCH):
        tick("pairings", begin, len(pks))
        batch = pks[begin : begin + _BATCH]
        for pairing, matches in _with_matches(batch):
            checked["pairings"] += 1
            checked["matches"] += len(matches)
            if any(_wrong_in_pairing(pairing, matches)):
                yield from _looked_at_again(pairing.pk)


def _with_matches(pks: Sequence[int]) -> Iterator[tuple[Pairing, list[Match]]]:
    with consistent_read():
        pairings = list(
            Pairing.objects.filter(pk__in=pks).select_related("tournament").order_by("pk")
        )
        matches: dict[int, list[Match]] = defaultdict(list)
        for match in Match.objects.filter(pairing__in=pks).order_by("pair", "game"):
            matches[match.pairing_id].append(match)
    for pairing in pairings:
        yield pairing, matches[pairing.pk]


def _looked_at_again(pk: int) -> list[str]:
    """With the row locked: a booking between two reads is no discrepancy."""
    with transaction.atomic():
        pairing = Pairing.objects.select_for_update().get(pk=pk)
        matches = list(Match.objects.filter(pairing=pk).order_by("pair", "game"))
        return [f"pairing {pk}: {line}" for line in _wrong_in_pairing(pairing, matches)]


def _wrong_in_pairing(pairing: Pairing, matches: list[Match]) -> Iterator[str]:
    numbers = [(match.pair, match.game) for match in matches]
    first = pairing.first_pair
    due = [(pair, game) for pair in range(first, first + pairing.pairs) for game in (0, 1)]
    if numbers != due:
        yield f"its matches are {len(numbers)}, not the {len(due)} of its {pairing.pairs} pairs"
    for terms in ("ruleset", "limits"):
        if getattr(pairing, terms) != getattr(pairing.tournament, terms):
            yield f"its {terms}: other than its tournament has"
    seats = (pairing.low_id, pairing.high_id)
    for match in matches:
        if (match.seat0_id, match.seat1_id) != (seats[match.game], seats[1 - match.game]):
            yield f"{match}: other versions sit there"
        if match.tournament_id != pairing.tournament_id:
            yield f"{match}: it is of another tournament"
        yield from _wrong_in_match(match)
    counted = [match for match in matches if match.status == MatchStatus.FINISHED]
    sums = tally(Result(*(getattr(match, name) for name in Result._fields)) for match in counted)
    for name in TALLY:
        if getattr(pairing, name) != sums[name]:
            yield f"{name} is {getattr(pairing, name)}, {sums[name]} by its matches"
    waiting = any(match.status == MatchStatus.QUEUED for match in matches)
    open_states = {PairingStatus.QUEUED, PairingStatus.RUNNING, PairingStatus.PARKED}
    if waiting != (pairing.status in open_states):
        yield f"it is {pairing.status}, and {'a' if waiting else 'no'} match is still to be played"
    if pairing.status == PairingStatus.FINISHED and any(
        match.status == MatchStatus.CANCELLED for match in matches
    ):
        yield "it is finished with cancelled matches"
    if counted and pairing.booked_at is None:
        yield "it has results and no time of booking"


def _wrong_in_match(match: Match) -> Iterator[str]:
    try:
        found = msgspec.convert(match.faults, list[Fault])
    except msgspec.ValidationError as error:
        yield f"{match}: its faults cannot be read: {error}"
        return
    faults = {fault.seat: fault.name.value for fault in found}
    if not faults.keys() <= {0, 1}:
        yield f"{match}: a fault is of no seat of it: {sorted(faults)}"
        return
    if (match.fault0, match.fault1) != (faults.get(0, ""), faults.get(1, "")):
        yield f"{match}: the names of its faults are not those of its faults"
    if match.status in {MatchStatus.QUEUED, MatchStatus.CANCELLED}:
        result = (match.reason, match.replay, match.finished_at, match.score0, match.score1)
        if any(result) or match.luck is not None:
            yield f"{match}: it is {match.status} and has a result"
        return
    guilty = set(faults)
    winner = None if guilty == {0, 1} else 1 - min(guilty) if guilty else match.winner
    if match.winner != winner or (not guilty and winner is None):
        yield f"{match}: by its faults the winner is {winner}, not {match.winner}"
    if (match.reason == "target") == bool(guilty):
        yield f"{match}: the reason is {match.reason}, its faults are {sorted(faults.values())}"
    scores = (match.score0, match.score1)
    if match.reason == "target" and winner is not None and scores[winner] <= scores[1 - winner]:
        yield f"{match}: the winner has not more points"


def _standings(checked: Counter[str], tick: Tick) -> Iterator[str]:
    """What refits have stored against pairings, to the last bit."""
    for done, snapshot in enumerate(Snapshot.objects.order_by("pk")):
        tick("standings", done, Snapshot.objects.count())
        checked["standings"] += 1
        played = Pairing.objects.filter(tournament=snapshot.tournament_id)
        with consistent_read():
            basis = ratings.basis_of(played)
            sums = ratings.sums_of(played)
            stored = proof.kept(snapshot)
        where = f"standings of tournament {snapshot.tournament_id}"
        if stored.snapshot.basis != basis:
            if timezone.now() - ratings.newest_booking(played) > LATE:
                yield f"{where}: they do not rest on the results of now"
            continue
        yield from (f"{where}: {line}" for line in proof.discrepancies(stored, sums))
    late = Pairing.objects.filter(
        played__gt=0, booked_at__lt=timezone.now() - LATE, tournament__snapshot=None
    )
    for pk in late.order_by("tournament").values_list("tournament", flat=True).distinct():
        yield f"standings of tournament {pk}: there are none, and there are results"


def _tournaments(checked: Counter[str], tick: Tick) -> Iterator[str]:
    """Seeds against secrets, secrets against commitments."""
    for done, tournament in enumerate(Tournament.objects.order_by("pk")):
        tick("tournaments", done, Tournament.objects.count())
        checked["tournaments"] += 1
        yield from _seeds(tournament, checked)


def _seeds(tournament: Tournament, checked: Counter[str]) -> Iterator[str]:
    matches = Match.objects.filter(tournament=tournament).order_by("pk")
    last = matches.values_list("pk", flat=True).last() or 0
    sources = sources_of(tournament)  # read after: who orders has published before
    for commitment, source in sources.items():
        if commitment_to(source.secret) != commitment:
            of_day = "" if source.day is None else f" of {source.day}"
            yield f"{tournament.slug}: the commitment{of_day} is not the hash of its secret"
    rows = matches.filter(pk__lte=last).values_list(
        "pk", "pair", "seed", "pairing__low_id", "pairing__high_id", "pairing__commitment"
    )
    for pk, pair, seed, low, high, commitment in rows.iterator():
        checked["seeds"] += 1
        committed = sources.get(commitment)
        if committed is None:
            yield f"m{pk}: its pairing has another commitment than its tournament"
        elif seed != committed.seed(low, high, pair):
            yield f"m{pk}: its seed does not follow from the secret"


def _rulings(checked: Counter[str], tick: Tick) -> Iterator[str]:
    """The trail whole, and void what was declared void."""
    checked["rulings"] = Ruling.objects.count()
    tick("rulings", 0, checked["rulings"])
    yield from chain_breaks()
    with consistent_read():
        newest = dict(Ruling.objects.order_by("id").values_list("match", "kind"))
        void = set(Match.objects.filter(status=MatchStatus.VOID).values_list("pk", flat=True))
    for pk in sorted(void | {pk for pk, kind in newest.items() if kind == RulingKind.VOID}):
        if pk not in void or newest.get(pk) != RulingKind.VOID:
            yield f"m{pk}: it is void without a ruling, or was declared void and is not"


def _with_replays() -> "QuerySet[Match]":
    return Match.objects.filter(status__in=[MatchStatus.FINISHED, MatchStatus.VOID])


def _files_looked_for_again(pk: int) -> Iterator[str]:
    """What one match lacks now: one that is to be played again since lacks nothing."""
    with consistent_read():
        match = _with_replays().filter(pk=pk).first()
        logs = SeatLog.objects.filter(replaced_by=None, match=pk).count()
    if match is None:
        return
    if not store.holds(match.replay):
        yield f"{match}: its replay {match.replay} is not in the store"
    if logs != 2:
        yield f"{match}: {logs} seats have a log, not 2"


def _replays(checked: Counter[str], tick: Tick, sample: int | None) -> Iterator[str]:
    """Files against rows: all are there, and those of a sample hold; logs of both seats.

    The rows are read first: files and logs are there before the row that speaks of them, so what
    is booked meanwhile is not missed in a list that is older than it.
    """
    played = _with_replays()
    rows = list(played.order_by("pk").values_list("pk", "replay"))
    tick("files", 0, len(rows))
    names = store.names()
    logs = Counter(
        SeatLog.objects.filter(replaced_by=None, match__in=played)
        .order_by()
        .values_list("match", flat=True)
        .iterator()
    )
    there: list[int] = []
    for pk, name in rows:
        checked["files"] += 1
        if name in names:
            there.append(pk)
        if name not in names or logs[pk] != 2:
            yield from _files_looked_for_again(pk)
    keys = {key.key for key in store.public_keys()}
    chosen = there if sample is None or sample >= len(there) else random.sample(there, sample)
    for done, pk in enumerate(chosen):
        tick("replays", done, len(chosen))
        checked["replays"] += 1
        match = Match.objects.select_related("pairing", "seat0", "seat1").get(pk=pk)
        try:
            data = store.load(match.replay)
            replay = parse_replay(match.replay, data)
        except ReplayStoreError as error:
            if match.replay:  # else it is being played again since
                yield f"{match}: {error}"
            continue
        found = verify(data, keys)
        if not found.ok or not found.key_known:
            yield f"{match}: line {found.line} of its replay: {found.error}"
        yield from differences(match, replay)
