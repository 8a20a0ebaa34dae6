"""The app `ratings`."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Standings."""

    name = "ratings"
    default_auto_field = "django.db.models.BigAutoField"
