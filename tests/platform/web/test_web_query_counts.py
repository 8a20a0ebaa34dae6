from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from web_table import Table, accepted, bots_named

from accounts.models import User
from matches.models import Match
from tournaments.models import Entry

ADDRESSES = [
    "/",
    "/tournaments/autumn/",
    "/matches/",
    "/bots/",
    "/bots/{bot}/",
    "/matches/{match}/",
]


def queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


def more_of_everything(table: Table) -> None:
    """Forty more bots in the tournament, and many more matches."""
    newcomers = bots_named(table.boris, 40)
    for bot in newcomers:
        Entry.objects.create(tournament=table.tournament, version=bot.versions.get())
    matches = list(Match.objects.filter(pairing=table.pairing))
    Match.objects.bulk_create(copy_of(match, pair) for pair in range(1, 60) for match in matches)


def copy_of(match: Match, pair: int) -> Match:
    fields = {
        field.attname: getattr(match, field.attname)
        for field in Match._meta.concrete_fields
        if not field.primary_key
    }
    return Match(**{**fields, "pair": pair})


@pytest.fixture
def counts(table: Table) -> Callable[[], dict[str, int]]:
    match = table.match.pk

    def count() -> dict[str, int]:
        client = Client()
        return {
            address: queries(client, address.format(bot=table.good.bot_id, match=match))
            for address in ADDRESSES
        }

    return count


def test_fc136_more_bots_and_matches_cost_no_more_queries(table: Table, counts):
    before = counts()
    more_of_everything(table)
    assert counts() == before
    assert max(before.values()) <= 20


def test_own_bots_are_listed_in_a_fixed_number_of_queries(as_ada: Client, ada: User):
    accepted(ada, "first", "print(1)\n")
    before = queries(as_ada, "/bots/mine/")
    bots_named(ada, 10)
    assert queries(as_ada, "/bots/mine/") == before
