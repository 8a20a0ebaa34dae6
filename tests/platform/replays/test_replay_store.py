"""The store of replay files, the reader, the names of downloads."""

import gzip
from pathlib import Path
from typing import Any

import pytest

from arena.referee import verify
from replays import store
from replays.download import content_disposition, file_name
from replays.errors import ReplayDamaged, ReplayMissing, ReplayNotStored
from replays.reader import parse_replay


def test_a_kept_replay_is_sealed_and_read_back(state: Path) -> None:
    name = store.keep("m1", b'{"replay":1}\n')
    data = store.load(name)
    assert data.startswith(b'{"replay":1}\n{"seal":true')
    assert gzip.decompress(store.load_compressed(name)) == data
    assert store.names() == {name}
    assert [key.key for key in store.public_keys()] == [store.keyring().key]


def test_each_attempt_has_a_file_of_its_own(state: Path) -> None:
    assert store.keep("m1", b"x\n") != store.keep("m1", b"x\n")


def test_no_draft_is_left_and_names_are_sharded(state: Path) -> None:
    names = {store.keep(f"m{number}", b"x\n") for number in range(20)}
    assert {path.suffix for path in (state / "replays").glob("*/*")} == {".gz"}
    assert all(name[2] == "/" for name in names)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "../secret.key",
        "/etc/passwd",
        "aa/../../x.jsonl.gz",
        "aa/m1-0123456789abcdef.jsonl",
        "é",
    ],
)
def test_what_is_no_name_of_the_stores_is_missing(name: str) -> None:
    with pytest.raises(ReplayMissing):
        store.load(name)


def test_a_damaged_file_is_told_apart_from_a_missing_one(state: Path) -> None:
    name = store.keep("m1", b"x\n")
    path = state / "replays" / name
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(ReplayDamaged):
        store.load(name)
    path.unlink()
    with pytest.raises(ReplayMissing):
        store.load(name)


def test_any_byte_may_be_damaged(state: Path) -> None:
    name = store.keep("m1", b"x\n" * 50)
    path = state / "replays" / name
    whole = path.read_bytes()
    for place in range(10, len(whole)):  # after the header, of which much means nothing
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        with pytest.raises(ReplayDamaged):
            store.load(name)


def test_a_disk_that_refuses_is_the_hosts_fault(state: Path) -> None:
    (state / "replays").write_text("a file where the folder should be")
    with pytest.raises(ReplayNotStored):
        store.keep("m1", b"x\n")


@pytest.mark.parametrize("data", [b"", b"{}\n", b"{}\n{}\n{}\n{}\n", b"\xff\n\xff\n\xff\n"])
def test_what_is_no_replay_is_damaged_and_no_crash(data: bytes) -> None:
    with pytest.raises(ReplayDamaged):
        parse_replay("x", data)


@pytest.mark.parametrize(
    ("bots", "expected"),
    [
        (("greedy", "random"), "santase-greedy-random-m7.jsonl"),
        (("Сантасе 66 🂡", "a/b\\c:d"), "santase-Сантасе_66-a_b_c_d-m7.jsonl"),
        (("🂡", "..."), "santase-bot-bot-m7.jsonl"),
    ],
)
def test_fc135_a_download_is_named_after_both_bots_and_the_match(
    bots: tuple[str, str], expected: str
) -> None:
    assert file_name("m7", bots, compressed=False) == expected


def test_fc020_the_header_of_a_download_is_plain_ascii_with_the_true_name_beside() -> None:
    header = content_disposition('santase-Сантасе-"x"-m7.jsonl')
    assert header.isascii()
    assert "\n" not in header
    assert "filename*=UTF-8''santase-%D0%A1" in header
    assert header.count('"') == 2


def test_a_played_match_verifies_with_the_keys_that_are_published(state: Path) -> None:
    from arena.house import house_bot_files
    from arena.referee import Entrant, MatchSpec
    from arena.santase import ruleset
    from bots import host
    from replays.reader import read_replay, replay_steps

    def entrant(name: str) -> Any:
        return Entrant(name, "0" * 64, house_bot_files(name))

    spec = MatchSpec("m1", "0" * 64, (entrant("greedy"), entrant("random")), ruleset())
    record = host.host(spec.limits).play(spec).record
    name = store.keep("m1", record.body)
    keys = [key.key for key in store.public_keys()]
    assert verify(store.load(name), keys).ok
    replay = read_replay(name)
    deals = replay_steps(replay)
    assert len(deals) == record.deals == len(replay.deals)
    last = deals[-1].steps[-1]
    assert last.after.result is not None
    assert sum(len(deal.steps) for deal in deals) == sum(len(line.actions) for line in replay.deals)
    tricks = [step for step in deals[0].steps if step.taken is not None]
    assert len(tricks) == sum(map(len, deals[0].steps[-1].after.tricks))
