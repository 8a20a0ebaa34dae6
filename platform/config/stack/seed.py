"""What a fresh installation holds: signing key, house bots, their tournament, a demo login."""

from dataclasses import dataclass

from django.conf import settings

from accounts.services import demo_account
from bots.house import upload_house_bots
from config.secret_key import kept_secret
from replays.store import keyring
from tournaments.house import ensure_house_tournament

DEMO = "demo"
_PASSWORD_BYTES = 9


@dataclass(frozen=True, slots=True)
class DemoLogin:
    """The demo account; its password was drawn at first start and lies in the state folder."""

    name: str
    password: str


def seed() -> DemoLogin:
    """Makes what is missing; at a later start nothing."""
    keyring()
    ensure_house_tournament()
    upload_house_bots()
    password = kept_secret(settings.STATE / "demo.password", _PASSWORD_BYTES)
    demo_account(DEMO, password)
    return DemoLogin(DEMO, password)
