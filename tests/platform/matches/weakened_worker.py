"""A worker around which walls are missing: `weakened_worker.py NAME KIND WALLS`, these as JSON.

It is the platform's own worker in everything but the walls that its doctor is told to look at.
"""

import json
import os
import sys
from typing import Any

from celery.signals import celeryd_after_setup

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def main() -> None:
    """Runs until it is ended."""
    import django

    django.setup()

    from arena.sandbox.doctor import examine
    from arena.sandbox.launched import Walls
    from config import celery_app
    from matches import health

    name, kind, walls = sys.argv[1], sys.argv[2], Walls(**json.loads(sys.argv[3]))

    def open_with_walls_missing(sender: str, instance: Any, **_: Any) -> None:
        health.act_on(sender, instance, 1, examine(kind, 1, walls))

    celeryd_after_setup.disconnect(health.open_for_play)
    celeryd_after_setup.connect(open_with_walls_missing, weak=False)
    celery_app.worker_main(
        ["worker", "-n", name, "-Q", "upkeep,validation,matches", "-c", "1", "-l", "WARNING",
         "--without-gossip", "--without-mingle"]
    )  # fmt: skip


if __name__ == "__main__":
    main()
