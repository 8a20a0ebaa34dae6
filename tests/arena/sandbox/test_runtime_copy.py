"""The copy of the running Python that bots run on."""

import os
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sandbox_harness import KINDS, sandbox

from arena.sandbox import BoxError, BoxLimits, LandlockSandbox, runtime


@pytest.fixture
def base(monkeypatch: pytest.MonkeyPatch, reachable: Path) -> Path:
    monkeypatch.setenv("SANTASE_RUNTIME", str(reachable / "base"))
    return reachable / "base"


def test_the_copy_is_made_once_and_runs_the_same_python(base: Path) -> None:
    first = runtime.ready()
    made = first.root.stat().st_mtime_ns
    assert runtime.ready() == first
    assert first.root.stat().st_mtime_ns == made
    assert first.root.is_relative_to(base)
    said = subprocess.run(
        [
            first.root / first.python,
            "-sSc",
            "import sys, ssl, sqlite3; print(sys.version_info[:3])",
        ],
        env={"LD_LIBRARY_PATH": str(first.root / first.libraries)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.strip() == str(tuple(map(int, runtime.version().split("."))))


def test_no_one_else_can_write_it_and_no_site_packages_are_in_it(base: Path) -> None:
    copy = runtime.ready()
    for path in copy.root.rglob("*"):
        facts = path.lstat()
        assert facts.st_uid == os.geteuid()
        assert stat.S_ISLNK(facts.st_mode) or not facts.st_mode & 0o022, path
        assert not facts.st_mode & (stat.S_ISUID | stat.S_ISGID)
        assert path.name not in ("site-packages", "dist-packages", "idlelib", "ensurepip")


@pytest.mark.parametrize("kind", KINDS)
def test_a_strict_umask_does_not_shut_bots_out(base: Path, kind: str) -> None:
    before = os.umask(0o077)
    try:
        box = sandbox(kind).start(BoxLimits(), None)
        try:
            box.wait_ready()
        finally:
            box.stop("seen")
    finally:
        os.umask(before)


def test_a_user_without_a_home_is_told_what_to_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("SANTASE_RUNTIME", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "~")
    monkeypatch.setattr(os, "geteuid", lambda: 12_345)
    with pytest.raises(BoxError, match="set SANTASE_RUNTIME"):
        runtime.ready()


def test_two_at_once_make_one(base: Path) -> None:
    with ThreadPoolExecutor(2) as two:
        copies = list(two.map(lambda _: runtime.ready(), range(2)))
    assert copies[0] == copies[1]
    assert [path.name for path in (base / "runtime").iterdir()] == [copies[0].root.name]


def test_a_copy_that_a_cleaner_has_robbed_is_made_anew(base: Path) -> None:
    copy = runtime.ready()
    victim = next(copy.root.rglob("json/__init__.py"))
    victim.unlink()
    again = runtime.ready()
    assert again == copy
    assert victim.exists()
    assert len(list((base / "runtime").iterdir())) == 1


def test_a_copy_that_others_can_write_is_refused(base: Path) -> None:
    copy = runtime.ready()
    (copy.root / copy.python).chmod(0o777)
    with pytest.raises(BoxError, match=r"can be changed by others .* SANTASE_RUNTIME"):
        LandlockSandbox().start(BoxLimits(), None)


def test_a_place_that_cannot_be_written_is_named_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("SANTASE_RUNTIME", str(tmp_path / "file"))
    with pytest.raises(BoxError, match="Set SANTASE_RUNTIME to a folder"):
        runtime.ready()
