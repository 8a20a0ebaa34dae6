"""The platform's configuration: settings, Celery, ASGI and WSGI, URLs, the embedded broker."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
