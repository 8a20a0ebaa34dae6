"""For the tests of the sandbox and the referee: an engine for those that are given "docker"."""

import pytest

from arena.sandbox import BoxError, bot_image


@pytest.fixture(scope="session")
def engine() -> str:
    """A container engine with an image for bots, made here: its name."""
    try:
        return bot_image.build()
    except BoxError as error:
        pytest.skip(
            f"no container engine to try the docker sandbox with ({error}); CONTRIBUTING.md says "
            "how to start one for the tests"
        )


@pytest.fixture(autouse=True)
def engine_where_it_is_needed(request: pytest.FixtureRequest) -> None:
    """Tests that are given "docker" need an engine."""
    callspec = getattr(request.node, "callspec", None)
    if callspec and "docker" in callspec.params.values():
        request.getfixturevalue("engine")
