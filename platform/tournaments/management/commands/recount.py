"""`manage.py recount`: the standings counted again from the replay files."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.models import Tournament
from tournaments.recount import recount


class Command(BaseCommand):
    """Prints the differences between replay files and database; exit 1 where there are any."""

    help = "Count the standings again from the replay files and compare them with the database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which tournaments."""
        parser.add_argument("slug", nargs="*", help="tournaments' addresses; none: all")

    def handle(self, *args: Any, slug: list[str], **options: Any) -> None:
        """Counts."""
        chosen = Tournament.objects.filter(slug__in=slug) if slug else Tournament.objects.all()
        missing = set(slug) - set(chosen.values_list("slug", flat=True))
        if missing:
            raise CommandError(
                f"there is no tournament at {', '.join(sorted(missing))} "
                "(`manage.py tournament list` shows all)",
                returncode=2,
            )
        different = 0
        for tournament in chosen:
            result = recount(tournament)
            different += len(result.differences)
            for line in result.differences:
                self.stdout.write(line)
            self.stdout.write(
                f"{tournament.slug}: {result.matches} matches counted, "
                f"{len(result.differences)} differences"
            )
        if different:
            sys.exit(1)
