"""A sequential test of house bots, played for real: page, archive and command line agree."""

import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from arena.archive import recount
from arena.rating import Hypotheses, in_words
from matches import runner
from matches.models import Pairing
from ratings.services import refit
from tournaments import queries, services
from tournaments.models import TournamentStatus
from tournaments.pump import pump

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("slots")]


@pytest.fixture
def played(made: Any) -> Any:
    greedy, random = (made.house_version(name) for name in ("greedy", "random"))
    tournament = made.tournament(
        0, format="sequential", challenger=greedy.pk, question=Hypotheses(0, 300), pairs=2
    )
    services.enter(tournament, [random.pk])
    while pump(tournament.pk):
        for pairing in Pairing.objects.filter(status="queued"):
            runner.run_pairing(pairing.pk, "here")
    refit(tournament.pk)
    tournament.refresh_from_db()
    return tournament


def download(tournament: Any, path: Path) -> Path:
    answer = Client().get(f"/tournaments/{tournament.slug}/archive/")
    path.write_bytes(b"".join(answer.streaming_content))  # type: ignore[attr-defined]  # it streams
    return path


def test_recounted_offline_it_gives_the_answer_of_the_page(played: Any, tmp_path: Path) -> None:
    assert played.status == TournamentStatus.FINISHED
    stands = queries.trial(played)
    assert stands is not None
    answer = in_words(stands.weighed, stands.asked, str(stands.first), str(stands.second))
    assert answer.startswith("Yes: ")
    assert answer in Client().get(f"/tournaments/{played.slug}/").content.decode()
    file = download(played, tmp_path / "test.tar")
    found = recount(file)
    assert found.differences == []
    assert found.trial is not None
    assert found.trial.weighed == stands.weighed
    llr = stands.weighed.llr
    for options, shown in (
        ((), [answer, f"LLR {llr:+.2f},"]),
        (("--json",), [json.dumps(answer), f'"llr": {round(llr, 4)}']),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "arena", "recount", str(file), *options],
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        assert all(each in done.stdout for each in shown), done.stdout


def test_a_question_that_is_none_is_named(played: Any, tmp_path: Path) -> None:
    file = download(played, tmp_path / "test.tar")
    packed = io.BytesIO()
    with tarfile.open(file) as old, tarfile.open(fileobj=packed, mode="w") as new:
        for info in old:
            content = old.extractfile(info).read()  # type: ignore[union-attr]  # plain files only
            if info.name == "archive.json":
                header = json.loads(content)
                header["tournament"]["trial"]["elo1"] = -5
                content = json.dumps(header).encode()
                info.size = len(content)
            new.addfile(info, io.BytesIO(content))
    file.write_bytes(packed.getvalue())
    found = recount(file)
    assert found.trial is None
    assert any("elo0 must be below elo1" in each.what for each in found.differences)
