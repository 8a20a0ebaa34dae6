"""What is booked from now on knows its luck; of what was booked before it stays unknown."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0003_disputes_and_rulings")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="luck",
            field=models.FloatField(blank=True, null=True),
        ),
    ]
