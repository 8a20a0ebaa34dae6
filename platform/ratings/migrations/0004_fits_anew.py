"""Fits are packed in another way: the next refit writes them anew."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def drop_fits(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """What they hold is computed from results, and so is the history, which begins anew."""
    for name in ("Fit", "Change"):
        apps.get_model("ratings", name).objects.all().delete()
    apps.get_model("ratings", "Snapshot").objects.update(basis="")


class Migration(migrations.Migration):
    """No change of tables."""

    dependencies = [("ratings", "0003_fits_changes_audits")]

    operations = [migrations.RunPython(drop_fits, migrations.RunPython.noop)]
