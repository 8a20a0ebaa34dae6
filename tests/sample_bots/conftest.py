"""For the tests of house bots: their helper can be imported."""

import sys
from collections.abc import Iterator

import pytest

from arena.house import house_folder


@pytest.fixture(autouse=True, scope="module")
def _helper_on_the_path() -> Iterator[None]:
    """The helper stands beside a bot's file when it plays; here it stands one folder up."""
    sys.path.append(str(house_folder()))
    yield
    sys.path.remove(str(house_folder()))
