"""Playing pairings for real: results, replays, faults of bots and of the host."""

from typing import Any

import pytest

from arena.referee import verify
from arena.sandbox import BoxError
from bots import host
from matches import draining, runner
from matches.models import Match, MatchStatus, Pairing, PairingStatus, SeatLog
from matches.services import leases
from matches.services.orders import cancel_pairings
from replays import store
from tournaments import services as tournaments
from tournaments.pump import pump
from tournaments.recount import recount

pytestmark = pytest.mark.django_db

DYING = b"""
import sys, json
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "request":
        print("about to die", file=sys.stderr)
        sys.exit(7)
"""


@pytest.fixture
def pairing(made: Any, slots: None) -> Pairing:
    """greedy against random, two pairs."""
    return ordered(made, made.house_version("greedy"), made.house_version("random"))


def ordered(made: Any, *versions: Any) -> Pairing:
    tournament = made.tournament(0, pairs=2)
    tournaments.enter(tournament, [version.pk for version in versions])
    pump(tournament.pk)
    return Pairing.objects.get(tournament=tournament)


def test_a_pairing_is_played_to_its_end_and_every_replay_verifies(pairing: Pairing) -> None:
    runner.run_pairing(pairing.pk, "here")
    pairing.refresh_from_db()
    assert (pairing.status, pairing.played) == (PairingStatus.FINISHED, 4)
    keys = [key.key for key in store.public_keys()]
    secret = pairing.tournament.secret
    for match in Match.objects.all():
        assert match.status == MatchStatus.FINISHED
        assert max(match.score0, match.score1) >= 11
        assert verify(store.load(match.replay), keys, secret).ok
    assert recount(pairing.tournament).differences == ()
    assert SeatLog.objects.filter(cpu_ms__gt=0).count() == 8


def test_fc096_a_pairing_delivered_twice_is_played_once(pairing: Pairing) -> None:
    runner.run_pairing(pairing.pk, "here")
    files = store.names()
    runner.run_pairing(pairing.pk, "there")
    assert store.names() == files
    assert Match.objects.count() == 4


def test_fc128_an_interrupted_pairing_is_played_on_from_the_same_seeds(
    pairing: Pairing, made: Any
) -> None:
    held = leases.claim(pairing.pk, "here")
    assert held is not None
    first, *rest = leases.unfinished(held)
    made.book(first, held.attempt)
    leases.release(held.pk, held.attempt, "killed")
    runner.run_pairing(pairing.pk, "here")
    seeds = {match.pk: match.seed for match in rest}
    for match in Match.objects.exclude(pk=first.pk):
        assert match.seed == seeds[match.pk]
        assert f'"seed":"{match.seed}"'.encode() in store.load(match.replay)
    first.refresh_from_db()
    assert first.deals == 0  # the one that was booked before has not been played again


def test_fc016_fc051_a_bot_that_dies_loses_its_matches_and_nothing_else(
    made: Any, slots: None
) -> None:
    pairing = ordered(made, made.house_version("random"), made.version(data=DYING))
    runner.run_pairing(pairing.pk, "here")
    pairing.refresh_from_db()
    assert (pairing.status, pairing.won, pairing.faults_high) == (PairingStatus.FINISHED, 2, 4)
    assert set(Match.objects.values_list("reason", flat=True)) == {"exit"}
    match = Match.objects.order_by("id").first()
    assert match is not None
    assert match.faults[0]["exit"] == 7
    assert "about to die" in SeatLog.objects.get(match=match, seat=1).stderr


def test_two_bots_that_do_not_start_give_unrated_matches(made: Any, slots: None) -> None:
    pairing = ordered(made, made.version(data=b"1 / 0\n"), made.version(data=b"[][1]\n"))
    runner.run_pairing(pairing.pk, "here")
    pairing.refresh_from_db()
    assert (pairing.status, pairing.unrated, pairing.won) == (PairingStatus.FINISHED, 4, 0)
    assert recount(pairing.tournament).differences == ()


class BrokenSandbox:
    """A back-end that cannot start a box."""

    kind, image, python = "broken", "none", "0"

    def probe(self) -> tuple[()]:
        return ()

    def start(self, limits: object, core: object) -> Any:
        raise BoxError("the disk is on fire")


@pytest.fixture
def broken_host() -> Any:
    """A host whose sandbox is broken."""
    whole = host.sandbox()
    host.close()
    host.use_sandbox(BrokenSandbox())
    yield
    host.close()
    host.use_sandbox(whole)


def test_fc053_a_host_that_cannot_start_a_box_costs_nobody_a_match(
    pairing: Pairing, broken_host: None
) -> None:
    runner.run_pairing(pairing.pk, "here")
    pairing.refresh_from_db()
    assert pairing.status == PairingStatus.PARKED
    assert "the disk is on fire" in pairing.note
    assert pairing.played == 0
    assert leases.unpark(pairing.pk)


def test_a_lost_upload_is_the_hosts_fault(pairing: Pairing, state: Any) -> None:
    for path in (state / "uploads").glob("*/*"):
        path.unlink()
    host._files.cache_clear()
    runner.run_pairing(pairing.pk, "here")
    pairing.refresh_from_db()
    assert (pairing.status, pairing.host_failures) == (PairingStatus.QUEUED, 1)
    assert "cannot be read" in pairing.note


def test_a_replay_that_cannot_be_stored_leaves_the_match_unplayed(
    pairing: Pairing, state: Any
) -> None:
    store.keyring()
    (state / "replays").write_text("a file where the folder should be")
    runner.run_pairing(pairing.pk, "here")
    pairing.refresh_from_db()
    assert (pairing.status, pairing.played) == (PairingStatus.QUEUED, 0)
    (state / "replays").unlink()
    runner.run_pairing(pairing.pk, "here")
    pairing.refresh_from_db()
    assert pairing.status == PairingStatus.FINISHED


def test_fc041_a_bug_of_ours_gives_the_pairing_back_and_is_raised(pairing: Pairing) -> None:
    Pairing.objects.filter(pk=pairing.pk).update(ruleset={"name": "no such rules"})
    with pytest.raises(Exception, match="no such rules"):
        runner.run_pairing(pairing.pk, "here")
    pairing.refresh_from_db()
    assert (pairing.status, pairing.host_failures) == (PairingStatus.QUEUED, 1)


def test_a_worker_that_is_being_stopped_begins_no_further_match(pairing: Pairing) -> None:
    draining.start_draining()
    try:
        runner.run_pairing(pairing.pk, "here")
    finally:
        draining._flag[0] = 0
    pairing.refresh_from_db()
    assert (pairing.status, pairing.played, pairing.host_failures) == (PairingStatus.QUEUED, 0, 0)


def test_a_slice_that_is_over_hands_the_rest_to_another_task(
    pairing: Pairing, settings: Any, queued: Any, django_capture_on_commit_callbacks: Any
) -> None:
    settings.RUN_SLICE_S = 0
    with django_capture_on_commit_callbacks(execute=True):
        runner.run_pairing(pairing.pk, "here")
    assert queued("matches") == 1


def test_a_match_beyond_every_limit_is_ended_and_its_pairing_waits_for_a_person(
    pairing: Pairing, settings: Any
) -> None:
    settings.MATCH_DEADLINE_S = 0
    runner.run_pairing(pairing.pk, "here")
    pairing.refresh_from_db()
    assert pairing.status == PairingStatus.PARKED
    assert "lasted" in pairing.note


def test_a_cancelled_pairing_is_left_at_once(pairing: Pairing) -> None:
    held = leases.claim(pairing.pk, "here")
    assert held is not None
    cancel_pairings(pairing.tournament_id, running=True)
    runner.run_pairing(pairing.pk, "here")
    assert Match.objects.filter(status=MatchStatus.FINISHED).count() == 0
