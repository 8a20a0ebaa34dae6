"""The bare process of `--trusted`: the same box, no wall."""

import select
import time
from pathlib import Path

from sandbox_harness import converse, replied

from arena.sandbox import BoxLimits, trusted, trusted_file
from arena.sandbox.process import process_state


def _run(
    made: object, lines: bytes = b"go\n", seconds: float = 10.0
) -> tuple[bytes, bytes, object]:
    box = made.start(BoxLimits(), None)  # type: ignore[attr-defined]
    out, err, _ = converse(box, {}, lines, seconds)
    return out, err, box.stop("over")


def test_a_file_runs_in_its_folder_with_its_neighbours_behind_the_standard_library(
    tmp_path: Path,
) -> None:
    beside = tmp_path / "shared"
    beside.mkdir()
    (beside / "helper.py").write_text("NAME = 'helper'\n")
    (tmp_path / "random.py").write_text("raise RuntimeError('shadowed')\n")
    (tmp_path / "brain.py").write_text("NAME = 'brain'\n")
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import os, random, brain, helper\n"
        "print(brain.NAME, helper.NAME, os.getcwd(), __name__, os.path.basename(__file__))\n"
    )
    out, err, _ = _run(trusted_file(bot, [beside]))
    assert out.decode() == f"brain helper {tmp_path} __main__ bot.py\n", err


def test_any_command_can_be_a_bot() -> None:
    out, _, report = _run(trusted("cat"), b"echo\n", 0.5)
    assert out == b"echo\n"
    assert report.killed  # type: ignore[attr-defined]


def test_fc045_a_wrapper_that_does_not_exec_is_killed_with_its_bot() -> None:
    box = trusted("sh", "-c", "sleep 60 & echo $!; wait").start(BoxLimits(), None)
    out, _, _ = converse(box, {}, b"", 10.0, replied)
    inner = int(out)
    assert box.stop("over").survivors == 0
    deadline = time.monotonic() + 10
    while process_state(inner) not in "XZ":
        assert time.monotonic() < deadline
        select.select([], [], [], 0.005)


def test_a_command_that_is_not_there_ends_with_a_word_on_stderr() -> None:
    _, err, report = _run(trusted("/there/is/no/such/bot"))
    assert b"No such file" in err
    assert report.code == 1  # type: ignore[attr-defined]


def test_fc025_a_bare_python_bot_need_not_flush(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import sys\nfor line in sys.stdin:\n    print('heard')\n")
    box = trusted_file(bot).start(BoxLimits(), None)
    out, _, _ = converse(box, {}, b"x\n", 10.0, replied)
    box.stop("over")
    assert out == b"heard\n"
