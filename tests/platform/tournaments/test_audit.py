"""The audit: 0 where all is well, and whatever is wrong is named."""

import os
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from arena.rating import Meeting, PairTable, Ratings, fit
from bots.models import Version
from matches import runner
from matches.models import Match, Pairing, RulingKind, SeatLog
from matches.services.rulings import rule
from ratings import fits
from ratings.models import Audit, Change, Fit, Rating, Snapshot
from ratings.services import refit
from replays import store
from tournaments import services as tournaments
from tournaments import tasks
from tournaments.audit import KEPT, LATE, Findings, audit, audit_and_keep
from tournaments.models import Tournament
from tournaments.pump import pump

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(made: Any, slots: None) -> Any:
    """Two house bots that have really played two pairs."""
    tournament = made.tournament(0, pairs=2)
    versions = [made.house_version(name) for name in ("greedy", "random")]
    tournaments.enter(tournament, [version.pk for version in versions])
    pump(tournament.pk)
    runner.run_pairing(Pairing.objects.get().pk, "here")
    refit(tournament.pk)
    return tournament


def printed(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str]:
    code = 0
    try:
        call_command("audit", *options)
    except SystemExit as end:
        code = int(end.code or 0)
    return code, capsys.readouterr().out


def test_an_empty_arena_has_0_discrepancies(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = printed(capsys)
    assert code == 0
    assert text.endswith("0 discrepancies\n")


def test_a_played_tournament_has_0_discrepancies_and_every_replay_is_proven(
    played: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = printed(capsys, "--all")
    assert (code, text.splitlines()[-1]) == (0, "0 discrepancies"), text
    run = Audit.objects.get()
    assert run.finished_at is not None
    assert run.checked["replays"] == run.checked["matches"] == run.checked["seeds"] == 4


def match() -> Any:
    return Match.objects.order_by("pk")[0]


def change(model: Any, **fields: Any) -> Callable[[], Any]:
    return lambda: model.objects.filter(pk=model.objects.order_by("pk")[0].pk).update(**fields)


def other_score() -> None:
    played = match()
    field = f"score{played.winner}"
    change(Match, **{field: getattr(played, field) + 3})()


def other_replay() -> None:
    one, other = Match.objects.order_by("pk")[:2]
    path = store.path_of(one.replay)
    path.write_bytes(store.path_of(other.replay).read_bytes())


def damaged_replay() -> None:
    path = store.path_of(match().replay)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def other_fault_names() -> None:
    Match.objects.filter(pk=match().pk).update(fault0="time")


def no_standings() -> None:
    Rating.objects.all().delete()
    Snapshot.objects.all().delete()
    Pairing.objects.update(booked_at=timezone.now() - 2 * LATE)


def other_fit() -> None:
    table = PairTable([Meeting(*Pairing.objects.values_list("low", "high")[0], won=9)])
    Fit.objects.update(data=fits.pack(table, fit(table)))


def other_strengths() -> None:
    table, found = fits.unpack(Fit.objects.get().data)
    other = Ratings(
        table, 2 * found.strengths, found.covariance, found.pair_correlation,
        found.matches_saved, found.anchor,
    )  # fmt: skip
    Fit.objects.update(data=fits.pack(table, other))


def other_change() -> None:
    came = Change.objects.get().came
    came[0][2] += 1
    Change.objects.update(came=came)


WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "a sum of pairs": (change(Pairing, won=7), "won is 7"),
    "game points": (change(Pairing, points_low=99), "points_low is 99"),
    "faults": (change(Pairing, faults_high=3), "faults_high is 3"),
    "a winner": (lambda: change(Match, winner=1 - match().winner)(), "won"),
    "a score": (other_score, "the score is ("),
    "a score that no winner has": (
        lambda: change(Match, winner=0, score0=2, score1=11)(), "the winner has not more points",
    ),
    "the name of a fault": (other_fault_names, "names of its faults"),
    "a fault that is none": (change(Match, faults=[{}]), "its faults cannot be read"),
    "faults that are no list": (change(Match, faults="abc"), "its faults cannot be read"),
    "a fault of a third seat": (
        change(Match, faults=[{"seat": 7, "name": "time", "cause": None, "phase": "deal",
                               "deal": 1, "request": 1}]),
        "a fault is of no seat of it: [7]",
    ),
    "a secret that is none": (change(Tournament, secret="no" * 32), "tournaments: the check broke"),
    "the rules of a pairing": (change(Pairing, ruleset={}), "the rules is"),
    "the limits of a pairing": (change(Pairing, limits={}), "the limits is"),
    "the rules of a tournament": (change(Tournament, ruleset={}), "its ruleset: other"),
    "the limits of a tournament": (change(Tournament, limits={}), "its limits: other"),
    "the commitment of a pairing": (change(Pairing, commitment="ab" * 32), "the commitment is"),
    "the hash of an upload": (change(Version, sha256="ab" * 32), "the bots' files is"),
    "a seed": (change(Match, seed="ab" * 32), "its seed does not follow"),
    "a secret": (change(Tournament, secret="ab" * 32), "the commitment is not the hash"),
    "a rating": (change(Rating, elo=9999.0), "elo of version"),
    "a rating too few": (lambda: Rating.objects.all()[0].delete(), "in the results only"),
    "how many matches they rest on": (change(Snapshot, matches=99), "matches is 99, 4 by"),
    "how many were saved": (change(Snapshot, matches_saved=99), "matches_saved is 99"),
    "standings gone": (no_standings, "there are none, and there are results"),
    "a fit gone": (lambda: Fit.objects.all().delete(), "their fit is missing"),
    "a fit that is none": (change(Fit, data=b"x"), "their fit cannot be read"),
    "a fit of other results": (other_fit, "their fit rests on other results"),
    "a fit of other strengths": (other_strengths, "the strengths in their fit"),
    "a change taken away": (lambda: Change.objects.all().delete(), "do not add up"),
    "a change altered": (other_change, "do not add up"),
    "a change that is none": (change(Change, came=[[1]]), "their history cannot be read"),
    "a match too few": (
        lambda: (SeatLog.objects.all().delete(), match().delete()), "not the 4 of its 2 pairs",
    ),
    "a pairing that waits for nothing": (change(Pairing, status="queued"), "no match is still"),
    "a void match without a ruling": (change(Match, status="void"), "void without a ruling"),
    "a replay lost": (lambda: store.path_of(match().replay).unlink(), "not in the store"),
    "a replay damaged": (damaged_replay, "replay"),
    "a replay of another match": (other_replay, "the match is m"),
    "a log lost": (lambda: SeatLog.objects.all()[0].delete(), "1 seats have a log"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_whatever_is_wrong_is_named(
    played: Any, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    alter, named = WRONG[what]
    alter()
    code, text = printed(capsys, "--all")
    assert code == 1
    assert named in text
    assert not text.endswith("\n0 discrepancies\n")
    assert Audit.objects.get().discrepancies > 0


def test_a_game_of_a_pair_cannot_be_there_twice(played: Any) -> None:
    from django.db import IntegrityError

    twin = match()
    twin.pk = None
    with pytest.raises(IntegrityError):
        twin.save(force_insert=True)


def test_what_is_booked_or_to_be_played_again_meanwhile_is_no_discrepancy(
    played: Any, made: Any
) -> None:
    other = made.tournament(2)
    pump(other.pk)
    boss = User.objects.create_user("boss", is_staff=True)

    def meanwhile(what: str, done: int, of: int) -> None:
        if (what, done) == ("files", 0):
            made.play(Pairing.objects.get(tournament=other))
            rule(match(), RulingKind.REPLAY, boss, "the referee was suspected")

    findings = Findings()
    audit(findings, meanwhile, sample=None)
    assert findings.discrepancies == []
    assert Match.objects.filter(status="finished").count() == 5, "both happened"


def test_ctrl_c_ends_it_and_keeps_what_was_found(played: Any) -> None:
    Pairing.objects.update(won=7)

    def interrupted(what: str, done: int, of: int) -> None:
        if what == "standings":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        audit_and_keep(interrupted)
    run = Audit.objects.get()
    assert run.finished_at is None
    assert "won is 7" in run.found[0]


def database_of_the_test() -> str:
    """Its address, for another process."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


@pytest.mark.django_db(transaction=True)
def test_beat_has_it_done_every_night_and_the_staff_sees_it(
    played: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "tournaments.tasks.audit" in settings.CELERY_BEAT_SCHEDULE
    Pairing.objects.update(won=7)
    monkeypatch.setenv("DATABASE_URL", database_of_the_test())
    tasks.audit()
    deadline = time.monotonic() + 60
    while not Audit.objects.exclude(finished_at=None).exists():
        assert time.monotonic() < deadline, "no audit has come to its end"
        time.sleep(0.1)
    client = Client()
    client.force_login(User.objects.create_user("boss", is_staff=True))
    page = client.get("/desk/").content.decode()
    assert "won is 7" in page


def test_two_audits_never_run_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    def another(what: str, done: int, of: int) -> None:
        with pytest.raises(CommandError, match="another audit is running") as refused:
            call_command("audit")
        assert refused.value.returncode == 2

    audit_and_keep(another)
    assert Audit.objects.count() == 1
    assert printed(capsys)[0] == 0, "the lock is free again"


def test_what_is_not_printed_is_counted(capsys: pytest.CaptureFixture[str], made: Any) -> None:
    tournament = made.tournament(2, pairs=KEPT // 2 + 2)
    pump(tournament.pk)
    Match.objects.update(seed="ab" * 32)
    code, text = printed(capsys)
    assert code == 1
    assert "… and 4 more" in text.splitlines()
    assert text.endswith(f"{KEPT + 4} discrepancies\n")


def test_the_last_result_stays_on_the_desk_while_another_audit_runs() -> None:
    Audit.objects.create(finished_at=timezone.now(), discrepancies=3, found=["won is 7"])
    Audit.objects.create()
    client = Client(headers={"accept-language": "bg"})
    client.force_login(User.objects.create_user("boss", is_staff=True))
    page = client.get("/desk/").content.decode()
    for shown in ("won is 7", "3 несъответствия", "… и още 2", "не е стигнала до края"):
        assert shown in page


def test_fc111_a_pairing_cut_short_is_booked_as_far_as_it_came(made: Any, slots: None) -> None:
    from matches.services import leases

    tournament = made.tournament(2, pairs=4)
    pump(tournament.pk)
    held = leases.claim(Pairing.objects.get().pk, "test")
    assert held is not None
    for each in leases.unfinished(held)[:3]:
        made.book(each, held.attempt)
    leases.release(held.pk, held.attempt, "killed")
    held.refresh_from_db()
    assert (held.played, held.split + held.won + held.lost) == (3, 1)
    assert held.singles_won + held.singles_lost == 1
    refit(tournament.pk)
    findings = Findings()
    audit(findings, sample=0)
    assert findings.discrepancies == []
