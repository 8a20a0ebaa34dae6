#!/usr/bin/env python
"""Django's door: `python manage.py up` runs the whole platform on this machine."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent


def main() -> None:
    """Runs one management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # Appended: in front, a folder there could shadow a module of the standard library.
    sys.path.append(str(ROOT / "platform"))
    try:
        from django.core.management import execute_from_command_line
    except ImportError as error:
        raise SystemExit(
            f"Django cannot be imported ({error}). Install the platform with `make run`, or with "
            "`pip install -r requirements/platform.txt`, and use that environment's python."
        ) from error
    from django.core.exceptions import ImproperlyConfigured
    from django.db import OperationalError

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        raise SystemExit(str(error)) from None
    except OperationalError as error:
        raise SystemExit(
            f"The database cannot be used: {error}. `python manage.py migrate` makes its tables; "
            "DATABASE_URL or SANTASE_STATE say where it is."
        ) from None


if __name__ == "__main__":
    main()
