"""`manage.py tournament create|list|start|pause`."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from arena.santase import PRESETS
from bots.models import Bot
from bots.names import name_key
from bots.queries import newest_accepted
from tournaments import services
from tournaments.errors import TournamentError
from tournaments.models import Tournament
from tournaments.options import default_limits, options
from tournaments.queries import progress

_USAGE = 2


class Command(BaseCommand):
    """Makes, lists, starts and pauses tournaments. Wrong options: exit 2 and what to do."""

    help = "Make, list, start and pause tournaments."

    def add_arguments(self, parser: CommandParser) -> None:
        """One sub-command each."""
        commands = parser.add_subparsers(dest="what", required=True, metavar="COMMAND")
        _add_create(commands.add_parser("create", help="make a tournament"))
        commands.add_parser("list", help="show all tournaments")
        for what, text in (("start", "start it, or go on"), ("pause", "add nothing more")):
            commands.add_parser(what, help=text).add_argument("slug", help="its address")

    def handle(self, *args: Any, what: str, **given: Any) -> None:
        """Does one of them."""
        try:
            match what:
                case "create":
                    self._create(given)
                case "list":
                    self._list()
                case "start":
                    services.start(_named(given["slug"]))
                    self.stdout.write(f"{given['slug']} is running")
                case _:
                    services.pause(_named(given["slug"]))
                    self.stdout.write(f"{given['slug']} is paused: what is queued is still played")
        except TournamentError as error:
            raise CommandError(str(error), returncode=_USAGE) from error

    def _create(self, given: dict[str, Any]) -> None:
        made_from = options(
            given["name"],
            slug=given["slug"],
            preset=given["rules"],
            limits=_limits(given["limit"]),
            pairs=given["pairs"],
            cycles=given["cycles"],
            open=given["open"],
        )
        versions = _versions(given["bots"])
        tournament = services.create_tournament(made_from)
        services.enter(tournament, versions)
        if given["start"]:
            services.start(tournament)
        self.stdout.write(
            f"{tournament.slug}: {len(versions)} entries, commitment {tournament.commitment}"
        )
        if len(versions) < 2:
            self.stdout.write("it waits for a second entry before it plays")
        if not given["start"]:
            self.stdout.write(f"`manage.py tournament start {tournament.slug}` starts it")

    def _list(self) -> None:
        tournaments = Tournament.objects.all()
        for tournament in tournaments:
            now = progress(tournament)
            self.stdout.write(
                f"{tournament.slug:<20} {now.state.value:<20} {now.entries:>4} entries "
                f"{now.done:>9,} of {now.total:,} matches"
            )
        if not tournaments:
            self.stdout.write("there is no tournament (`manage.py tournament create NAME`)")


def _add_create(parser: ArgumentParser) -> None:
    parser.add_argument("name", help="what it is called")
    parser.add_argument("--slug", default="", help="its address (default: from the name)")
    parser.add_argument("--rules", default="santase-bg", choices=list(PRESETS), help="rule set")
    parser.add_argument("--pairs", type=int, default=10, help="mirrored pairs a pairing")
    parser.add_argument("--cycles", type=int, default=1, help="how often everybody meets everybody")
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
    chosen = list(Bot.objects.all()) if bots == ["all"] else [_bot(given) for given in bots]
    versions = []
    for bot in chosen:
        version = newest_accepted(bot)
        if version is not None:
            versions.append(version.pk)
        elif bots != ["all"]:
            raise CommandError(f"{bot.name} has no accepted version", returncode=_USAGE)
    return versions


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
