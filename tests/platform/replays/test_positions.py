import json
from itertools import pairwise
from pathlib import Path

import pytest
from made_replays import SEED, made_body

from arena.protocol import Limits, encode
from arena.referee import FaultName
from arena.referee.replay_lines import BotLine, DealLine, EndLine, Header, SandboxLine
from arena.santase import PACK, PRESETS, MoveKind, ruleset, ruleset_from_dict
from replays.positions import Position, positions
from replays.reader import Replay, parse_replay

VECTORS = Path(__file__).parents[2] / "data" / "vectors.jsonl"
SEAL = b'{"seal":true,"sha256":"%b","signature":"%b","key":"%b"}\n' % (
    b"0" * 64,
    b"0" * 128,
    b"0" * 64,
)


def replay(seed: int, **options: object) -> Replay:
    return parse_replay("made", made_body(seed, **options) + SEAL)  # type: ignore[arg-type]


def cards_of(position: Position) -> list[object]:
    state = position.state
    on_table = [state.led] if state.led is not None else []
    piles = [card for each in position.taken for card in (each.lead, each.reply)]
    return [*state.hands[0], *state.hands[1], *state.talon_cards, *on_table, *piles]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(3))
def test_every_position_has_all_24_cards_and_the_last_one_the_score_of_the_match(seed, preset):
    played = replay(seed, rules=ruleset(preset), stubborn=seed == 2)
    row = positions(played)
    assert [position.at for position in row] == list(range(len(row)))
    assert len(row) == sum(len(deal.actions) + 1 for deal in played.deals)
    for position in row:
        assert sorted(cards_of(position)) == sorted(PACK)
    assert row[-1].score == played.end.score
    assert row[-1].ends_deal
    assert [position.score for position in row if position.ends_deal] == [
        deal.score for deal in played.deals
    ]


def test_a_deal_of_the_vectors_shows_the_points_and_the_talon_that_they_state():
    looked_at = 0
    for line in VECTORS.read_text(encoding="utf-8").splitlines():
        vector = json.loads(line)
        if vector["kind"] != "deal":
            continue
        row = positions(one_deal(vector))
        for before, step in zip(row, vector["steps"], strict=False):
            assert list(before.state.points) == step["points"]
            assert before.state.talon == step["talon"]
            assert before.state.turn == step["player"]
        result = row[-1].state.result
        assert result is not None
        assert list(result.totals) == vector["result"]["totals"]
        looked_at += 1
    assert looked_at > 100


def one_deal(vector: dict) -> Replay:
    rules = ruleset_from_dict({"name": "santase-bg", **vector["rules"]})
    actions = [(step["player"], step["action"], 1.0, 2.0) for step in vector["steps"]]
    deal = DealLine(1, vector["dealer"], vector["deck"], actions, None, (0, 0))
    bot = BotLine(None, "made", None, SEED, 0)
    header = Header(
        1, "santase", "m1", None, 0, 0, "2026-01-01T00:00:00Z", "test", rules.as_dict(), Limits(),
        SEED, None, 0, (bot, bot), SandboxLine("made", "made"),
    )  # fmt: skip
    end = EndLine(True, 0, (0, 0), "target", [])
    return parse_replay("made", b"".join(encode(each) for each in (header, deal, end)) + SEAL)


def test_requests_count_through_the_match_one_an_action():
    row = positions(replay(1))
    assert [each.request for each in row if each.step] == list(
        range(1, sum(1 for each in row if each.step) + 1)
    )


def test_a_fault_adds_one_position_with_the_table_as_it_stood():
    played = replay(4, fault=FaultName.ILLEGAL)
    row = positions(played)
    assert row[-1].fault
    assert not any(position.fault for position in row[:-1])
    assert row[-1].state is row[-2].state
    assert row[-1].request == played.end.faults[0].request
    assert row[-1].score == played.end.score
    assert len(cards_of(row[-1])) == 24


def test_a_match_that_no_bot_started_has_no_position():
    lines = made_body(1).splitlines(keepends=True)
    end = b'{"end":true,"winner":null,"score":[0,0],"reason":"start","faults":[]}\n'
    assert positions(parse_replay("made", lines[0] + end + SEAL)) == ()


def test_a_jump_halts_at_each_trick_that_is_taken_and_at_both_ends_of_a_deal():
    row = positions(replay(2, stubborn=True))
    first = [position for position in row if position.deal.number == 1]
    halts = [position for position in first if position.is_stop]
    assert halts[0].opens
    assert halts[-1].ends_deal
    assert [len(position.taken) for position in halts[1:12]] == list(range(1, 12))


def test_the_bank_never_grows_and_what_a_request_gives_free_does_not_touch_it():
    limits = Limits()
    row = positions(replay(3))
    for before, after in pairwise(row):
        for seat in (0, 1):
            spent = before.clocks[seat].bank_ms - after.clocks[seat].bank_ms
            step = after.step
            if step is None or step.seat != seat:
                assert spent == 0
            else:
                cost = max(step.cpu_ms, step.wall_ms / limits.wall_factor)
                assert spent == pytest.approx(max(0, cost - limits.move_ms), abs=0.001)


def test_a_trick_is_kept_with_its_number_its_lead_and_where_it_was_won():
    for position in positions(replay(5)):
        for trick in position.taken:
            assert trick.at <= position.at
        step = position.step
        if step is not None and step.taken is not None and step.move.kind is MoveKind.PLAY:
            newest = position.taken[-1]
            assert newest.reply == step.move.card
            assert (newest.seat, newest.at, newest.number) == (
                step.taken,
                position.at,
                position.trick,
            )
