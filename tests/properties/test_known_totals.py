"""Cached results of filters equal new ones, whatever has been written in between."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from conftest import Client, Stand
from vetrina.site import Site

QUERIES = (
    "search=mela", "search=mela&orderby=relevance", "search=ela%20per&orderby=relevance", "search=-mela", "search=la",
    "categories={term}", "categories={term},1", "categories={term}&orderby=title", "categories_exclude={term}",
    "tags={tag}", "tags_exclude={tag}", "categories={term}&tags={tag}&tax_relation=OR", "search=pera&categories={term}",
    "format=video", "format=standard", "format=video,standard", "sticky=true", "sticky=false", "exclude={post}",
    "author_exclude=1", "author=1&orderby=title", "after=2020-01-01T00:00:00&orderby=title", "status=draft,publish",
    "before=2020-01-01T00:00:00", "modified_after=2020-01-01T00:00:00&orderby=slug", "search=mela&status=draft",
)  # fmt: skip


@pytest.fixture
def forgetful(site: Stand) -> Iterator[Client]:
    """Reads the same database by a site of its own, which the test makes forget before each request."""
    context = site.site.context
    other = Site(context.profile, context.settings, context.folder, clock=context.clock, durable=False)
    yield Stand(other).client("admin")
    other.close()


@pytest.mark.in_process("its cache is made small")
@pytest.mark.every_database
@pytest.mark.parametrize("seed", range(3))
def test_what_is_remembered_is_what_is_found_anew(site: Stand, admin: Client, forgetful: Client, seed: int) -> None:
    random, remembered = Random(seed), site.site.context.filter_cache
    # So that every path is covered with few records: listed, stored as bits, too many changes.
    remembered.most_ids, remembered.most_changes = 3, 6
    totals = []
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
            forgetful.site.context.filter_cache.clear()
            anew = forgetful.get(target)
            assert (known.status, known.json) == (200, anew.json), query
            assert known.headers["x-cms-total"] == anew.headers["x-cms-total"], query
            totals.append(int(known.headers["x-cms-total"]))
    # Results of every size were compared: none, those kept as a list, those kept as bits.
    assert min(totals) == 0 < remembered.most_ids < max(totals)


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
        assert admin.post(f"/cms/v2/posts/{random.choice(posts)}", members).status == 200
    elif turn < 0.95:
        gone = posts.pop(random.randrange(len(posts)))
        assert admin.delete(f"/cms/v2/posts/{gone}", query={"force": True}).status == 200
    else:
        assert admin.delete(f"/cms/v2/tags/{names['tag']}", query={"force": True}).status == 200
        names["tag"] = admin.post("/cms/v2/tags", {"name": f"Due {turn}"}).json["id"]
