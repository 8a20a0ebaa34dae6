"""The Celery app; its settings are the `CELERY_…` lines of settings.py."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("santase")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
