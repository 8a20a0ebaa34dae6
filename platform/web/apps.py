"""The app of the pages."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """Holds no models: templates, static files and views."""

    name = "web"
