"""The app `bots`."""

from django.apps import AppConfig


class BotsConfig(AppConfig):
    """Bots and versions."""

    name = "bots"
    default_auto_field = "django.db.models.BigAutoField"
