"""`manage.py audit`: the books proven."""

import sys
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.audit import SAMPLE, audit_and_keep
from tournaments.errors import AuditRunning

_INTERRUPTED = 130
_EVERY_S = 0.2


class Command(BaseCommand):
    """Prints every discrepancy and how many there are; exit 1 where there are any.

    Of very many the first are printed, and how many more there are.
    """

    help = "Prove all sums, states, seeds, rulings and replays; print the discrepancies."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How much is looked at."""
        parser.add_argument(
            "--replays", type=int, default=SAMPLE, help="how many are proven, drawn at random"
        )
        parser.add_argument("--all", action="store_true", help="prove every replay")

    def handle(self, *args: Any, replays: int, all: bool, **options: Any) -> None:
        """Audits."""
        self._shown_at = 0.0
        try:
            run = audit_and_keep(self._tick, None if all else max(0, replays))
        except KeyboardInterrupt:
            self.stderr.write("stopped: what was found so far is kept, see the admin")
            sys.exit(_INTERRUPTED)
        except AuditRunning as error:
            raise CommandError(str(error), returncode=2) from error
        for line in run.found:
            self.stdout.write(line)
        if run.left_out:
            self.stdout.write(f"… and {run.left_out:,} more")
        looked_at = ", ".join(f"{count:,} {what}" for what, count in run.checked.items())
        self.stdout.write(f"looked at {looked_at or 'nothing: there is nothing yet'}")
        self.stdout.write(f"{run.discrepancies} discrepancies")
        if run.discrepancies:
            sys.exit(1)

    def _tick(self, what: str, done: int, of: int) -> None:
        now = time.monotonic()
        if now - self._shown_at > _EVERY_S and self.stderr.isatty():
            self._shown_at = now
            self.stderr.write(f"\r{what}: {done:,} of {of:,}   \r", ending="")
            self.stderr.flush()
