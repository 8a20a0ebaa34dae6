"""Writes to users: the accounts that the platform itself needs."""

from accounts.models import User

HOUSE = "house"
"""Name of the account that owns the house bots; nobody can log in with it."""


def house_account() -> User:
    """The house's account, made where there is none."""
    user, created = User.objects.get_or_create(username=HOUSE)
    if created:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user


def demo_account(name: str, password: str) -> User:
    """An ordinary account for trying things out, with this password from now on."""
    user, _ = User.objects.get_or_create(username=name)
    if not user.check_password(password):
        user.set_password(password)
        user.save(update_fields=["password"])
    return user
