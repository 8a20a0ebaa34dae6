"""The tasks of ratings: thin."""

from celery import shared_task

from ratings import services


@shared_task
def refit_all() -> None:
    """Refits the standings whose results have changed."""
    services.refit_all()
