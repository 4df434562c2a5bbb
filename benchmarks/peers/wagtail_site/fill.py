"""Makes the database and the posts of a JSON file: `python -m wagtail_site.fill POSTS.json`."""

import json
import sys
from pathlib import Path

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.utils.dateparse import parse_datetime  # noqa: E402
from django.utils.timezone import make_aware  # noqa: E402
from wagtail.models import Page  # noqa: E402

from .models import Post  # noqa: E402

call_command("migrate", verbosity=0)
home = Page.objects.get(depth=2)
for post in json.loads(Path(sys.argv[1]).read_text()):
    made = {name: post[name] for name in ("title", "slug", "content", "excerpt")}
    home.add_child(instance=Post(**made, date=make_aware(parse_datetime(post["date"]))))
call_command("update_index", verbosity=0)
