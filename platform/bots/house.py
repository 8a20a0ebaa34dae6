"""The house bots as real bots of the house account, uploaded once, and again when they change."""

from accounts.services import house_account
from arena.house import house_bot_files, house_bots, pack
from bots import services
from bots.errors import DuplicateUpload
from bots.models import Bot, Version


def upload_house_bots() -> list[Version]:
    """Uploads every house bot whose files differ from its versions; gives the new versions."""
    house = house_account()
    new = []
    for name in house_bots():
        bot = Bot.objects.filter(owner=house, name=name).first()
        if bot is None:
            bot = services.create_bot(house, name, house=True)
        try:
            new.append(services.submit_version(bot, f"{name}.zip", pack(house_bot_files(name))))
        except DuplicateUpload:
            continue
    return new
