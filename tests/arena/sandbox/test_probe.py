"""The probe can fail: with a wall taken away it says which one."""

from pathlib import Path
from typing import Any

import pytest
from sandbox_harness import KINDS, sandbox

from arena.sandbox import Finding, NoSandbox, choose
from arena.sandbox.remedies import remedy_for_start


def failed(kind: str, **walls: Any) -> dict[str, str]:
    """Name and words of each finding that does not hold."""
    return {
        finding.name: finding.what for finding in sandbox(kind, walls).probe() if not finding.ok
    }


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_all_walls_hold_here(kind: str) -> None:
    findings = sandbox(kind).probe()
    assert [finding for finding in findings if not finding.ok] == []
    assert len(findings) > 10


def test_without_landlock_the_probe_names_the_file_that_it_read() -> None:
    assert set(failed("bubblewrap", landlock=False)) == {"bubblewrap, inner wall: read_marker"}
    names = set(failed("landlock", landlock=False))
    assert {"landlock, inner wall: read_marker", "landlock, inner wall: write_somewhere"} <= names


@pytest.mark.parametrize("kind", KINDS)
def test_without_the_inner_filter_the_probe_names_sockets_and_processes(kind: str) -> None:
    wanted = {"inner wall: make_socket", "inner wall: fork", "inner wall: run_program"}
    assert {f"{kind}, {name}" for name in wanted} <= set(failed(kind, seccomp=False))


def test_without_the_outer_filter_the_probe_names_it() -> None:
    names = set(failed("bubblewrap", outer_seccomp=False))
    assert {"bubblewrap, outer filter: make_socket", "bubblewrap, outer filter: fork"} <= names
    assert all(name.startswith("bubblewrap, outer filter") for name in names)


def test_with_the_network_left_on_the_probe_names_the_namespace() -> None:
    assert failed("bubblewrap", own_network=False) == {
        "bubblewrap, namespaces: reach_host": (
            "reaching the host by network succeeded, not in ECONNREFUSED or ENETUNREACH"
        )
    }


def test_with_a_path_of_the_host_in_the_box_the_probe_names_it() -> None:
    assert set(failed("bubblewrap", shown=["/tmp"])) == {"bubblewrap, namespaces: read_marker"}
    assert set(failed("landlock", shown=["/tmp"])) == {"landlock, inner wall: read_marker"}


@pytest.mark.parametrize("kind", ["docker"])
def test_the_probe_of_containers_names_each_wall_that_is_missing(kind: str) -> None:
    assert set(failed(kind, landlock=False)) == {"docker, inner wall: read_marker"}
    names = set(failed(kind, outer_seccomp=False))
    assert {"docker, outer filter: make_socket", "docker, outer filter: fork"} <= names
    assert all(name.startswith("docker, outer filter") for name in names)
    assert set(failed(kind, own_network=False)) == {"docker, namespaces: reach_host"}
    assert set(failed(kind, shown=["/var/lib"])) == {"docker, namespaces: read_marker"}
    assert choose(kind).kind == "docker"


def test_a_name_wins_over_the_probe_of_another() -> None:
    assert choose("landlock").kind == "landlock"
    assert choose("bubblewrap").kind == "bubblewrap"
    assert choose("auto").kind == "bubblewrap"


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(NoSandbox, match="auto, docker, bubblewrap, landlock"):
        choose("none")


def fake_bwrap(folder: Path, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts a bwrap first on the PATH that fails as one does on another machine."""
    program = folder / "bwrap"
    program.write_text(
        "#!/bin/sh\n"
        'if [ "$1" = --version ]; then echo bubblewrap 0.9.0; exit; fi\n'
        f'echo "bwrap: {words}" >&2\nexit 1\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        ("setting up uid map: Permission denied", "apparmor_restrict_unprivileged_userns"),
        ("No permissions to create new namespace, likely because...", "default Docker container"),
        ("No permissions to creating new namespace, likely...", "default Docker container"),
        ("Creating new namespace failed: No space left on device", "user.max_user_namespaces"),
    ],
)
def test_where_namespaces_are_refused_the_name_fails_with_advice_and_auto_goes_on(
    words: str, advice: str, monkeypatch: pytest.MonkeyPatch, reachable: Path
) -> None:
    fake_bwrap(reachable, words, monkeypatch)
    with pytest.raises(NoSandbox) as refusal:
        choose("bubblewrap")
    assert words in str(refusal.value)
    assert advice in str(refusal.value)
    assert all(isinstance(finding, Finding) for finding in refusal.value.findings)
    assert choose("auto").kind == "landlock"


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        ("the inner wall: Landlock: Function not implemented", "5.13"),
        ("the inner wall: seccomp: Invalid argument", "CONFIG_SECCOMP_FILTER"),
        ("a box could not be started: Operation not permitted", "CAP_SETUID"),
        ("a box could not be started: Permission denied", "noexec"),
        ("something else", "SANDBOX names another"),
    ],
)
def test_a_box_that_does_not_start_gets_the_advice_that_fits(words: str, advice: str) -> None:
    assert advice in remedy_for_start(words)


def test_where_nothing_holds_every_back_end_says_why(
    monkeypatch: pytest.MonkeyPatch, reachable: Path, tmp_path: Path
) -> None:
    fake_bwrap(reachable, "setting up uid map: Permission denied", monkeypatch)
    (tmp_path / "file").touch()
    monkeypatch.setenv("SANTASE_RUNTIME", str(tmp_path / "file" / "runtime"))
    with pytest.raises(NoSandbox, match="no uploaded bot is run") as refusal:
        choose("auto")
    assert "Set SANTASE_RUNTIME to a folder" in str(refusal.value)
