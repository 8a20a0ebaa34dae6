"""Validation: a mirrored pair against a house bot, in the sandbox, before a version may play."""

import hashlib

import structlog

from arena.house import house_bot_files, pack
from arena.protocol import Limits
from arena.referee import Entrant, HostFault, MatchRecord, MatchSpec
from arena.referee.dealer import new_secret
from arena.sandbox import NoSandbox
from arena.santase import ruleset
from bots import host, services
from bots.errors import UploadLost
from bots.logs import exit_words, shown_fault, shown_line, shown_notes, shown_with_marks
from bots.models import Version, VersionLog
from bots.verdicts import rejection

OPPONENT = "greedy"
"""The house bot that validates."""

_RENEW_EVERY_S = 5.0

_log = structlog.get_logger(__name__)


def validate(version_id: int) -> None:
    """Plays the pair and accepts or rejects the version; a fault of the host is nobody's.

    Does nothing where the version is not waiting (a task delivered twice).
    """
    version = services.claim(version_id)
    if version is None:
        return
    try:
        _judge(version)
    except (HostFault, NoSandbox, UploadLost) as error:
        _log.warning("validation not run", version=version.pk, why=str(error))
        services.give_back(version, str(error).partition("\n")[0])
    except Exception as error:
        # A bug of ours is the host's fault too, and must not leave the version waiting in silence.
        services.give_back(version, f"{type(error).__name__}: {error}".partition("\n")[0])
        raise


def _judge(version: Version) -> None:
    seed = new_secret()
    candidate = host.entrant(version)
    python = host.sandbox().python
    for game in (0, 1):
        record = _play(version, candidate, seed, game)
        seat = game
        faults = [fault for fault in record.faults if fault.seat == seat]
        if faults:
            notes = _log_of(record, seat)
            notes.fault = shown_fault(faults[0])
            services.reject(version, rejection(faults[0]), python, notes)
            return
        if record.winner is None or record.faults:
            raise HostFault(f"the house bot {OPPONENT} failed: {record.faults[0].name}")
    services.accept(version, python, _log_of(record, seat))


def _play(version: Version, candidate: Entrant, seed: str, game: int) -> MatchRecord:
    """One match of the pair; the candidate sits at seat 0 first."""
    opponent = _opponent()
    spec = MatchSpec(
        match=f"v{version.pk}",
        seed=seed,
        entrants=(candidate, opponent) if game == 0 else (opponent, candidate),
        rules=ruleset(),
        limits=Limits(),
        game=game,
    )
    watch = host.every(_RENEW_EVERY_S, lambda: services.renew(version))
    return host.host(spec.limits).play(spec, watch).record


def _opponent() -> Entrant:
    files = house_bot_files(OPPONENT)
    return Entrant(OPPONENT, hashlib.sha256(pack(files)).hexdigest(), files)


def _log_of(record: MatchRecord, seat: int) -> VersionLog:
    seen = record.seats[seat]
    stderr, marks = shown_with_marks(seen.stderr, seen.stderr_marks)
    return VersionLog(
        stderr=stderr,
        stderr_total=seen.stderr_total,
        marks=marks,
        notes=shown_notes(seen.notes),
        refused=shown_line(seen.refused),
        exit=exit_words(seen.exit),
    )
