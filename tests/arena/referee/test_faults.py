"""Every way in which a bot can lose by its own fault, named as PROTOCOL §5 names it."""

from typing import Any

import pytest
from referee_kit import Table, bot, deviates, lines_of

from arena.protocol import Limits
from arena.referee import FaultName

GOOD = bot()

ANSWER = 'sys.stdout.write(json.dumps(usual(m)) + "\\n"); sys.stdout.flush()'

CASES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "fc005_a_debug_print_on_stdout": ('print("debug", flush=True); return None', "protocol", {}),
    "fc012_a_second_line_for_one_request": (f"{ANSWER}; {ANSWER}; return None", "protocol", {}),
    "fc017_a_byte_that_is_no_utf8": (
        'sys.stdout.buffer.write(b"\\xff\\n"); sys.stdout.buffer.flush(); return None',
        "protocol",
        {},
    ),
    "a_wrong_id": ('return {"id": m["id"] + 1, "action": m["legal"][0]}', "protocol", {}),
    "an_unknown_key": ('return dict(usual(m), hand=[])', "protocol", {}),
    "a_note_that_is_too_long": ('return dict(usual(m), note="x" * 513)', "protocol", {}),
    "an_action_that_is_no_string": ('return {"id": m["id"], "action": 7}', "protocol", {}),
    "an_action_of_no_known_form": (
        'return {"id": m["id"], "action": "pass"}', "illegal", {"action": "pass"},
    ),
    "a_card_that_is_not_held": (
        'card = next(c for c in ("9C","JC","QC","KC","TC","AC","9D","JD") '
        'if "play:" + c not in m["legal"])\nreturn {"id": m["id"], "action": "play:" + card}',
        "illegal",
        {},
    ),
    "fc035_the_process_exits": ("sys.exit(3)", "exit", {"exit": 3, "signal": None}),
    "fc051_it_kills_itself": ("os.kill(os.getpid(), 9)", "exit", {"signal": "SIGKILL"}),
    "an_exception": ("raise ValueError(7)", "exit", {"exit": 1}),
    "fc064_memory_runs_out": (
        "x = bytearray(4 << 30)", "memory", {"limit": 256, "unit": "mb", "exit": 1},
    ),
    "fc007_a_line_without_end": (
        'sys.stdout.write("x" * 5000); sys.stdout.flush(); time.sleep(20)',
        "output",
        {"limit": 4096, "unit": "bytes"},
    ),
    "it_sleeps": ("time.sleep(20)", "time", {"limit": 600, "unit": "ms"}),
    "it_spins": ("while True: pass", "time", {"limit": 600, "unit": "ms"}),
    "only_its_stdout_is_closed": ("os.close(1); time.sleep(20)", "time", {}),
    "fc013_late_and_illegal_is_late": (
        'time.sleep(2.5)\nreturn {"id": m["id"], "action": "pass"}', "time", {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_fault_loses_the_match_at_once_and_is_named(at_table: Table, case: str) -> None:
    action, name, fields = CASES[case]
    record = at_table.play(deviates(action), GOOD)
    (fault,) = record.faults
    assert (fault.seat, fault.name, fault.phase) == (0, FaultName(name), "deal")
    assert record.winner == 1
    assert record.reason == name
    for field, value in fields.items():
        assert getattr(fault, field) == value, field
    last_deal = lines_of(record)[-2]
    assert (last_deal["deal"], last_deal["result"]) == (fault.deal, None)


def test_the_fault_names_the_request_that_was_due(at_table: Table) -> None:
    record = at_table.play(deviates("sys.exit(0)", at=1), GOOD)
    (fault,) = record.faults
    actions = sum(len(line.get("actions", [])) for line in lines_of(record))
    assert fault.request == actions + 1
    assert fault.exit == 0


def test_bytes_beyond_a_reply_are_judged_at_the_next_request_and_the_reply_stands(
    at_table: Table,
) -> None:
    record = at_table.play(deviates(f"{ANSWER}; {ANSWER}; return None", at=1), GOOD)
    own = [action for line in lines_of(record) for action in line.get("actions", [])
           if action[0] == 0]  # fmt: skip
    assert len(own) == 1
    assert record.faults[0].name is FaultName.PROTOCOL
    assert record.seats[0].refused


def test_a_complete_reply_counts_though_the_process_ended_after_it(at_table: Table) -> None:
    record = at_table.play(deviates(f"{ANSWER}; os._exit(0)", at=2), GOOD)
    own = [action for line in lines_of(record) for action in line.get("actions", [])
           if action[0] == 0]  # fmt: skip
    assert len(own) == 2
    assert record.faults[0].name is FaultName.EXIT


START_CASES = {
    "fc002_it_raises_at_import": ("raise RuntimeError('no weights')", "exit"),
    "it_prints_a_banner": ("print('hello, I am a bot', flush=True)", "protocol"),
    "fc055_it_never_answers": ("time.sleep(60)", "time"),
    "it_spins_while_loading": ("while True: pass", "time"),
    "it_has_no_memory_to_load": ("x = bytearray(4 << 30)", "memory"),
    "it_writes_without_end": ("while True: sys.stdout.write('x')", "output"),
}


@pytest.mark.parametrize("case", START_CASES)
def test_anything_before_ready_is_a_failed_start_with_its_cause(at_table: Table, case: str) -> None:
    extra, cause = START_CASES[case]
    record = at_table.play(GOOD, bot(extra), Limits(start_ms=700, move_ms=100, bank_ms=500))
    (fault,) = record.faults
    assert (fault.seat, fault.name, fault.phase) == (1, FaultName.START, "start")
    assert fault.cause is not None
    assert fault.cause.startswith(cause)
    assert (fault.deal, fault.request) == (None, None)
    assert (record.winner, record.reason, record.score) == (0, "start", (0, 0))


def test_a_syntax_error_is_a_failed_start_whose_traceback_the_owner_sees(at_table: Table) -> None:
    record = at_table.play(b"def broken(:\n    pass\n", GOOD)
    assert record.faults[0].name is FaultName.START
    assert b"SyntaxError" in record.seats[0].stderr


def test_where_both_fail_to_start_there_is_no_winner_and_both_are_at_fault(
    at_table: Table,
) -> None:
    record = at_table.play(bot("sys.exit(1)"), bot("raise ValueError"))
    assert record.winner is None
    assert [fault.seat for fault in record.faults] == [0, 1]
    assert record.reason == "start"


def test_fc056_the_other_bot_is_told_of_the_end_and_asked_no_more(at_table: Table) -> None:
    listener = bot(
        "import atexit\nfirst = sys.stdin\n"
        "class Tee:\n"
        "    def __iter__(self):\n"
        "        for line in first:\n"
        "            sys.stderr.write(line)\n"
        "            yield line\n"
        "        sys.stderr.write('END OF FILE')\n"
        "sys.stdin = Tee()"
    )
    record = at_table.play(deviates("sys.exit(1)"), listener)
    heard = record.seats[1].stderr.decode().splitlines()
    assert '"type":"match_end"' in heard[-2]
    assert '"reason":"exit"' in heard[-2]
    assert heard[-1] == "END OF FILE"


def test_fc003_stderr_is_drained_to_the_end_of_the_bot_after_match_end(at_table: Table) -> None:
    writer = bot(
        "import atexit\n"
        "def farewell():\n"
        "    for _ in range(2000): sys.stderr.write('.' * 99 + chr(10))\n"
        "    sys.stderr.write('last words')\n"
        "atexit.register(farewell)"
    )
    record = at_table.play(writer, GOOD)
    assert record.faults == ()
    assert record.seats[0].stderr.endswith(b"last words")
    assert record.seats[0].stderr_total == 200_010
    assert record.seats[0].exit.code == 0


def test_fc048_a_bot_that_does_not_leave_at_the_end_is_killed_and_has_lost_nothing(
    at_table: Table,
) -> None:
    stayer = bot("import atexit\natexit.register(time.sleep, 60)")
    record = at_table.play(stayer, GOOD)
    assert record.faults == ()
    assert (record.seats[0].exit.killed, record.seats[0].exit.survivors) == (True, 0)
    assert not record.seats[1].exit.killed
