import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from web_table import PLAYER, accepted, rejected

from accounts.models import User
from bots.models import Bot, Version, VersionLog


def sent(name: str, data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def zipped(**files: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("_py", ".py"), text)
    return buffer.getvalue()


def test_a_new_bot_arrives_with_its_first_version(as_ada: Client, ada: User):
    answer = as_ada.post("/bots/new/", {"name": "Шах 🂡", "file": sent("бот.py", PLAYER.encode())})
    version = Version.objects.get()
    assert answer.headers["Location"] == f"/bots/{version.bot_id}/"
    assert (version.bot.owner, version.bot.name, version.number) == (ada, "Шах 🂡", 1)
    page = as_ada.get(answer.headers["Location"]).content.decode()
    assert "Version 1 has arrived" in page
    assert "waits for its first match" in page


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("bot.py", b"", "The file is empty"),
        ("bot.txt", b"print(1)", "neither a .py file nor a .zip archive"),
        ("bot.py", b"print('\xe0')", "line 1: the byte 0xE0 (byte 8 of the file) is not UTF-8"),
        ("bot.py", b"a = 1\nb = = 2\n", "bot.py, line 2: invalid syntax"),
        ("bot.py", b"x" * 1_000_001, "a .py may have 1000000"),
        ("bot.zip", b"PK\x03\x04 no", "no zip archive, or a damaged one"),
        ("bot.zip", zipped(main_py="print(1)"), "holds no bot.py"),
    ],
    ids=["empty", "kind", "encoding", "syntax", "size", "damaged", "main"],
)
def test_fc019_fc069_a_bad_upload_is_refused_with_what_and_where(as_ada: Client, name, data, words):
    answer = as_ada.post("/bots/new/", {"name": "one", "file": sent(name, data)})
    assert answer.status_code == 200
    assert words in answer.content.decode()
    assert not Bot.objects.exists()


def test_fc069_a_later_version_is_checked_by_the_same_reader(as_ada: Client, ada: User):
    version = accepted(ada, "one", PLAYER)
    address = f"/bots/{version.bot_id}/submit/"
    answer = as_ada.post(address, {"file": sent("bot.zip", zipped(main_py="print(1)"))})
    assert "holds no bot.py" in answer.content.decode()
    answer = as_ada.post(address, {"file": sent("bot.py", PLAYER.encode())})
    assert "the same content as version 1" in answer.content.decode()
    answer = as_ada.post(address, {"file": sent("bot.py", PLAYER.encode() + b"\n")})
    assert answer.status_code == 302
    assert Version.objects.filter(bot=version.bot).count() == 2


def test_what_is_refused_is_said_in_the_readers_language(ada: User):
    client = Client(headers={"accept-language": "bg"})
    client.force_login(ada)
    answer = client.post("/bots/new/", {"name": "едно", "file": sent("bot.py", b"a = = 1\n")})
    assert "bot.py, ред 1: invalid syntax" in answer.content.decode()


@pytest.mark.parametrize("name", ["", " ", "a\u202eb", "x" * 65, "\u200b"])
def test_a_name_that_cannot_be_read_is_refused_beside_its_field(as_ada: Client, name):
    answer = as_ada.post("/bots/new/", {"name": name, "file": sent("bot.py", PLAYER.encode())})
    assert answer.status_code == 200
    assert answer.context["form"].errors["name"]
    assert not Bot.objects.exists()


def test_a_name_that_looks_like_anothers_is_taken(as_boris: Client, ada: User):
    accepted(ada, "Straße", PLAYER)
    answer = as_boris.post(
        "/bots/new/", {"name": "STRASSE", "file": sent("bot.py", PLAYER.encode())}
    )
    assert "whose name looks the same" in answer.content.decode()
    assert Bot.objects.count() == 1


def test_without_a_file_the_form_asks_for_one(as_ada: Client):
    answer = as_ada.post("/bots/new/", {"name": "one"})
    assert answer.context["form"].errors["file"]


def test_only_its_owner_sends_in_a_version(as_boris: Client, ada: User):
    version = accepted(ada, "one", PLAYER)
    address = f"/bots/{version.bot_id}/submit/"
    anonymous = Client().get(address)
    assert anonymous.headers["Location"] == f"/accounts/login/?next={address}"
    answer = as_boris.post(address, {"file": sent("bot.py", b"print(2)\n")})
    assert answer.status_code == 403
    assert "Only the owner" in answer.content.decode()
    assert as_boris.get("/bots/4711/submit/").status_code == 404


def test_fc137_a_rejected_version_is_seen_by_all_and_its_log_by_its_owner(
    as_ada: Client, as_boris: Client, ada: User
):
    fault = {"seat": 0, "name": "start", "cause": "exit: gone", "phase": "start", "exit": 1}
    log = VersionLog(stderr="NameError: carts\n", stderr_total=17, fault=fault)
    version = rejected(ada, "broken", log)
    address = f"/bots/{version.bot_id}/"
    for client, may in ((as_ada, True), (as_boris, False), (Client(), False)):
        page = client.get(address).content.decode()
        assert "rejected" in page
        assert "It did not start." in page
        assert ("NameError" in page) is may
        assert ("At the start, before the first deal." in page) is may
        whole = client.get(f"{address}versions/1/log/")
        assert whole.status_code == (200 if may else 404)


def test_the_form_prints_runtime_and_limits_from_their_one_place(as_ada: Client, settings):
    settings.UPLOAD_MAX_PY_KB = 321
    page = as_ada.get("/bots/new/").content.decode()
    assert "at most 321 KB" in page
