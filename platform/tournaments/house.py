"""The house tournament: open, always there, and finite, so that it never fills a disk."""

from bots.models import Bot
from bots.queries import newest_accepted
from tournaments import services
from tournaments.models import Tournament
from tournaments.options import options

SLUG = "house"
PAIRS = 10
CYCLES = 50
"""With three house bots 3,000 matches; each further bot meets everybody as often."""


def ensure_house_tournament() -> Tournament:
    """The house tournament, running; made where there is none."""
    there = Tournament.objects.filter(slug=SLUG).first()
    if there is not None:
        return there
    made = services.create_tournament(
        options("House tournament", slug=SLUG, pairs=PAIRS, cycles=CYCLES, open=True)
    )
    versions = [newest_accepted(bot) for bot in Bot.objects.all()]
    services.enter(made, [version.pk for version in versions if version is not None])
    services.start(made)
    return made
