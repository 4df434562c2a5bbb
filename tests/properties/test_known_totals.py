"""Cached results of filters equal new ones, whatever has been written in between."""

from __future__ import annotations

from random import Random

import pytest

from conftest import Client, Stand
from vetrina.backends import filter_cache
from vetrina.backends.filter_cache import FilterCache

QUERIES = (
    "search=mela", "search=mela&orderby=relevance", "search=ela%20per&orderby=relevance", "search=-mela", "search=la",
    "categories={term}", "categories={term},1", "categories={term}&orderby=title", "categories_exclude={term}",
    "tags={tag}", "tags_exclude={tag}", "categories={term}&tags={tag}&tax_relation=OR", "search=pera&categories={term}",
    "format=video", "format=standard", "format=video,standard", "sticky=true", "sticky=false", "exclude={post}",
    "author_exclude=1", "author=1&orderby=title", "after=2020-01-01T00:00:00&orderby=title", "status=draft,publish",
    "before=2020-01-01T00:00:00", "modified_after=2020-01-01T00:00:00&orderby=slug", "search=mela&status=draft",
)  # fmt: skip


@pytest.mark.every_database
@pytest.mark.parametrize("seed", range(3))
def test_what_is_remembered_is_what_is_found_anew(
    site: Stand, admin: Client, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So that every path is covered with few records: listed, stored as bits, too many changes.
    monkeypatch.setattr(filter_cache, "MAX_LISTED_IDS", 3)
    monkeypatch.setattr(filter_cache, "_MAX_CHANGES", 6)
    random, remembering = Random(seed), site.site.frame.filter_cache
    names = {
        "term": admin.post("/cms/v2/categories", {"name": "Una"}).json["id"],
        "tag": admin.post("/cms/v2/tags", {"name": "Due"}).json["id"],
        "post": 0,
    }
    posts: list[int] = []
    for _ in range(25):
        for _ in range(random.choice((1, 1, 2, 8))):
            _write(random, admin, posts, names)
        names["post"] = random.choice(posts or [1])
        for query in random.sample(QUERIES, 6):
            target = f"/cms/v2/posts?per_page=5&_fields=id&{query.format(**names)}"
            known = admin.get(target)
            object.__setattr__(site.site.frame, "matches", FilterCache())
            anew = admin.get(target)
            object.__setattr__(site.site.frame, "matches", remembering)
            assert (known.status, known.json) == (anew.status, anew.json), query
            assert known.headers.get("x-cms-total") == anew.headers.get("x-cms-total"), query


def _write(random: Random, admin: Client, posts: list[int], names: dict[str, int]) -> None:
    members = {
        "title": " ".join(random.choices(("mela", "pera", "zucca"), k=2)),
        "content": random.choice(("", "mela pera", "una vela")),
        "status": random.choice(("publish", "publish", "draft")),
        "format": random.choice(("standard", "video")),
        "sticky": random.random() < 0.2,
        "categories": random.choice(([1], [names["term"]], [1, names["term"]])),
        "tags": random.choice(([], [names["tag"]])),
        "date": random.choice(("2019-05-01T10:00:00", "2024-05-01T10:00:00")),
    }
    turn = random.random()
    if not posts or turn < 0.5:
        posts.append(admin.post("/cms/v2/posts", members).json["id"])
    elif turn < 0.8:
        admin.post(f"/cms/v2/posts/{random.choice(posts)}", members)
    elif turn < 0.95:
        admin.delete(f"/cms/v2/posts/{posts.pop(random.randrange(len(posts)))}", query={"force": True})
    else:
        admin.delete(f"/cms/v2/tags/{names['tag']}", query={"force": True})
        names["tag"] = admin.post("/cms/v2/tags", {"name": f"Due {turn}"}).json["id"]
