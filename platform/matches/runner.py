"""Plays a pairing in a worker: the platform's door to the referee."""

import time
from collections.abc import Callable
from dataclasses import dataclass

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
from matches.services import leases, orders
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
    attempt = _Attempt(pairing)
    try:
        _play_all(attempt)
    except (AttemptLost, StaleAttempt) as error:
        _log.warning("pairing given up", pairing=pairing_id, why=str(error))
    except HostFault as fault:
        attempt.release(str(fault), voids=fault.voids, most=1)
    except MatchTooLong as error:
        attempt.release(str(error), most=1)
    except (NoSandbox, UploadLost) as error:
        attempt.under_way = None  # no match was begun
        _give_back(attempt, error)
    except ReplayNotStored as error:
        _give_back(attempt, error)
    except Exception as error:
        # A bug of ours is the host's fault too: others go on, this one is tried again (FC041).
        attempt.release(f"{type(error).__name__}: {error}")
        raise


@dataclass(slots=True)
class _Attempt:
    """A pairing that we hold, and its match under way: a fault of the host makes that one void."""

    pairing: Pairing
    under_way: Match | None = None

    def release(self, why: str, voids: int = 1, most: int = leases.MAX_HOST_FAILURES) -> None:
        """Gives the pairing back, or aside after `most` faults in a row."""
        match = self.under_way
        leases.release(
            self.pairing.pk,
            self.pairing.attempt,
            why,
            most=most,
            voids=0 if match is None else voids,
            match=None if match is None else match.pk,
        )


def _give_back(attempt: _Attempt, error: Exception) -> None:
    _log.error("host fault", pairing=attempt.pairing.pk, why=str(error))
    attempt.release(str(error).partition("\n")[0])


def _play_all(attempt: _Attempt) -> None:
    pairing = attempt.pairing
    limits = leases.limits_of(pairing)
    began = time.monotonic()
    for match in leases.unfinished(pairing):
        if is_draining() or time.monotonic() - began > settings.RUN_SLICE_S:
            leases.hand_over(pairing)
            return
        if match.game == 0 and orders.is_to_stop(pairing):
            leases.hand_over(pairing)
            orders.call_off_paused()
            return
        attempt.under_way = match
        _play(match, pairing, limits)
        attempt.under_way = None
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
