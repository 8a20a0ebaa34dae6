"""The app `matches`."""

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    """Pairings and matches."""

    name = "matches"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connects what a worker says of itself."""
        from matches import health  # noqa: F401  its receivers connect on import
