"""The app `accounts`."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Users."""

    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"
