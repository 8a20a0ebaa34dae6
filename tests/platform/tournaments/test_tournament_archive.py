"""A tournament of the house bots, played, downloaded, and counted again without the platform."""

import gzip
import io
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client
from django.test.client import AsyncClient

from arena.archive import recount
from bots.models import Bot
from matches import runner
from matches.models import Match, MatchStatus, Pairing
from matches.services import leases
from ratings.models import Rating
from ratings.services import refit
from replays import store
from tournaments import services as tournaments
from tournaments.pump import pump

pytestmark = pytest.mark.django_db

Members = dict[str, bytes]
_played: dict[str, Any] = {}
"""The archive and what the database said, kept: it takes a while to play."""


def house_tournament(made: Any) -> Any:
    tournament = made.tournament(0, pairs=2)
    versions = [made.house_version(name) for name in ("greedy", "random", "tactician")]
    Bot.objects.filter(pk=versions[0].bot_id).update(name="greedy", house=True)
    tournaments.enter(tournament, [version.pk for version in versions])
    return tournament


@pytest.fixture
def archive(made: Any, slots: None) -> bytes:
    """What the page of a finished tournament gives."""
    if not _played:
        tournament = house_tournament(made)
        while pump(tournament.pk):
            for pairing in Pairing.objects.filter(status="queued"):
                runner.run_pairing(pairing.pk, "here")
        refit(tournament.pk)
        _played["data"] = download(tournament.slug)
        _played["keys"] = {key.key for key in store.public_keys()}
        _played["standings"] = list(
            Rating.objects.order_by("rank").values_list("version", "elo", "error", "wins")
        )
    return bytes(_played["data"])


def download(slug: str) -> bytes:
    answer = Client().get(f"/tournaments/{slug}/archive/")
    assert answer.status_code == 200
    assert answer["Content-Disposition"].startswith('attachment; filename="santase-')
    return b"".join(answer.streaming_content)  # type: ignore[attr-defined]  # it streams


def members_of(archive: bytes) -> Members:
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        return {each.name: tar.extractfile(each).read() for each in tar}  # type: ignore[union-attr]


def packed(members: Members) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return file.getvalue()


def santase_recount(file: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """In a process that knows no Django, in an empty folder."""
    return subprocess.run(
        [sys.executable, "-c", "import sys; sys.modules['django'] = None\n"
         "from arena.cli import main; main()", "recount", str(file), *options],
        capture_output=True, text=True, timeout=120, check=False, cwd=file.parent,
        env={"PATH": os.environ["PATH"], "SANTASE_STATE": str(file.parent / "none")},
    )  # fmt: skip


def test_a_house_tournament_downloaded_and_recounted_offline_has_0_differences(
    archive: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "santase-cup.tar"
    file.write_bytes(archive)
    done = santase_recount(file)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.rstrip().endswith("12 replays hold, 0 differences")
    rows = [json.loads(line) for line in santase_recount(file, "--json").stdout.splitlines()]
    counted = [(row["version"], row["elo"], row["error"], row["wins"]) for row in rows[:-1]]
    assert counted == _played["standings"]
    assert rows[-1]["differences"] == 0
    assert (rows[-1]["matches"], rows[-1]["proven"], rows[-1]["secrets"]) == (12, 12, 1)


def test_the_key_is_held_against_those_that_are_named(archive: bytes, tmp_path: Path) -> None:
    file = tmp_path / "santase-cup.tar"
    file.write_bytes(archive)
    (key,) = _played["keys"]
    assert santase_recount(file, "--key", key).returncode == 0
    other = santase_recount(file, "--key", "ab" * 32)
    assert other.returncode == 3
    assert "none of those named" in other.stdout


def result_line(members: Members, number: int, **changed: Any) -> None:
    rows = members["results.jsonl"].splitlines()
    rows[number] = json.dumps({**json.loads(rows[number]), **changed}).encode()
    members["results.jsonl"] = b"\n".join(rows) + b"\n"


def other_winner(members: Members) -> None:
    row = json.loads(members["results.jsonl"].splitlines()[3])
    result_line(members, 3, winner=1 - row["winner"])


def first_replay(members: Members) -> str:
    return next(name for name in members if name.startswith("replays/"))


def changed_replay(members: Members) -> None:
    name = first_replay(members)
    data = gzip.decompress(members[name])
    members[name] = gzip.compress(data.replace(b'"play:', b'"PLAY:', 1))


def exchanged_replays(members: Members) -> None:
    one, other = [name for name in members if name.startswith("replays/")][:2]
    members[one], members[other] = members[other], members[one]


def lost_result(members: Members) -> None:
    members["results.jsonl"] = b"".join(members["results.jsonl"].splitlines(keepends=True)[1:])


def result_and_replay_gone(members: Members) -> None:
    """As a forger would: everything about a match is left out, the header too."""
    members.pop(f"replays/{json.loads(members['results.jsonl'].splitlines()[0])['match']}.jsonl.gz")
    lost_result(members)
    header(members, results=11)


def doubled_result(members: Members) -> None:
    members["results.jsonl"] += members["results.jsonl"].splitlines(keepends=True)[0]


def header(members: Members, **changed: Any) -> None:
    members["archive.json"] = json.dumps(
        {**json.loads(members["archive.json"]), **changed}
    ).encode()


def better_rating(members: Members) -> None:
    rows = [json.loads(row) for row in members["standings.jsonl"].splitlines()]
    rows[0]["elo"] += 40
    members["standings.jsonl"] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def other_secret(members: Members) -> None:
    header(members, secrets=["ab" * 32])


def own_key(members: Members) -> None:
    members["keys.json"] = b'[{"key":"' + b"ab" * 32 + b'","from":"2026-01-01","until":null}]'


def another_file(members: Members) -> None:
    members["replays/m999.jsonl.gz"] = members[first_replay(members)]


CHANGES: dict[str, tuple[Callable[[Members], Any], str]] = {
    "a winner": (other_winner, "the winner is"),
    "a score": (lambda members: result_line(members, 2, score=[12, 12]), "the score is"),
    "a fault": (lambda members: result_line(members, 2, faults=["time", ""]), "the faults is"),
    "voids": (lambda members: result_line(members, 2, voids=7), "voids is"),
    "an action of a replay": (changed_replay, "replays/m"),
    "two replays exchanged": (exchanged_replays, "the match:"),
    "a replay missing": (lambda members: members.pop(first_replay(members)), "is missing"),
    "a replay that is none": (
        lambda members: members.update({first_replay(members): b"\x1f\x8b"}), "is no replay",
    ),
    "a file too many": (another_file, "replays/m999.jsonl.gz: does not belong there"),
    "a result missing": (lost_result, "there are 12 results; 11"),
    "a match gone altogether": (result_and_replay_gone, "standings.jsonl, version"),
    "a result twice": (doubled_result, "is there twice"),
    "a rating": (better_rating, "elo is"),
    "the secret": (other_secret, "a secret is not the one that was committed to"),
    "the keys": (own_key, "the key of the seal is not listed"),
    "the anchor": (lambda members: header(members, anchor=None), "error is 0.0"),
    "the time of making": (
        lambda members: header(members, made_at="2020-01-01T00:00:00Z"), "a byte of archive.json",
    ),
    "no results": (lambda members: members.pop("results.jsonl"), "results.jsonl: is missing"),
    "no seal": (lambda members: members.pop("seal.json"), "seal.json: is missing"),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_whatever_is_altered_is_named(archive: bytes, tmp_path: Path, what: str) -> None:
    change, named = CHANGES[what]
    members = members_of(archive)
    change(members)
    file = tmp_path / "altered.tar"
    file.write_bytes(packed(members))
    found = recount(file)
    text = "\n".join(f"{each.where}: {each.what}" for each in found.differences)
    assert named in text, text


def test_one_result_altered_is_named_by_its_match_and_no_standing_is_blamed(
    archive: bytes, tmp_path: Path
) -> None:
    members = members_of(archive)
    other_winner(members)
    match = json.loads(members["results.jsonl"].splitlines()[3])["match"]
    file = tmp_path / "altered.tar"
    file.write_bytes(packed(members))
    done = santase_recount(file)
    assert done.returncode == 1
    assert f"{match}: the winner is" in done.stdout
    assert "standings.jsonl, version" not in done.stdout


def test_packed_anew_by_another_program_it_is_still_an_archive(
    archive: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "packed.tar"
    file.write_bytes(packed(members_of(archive)))
    assert recount(file).differences == []


def test_a_running_tournament_leaves_open_pairs_out(made: Any, slots: None, tmp_path: Path) -> None:
    tournament = house_tournament(made)
    pump(tournament.pk)
    first, second, *_ = Pairing.objects.order_by("pk")
    runner.run_pairing(first.pk, "here")
    held = leases.claim(second.pk, "here")
    assert held is not None
    runner._play(leases.unfinished(held)[0], held, leases.limits_of(held))
    open_match = Match.objects.get(pairing=second, status=MatchStatus.FINISHED)
    members = members_of(download(tournament.slug))
    assert f"replays/{open_match.public_id}.jsonl.gz" not in members
    assert open_match.public_id.encode() not in members["results.jsonl"]
    header = json.loads(members["archive.json"])
    assert (header["results"], header["left_out"], header["secrets"]) == (4, 1, [])
    file = tmp_path / "running.tar"
    file.write_bytes(packed(members))
    assert recount(file).differences == []


def test_a_replay_lost_from_the_store_is_named(made: Any, slots: None, tmp_path: Path) -> None:
    tournament = house_tournament(made)
    pump(tournament.pk)
    pairing = Pairing.objects.first()
    assert pairing is not None
    runner.run_pairing(pairing.pk, "here")
    match = Match.objects.filter(pairing=pairing).first()
    assert match is not None
    store.path_of(match.replay).unlink()
    file = tmp_path / "lossy.tar"
    file.write_bytes(download(tournament.slug))
    (difference,) = recount(file).differences
    assert (difference.where, difference.what) == (
        f"replays/{match.public_id}.jsonl.gz", "is missing",
    )  # fmt: skip


def test_the_server_sends_it_as_it_is_read(made: Any) -> None:
    tournament = made.tournament(2)

    async def fetched() -> list[bytes]:
        answer: Any = await AsyncClient().get(f"/tournaments/{tournament.slug}/archive/")
        assert answer.is_async
        return [chunk async for chunk in answer.streaming_content]

    chunks = async_to_sync(fetched)()
    assert len(chunks) > 5
    assert members_of(b"".join(chunks)).keys() >= {"archive.json", "keys.json", "seal.json"}


def test_a_draft_and_a_tournament_that_is_not_there_have_no_archive(made: Any) -> None:
    from tournaments.options import options

    draft = tournaments.create_tournament(options("draft"))
    for slug in (draft.slug, "none"):
        assert Client().get(f"/tournaments/{slug}/archive/").status_code == 404


def test_the_page_holds_the_published_secret_against_the_commitment(made: Any, slots: None) -> None:
    tournament = made.tournament(2)
    address = f"/tournaments/{tournament.slug}/"
    running = Client().get(address).content.decode()
    assert tournament.commitment in running
    assert tournament.secret not in running
    tournaments.cancel(tournament)
    over = Client().get(address).content.decode()
    assert tournament.secret in over
    assert over.count(tournament.commitment) == 2
    assert "It is the commitment" in over
    tournament.refresh_from_db()
    tournament.commitment = "ab" * 32
    tournament.save()
    assert "It is not the commitment" in Client().get(address).content.decode()
