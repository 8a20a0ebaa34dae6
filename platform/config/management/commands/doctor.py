"""`manage.py doctor`: whether bots can be run here, and whether the platform is whole."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from arena.commands import doctor
from arena.commands.errors import UsageError
from matches.queries import platform_findings


class Command(BaseCommand):
    """The findings of `santase doctor`, then those of the platform; exit 4 where one fails."""

    help = "Say whether bots can be run here and whether the platform is whole; what to do if not."
    requires_system_checks = []  # what is wrong is to be told here

    def add_arguments(self, parser: ArgumentParser) -> None:
        """As `santase doctor`, with the worker's settings as defaults."""
        parser.add_argument("--sandbox", default=settings.SANDBOX, help="as SANDBOX")
        parser.add_argument(
            "--slots", type=int, default=settings.WORKER_SLOTS, help="matches played at once"
        )
        parser.add_argument("--json", action="store_true", dest="as_json", help="JSON lines")

    def handle(self, *args: Any, sandbox: str, slots: int, as_json: bool, **options: Any) -> None:
        """Looks and prints. Exit 2 for a name that is no sandbox's, 4 where something fails."""
        try:
            code = doctor.run(sandbox, slots, as_json, platform_findings())
        except UsageError as error:
            raise CommandError(str(error), returncode=error.exit_code) from error
        if code:
            sys.exit(code)
