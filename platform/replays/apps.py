"""The app `replays`."""

from django.apps import AppConfig


class ReplaysConfig(AppConfig):
    """Replay files."""

    name = "replays"
    default_auto_field = "django.db.models.BigAutoField"
