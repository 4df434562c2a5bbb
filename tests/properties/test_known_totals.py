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


COMMENT_QUERIES = (
    "", "status=hold", "status=all", "status=any", "type=note", "type=all&status=all", "search=mela", "post={post}",
    "post={post}&status=all", "author=1", "author_exclude=1", "parent={comment}", "author_email=admin@example.org",
    "before=2020-01-01T00:00:00", "exclude={comment}", "orderby=date&order=asc",
)  # fmt: skip


@pytest.fixture
def forgetful(site: Stand) -> Iterator[Stand]:
    """The same database as a site of its own, which the test makes forget before each request."""
    context = site.site.context
    other = Site(context.profile, context.settings, context.folder, clock=context.clock, durable=False)
    yield Stand(other)
    other.close()


@pytest.mark.in_process("its cache is made small")
@pytest.mark.every_database
@pytest.mark.parametrize("seed", range(3))
def test_what_is_remembered_is_what_is_found_anew(site: Stand, admin: Client, forgetful: Stand, seed: int) -> None:
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
            anew = forgetful.client("admin").get(target)
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


@pytest.mark.in_process("its cache is made small")
@pytest.mark.every_database
@pytest.mark.parametrize("seed", range(2))
def test_totals_of_comments_are_those_counted_anew(site: Stand, admin: Client, forgetful: Stand, seed: int) -> None:
    random, remembered = Random(seed), site.site.context.filter_cache
    remembered.most_ids, remembered.most_changes = 3, 6
    totals = []
    posts = [admin.post("/cms/v2/posts", {"title": f"Pera {at}", "status": "publish"}).json["id"] for at in range(4)]
    comments: list[int] = []
    for _ in range(25):
        for _ in range(random.choice((1, 1, 2, 8))):
            _write_about(random, admin, posts, comments)
        names = {"post": random.choice(posts), "comment": random.choice(comments or [1])}
        for query in random.sample(COMMENT_QUERIES, 5):
            for caller in ("admin", "editor", "author", ""):
                target = f"/cms/v2/comments?per_page=5&_fields=id&{query.format(**names)}"
                known = site.client(caller).get(target)
                forgetful.site.context.filter_cache.clear()
                anew = forgetful.client(caller).get(target)
                assert (known.status, known.json) == (anew.status, anew.json), (query, caller)
                assert known.headers.get("x-cms-total") == anew.headers.get("x-cms-total"), (query, caller)
                totals.append(int(known.headers.get("x-cms-total", 0)))
    assert min(totals) == 0 < remembered.most_ids < max(totals)


def _write_about(random: Random, admin: Client, posts: list[int], comments: list[int]) -> None:
    members = {
        "content": f"{random.choice(('mela', 'pera'))} {random.random()}",
        "date": random.choice(("2019-05-01T10:00:00", "2024-05-01T10:00:00")),
        "parent": random.choice((0, 0, *comments[-2:])),
        "author": random.choice((1, 2)),
        "type": random.choice(("comment", "comment", "note")),
    }
    turn, post = random.random(), random.choice(posts)
    if not comments or turn < 0.4:
        answer = admin.post("/cms/v2/comments", {**members, "post": post})
        # Nobody comments on a draft, or answers a comment of another record.
        if answer.status == 201:
            comments.append(answer.json["id"])
    elif turn < 0.6:
        status = random.choice(("approved", "hold", "spam", "trash"))
        admin.post(f"/cms/v2/comments/{random.choice(comments)}", {"status": status})
    elif turn < 0.7:
        admin.delete(f"/cms/v2/comments/{random.choice(comments)}", query={"force": True})
    elif turn < 0.9:
        status = random.choice(("publish", "publish", "draft", "private"))
        assert admin.post(f"/cms/v2/posts/{post}", {"status": status, "password": ""}).status == 200
    elif turn < 0.95:
        assert admin.post(f"/cms/v2/posts/{post}", {"status": "publish", "password": "mela"}).status == 200
    else:
        assert admin.delete(f"/cms/v2/posts/{posts.pop(posts.index(post))}", query={"force": True}).status == 200
        posts.append(admin.post("/cms/v2/posts", {"title": "Pera", "status": "publish"}).json["id"])
