"""The Celery app; its settings are the `CELERY_…` lines of settings.py."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Before numpy is imported: on cores that matches keep busy, two threads of a refit wait for one
# another and take four times as long as one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

app = Celery("santase")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
