"""A ladder's secret of a day: committed to before, revealed after, and checked by everybody."""

import io
import json
import subprocess
import sys
import tarfile
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from arena.archive import Recounted, recount
from arena.referee import verify
from arena.referee.dealer import commitment_to, ladder_pair_seed
from matches import runner
from matches.models import Match, Pairing, PairingStatus
from ratings.services import refit
from replays import store
from tournaments import services
from tournaments.audit import Findings, audit
from tournaments.models import Period, Tournament
from tournaments.options import options
from tournaments.periods import published_secrets, reveal_due
from tournaments.pump import pump

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("slots")]

EVENING = datetime(2026, 3, 1, 23, 59, tzinfo=UTC)
TODAY, TOMORROW = date(2026, 3, 1), date(2026, 3, 2)


def ladder(made: Any, entries: int = 3) -> Tournament:
    tournament: Tournament = made.tournament(entries, format="ladder")
    Period.objects.all().delete()
    return tournament


def days() -> list[date]:
    return list(Period.objects.order_by("day").values_list("day", flat=True))


def test_commitments_of_today_and_tomorrow_are_there_from_the_beginning() -> None:
    made = services.create_tournament(options("Ladder", format="ladder"))
    today = timezone.now().astimezone(UTC).date()
    assert days() == [today, today + timedelta(days=1)]
    assert (made.secret, made.commitment, made.published_secret) == ("", "", None)


def test_a_commitment_is_published_by_a_transaction_before_that_of_its_first_pairing(
    made: Any,
) -> None:
    tournament = ladder(made)
    assert pump(tournament.pk, EVENING) == 0
    assert days() == [TODAY, TOMORROW]
    assert pump(tournament.pk, EVENING) > 0
    midnight = EVENING + timedelta(minutes=1)
    assert pump(tournament.pk, midnight) == 0, "as many are under way as should be"
    assert days() == [TODAY, TOMORROW, TOMORROW + timedelta(days=1)]


def test_seeds_come_from_the_secret_of_the_day_on_which_a_pairing_is_ordered(made: Any) -> None:
    tournament = ladder(made)
    for now in (EVENING, EVENING, EVENING + timedelta(minutes=1)):
        pump(tournament.pk, now)
        for pairing in Pairing.objects.filter(status=PairingStatus.QUEUED):
            made.play(pairing)
    periods = {period.commitment: period for period in Period.objects.all()}
    used = set()
    for match in Match.objects.select_related("pairing"):
        period = periods[match.pairing.commitment]
        used.add(period.day)
        assert commitment_to(period.secret) == period.commitment
        assert match.seed == ladder_pair_seed(
            period.secret, tournament.pk, period.day, match.seat0_id, match.seat1_id, match.pair
        )
    assert used == {TODAY, TOMORROW}
    assert len(set(Match.objects.values_list("seed", flat=True))) == Match.objects.count() / 2
    findings = Findings()
    audit(findings, sample=0)
    assert not [line for line in findings.discrepancies if "seed" in line or "commitment" in line]


def test_a_secret_is_revealed_when_the_day_is_over_and_its_matches_are_booked(made: Any) -> None:
    tournament = ladder(made)
    for _ in range(2):
        pump(tournament.pk, EVENING)
    assert reveal_due(EVENING) == 0
    night = EVENING + timedelta(minutes=2)
    assert reveal_due(night) == 0, "a pairing of that day is still to be played"
    one, *rest = Pairing.objects.order_by("pk")
    for pairing in rest:
        made.play(pairing)
    Pairing.objects.filter(pk=one.pk).update(status=PairingStatus.PARKED)
    assert reveal_due(night) == 0, "one is parked, and may be played yet"
    Pairing.objects.filter(pk=one.pk).update(status=PairingStatus.QUEUED)
    made.play(one)
    assert published_secrets(tournament) == []
    assert reveal_due(night) == 1
    assert reveal_due(night) == 0
    assert published_secrets(tournament) == [Period.objects.get(day=TODAY).secret]
    assert Period.objects.get(day=TODAY).revealed_at == night


def test_nothing_is_ordered_from_a_secret_that_is_revealed(made: Any) -> None:
    tournament = ladder(made)
    pump(tournament.pk, EVENING)
    assert reveal_due(EVENING + timedelta(minutes=2)) == 1
    assert pump(tournament.pk, EVENING) == 0, "a clock that was set back"
    assert not Pairing.objects.exists()


def test_a_paused_ladder_reveals_and_a_cancelled_one_reveals_all(made: Any) -> None:
    tournament = ladder(made)
    for _ in range(2):
        pump(tournament.pk, EVENING)
    for pairing in Pairing.objects.all():
        made.play(pairing)
    services.pause(tournament)
    assert reveal_due(EVENING + timedelta(minutes=2)) == 1
    services.resume(tournament)
    pump(tournament.pk, EVENING + timedelta(minutes=2))
    services.cancel(tournament)
    assert reveal_due(EVENING + timedelta(minutes=3)) == 2
    assert len(published_secrets(tournament)) == 3


def test_an_altered_day_is_named_by_the_audit(made: Any) -> None:
    tournament = ladder(made)
    for _ in range(2):
        pump(tournament.pk, EVENING)
    Period.objects.filter(day=TODAY).update(secret="ab" * 32)
    findings = Findings()
    audit(findings, sample=0)
    told = "\n".join(findings.discrepancies)
    assert f"{tournament.slug}: the commitment of 2026-03-01 is not the hash of its secret" in told
    assert "its seed does not follow from the secret" in told


# --- What strangers check --------------------------------------------------------------------


@pytest.fixture
def played(made: Any) -> Tournament:
    """A ladder of house bots of whose days one is over."""
    tournament: Tournament = made.tournament(0, format="ladder")
    services.enter(tournament, [made.house_version(name).pk for name in ("greedy", "random")])
    assert pump(tournament.pk) > 0
    for pairing in Pairing.objects.filter(status=PairingStatus.QUEUED):
        runner.run_pairing(pairing.pk, "here")
    refit(tournament.pk)
    reveal_due(timezone.now() + timedelta(days=1))
    return tournament


def archive_of(
    tournament: Tournament, path: Path, change: Callable[[Any], None] | None
) -> Recounted:
    answer = Client().get(f"/tournaments/{tournament.slug}/archive/")
    data = b"".join(answer.streaming_content)  # type: ignore[attr-defined]  # it streams
    file = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(data)) as old,
        tarfile.open(fileobj=file, mode="w", format=tarfile.USTAR_FORMAT) as new,
    ):
        for info in old:
            content = old.extractfile(info).read()  # type: ignore[union-attr]  # plain files only
            if info.name == "archive.json" and change is not None:
                header = json.loads(content)
                change(header)
                content = json.dumps(header).encode()
                info.size = len(content)
            new.addfile(info, io.BytesIO(content))
    path.write_bytes(file.getvalue())
    return recount(path)


def test_its_archive_is_recounted_with_the_secrets_of_its_days(
    played: Tournament, tmp_path: Path
) -> None:
    found = archive_of(played, tmp_path / "ladder.tar", None)
    assert found.differences == []
    assert found.matches == found.proven == Match.objects.filter(status="finished").count() > 0
    assert len(found.header.periods) == len(found.header.commitments) == 2
    assert found.header.secrets == published_secrets(played) != []
    done = subprocess.run(
        [sys.executable, "-m", "arena", "recount", str(tmp_path / "ladder.tar")],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 of 2 secrets are published" in done.stdout


def other_day(header: Any) -> None:
    header["periods"][0]["day"] = "2026-01-01"


def one_day_twice(header: Any) -> None:
    header["periods"][1]["day"] = header["periods"][0]["day"]


def a_day_less(header: Any) -> None:
    del header["periods"][0]


def no_days_at_all(header: Any) -> None:
    header["periods"] = []


def no_ladder(header: Any) -> None:
    no_days_at_all(header)
    header["tournament"]["format"] = "round_robin"
    header["commitments"].append("ab" * 32)


def no_day(header: Any) -> None:
    header["periods"][0]["day"] = "2026-02-31"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (other_day, "the seed does not follow from this secret"),
        (one_day_twice, "a day is listed twice"),
        (no_days_at_all, "a ladder lists its days"),
        (no_ladder, "more than one commitment, and no days"),
        (a_day_less, "the days are not those of the commitments"),
        (no_day, "2026-02-31 is no day"),
    ],
)
def test_an_archive_with_other_days_is_told_apart(
    played: Tournament, tmp_path: Path, change: Callable[[Any], None], says: str
) -> None:
    found = archive_of(played, tmp_path / "altered.tar", change)
    assert says in "\n".join(f"{each.where}: {each.what}" for each in found.differences)


def test_a_replay_of_a_ladder_is_verified_with_the_secret_of_its_day(
    played: Tournament, tmp_path: Path, state: Path
) -> None:
    match = Match.objects.filter(status="finished").first()
    assert match is not None
    keys = {key.key for key in store.public_keys()}
    secret = published_secrets(played)[0]
    data = store.load(match.replay)
    day = Period.objects.get(secret=secret).day
    assert verify(data, keys, secret).ok
    assert verify(data, keys, secret, day).ok
    assert not verify(data, keys, secret, day + timedelta(days=1)).ok
    replay = tmp_path / "match.jsonl"
    replay.write_bytes(data)

    def command(*options: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "arena", "verify", str(replay), "--key", min(keys), *options],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip

    assert command("--secret", secret, "--day", day.isoformat()).returncode == 0
    wrong = command("--secret", secret, "--day", "2026-01-01")
    assert wrong.returncode == 1
    assert "does not follow" in wrong.stdout
    assert command("--day", "2026-01-01").returncode == 2
    assert "no date" in command("--secret", secret, "--day", "today").stderr


def test_its_page_shows_each_days_commitment_and_holds_the_secret_against_it(
    played: Tournament,
) -> None:
    page = Client().get(f"/tournaments/{played.slug}/").content.decode()
    for period in Period.objects.all():
        assert period.commitment in page
        assert (period.secret in page) == (period.revealed_at is not None)
    assert page.count(">kept<") == 1
    Period.objects.exclude(revealed_at=None).update(commitment="ab" * 32)
    assert "not kept" in Client().get(f"/tournaments/{played.slug}/").content.decode()
