"""The three outcomes of pairs in the standings, and whether the next row is separable."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def refit_soon(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Standings are computed from results: the next refit writes the new columns."""
    apps.get_model("ratings", "Snapshot").objects.update(basis="")


class Migration(migrations.Migration):
    """Columns of `Rating`."""

    dependencies = [("ratings", "0001_initial")]

    operations = [
        migrations.RemoveField(model_name="rating", name="pairs"),
        migrations.AddField(
            model_name="rating",
            name="separable",
            field=models.BooleanField(default=True),
            preserve_default=False,
        ),
        *(
            migrations.AddField(
                model_name="rating",
                name=name,
                field=models.PositiveIntegerField(default=0),
                preserve_default=False,
            )
            for name in ("pairs_won", "pairs_split", "pairs_lost")
        ),
        migrations.RunPython(refit_soon, migrations.RunPython.noop),
    ]
