import pytest
from django.test import Client
from web_table import CHEAT, ODD_NAME, PLAYER, Table, accepted

from accounts.models import User
from arena.sandbox import NoSandbox
from bots import host
from matches.models import Pairing
from matches.runner import run_pairing
from ratings.services import refit
from tournaments import services as tournaments
from tournaments.options import options
from tournaments.pump import pump


@pytest.fixture(autouse=True)
def celery_app() -> None:
    """No broker is needed: a test's transaction never commits, so nothing is sent."""


@pytest.fixture
def ada(db) -> User:
    return User.objects.create_user("ada", "ada@example.org")


@pytest.fixture
def boris(db) -> User:
    return User.objects.create_user("boris", "boris@example.org")


@pytest.fixture
def as_ada(ada: User) -> Client:
    client = Client()
    client.force_login(ada)
    return client


@pytest.fixture
def as_boris(boris: User) -> Client:
    client = Client()
    client.force_login(boris)
    return client


@pytest.fixture
def table(ada: User, boris: User) -> Table:
    try:
        host.sandbox()
    except NoSandbox as error:
        pytest.skip(str(error))
    good = accepted(ada, ODD_NAME, PLAYER)
    cheat = accepted(boris, "cheat", CHEAT)
    tournament = tournaments.create_tournament(options("Autumn cup", slug="autumn", pairs=1))
    tournaments.enter(tournament, [good.pk, cheat.pk])
    tournaments.start(tournament)
    pump(tournament.pk)
    pairing = Pairing.objects.get(tournament=tournament)
    run_pairing(pairing.pk, "tests")
    refit(tournament.pk)
    pump(tournament.pk)
    pairing.refresh_from_db()
    tournament.refresh_from_db()
    return Table(ada, boris, good, cheat, tournament, pairing)
