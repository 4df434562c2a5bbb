"""The table of posts, beside Wagtail's own, whose search needs what its migrations make."""

import django.db.models.deletion
import wagtail.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    dependencies = [("wagtailcore", "__latest__")]
    operations = [
        migrations.CreateModel(
            name="Post",
            fields=[
                (
                    "page_ptr",
                    models.OneToOneField(
                        auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True,
                        primary_key=True, serialize=False, to="wagtailcore.page",
                    ),
                ),
                ("content", wagtail.fields.RichTextField()),
                ("excerpt", models.TextField(blank=True)),
                ("date", models.DateTimeField(db_index=True)),
            ],
            options={"abstract": False},
            bases=("wagtailcore.page",),
        )
    ]  # fmt: skip
