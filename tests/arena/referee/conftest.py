import pytest
from referee_kit import KINDS, Table, table


@pytest.fixture(scope="session")
def at_table() -> Table:
    return table()


@pytest.fixture(params=KINDS)
def anywhere(request: pytest.FixtureRequest) -> Table:
    """A table in each of the sandboxes."""
    return table(request.param)
