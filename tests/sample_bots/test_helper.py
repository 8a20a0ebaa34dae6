"""The one-file helper, as an author's bot meets it: over pipes, and its small card words."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from bot_driver import PipedBot, hello
from hypothesis import given
from hypothesis import strategies as st

from arena.house import HELPER, house_folder
from arena.protocol import Clock, MatchEnd, Request, encode, view_message
from arena.santase import PACK, Card, DealState, apply, legal_moves, ruleset, start_deal, view_for


@pytest.fixture(scope="module")
def helper() -> Iterator[ModuleType]:
    sys.path.append(str(house_folder()))
    import santase_bot

    yield santase_bot
    sys.path.remove(str(house_folder()))


Start = Callable[[str], PipedBot]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a bot of the given source beside the helper."""
    bots: list[PipedBot] = []

    def make(source: str) -> PipedBot:
        files = {
            "bot.py": b"from santase_bot import *\n" + source.encode(),
            HELPER: (house_folder() / HELPER).read_bytes(),
        }
        bots.append(PipedBot(tmp_path / f"bot{len(bots)}", files))
        return bots[-1]

    yield make
    for bot in bots:
        bot.close()


def request(number: int = 41, state: DealState | None = None) -> Request:
    state = state or start_deal(PACK, 0, ruleset())
    return Request(
        id=number,
        deal=1,
        view=view_message(view_for(state, state.turn, (0, 0))),
        events=[],
        legal=[str(move) for move in legal_moves(state)],
        clock=Clock(100, 10_000),
    )


FIRST = 'def choose(request): return request["legal"][0]\n'


def test_the_bot_of_the_first_page_plays(start: Start) -> None:
    bot = start(FIRST + "run(choose)")
    bot.tell(hello(seat=1))
    bot.tell(request(41))
    assert bot.read() == {"id": 41, "action": request().legal[0]}
    bot.tell(MatchEnd(0, (11, 0), "target"))
    assert bot.leave() == (0, b"", "")


def test_it_leaves_at_match_end_without_waiting_for_the_end_of_file(start: Start) -> None:
    bot = start(FIRST + "run(choose)")
    bot.tell(hello(seat=0))
    bot.tell(MatchEnd(0, (11, 0), "target"))
    assert bot.read() == {}  # its stdout has ended, although its stdin has not
    assert bot.leave()[0] == 0


def test_it_leaves_cleanly_when_its_stdin_ends(start: Start) -> None:
    bot = start(FIRST + "run(choose)")
    bot.tell(hello(seat=0))
    assert bot.leave() == (0, b"", "")


def test_the_request_tells_the_seat(start: Start) -> None:
    bot = start('def choose(request): return "play:9C", str(request["seat"])\nrun(choose)')
    bot.tell(hello(seat=1))
    bot.tell(request())
    assert bot.read() == {"id": 41, "action": "play:9C", "note": "1"}


def test_fc001_print_and_log_go_to_the_owner_s_log(start: Start) -> None:
    bot = start(
        "def choose(request):\n"
        '    print("thinking of", request["view"]["trump"])\n'
        '    log("chose", 9)\n'
        '    return "play:9C"\n'
        "run(choose)"
    )
    bot.tell(hello(seat=0))
    bot.tell(request())
    assert bot.read() == {"id": 41, "action": "play:9C"}
    assert bot.leave() == (0, b"", f"thinking of {request().view.trump}\nchose 9\n")


def test_an_exception_ends_the_bot_with_its_traceback_in_the_log(start: Start) -> None:
    bot = start('def choose(request): raise ValueError("no idea")\nrun(choose)')
    bot.tell(hello(seat=0))
    bot.tell(request())
    code, rest, log = bot.leave()
    assert (code, rest) == (1, b"")
    assert "ValueError: no idea" in log


def test_the_hooks_get_their_messages(start: Start) -> None:
    bot = start(
        FIRST
        + 'def on_hello(message): log("hello", message["seed"])\n'
        + 'def on_deal(message): log("deal", message["deal"])\n'
        + 'def on_deal_end(message): log("end", message["deal"])\n'
        + "run(choose, on_hello, on_deal, on_deal_end)"
    )
    bot.tell(hello(seat=0, seed=52045562))
    bot.write(b'{"type":"deal","deal":3}\n{"type":"deal_end","deal":3}\n')
    assert bot.leave() == (0, b"", "hello 52045562\ndeal 3\nend 3\n")


def test_messages_that_need_no_answer_get_none(start: Start) -> None:
    bot = start(FIRST + "run(choose)")
    bot.tell(hello(seat=0))
    bot.write(b'{"type":"deal","deal":1}\n{"type":"news of a later day"}\n')
    assert bot.leave() == (0, b"", "")


def test_two_requests_in_one_breath_are_both_answered(start: Start) -> None:
    bot = start(FIRST + "run(choose)")
    bot.tell(hello(seat=0))
    bot.write(encode(request(1)) + encode(request(2)))
    assert [bot.read()["id"], bot.read()["id"]] == [1, 2]


def test_points_and_order_are_those_of_the_rules(helper: ModuleType) -> None:
    assert tuple(str(card) for card in PACK) == helper.PACK
    assert [helper.points(str(card)) for card in PACK] == [card.points for card in PACK]
    assert sum(map(helper.points, helper.PACK)) == 120
    assert [helper.strength(card) for card in ("9H", "JH", "QH", "KH", "TH", "AH")] == [*range(6)]


@pytest.mark.parametrize(
    ("reply", "led", "takes"),
    [("TH", "KH", True), ("KH", "TH", False), ("9S", "AH", True), ("AC", "9H", False)],
)
def test_who_takes_a_trick_with_spades_as_trumps(
    helper: ModuleType, reply: str, led: str, takes: bool
) -> None:
    assert helper.beats(reply, led, "S") is takes


@given(st.permutations(PACK), st.data())
def test_what_is_unseen_is_what_the_other_holds_or_the_talon_hides(
    helper: ModuleType, deck: list[Card], data: st.DataObject
) -> None:
    state = start_deal(deck, 0, ruleset())
    for _ in range(data.draw(st.integers(0, 20))):
        moves = legal_moves(state)
        if not moves:
            break
        state = apply(state, data.draw(st.sampled_from(moves)))
    view = view_message(view_for(state, state.turn, (0, 0)))
    asked = {"view": {name: getattr(view, name) for name in view.__struct_fields__}}
    hidden = {*map(str, state.hands[1 - state.turn]), *map(str, state.talon_cards)}
    hidden -= {view.face_up, *view.opponent_known}
    assert set(helper.unseen({**asked, "seat": state.turn})) == hidden


def test_playable_leaves_out_what_is_no_card(helper: ModuleType) -> None:
    asked = {"legal": ["claim", "meld:H", "play:KH", "play:QH"], "seat": 1}
    assert helper.playable(asked) == ["KH", "QH"]


def test_points_are_told_by_seat(helper: ModuleType) -> None:
    asked = {"seat": 1, "view": {"points": [12, 40]}}
    assert (helper.my_points(asked), helper.opponent_points(asked)) == (40, 12)
