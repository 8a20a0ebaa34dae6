"""The ASGI application, for uvicorn: `uvicorn config.asgi:application --app-dir platform`."""

import os

from django.conf import settings
from django.core.asgi import get_asgi_application

from web.body_cap import BodyCap

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

_FORM_BYTES = 1_000_000
"""Room for what is sent beside an uploaded file."""

_django = get_asgi_application()

application = BodyCap(
    _django, 1_000 * max(settings.UPLOAD_MAX_PY_KB, settings.UPLOAD_MAX_ZIP_KB) + _FORM_BYTES
)
