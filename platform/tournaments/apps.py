"""The app `tournaments`."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Tournaments and the pump."""

    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Subscribes to what the rooms below announce."""
        from tournaments import receivers  # noqa: F401  its receivers connect on import
