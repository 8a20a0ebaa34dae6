"""The page of the staff, and what visitors are told while nothing can be played."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from web_table import PLAYER, Table

from accounts.models import User
from arena.finding import Finding
from arena.sandbox import NoSandbox
from bots import host
from bots.models import Bot
from matches import health
from matches.models import Pairing, PairingStatus, WorkerState, WorkerStatus

HOLE = Finding(
    "bubblewrap, namespaces: reach_host",
    False,
    "reaching the host by network <succeeded>",
    "Run no uploaded bots here",
)
NOTE = Finding("memory", True, "512 MB for 2 at once", "Play fewer matches at once")
FINE = Finding("kernel", True, "Linux 6.1")


@pytest.fixture
def staff(db) -> Client:
    client = Client()
    client.force_login(User.objects.create_user("staff", is_staff=True))
    return client


@pytest.fixture
def unfit(db) -> None:
    health.say_no_sandbox("play@one", NoSandbox("No sandbox holds.", [FINE, HOLE, NOTE]))


def test_the_page_is_for_the_staff_alone(staff: Client, as_ada: Client):
    assert staff.get("/doctor/").status_code == 200
    assert as_ada.get("/doctor/").status_code == 403
    assert Client().get("/doctor/").headers["Location"] == "/accounts/login/?next=/doctor/"
    assert 'href="/doctor/"' in staff.get("/").content.decode()
    assert 'href="/doctor/"' not in as_ada.get("/").content.decode()


@pytest.mark.parametrize("language", ["en", "bg"])
def test_every_finding_of_every_worker_stands_there_with_what_to_do(staff: Client, language, unfit):
    health.say_ready("play@two", host.sandbox(), 3, [FINE, NOTE])
    page = staff.get("/doctor/", headers={"accept-language": language}).content.decode()
    for text in ("play@one", "play@two", "reaching the host by network &lt;succeeded&gt;"):
        assert text in page
    for text in ("Run no uploaded bots here", "Play fewer matches at once", "Linux 6.1"):
        assert text in page
    assert ("has no sandbox" if language == "en" else "няма изолация") in page
    assert f"Python {host.sandbox().python}" in page
    when = WorkerStatus.objects.get(name="play@two").started_at
    assert when.strftime("%Y-%m-%dT%H:%M:%SZ") in page


def test_the_platform_itself_is_looked_at_by_the_web_process(staff: Client):
    page = staff.get("/doctor/").content.decode()
    for name in ("database", "migrations", "broker", "workers", "voids", "parked pairings"):
        assert f"<strong>{name}</strong>" in page
    assert "all applied" in page
    assert "none is heard of: uploads and matches wait" in page


def test_parked_pairings_stand_there_with_their_notes(staff: Client, table: Table):
    Pairing.objects.filter(pk=table.pairing.pk).update(
        status=PairingStatus.PARKED, note="void 4 times, the last time because <the disk burns>"
    )
    page = staff.get("/doctor/").content.decode()
    assert "void 4 times, the last time because &lt;the disk burns&gt;" in page
    assert "Autumn cup" in page
    assert "/admin/matches/pairing/?status__exact=parked" in page


def test_voids_of_a_version_stand_in_the_standings(table: Table):
    from ratings.models import Rating

    Rating.objects.filter(version=table.good).update(voids=4711)
    page = Client().get("/tournaments/autumn/").content.decode()
    assert "Faults / void</th>" in page
    assert '<small class="muted"> / 4,711</small>' in page


@pytest.mark.parametrize(
    ("language", "words", "refusal"),
    [
        ("en", "uploads are closed. Nothing is lost", "Uploads are closed: no sandbox holds here"),
        ("bg", "не се приемат нови. Нищо не е загубено", "Не се приемат ботове: в момента"),
    ],
)
def test_where_no_sandbox_holds_visitors_are_told_and_uploads_are_refused(
    as_ada: Client, unfit, language, words, refusal
):
    headers = {"accept-language": language}
    for address in ("/", "/bots/new/"):
        page = as_ada.get(address, headers=headers).content.decode()
        assert words in page
        assert "reaching the host" not in page
    file = SimpleUploadedFile("bot.py", PLAYER.encode())
    answer = as_ada.post("/bots/new/", {"name": "One more", "file": file}, headers=headers)
    assert refusal in answer.content.decode()
    assert 'value="One more"' in answer.content.decode()
    assert not Bot.objects.exists()


def test_the_staff_reads_which_wall_is_missing_on_every_page_that_says_so(staff: Client, unfit):
    page = staff.get("/").content.decode()
    assert "bubblewrap, namespaces: reach_host: reaching the host by network" in page


def test_a_next_version_is_refused_too_and_taken_in_once_a_worker_is_fit(
    as_ada: Client, ada: User, unfit
):
    from web_table import accepted

    version = accepted(ada, "one", PLAYER)
    address = f"/bots/{version.bot_id}/submit/"
    source = PLAYER.encode() + b"\n"
    answer = as_ada.post(address, {"file": SimpleUploadedFile("bot.py", source)})
    assert "Uploads are closed" in answer.content.decode()
    assert version.bot.versions.count() == 1
    health.say_ready("play@one", host.sandbox(), 1)
    answer = as_ada.post(address, {"file": SimpleUploadedFile("bot.py", source)})
    assert answer.status_code == 302
    assert version.bot.versions.count() == 2


def test_without_any_worker_uploads_are_taken_in_and_wait(as_ada: Client):
    file = SimpleUploadedFile("bot.py", PLAYER.encode())
    assert as_ada.post("/bots/new/", {"name": "one", "file": file}).status_code == 302
    page = as_ada.get("/bots/new/").content.decode()
    assert "what is sent in waits" in page


@pytest.mark.parametrize(
    ("versions", "words"),
    [
        ([], "the version is known once a worker plays"),
        (["3.11.7", "3.11.7"], "It runs on Python 3.11.7, with"),
        (["3.12.1", "3.11.7"], "because the workers differ: 3.11.7, 3.12.1. Write for the oldest."),
    ],
)
def test_the_page_for_uploads_names_the_python_that_bots_run_on(as_ada: Client, versions, words):
    now = timezone.now()
    for number, version in enumerate(versions):
        WorkerStatus.objects.create(
            name=f"w{number}", state=WorkerState.READY, slots=1, python=version,
            started_at=now, beat_at=now,
        )  # fmt: skip
    assert words in as_ada.get("/bots/new/").content.decode()
