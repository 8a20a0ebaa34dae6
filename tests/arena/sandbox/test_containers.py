"""The `docker` back-end alone: streams, limits, ends, and what an engine can do wrong."""

import hashlib
import io
import os
import select
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sandbox_harness import children, converse, replied, settled

from arena.house import pack
from arena.protocol import Limits
from arena.referee import Entrant, HostFault, MatchSpec, play_match
from arena.sandbox import Box, BoxError, BoxLimits, NoSandbox, choose, janitor
from arena.sandbox.container import DockerSandbox
from arena.sandbox.engine import REPOSITORY, Engine
from arena.sandbox.launched import Walls
from arena.sandbox.runtime import version
from arena.santase import ruleset

pytestmark = pytest.mark.usefixtures("engine")

ECHO = b"""
import os
while data := os.read(0, 65536):
    while data:
        data = data[os.write(1, data):]
"""


@pytest.fixture(params=[True, False], ids=["fifos", "attached"])
def back_end(request: pytest.FixtureRequest) -> DockerSandbox:
    return DockerSandbox(fifos=request.param)


@pytest.fixture
def box(back_end: DockerSandbox) -> Iterator[Box]:
    made = back_end.start(BoxLimits(), None)
    yield made
    assert made.stop("test over").survivors == 0


def pump(box: Box, data: bytes, seconds: float = 20.0) -> bytes:
    """Writes `data` to the bot and reads as much back, both at once."""
    os.set_blocking(box.stdin, False)
    said, rest, deadline = b"", memoryview(data), time.monotonic() + seconds
    while len(said) < len(data) and time.monotonic() < deadline:
        readable, writable, _ = select.select([box.stdout], [box.stdin] if rest else [], [], 1)
        if writable:
            rest = rest[os.write(box.stdin, rest) :]
        if readable:
            said += os.read(box.stdout, 65_536)
    return said


def test_fc023_a_megabyte_comes_back_to_the_byte(box: Box) -> None:
    data = bytes(range(256)) * 4096
    box.load({"bot.py": ECHO})
    assert pump(box, data) == data


def test_hanging_up_ends_the_bot_and_its_output(box: Box) -> None:
    box.load({"bot.py": ECHO + b"import sys\nprint('bye', file=sys.stderr)\nsys.exit(7)\n"})
    box.hang_up()
    assert select.select([box.pidfd], [], [], 10)[0]
    assert select.select([box.stdout], [], [], 10)[0]
    assert os.read(box.stdout, 10) == b""
    assert os.read(box.stderr, 10) == b"bye\n"
    assert box.stop("left").code == 7


def test_the_last_words_of_a_bot_come_before_its_end(back_end: DockerSandbox) -> None:
    for _ in range(3):
        box = back_end.start(BoxLimits(), None)
        try:
            out, _, _ = converse(box, {"bot.py": b"print('last words')\n"}, b"", 20)
        finally:
            box.stop("ended")
        assert out == b"last words\n"


def test_the_probe_tells_how_bots_are_spoken_to(back_end: DockerSandbox) -> None:
    findings = back_end.probe()
    assert [finding for finding in findings if not finding.ok] == []
    (streams,) = [finding for finding in findings if "FIFO" in finding.name]
    assert "through FIFOs" in streams.what
    assert ("no answer" in streams.what) == bool(streams.remedy)


def test_the_image_in_the_header_is_named_by_its_digest() -> None:
    sandbox = DockerSandbox()
    assert sandbox.python == version()
    name, _, digest = sandbox.image.partition("@sha256:")
    assert name == f"{REPOSITORY}:{version()}"
    assert len(digest) == 64


def test_the_image_holds_no_shell_and_no_file_that_gives_powers() -> None:
    bot = b"""
import os, stat
for folder, _, names in os.walk("/usr"):
    for name in names:
        mode = os.lstat(os.path.join(folder, name)).st_mode
        if mode & 0o6000 or (mode & 0o022 and not stat.S_ISLNK(mode)) or name in ("sh", "bash"):
            print(folder, name)
print(sorted(os.listdir("/usr/bin")))
"""
    box = DockerSandbox(Walls(landlock=False), fifos=True).start(BoxLimits(), None)
    try:
        out, err, _ = converse(box, {"bot.py": bot}, b"", 20)
    finally:
        box.stop("seen")
    assert out.decode() == f"['python{version().rpartition('.')[0]}']\n", err


def test_memory_above_the_containers_own_limit_is_told_as_out_of_memory() -> None:
    bot = b"held = []\nwhile True: held.append(bytearray(b'x') * (1 << 20))\n"
    box = DockerSandbox(Walls(address_space=False), fifos=True).start(BoxLimits(memory_mb=64), None)
    try:
        converse(box, {"bot.py": bot}, b"", 20)
        report = box.stop("ended")
    finally:
        box.stop("ended")
    assert (report.oom, report.signal, report.killed) == (True, "SIGKILL", False)


def test_stopping_on_the_way_up_leaves_no_container() -> None:
    sandbox, before = DockerSandbox(fifos=True), children()
    for pause_s in (0.0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4):
        box = sandbox.start(BoxLimits(), None)
        select.select([], [], [], pause_s)
        began = time.monotonic()
        assert box.stop("not wanted").survivors == 0
        assert time.monotonic() - began < 1
        with pytest.raises(BoxError, match="stopped"):
            box.wait_ready()
    assert settled(0, before) == []


def test_fc044_a_container_with_the_same_name_is_left_alone_and_blocks_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sandbox, before = DockerSandbox(fifos=True), children()
    image = sandbox.image.partition("@")[2]
    with Engine() as engine:
        stale = engine.create(
            f"santase-{b'same-one'.hex()}", {"image": image, "command": ["x"]}, {}
        )
        try:
            with monkeypatch.context() as patched:
                patched.setattr(os, "urandom", lambda size: b"same-one"[:size])
                box = sandbox.start(BoxLimits(), None)
            out, _, _ = converse(box, {"bot.py": b"print('played')"}, b"", 20, replied)
            assert out == b"played\n"
            box.stop("played")
            assert settled(0, before) == []
            assert not engine.state(stale).running
        finally:
            engine.remove(stale)


def test_an_engine_that_is_down_is_the_hosts_fault_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    with pytest.raises(BoxError, match=r"does not answer.*systemctl start docker"):
        DockerSandbox().start(BoxLimits(), None)
    with pytest.raises(NoSandbox, match="SANDBOX=bubblewrap") as refusal:
        choose("docker")
    assert refusal.value.findings[0].name.startswith("docker: engine")


def test_fc053_without_an_image_the_host_is_at_fault_and_told_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SANTASE_BOT_IMAGE", "santase-bot:there-is-none")
    with pytest.raises(BoxError, match=r"no image santase-bot:there-is-none.*make bot-image"):
        DockerSandbox().start(BoxLimits(), None)
    with pytest.raises(NoSandbox, match="make bot-image"):
        choose("docker")


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ({}, "a label is missing"),
        ({"version": "3.4.1", "python": "/python", "readable": "[]"}, "Python 3.4.1"),
    ],
)
def test_an_image_that_is_not_for_these_bots_is_refused(
    labels: dict[str, str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("empty"))
    made.seek(0)
    changes = [f"LABEL santase.{name}={value}" for name, value in labels.items()]
    with Engine() as engine:
        image = engine.import_image(made, "not-for-bots", changes)
    monkeypatch.setenv("SANTASE_BOT_IMAGE", image)
    with pytest.raises(BoxError, match=words):
        DockerSandbox().start(BoxLimits(), None)


def elsewhere(script: str, *namespaces: str, folder: Path) -> str:
    """What a script says in namespaces of its own, where `folder` is another file system."""
    done = subprocess.run(
        [
            *("unshare", "--mount", *namespaces, "sh", "-c"),
            'mount -t tmpfs none "$1" && exec "$2" -c "$3"',
            *("sh", str(folder), sys.executable, script),
        ],
        env={**os.environ, "SANTASE_RUNTIME": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.stdout + done.stderr


SPEAK = """
from arena.sandbox import BoxError, BoxLimits
from arena.sandbox.container import DockerSandbox
from sandbox_harness import converse, replied
sandbox = DockerSandbox()
box = sandbox.start(BoxLimits(), None)
try:
    print(converse(box, {"bot.py": b"print('heard')"}, b"", 20, replied)[0])
except BoxError as error:
    print("BoxError:", error)
finally:
    box.stop("heard")
"""

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="namespaces of its own: run as root")


def test_a_container_killed_from_outside_is_no_fault_of_the_bot() -> None:
    sandbox = DockerSandbox(fifos=True)
    files = {"bot.py": b"import time\ntime.sleep(60)\n"}
    entrant = Entrant("sleeper", hashlib.sha256(pack(files)).hexdigest(), files)
    spec = MatchSpec("m_1", "0" * 64, (entrant, entrant), ruleset(), Limits())
    boxes = sandbox.start(BoxLimits(), None), sandbox.start(BoxLimits(), None)
    for box in boxes:
        box.wait_ready()
    ours = {f"santase-{name}" for name in janitor.owner().live}

    def kill() -> None:
        with Engine() as engine:
            for name in ours:
                engine.kill(name)

    killer = threading.Timer(0.3, kill)
    killer.start()
    try:
        with pytest.raises(HostFault, match="killed from outside"):
            play_match(spec, boxes, sandbox, None)
    finally:
        killer.join()


def test_a_bot_that_exits_like_a_killed_one_voids_nothing() -> None:
    box = DockerSandbox(fifos=True).start(BoxLimits(), None)
    try:
        converse(box, {"bot.py": b"import os\nos._exit(137)\n"}, b"", 20)
        report = box.stop("ended")
    finally:
        box.stop("ended")
    assert (report.host_fault, report.signal, report.killed) == ("", "SIGKILL", False)


@needs_root
def test_where_the_engine_does_not_see_our_folder_bots_are_spoken_to_by_attaching(
    reachable: Path,
) -> None:
    assert "b'heard\\n'" in elsewhere(SPEAK, folder=reachable)


@needs_root
def test_where_pids_are_not_the_engines_nothing_is_signalled_and_the_remedy_is_named(
    reachable: Path,
) -> None:
    said = elsewhere(SPEAK, "--pid", "--fork", "--mount-proc", folder=reachable)
    assert "BoxError: the bot's process is not to be seen from here" in said
    assert "pid: host" in said


def test_many_boxes_at_once_come_up(back_end: DockerSandbox) -> None:
    before = children()
    boxes: list[Any] = [back_end.start(BoxLimits(), None) for _ in range(4)]
    try:
        for box in boxes:
            box.load({"bot.py": ECHO})
        assert [pump(box, b"hello\n") for box in boxes] == [b"hello\n"] * 4
    finally:
        for box in boxes:
            box.stop("seen")
    assert settled(0, before) == []
