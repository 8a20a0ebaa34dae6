"""The tasks of bots: thin."""

from celery import shared_task

from bots import pausing, services


@shared_task
def validate_version(version_id: int) -> None:
    """Validates an upload; delivered twice, the second finds nothing to do."""
    from bots.validation import validate

    validate(version_id)


@shared_task
def sweep() -> None:
    """Sends lost validations again."""
    services.sweep()


@shared_task
def tell_owner_of_pause(version_id: int) -> None:
    """Writes to the owner of a version that is paused."""
    pausing.tell_owner(version_id)
