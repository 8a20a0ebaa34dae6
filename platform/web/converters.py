"""Parts of addresses."""

from typing import Final

LARGEST: Final = 2**63 - 1
"""The largest id that a database holds; beyond it SQLite raises instead of finding nothing."""


class RowId:
    """The id of a row; a number that no row can have is no address."""

    regex = "[0-9]{1,19}"

    def to_python(self, value: str) -> int:
        """The id; raises ValueError, which Django takes for "no such address"."""
        number = int(value)
        if number > LARGEST:
            raise ValueError(value)
        return number

    def to_url(self, value: int) -> str:
        """The id as it is written."""
        return str(value)
