"""A hardened worker container without an engine: the `landlock` back-end holds in it."""

import json
import site
import sys
from pathlib import Path

import docker
import pytest

from arena.sandbox import runtime

ROOT = Path(__file__).parents[3]

PROBE = """
import json
from arena.sandbox.bubblewrap import BubblewrapSandbox
from arena.sandbox.landlock import LandlockSandbox
for sandbox in LandlockSandbox(), BubblewrapSandbox():
    found = sandbox.probe()
    print(json.dumps([[each.name, each.ok, each.what + each.remedy] for each in found]))
"""


@pytest.fixture
def findings(engine: str) -> list[list[tuple[str, bool, str]]]:
    """What landlock's and bubblewrap's probes find in the container of docs/how-to."""
    copy = runtime.ready()
    client = docker.from_env()
    try:
        said = client.containers.run(
            engine,
            ["-c", PROBE],
            entrypoint=[f"/{copy.python}"],
            user="10001:10001",
            cap_drop=["ALL"],
            security_opt=["no-new-privileges:true"],
            read_only=True,
            network_mode="none",
            tmpfs={"/tmp": "", "/runtime": "exec,mode=1777"},
            volumes=[
                f"{ROOT / 'arena'}:/app/arena:ro",
                *(f"{folder}:/site{place}:ro" for place, folder in enumerate(_packages())),
            ],
            environment={
                "LD_LIBRARY_PATH": f"/{copy.libraries}",
                "PYTHONPATH": ":".join(
                    ["/app", *(f"/site{place}" for place in range(len(_packages())))]
                ),
                "SANTASE_RUNTIME": "/runtime",
                "PATH": "/usr/bin",
            },
            remove=True,
        )
    finally:
        client.close()
    return [json.loads(line) for line in said.splitlines()]


def _packages() -> list[str]:
    return [folder for folder in site.getsitepackages() if folder.startswith(sys.prefix)]


def test_landlock_holds_in_a_hardened_container_and_bubblewrap_says_why_it_does_not(
    findings: list[list[tuple[str, bool, str]]],
) -> None:
    landlock, bubblewrap = findings
    assert [finding for finding in landlock if not finding[1]] == []
    assert len(landlock) > 10
    assert not any(ok for _, ok, _ in bubblewrap)
    assert any("Use the landlock sandbox" in words for _, _, words in bubblewrap), bubblewrap
