"""Makes the database and the posts of a JSON file, and prints the token that writes: `python -m …fill POSTS.json`."""

import json
import sys
from pathlib import Path

import django

django.setup()

# Only now: Django's models need its settings to be read.
from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import transaction  # noqa: E402
from django.utils.dateparse import parse_datetime  # noqa: E402
from django.utils.timezone import make_aware  # noqa: E402
from rest_framework.authtoken.models import Token  # noqa: E402

from .models import Category, Post  # noqa: E402

posts = json.loads(Path(sys.argv[1]).read_text())
call_command("migrate", run_syncdb=True, verbosity=0)
with transaction.atomic():
    author = User.objects.create_user("admin")
    numbers = sorted({number for post in posts for number in post["categories"]})
    categories = {number: Category.objects.create(name=f"Category {number}") for number in numbers}
    for post in posts:
        made = {name: post[name] for name in ("title", "slug", "content", "excerpt")}
        stored = Post.objects.create(**made, author=author, date=make_aware(parse_datetime(post["date"])))
        stored.categories.set([categories[number] for number in post["categories"]])
    print(Token.objects.create(user=author).key)
