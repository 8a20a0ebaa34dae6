"""`manage.py tournament create|list|start|pause|resume|freeze|unfreeze|cancel|enter|withdraw`."""

import json
import re
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.db.models import Q

from arena.santase import PRESETS
from bots.models import Bot, Version
from bots.names import name_key
from bots.queries import newest_accepted
from tournaments import services
from tournaments.errors import TournamentError
from tournaments.models import Tournament, TournamentFormat
from tournaments.options import MOST_PAIRS, default_limits, options, question_of
from tournaments.queries import progress

_USAGE = 2


class Command(BaseCommand):
    """Makes, lists and steers tournaments. What cannot be done: exit 2 and what to do."""

    help = "Make, list and steer tournaments."

    def add_arguments(self, parser: CommandParser) -> None:
        """One sub-command each."""
        commands = parser.add_subparsers(dest="what", required=True, metavar="COMMAND")
        _add_create(commands.add_parser("create", help="make a tournament"))
        commands.add_parser("list", help="show all tournaments")
        for what, step in _STEPS.items():
            commands.add_parser(what, help=step.help).add_argument("slug", help="its address")
        for what, text in (
            ("enter", "enter bots, or versions as “NAME v3”"),
            ("withdraw", "take bots or versions out; what they have played stays"),
        ):
            parser = commands.add_parser(what, help=text)
            parser.add_argument("slug", help="its address")
            parser.add_argument("bots", nargs="+", metavar="BOT", help="names or ids of bots")

    def handle(self, *args: Any, what: str, **given: Any) -> None:
        """Does one of them."""
        try:
            match what:
                case "create":
                    self._create(given)
                case "list":
                    self._list()
                case "enter":
                    entered = services.enter(_named(given["slug"]), _versions(given["bots"]))
                    self.stdout.write(f"{entered} entered {given['slug']}")
                case "withdraw":
                    self._withdraw(_named(given["slug"]), given["bots"])
                case _:
                    step = _STEPS[what]
                    step.do(_named(given["slug"]))
                    self.stdout.write(f"{given['slug']} {step.done}")
        except TournamentError as error:
            raise CommandError(str(error), returncode=_USAGE) from error

    def _create(self, given: dict[str, Any]) -> None:
        challenger = given["challenger"]
        made_from = options(
            given["name"],
            slug=given["slug"],
            preset=given["rules"],
            limits=_limits(given["limit"]),
            pairs=given["pairs"],
            cycles=given["cycles"],
            open=given["open"],
            format=given["format"],
            challenger=None if challenger is None else _version(challenger),
            question=question_of(given["elo0"], given["elo1"], given["alpha"], given["beta"]),
            max_pairs=given["max_pairs"],
        )
        versions = _versions(given["bots"])
        with transaction.atomic():
            tournament = services.create_tournament(made_from)
            services.enter(tournament, versions)
            if given["start"]:
                services.start(tournament)
        entries = tournament.entries.filter(withdrawn_at=None).count()
        self.stdout.write(f"{tournament.slug}: {entries} entries, {_commitment(tournament)}")
        if entries < 2:
            self.stdout.write("it waits for a second entry before it plays")
        if not given["start"]:
            self.stdout.write(f"`manage.py tournament start {tournament.slug}` starts it")

    def _list(self) -> None:
        tournaments = Tournament.objects.all()
        for tournament in tournaments:
            now = progress(tournament)
            of = "" if now.total is None else f"of {now.total:,} "
            frozen = ", entries frozen" if tournament.frozen else ""
            self.stdout.write(
                f"{tournament.slug:<20} {tournament.format:<12} {now.state.value:<20} "
                f"{now.entries:>4} entries {now.done:>9,} {of}matches{frozen}"
            )
        if not tournaments:
            self.stdout.write("there is no tournament (`manage.py tournament create NAME`)")

    def _withdraw(self, tournament: Tournament, bots: list[str]) -> None:
        """All versions of the bots named, or the versions named."""
        out = 0
        for given in bots:
            named = _numbered(given)
            wanted = Q(version=named) if named else Q(version__bot=_bot(given))
            there = tournament.entries.filter(wanted, withdrawn_at=None)
            for version_id in list(there.values_list("version_id", flat=True)):
                out += services.withdraw(tournament, version_id)
        self.stdout.write(f"{out} withdrawn from {tournament.slug}")


@dataclass(frozen=True, slots=True)
class _Step:
    """A step that takes a tournament's address and nothing else."""

    do: Callable[[Tournament], None]
    help: str
    done: str


_STEPS = {
    "start": _Step(services.start, "start it, or go on", "is running"),
    "pause": _Step(services.pause, "add nothing more", "is paused: what is queued is still played"),
    "resume": _Step(services.resume, "go on after a pause", "is running"),
    "freeze": _Step(services.freeze, "let nobody enter", "is frozen: nobody enters"),
    "unfreeze": _Step(services.unfreeze, "take in entries again", "takes in entries"),
    "cancel": _Step(services.cancel, "end it for good", "is cancelled: what was played stays"),
}


def _commitment(tournament: Tournament) -> str:
    first = tournament.periods.order_by("day").first()
    if first is None:
        return f"commitment {tournament.commitment}"
    return f"commitment of {first.day} {first.commitment}"


def _add_create(parser: ArgumentParser) -> None:
    parser.add_argument("name", help="what it is called")
    parser.add_argument("--slug", default="", help="its address (default: from the name)")
    parser.add_argument("--rules", default="santase-bg", choices=list(PRESETS), help="rule set")
    parser.add_argument(
        "--format",
        default=TournamentFormat.ROUND_ROBIN.value,
        help=f"one of {', '.join(TournamentFormat.values)}",
    )
    parser.add_argument(
        "--challenger", metavar="BOT", help="gauntlet, sequential: which version it is about"
    )
    parser.add_argument("--pairs", type=int, help="mirrored pairs a pairing: 10, on a ladder 1")
    parser.add_argument("--cycles", type=int, default=1, help="how often everybody meets everybody")
    for name, text in (
        ("--elo0", "sequential: a lead that is not enough, in Elo: 0"),
        ("--elo1", "sequential: a lead that is: 20"),
        ("--alpha", "sequential: how often a yes may be wrong: 0.05"),
        ("--beta", "sequential: how often a no may be wrong: 0.05"),
    ):
        parser.add_argument(name, type=float, help=text)
    parser.add_argument("--max-pairs", type=int, help=f"sequential: pairs at most: {MOST_PAIRS:,}")
    parser.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="a limit that differs from its default (" + ", ".join(default_limits()) + ")",
    )
    parser.add_argument("--open", action="store_true", help="accepted versions enter by themselves")
    parser.add_argument(
        "--bots", nargs="*", default=[], metavar="BOT", help="bots' names or ids; “all” for all"
    )
    parser.add_argument("--start", action="store_true", help="start it at once")


def _limits(changes: list[str]) -> dict[str, Any]:
    limits = default_limits()
    for change in changes:
        name, separator, value = change.partition("=")
        if not separator or name not in limits:
            raise CommandError(
                f"--limit {change}: write NAME=NUMBER with one of {', '.join(limits)}",
                returncode=_USAGE,
            )
        try:
            limits[name] = json.loads(value)
        except ValueError as error:
            raise CommandError(
                f"--limit {change}: {value!r} is no number", returncode=_USAGE
            ) from error
    return limits


def _versions(bots: list[str]) -> list[int]:
    if bots == ["all"]:
        newest = (newest_accepted(bot) for bot in Bot.objects.all())
        return [version.pk for version in newest if version is not None]
    return [_version(given) for given in bots]


def _version(given: str) -> int:
    """The version named “NAME v3”, or the newest accepted one of the bot named."""
    named = _numbered(given)
    if named is not None:
        return named
    bot = _bot(given)
    newest = newest_accepted(bot)
    if newest is None:
        raise CommandError(f"{bot.name} has no accepted version", returncode=_USAGE)
    return newest.pk


def _numbered(given: str) -> int | None:
    """The id of the version named “NAME v3”, as pages name it; None where it is a bot's name."""
    named = re.fullmatch(r"(.+) v([0-9]{1,9})", given)
    if named is None or Bot.objects.filter(name_key=name_key(given)).exists():
        return None
    version = Version.objects.filter(bot=_bot(named[1]), number=int(named[2])).first()
    if version is None:
        raise CommandError(f"there is no version {given!r}", returncode=_USAGE)
    return version.pk


def _bot(given: str) -> Bot:
    found = Bot.objects.filter(name_key=name_key(given)).first()
    if found is None and given.isascii() and given.isdigit():
        found = Bot.objects.filter(pk=int(given)).first()
    if found is None:
        raise CommandError(f"there is no bot {given!r}", returncode=_USAGE)
    return found


def _named(slug: str) -> Tournament:
    found = Tournament.objects.filter(slug=slug).first()
    if found is None:
        raise CommandError(
            f"there is no tournament at {slug!r} (`manage.py tournament list` shows all)",
            returncode=_USAGE,
        )
    return found
