"""`manage.py up`: the whole platform on this machine, until Ctrl-C."""

import os
import shlex
import sys
import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone

from config import broker
from config.errors import BrokerNotFound, ConfigError
from config.stack.plan import broker_part, environment, free_port, web_part, worker_parts
from config.stack.seed import DemoLogin, seed
from config.stack.stack import Stack
from config.stack.status import StatusLine

_UNFIT = 4


class Command(BaseCommand):
    """Broker, database, web, workers and beat, started in order and stopped in reverse."""

    help = "Run the whole platform on this machine: broker, web, workers, beat. Ctrl-C stops it."
    requires_system_checks = []  # said once by migrate

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to serve, how many matches at once."""
        parser.add_argument("--host", default="127.0.0.1", help="address to serve at")
        parser.add_argument(
            "--port", type=int, default=8000, help="the port, else the next free one"
        )
        parser.add_argument(
            "--slots", type=int, default=settings.WORKER_SLOTS, help="matches played at once"
        )

    def handle(self, *args: Any, host: str, port: int, slots: int, **options: Any) -> None:
        """Runs until a signal comes. Exit 1 where a part fails, 4 where there is no broker."""
        if not 0 < port < 65_536:
            raise CommandError(f"--port {port}: a port is 1 to 65535", returncode=2)
        if not 0 < slots <= 256:
            raise CommandError(f"--slots {slots}: 1 to 256 matches at once", returncode=2)
        settings.STATE.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            self._run(host, port, slots)
        except BrokerNotFound as error:
            raise CommandError(str(error), returncode=_UNFIT) from error
        except ConfigError as error:
            raise CommandError(str(error)) from error

    def _run(self, host: str, wanted_port: int, slots: int) -> None:
        port = free_port(host, wanted_port)
        line = StatusLine(f"http://{host}:{port}/")
        with Stack(settings.STATE, environment(), line.say) as stack:
            if port != wanted_port:
                line.say(f"Port {wanted_port} is in use: {port} is taken instead.")
            started_at = timezone.now()
            own_broker = broker_part()
            if own_broker is not None:
                stack.start(own_broker)
            call_command("migrate", verbosity=0, interactive=False)
            login = seed()
            connection.close()
            stack.start(web_part(host, port))
            for part in worker_parts(slots, started_at):
                stack.start(part)
            if not stack.stopping:
                line.say(_welcome(host, port, login, stack))
            while not stack.stopping:
                stack.tend()
                line.show()
                time.sleep(0.2)
            line.say("")
        broker.clear_up(settings.STATE)
        line.say("Stopped. `manage.py up` goes on where this ended.")


def _welcome(host: str, port: int, login: DemoLogin, stack: Stack) -> str:
    return f"""
Santase Arena runs at  http://{host}:{port}/
  demo login           {login.name}, password {login.password}  (kept in {settings.STATE})
  first staff account  {_manage()} createsuperuser
  log                  {stack.log_path}
Ctrl-C stops it in order; twice kills.
"""


def _manage() -> str:
    """How to call `manage.py` with this very interpreter, from the folder we were started in."""
    here = os.getcwd()
    words = [_short(sys.executable, here), _short(str(settings.ROOT / "manage.py"), here)]
    state = os.environ.get("SANTASE_STATE")
    environment = [f"SANTASE_STATE={shlex.quote(state)}"] if state else []
    return " ".join([*environment, *map(shlex.quote, words)])


def _short(path: str, folder: str) -> str:
    """The path relative to the folder, where it lies in it."""
    return os.path.relpath(path, folder) if path.startswith(folder + os.sep) else path
