"""The user."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """A person (or the house) who owns bots."""
