import pytest
from referee_kit import Table, table


@pytest.fixture(scope="session")
def at_table() -> Table:
    return table()
