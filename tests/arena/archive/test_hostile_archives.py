"""Archives made to do harm: a message and an exit code, in bounded time and memory."""

import gzip
import io
import json
import os
import random
import resource
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.archive import NotAnArchive, recount, tar
from arena.protocol import Limits

MOST_MB = 1_000
"""Address space of a recount; the interpreter with numpy takes a third."""


def header(**changed: Any) -> bytes:
    fields = {
        "archive": 1, "game": "santase", "platform": "0", "made_at": "now",
        "tournament": {
            "id": 1, "name": "cup", "slug": "cup", "format": "round_robin", "status": "running",
            "ruleset": {}, "limits": msgspec.to_builtins(Limits()), "pairs_per_pairing": 1,
        },
        "commitments": ["00" * 32], "secrets": [], "anchor": None, "results": 0, "left_out": 0,
        "struck": 0,
        "versions": [
            {"id": id, "bot": "bot", "number": 1, "sha256": "00" * 32} for id in (1, 2)
        ],
    }  # fmt: skip
    return json.dumps({**fields, **changed}).encode()


def result(match: int, **changed: Any) -> bytes:
    fields = {
        "match": f"m{match}", "low": 1, "high": 2, "pair": match, "game": 0, "winner": 0,
        "score": [11, 0], "reason": "target", "faults": ["", ""], "voids": 0,
    }  # fmt: skip
    return json.dumps({**fields, **changed}).encode() + b"\n"


def packed(**members: bytes) -> bytes:
    """An archive with these members; "archive.json" is written `archive_json`."""
    named = {"archive_json": header(), "keys_json": b"[]", "results_jsonl": b"", **members}
    return b"".join(
        tar.member(name.replace("_", "."), len(data), 0) + data + tar.padding(len(data))
        for name, data in named.items()
    ) + tar.END  # fmt: skip


def with_tar(*infos: tarfile.TarInfo, format: int = tarfile.USTAR_FORMAT) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=format) as made:
        first = tarfile.TarInfo("archive.json")
        first.size = len(header())
        made.addfile(first, io.BytesIO(header()))
        for info in infos:
            made.addfile(info, io.BytesIO(b"x" * info.size))
    return file.getvalue()


def link(kind: bytes) -> tarfile.TarInfo:
    info = tarfile.TarInfo("replays/m1.jsonl.gz")
    info.type, info.linkname = kind, "/etc/passwd"
    return info


def named(name: str) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.size = 3
    return info


def with_size(field: bytes) -> bytes:
    """An archive whose second header claims a size, its checksum right."""
    block = bytearray(tar.member("results.jsonl", 0, 0))
    block[124:136] = field
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    data = header()
    first = tar.member("archive.json", len(data), 0) + data + tar.padding(len(data))
    return first + bytes(block) + tar.END


BOMB = gzip.compress(b"\0" * (300 << 20), 9)

NAMED: dict[str, tuple[Callable[[], bytes], str]] = {
    "a symbolic link": (lambda: with_tar(link(tarfile.SYMTYPE)), "no plain file"),
    "a hard link": (lambda: with_tar(link(tarfile.LNKTYPE)), "no plain file"),
    "a device": (lambda: with_tar(link(tarfile.CHRTYPE)), "no plain file"),
    "a folder": (lambda: with_tar(link(tarfile.DIRTYPE)), "no plain file"),
    "a path upwards": (lambda: with_tar(named("../../etc/cron.d/x")), "does not belong there"),
    "an absolute path": (lambda: with_tar(named("/etc/x")), "does not belong there"),
    "a name with an escape": (lambda: with_tar(named("\x1b[2J")), "no plain file"),
    "a long name": (
        lambda: with_tar(named("x" * 300), format=tarfile.GNU_FORMAT), "no plain file",
    ),
    "an extended header": (
        lambda: with_tar(named("й" * 200), format=tarfile.PAX_FORMAT), "no plain file",
    ),
    "a size beyond the end": (lambda: with_size(b"77777777777\0"), "cut short"),
    "a size in base 256": (lambda: with_size(b"\x80" + b"\xff" * 11), "no header"),
    "a size below 0": (lambda: with_size(b"-0000000001\0"), "no header"),
    "cut short": (lambda: packed()[:-700], "cut short"),
    "more behind it": (lambda: packed() + b"x" * 20_000, "something else than the end"),
    "a replay that is a bomb": (
        lambda: packed(results_jsonl=result(1), **{"replays/m1_jsonl_gz": BOMB}),
        "larger than 16 MB",
    ),
    "a line without end": (
        lambda: packed(results_jsonl=b"[" * (64 << 20)), "cut short or too long",
    ),
    "deep nesting": (
        lambda: packed(keys_json=b"[" * 100_000), "keys.json",
    ),
    "a number of a million digits": (lambda: packed(keys_json=b"9" * 1_000_000), "keys.json"),
    "a result of versions that are not listed": (
        lambda: packed(results_jsonl=result(1, high=99)), "two listed versions",
    ),
    "lines of nothing": (
        lambda: packed(results_jsonl=b"\n" * 300_000), "line 100: is unreadable line 100",
    ),
    "lines that are no standings": (
        lambda: packed(standings_jsonl=b"{}\n" * 100_000), "standings.jsonl, line 100",
    ),
    "a result that is there twice, for ever": (
        lambda: packed(results_jsonl=result(1) * 30_000), "more than 10,000 differences",
    ),
    "many secrets": (
        lambda: packed(
            archive_json=header(
                secrets=[f"{number:064x}" for number in range(20_000)],
                commitments=[f"{number:064x}" for number in range(20_000)],
            )
        ),
        "a secret is not the one",
    ),
    "no text": (lambda: packed(results_jsonl=b"\xff\xfe\n"), "results.jsonl, line 1"),
    "a score of a million": (
        lambda: packed(results_jsonl=result(1, score=[10**30, 0])), "results.jsonl, line 1",
    ),
}  # fmt: skip

REFUSED: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "noise": lambda: random.Random(66).randbytes(10_000),
    "a zip": lambda: b"PK\x03\x04" + b"\0" * 2_000,
    "zeros": lambda: b"\0" * 10_240,
    "another tar": lambda: tar.member("readme", 0, 0) + tar.END,
    "a header of another kind": lambda: packed(archive_json=b"{}"),
    "a header that is a bomb of brackets": lambda: packed(archive_json=b"[" * 1_000_000),
    "a hundred thousand versions": lambda: packed(
        archive_json=header(
            versions=[
                {"id": id, "bot": "", "number": 1, "sha256": "00" * 32} for id in range(1, 100_001)
            ]
        )
    ),
}


def in_little_memory(file: Path) -> "subprocess.CompletedProcess[bytes]":
    most = MOST_MB << 20
    return subprocess.run(
        [sys.executable, "-m", "arena", "recount", str(file), "--json"],
        capture_output=True, timeout=120, check=False,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "SANTASE_STATE": str(file.parent)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)),
    )  # fmt: skip


@pytest.mark.parametrize("what", NAMED)
def test_what_is_wrong_with_an_archive_is_named(tmp_path: Path, what: str) -> None:
    make, why = NAMED[what]
    file = tmp_path / "hostile.tar"
    file.write_bytes(make())
    told = [f"{each.where}: {each.what}" for each in recount(file).differences]
    assert any(why in line for line in told), told
    assert all(line.isprintable() for line in told)


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_archive_is_refused(tmp_path: Path, what: str) -> None:
    file = tmp_path / "other.tar"
    file.write_bytes(REFUSED[what]())
    with pytest.raises(NotAnArchive):
        recount(file)


BOMBS = {"a replay that is a bomb": 1, "a line without end": 1, "deep nesting": 1, "noise": 2}


@pytest.mark.parametrize("what", BOMBS)
def test_a_bomb_costs_little_memory_and_ends_in_words(tmp_path: Path, what: str) -> None:
    file = tmp_path / "bomb.tar"
    file.write_bytes(REFUSED[what]() if what in REFUSED else NAMED[what][0]())
    done = in_little_memory(file)
    assert done.returncode == BOMBS[what], done.stderr
    assert b"should not have happened" not in done.stderr
    assert b"Traceback" not in done.stderr


def test_no_text_of_an_archive_reaches_the_terminal_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "loud.tar"
    loud = "\x1b]0;owned\x07\x9b2J\u202eevil"
    tournament = {**json.loads(header())["tournament"], "name": loud}
    file.write_bytes(packed(archive_json=header(made_at=loud, tournament=tournament)))
    for options in ((), ("--json",)):
        done = subprocess.run(
            [sys.executable, "-m", "arena", "recount", str(file), *options],
            capture_output=True, text=True, check=False,
            env={**os.environ, "SANTASE_STATE": str(tmp_path)},
        )  # fmt: skip
        assert "evil" in done.stdout
        assert all(line.isprintable() for line in done.stdout.splitlines()), done.stdout


@pytest.mark.parametrize("what", ["a folder", "a pipe", "a device", "nothing"])
def test_only_an_ordinary_file_is_read(tmp_path: Path, what: str) -> None:
    path = tmp_path / "place"
    if what == "a folder":
        path.mkdir()
    elif what == "a pipe":
        os.mkfifo(path)
    elif what == "a device":
        path = Path("/dev/zero")
    with pytest.raises(NotAnArchive):
        recount(path)


def test_the_same_name_twice_is_named(tmp_path: Path) -> None:
    file = tmp_path / "twice.tar"
    file.write_bytes(with_tar(named("results.jsonl"), named("results.jsonl")))
    assert any(each.what == "is there twice" for each in recount(file).differences)


def test_random_damage_never_passes_and_never_breaks_the_recount(tmp_path: Path) -> None:
    whole = packed(results_jsonl=b"".join(result(number) for number in range(1, 6)))
    chance = random.Random(4)
    file = tmp_path / "damaged.tar"
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        file.write_bytes(data)
        try:
            found = recount(file)
        except NotAnArchive:
            continue
        assert found.differences
