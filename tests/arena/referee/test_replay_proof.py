"""A replay proves itself: whatever is changed in it is found, the first line that fails named."""

import gzip
import hashlib
import hmac
import json
import random
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referee_kit import SEED, Table, bot, deviates

from arena.referee import Keyring, MatchRecord, NotAReplay, read_replay_file, seal, verify
from arena.referee.played_again import deals_of
from arena.referee.replay_lines import replay_schema


@pytest.fixture(scope="module")
def keyring(tmp_path_factory: pytest.TempPathFactory) -> Keyring:
    return Keyring(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def record(at_table: Table) -> MatchRecord:
    return at_table.play(bot(), bot())


@pytest.fixture(scope="module")
def replay(record: MatchRecord, keyring: Keyring) -> bytes:
    return seal(record.body, keyring)


def resealed(
    replay: bytes, keyring: Keyring, change: Callable[[list[dict[str, Any]]], None]
) -> bytes:
    """The replay with its lines changed and a fresh, valid seal: only the rules can refuse it."""
    lines = [json.loads(line) for line in replay.splitlines()[:-1]]
    change(lines)
    body = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    return seal(body, keyring)


def test_the_deals_of_a_replay_are_played_again_to_its_score(
    replay: bytes, record: MatchRecord
) -> None:
    won = [0, 0]
    for score, deal in deals_of(replay):
        assert list(score) == won
        assert deal.result is not None
        assert deal.result.winner is not None
        won[deal.result.winner] += deal.result.points
    assert tuple(won) == record.score
    assert len(list(deals_of(record.body))) == record.deals


def test_an_untouched_replay_holds(replay: bytes, keyring: Keyring) -> None:
    found = verify(replay, {keyring.key})
    assert (found.ok, found.line, found.error, found.key_known) == (True, None, None, True)


def test_a_key_that_is_not_known_is_said_though_all_holds(replay: bytes) -> None:
    found = verify(replay, set())
    assert (found.ok, found.key_known) == (True, False)
    assert found.error


def test_any_one_byte_changed_is_refused_at_a_named_line(replay: bytes, keyring: Keyring) -> None:
    chance = random.Random(66)
    for place in chance.sample(range(len(replay)), 300):
        changed = bytearray(replay)
        changed[place] = (changed[place] + chance.randrange(1, 256)) % 256
        found = verify(bytes(changed), {keyring.key})
        assert not found.ok, place
        assert found.line is not None
        line_of_byte = replay.count(b"\n", 0, place) + 1
        assert line_of_byte <= found.line <= replay.count(b"\n") + 1


def test_lines_run_together_are_refused_where_the_first_of_them_stands(
    replay: bytes, keyring: Keyring
) -> None:
    ends = [place for place, byte in enumerate(replay) if byte == ord("\n")]
    for number, place in enumerate(ends, start=1):
        changed = replay[:place] + b" " + replay[place + 1 :]
        assert verify(changed, {keyring.key}).line == number


def test_a_line_between_end_and_seal_is_refused(replay: bytes, keyring: Keyring) -> None:
    end = replay.splitlines(keepends=True)[-2]
    body = b"".join(replay.splitlines(keepends=True)[:-1]) + end
    found = verify(seal(body, keyring), {keyring.key})
    assert (found.ok, found.line) == (False, replay.count(b"\n"))


def test_where_only_the_hash_fails_the_seal_is_named(replay: bytes, keyring: Keyring) -> None:
    changed = replay.replace(b'"name":"first"', b'"name":"worst"', 1)
    found = verify(changed, {keyring.key})
    assert (found.ok, found.line) == (False, replay.count(b"\n"))


@pytest.mark.parametrize("cut", [1, 10, 200, -1])
def test_a_replay_cut_short_or_with_more_behind_it_is_refused(
    replay: bytes, keyring: Keyring, cut: int
) -> None:
    changed = replay[:-cut] if cut > 0 else replay + b"\n"
    assert not verify(changed, {keyring.key}).ok


def _other_card(lines: list[dict[str, Any]]) -> None:
    lines[1]["deck"][0], lines[1]["deck"][1] = lines[1]["deck"][1], lines[1]["deck"][0]


def _illegal_action(lines: list[dict[str, Any]]) -> None:
    lines[1]["actions"][0][1] = "close"


def _wrong_seat(lines: list[dict[str, Any]]) -> None:
    lines[1]["actions"][0][0] ^= 1


def _dropped_action(lines: list[dict[str, Any]]) -> None:
    del lines[1]["actions"][-1]


def _better_result(lines: list[dict[str, Any]]) -> None:
    lines[1]["result"]["points"] += 1


def _better_score(lines: list[dict[str, Any]]) -> None:
    lines[1]["score"][0] += 1


def _other_seed(lines: list[dict[str, Any]]) -> None:
    lines[0]["seed"] = "1" * 64


def _other_bot_seed(lines: list[dict[str, Any]]) -> None:
    lines[0]["bots"][1]["seed"] += 1


def _other_rules(lines: list[dict[str, Any]]) -> None:
    lines[0]["ruleset"]["last_trick_bonus"] = 0


def _negative_time(lines: list[dict[str, Any]]) -> None:
    lines[1]["actions"][0][2] = -1.0


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (_other_card, 2),
        (_illegal_action, 2),
        (_wrong_seat, 2),
        (_dropped_action, 2),
        (_better_result, 2),
        (_better_score, 2),
        (_negative_time, 2),
        (_other_seed, 1),
        (_other_bot_seed, 1),
    ],
)
def test_a_lie_that_is_sealed_anew_is_refused_by_the_rules(
    replay: bytes, keyring: Keyring, change: Callable[[list[dict[str, Any]]], None], line: int
) -> None:
    found = verify(resealed(replay, keyring, change), {keyring.key})
    assert (found.ok, found.line) == (False, line)


def test_another_rule_is_refused_where_it_first_matters(replay: bytes, keyring: Keyring) -> None:
    assert not verify(resealed(replay, keyring, _other_rules), {keyring.key}).ok


@pytest.mark.parametrize(
    "lie", [{"winner": None}, {"reason": "exit"}, {"score": [11, 11]}, {"winner": 7}]
)
def test_another_winner_reason_or_score_is_refused_at_the_end_line(
    replay: bytes, keyring: Keyring, lie: dict[str, Any]
) -> None:
    found = verify(resealed(replay, keyring, lambda lines: lines[-1].update(lie)), set())
    assert (found.ok, found.line) == (False, replay.count(b"\n") - 1)


def test_a_match_lost_by_a_fault_is_proven_as_well(at_table: Table, keyring: Keyring) -> None:
    record = at_table.play(deviates('return {"id": m["id"], "action": "pass"}'), bot())
    replay = seal(record.body, keyring)
    assert verify(replay, {keyring.key}).ok

    def blame_the_other(lines: list[dict[str, Any]]) -> None:
        lines[-1]["faults"][0]["seat"] = 1
        lines[-1]["winner"] = 0

    assert not verify(resealed(replay, keyring, blame_the_other), {keyring.key}).ok


def test_a_failed_start_is_proven_as_well(at_table: Table, keyring: Keyring) -> None:
    record = at_table.play(bot("sys.exit(1)"), bot("sys.exit(1)"))
    assert verify(seal(record.body, keyring), {keyring.key}).ok


SECRET = "5e" * 32


@pytest.mark.parametrize(
    ("message", "header"),
    [
        ("play/3", {}),
        ("7/11/12/3", {"tournament": 7}),
        ("7/2026-02-28/11/12/3", {"tournament": 7, "played_at": "2026-02-28T23:59:59.999Z"}),
    ],
    ids=["local play", "a tournament", "a day of a ladder"],
)
def test_the_secret_proves_commitment_and_seed(
    at_table: Table, keyring: Keyring, message: str, header: dict[str, Any]
) -> None:
    seed = hmac.digest(bytes.fromhex(SECRET), message.encode(), "sha256").hex()
    commitment = hashlib.sha256(bytes.fromhex(SECRET)).hexdigest()
    played = seal(at_table.play(bot(), bot(), seed=seed).body, keyring)

    def verdict(secret: str = SECRET, **changes: Any) -> tuple[bool, int | None]:
        def change(lines: list[dict[str, Any]]) -> None:
            lines[0] |= {"pair": 3, "commitment": commitment, **header, **changes}
            lines[0]["bots"][0]["id"], lines[0]["bots"][1]["id"] = 12, 11

        found = verify(resealed(played, keyring, change), {keyring.key}, secret)
        return found.ok, found.line

    assert verdict() == (True, None)
    assert verdict(commitment=None) == (True, None)
    assert verdict(SEED) == (False, 1)
    assert verdict(commitment="ab" * 32) == (False, 1)
    assert verdict(pair=4) == (False, 1)
    assert verdict(tournament=8) == (False, 1)


LADDER_DAY = "2026-02-28"


@pytest.mark.parametrize(
    ("played_at", "day", "holds"),
    [
        ("2026-02-28T00:00:00Z", None, True),
        ("2026-03-01T12:00:00Z", None, True),
        ("2026-03-02T00:00:00Z", None, False),
        ("2026-02-27T23:59:59Z", None, True),  # the worker's clock was behind
        ("2026-02-27T23:54:00Z", None, False),
        ("9999-12-31T23:59:59Z", None, False),
        ("0001-01-01T00:00:00Z", None, False),
        ("2026-03-09T12:00:00Z", LADDER_DAY, True),
        ("2026-02-28T00:00:00Z", LADDER_DAY, True),
        ("2026-02-28T00:00:00Z", "2026-02-27", False),
        ("2026-02-27T23:59:59Z", LADDER_DAY, True),
        ("2026-02-27T23:54:00Z", LADDER_DAY, False),
    ],
)
def test_a_ladders_secret_is_of_the_day_of_play_or_the_one_before_or_of_the_day_named(
    at_table: Table, keyring: Keyring, played_at: str, day: str | None, holds: bool
) -> None:
    message = f"7/{LADDER_DAY}/11/12/3"
    seed = hmac.digest(bytes.fromhex(SECRET), message.encode(), "sha256").hex()
    played = seal(at_table.play(bot(), bot(), seed=seed).body, keyring)

    def change(lines: list[dict[str, Any]]) -> None:
        lines[0] |= {"tournament": 7, "pair": 3, "played_at": played_at}
        lines[0]["bots"][0]["id"], lines[0]["bots"][1]["id"] = 12, 11

    named = None if day is None else date.fromisoformat(day)
    found = verify(resealed(played, keyring, change), {keyring.key}, SECRET, named)
    assert (found.ok, found.line) == ((True, None) if holds else (False, 1))


def test_the_secret_of_a_whole_tournament_is_no_day_of_a_ladder(
    at_table: Table, keyring: Keyring
) -> None:
    seed = hmac.digest(bytes.fromhex(SECRET), b"7/11/12/3", "sha256").hex()
    played = seal(at_table.play(bot(), bot(), seed=seed).body, keyring)

    def change(lines: list[dict[str, Any]]) -> None:
        lines[0] |= {"tournament": 7, "pair": 3}
        lines[0]["bots"][0]["id"], lines[0]["bots"][1]["id"] = 12, 11

    of_tournament = resealed(played, keyring, change)
    assert verify(of_tournament, {keyring.key}, SECRET).ok
    assert not verify(of_tournament, {keyring.key}, SECRET, date(2026, 2, 28)).ok


def test_one_seat_cannot_be_at_fault_twice(at_table: Table, keyring: Keyring) -> None:
    replay = seal(at_table.play(bot("sys.exit(1)"), bot()).body, keyring)

    def twice(lines: list[dict[str, Any]]) -> None:
        lines[-1]["faults"] *= 2

    found = verify(resealed(replay, keyring, twice), {keyring.key})
    assert (found.ok, found.line) == (False, 2)


@pytest.mark.parametrize(
    "lie", [{"phase": "deal"}, {"deal": 1}, {"request": 1}], ids=["phase", "deal", "request"]
)
def test_a_failed_start_names_no_deal(
    at_table: Table, keyring: Keyring, lie: dict[str, Any]
) -> None:
    replay = seal(at_table.play(bot("sys.exit(1)"), bot()).body, keyring)
    changed = resealed(replay, keyring, lambda lines: lines[-1]["faults"][0].update(lie))
    assert not verify(changed, {keyring.key}).ok


def test_a_new_key_never_invalidates_old_replays(tmp_path: Path, record: MatchRecord) -> None:
    keyring = Keyring(tmp_path)
    old = seal(record.body, keyring)
    keyring.rotate()
    new = seal(record.body, keyring)
    known = {public.key for public in Keyring(tmp_path).public_keys()}
    assert len(known) == 2
    assert verify(old, known).key_known
    assert verify(new, known).key_known
    assert [public.until is None for public in keyring.public_keys()] == [False, True]


def test_the_signing_key_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    first = Keyring(tmp_path / "keys")
    assert Keyring(tmp_path / "keys").key == first.key
    assert (tmp_path / "keys" / "signing.key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("data", [b"", b"\n", b"hello\n", b'{"a":1}\n', b"\x00" * 100])
def test_a_file_of_another_kind_is_no_replay(data: bytes) -> None:
    with pytest.raises(NotAReplay):
        verify(data, set())


def test_a_compressed_replay_is_read_and_a_bomb_is_not(tmp_path: Path, replay: bytes) -> None:
    good = tmp_path / "a.jsonl.gz"
    good.write_bytes(gzip.compress(replay))
    assert read_replay_file(good) == replay
    bomb = tmp_path / "b.jsonl.gz"
    bomb.write_bytes(gzip.compress(bytes(64 << 20)))
    with pytest.raises(NotAReplay):
        read_replay_file(bomb)


@pytest.mark.parametrize("damage", ["cut short", "a second file behind it", "more behind it"])
def test_a_compressed_replay_is_one_whole_file(tmp_path: Path, replay: bytes, damage: str) -> None:
    packed = gzip.compress(replay)
    file = tmp_path / "a.jsonl.gz"
    match damage:
        case "cut short":
            file.write_bytes(packed[:-4])
        case "a second file behind it":
            file.write_bytes(packed + gzip.compress(b"{}"))
        case _:
            file.write_bytes(packed + b"\0")
    with pytest.raises(NotAReplay, match="gzip"):
        read_replay_file(file)


def test_every_line_fits_the_published_schema(replay: bytes) -> None:
    schema = replay_schema()
    for line in replay.splitlines():
        jsonschema.validate(json.loads(line), schema)


def test_the_same_seed_and_bots_give_the_same_cards_and_actions(at_table: Table) -> None:
    def course(record: MatchRecord) -> str:
        lines = [json.loads(line) for line in record.body.splitlines()]
        deals = [
            (line["deck"], [action[:2] for action in line["actions"]], line["score"])
            for line in lines
            if "deck" in line
        ]
        return hashlib.sha256(json.dumps(deals).encode()).hexdigest()

    assert course(at_table.play(bot(), bot())) == course(at_table.play(bot(), bot()))
