"""The app `matches`."""

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    """Pairings and matches."""

    name = "matches"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connects what a worker says of itself, and what the room below announces."""
        from matches import health, receivers  # noqa: F401  their receivers connect on import
