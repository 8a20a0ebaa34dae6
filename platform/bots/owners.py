"""Accounts that may be one person: a list for the organisers, who decide what it means."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef

from accounts.models import User
from bots.models import Bot, Version

_DOTS_DO_NOT_COUNT = frozenset({"gmail.com", "googlemail.com"})


@dataclass(frozen=True, slots=True)
class SharedAddress:
    """Accounts with one e-mail address, however it is written."""

    address: str
    owners: list[User]


@dataclass(frozen=True, slots=True)
class SharedUpload:
    """One file, sent in by several owners."""

    sha256: str
    versions: list[Version]


def one_address(email: str) -> str:
    """An address in one form: case, a tag behind "+", and what Gmail ignores, taken away."""
    name, at, host = email.strip().lower().rpartition("@")
    if not at:
        return ""
    name = name.partition("+")[0]
    if host in _DOTS_DO_NOT_COUNT:
        name, host = name.replace(".", ""), "gmail.com"
    return f"{name}@{host}"


def shared_addresses() -> list[SharedAddress]:
    """Accounts with bots that share an address. One query."""
    groups: dict[str, list[User]] = defaultdict(list)
    playing = User.objects.filter(Exists(Bot.objects.filter(owner=OuterRef("pk"))))
    for user in playing.exclude(email="").only("username", "email").order_by("pk"):
        groups[one_address(user.email)].append(user)
    return [
        SharedAddress(address, owners)
        for address, owners in sorted(groups.items())
        if address and len(owners) > 1
    ]


def shared_uploads(known: Collection[str] = ()) -> list[SharedUpload]:
    """Files that several owners have sent in, but for house bots and `known` examples."""
    house = Version.objects.filter(bot__house=True).values("sha256")
    several = (
        Version.objects.exclude(sha256__in=house)
        .exclude(sha256__in=known)
        .values("sha256")
        .annotate(owners=Count("bot__owner", distinct=True))
        .filter(owners__gt=1)
        .order_by()
        .values("sha256")
    )
    groups: dict[str, list[Version]] = defaultdict(list)
    for version in (
        Version.objects.filter(sha256__in=several).select_related("bot__owner").order_by("pk")
    ):
        groups[version.sha256].append(version)
    return [SharedUpload(sha256, versions) for sha256, versions in groups.items()]
