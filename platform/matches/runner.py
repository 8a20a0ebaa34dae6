"""Plays a pairing in a worker: the platform's door to the referee."""

import time
from collections.abc import Callable

import structlog
from django.conf import settings

from arena.protocol import Limits
from arena.referee import HostFault, MatchSpec
from arena.sandbox import NoSandbox
from arena.santase import ruleset_from_dict
from bots import host
from bots.errors import UploadLost
from matches.draining import is_draining
from matches.errors import AttemptLost, MatchTooLong, StaleAttempt
from matches.models import Match, Pairing
from matches.services import leases
from matches.services.booking import record_result
from replays import store
from replays.errors import ReplayNotStored

_RENEW_EVERY_S = 5.0

_log = structlog.get_logger(__name__)


def run_pairing(pairing_id: int, worker: str) -> None:
    """Claims a pairing and plays what is left of it; nothing where somebody else has it.

    A fault of the host gives the pairing back. Whatever a bot does is a result.
    """
    pairing = leases.claim(pairing_id, worker)
    if pairing is None:
        return
    try:
        _play_all(pairing)
    except (AttemptLost, StaleAttempt) as error:
        _log.warning("pairing given up", pairing=pairing_id, why=str(error))
    except HostFault as fault:
        leases.release(pairing_id, pairing.attempt, str(fault), most=1, voids=fault.voids)
    except MatchTooLong as error:
        leases.release(pairing_id, pairing.attempt, str(error), most=1)
    except (NoSandbox, UploadLost) as error:
        _give_back(pairing, error, voids=0)  # no match was begun
    except ReplayNotStored as error:
        _give_back(pairing, error, voids=1)
    except Exception as error:
        # A bug of ours is the host's fault too: others go on, this one is tried again (FC041).
        leases.release(pairing_id, pairing.attempt, f"{type(error).__name__}: {error}")
        raise


def _give_back(pairing: Pairing, error: Exception, voids: int) -> None:
    _log.error("host fault", pairing=pairing.pk, why=str(error))
    leases.release(pairing.pk, pairing.attempt, str(error).partition("\n")[0], voids=voids)


def _play_all(pairing: Pairing) -> None:
    limits = leases.limits_of(pairing)
    began = time.monotonic()
    for match in leases.unfinished(pairing):
        if is_draining() or time.monotonic() - began > settings.RUN_SLICE_S:
            leases.hand_over(pairing)
            return
        _play(match, pairing, limits)
    leases.hand_over(pairing)  # of a match that is to be played again since we began


def _play(match: Match, pairing: Pairing, limits: Limits) -> None:
    watch = _watch(pairing)
    played = host.host(limits).play(_spec(match, pairing, limits), watch)
    replay = store.keep(match.public_id, played.record.body)
    record_result(match, pairing.attempt, played.record, replay, played.voids)


def _watch(pairing: Pairing) -> Callable[[], None]:
    """Called after every reply: renews the lease, and ends a match that outlasts all limits."""
    renew = host.every(_RENEW_EVERY_S, lambda: leases.renew(pairing))
    deadline = time.monotonic() + settings.MATCH_DEADLINE_S

    def tick() -> None:
        if time.monotonic() > deadline:
            raise MatchTooLong(f"a match lasted more than {settings.MATCH_DEADLINE_S} s")
        renew()

    return tick


def _spec(match: Match, pairing: Pairing, limits: Limits) -> MatchSpec:
    return MatchSpec(
        match=match.public_id,
        seed=match.seed,
        entrants=(host.entrant(match.seat0), host.entrant(match.seat1)),
        rules=ruleset_from_dict(pairing.ruleset),
        limits=limits,
        pair=match.pair,
        game=match.game,
        tournament=match.tournament_id,
        commitment=pairing.commitment,
    )
