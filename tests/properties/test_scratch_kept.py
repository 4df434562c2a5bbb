"""Kept answers are never old: after any writes every anonymous read answers as one that was made anew."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Client, Stand
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vetrina.settings import Settings, load_profile
from vetrina.site import Site

READS = (
    "/cms/v2/posts?_embed", "/cms/v2/posts?search=text", "/cms/v2/posts?categories=1", "/cms/v2/posts?sticky=true",
    "/cms/v2/posts?author=3&orderby=modified", "/cms/v2/posts?per_page=1&_fields=id,link", "/cms/v2/posts/1?_embed",
    "/cms/v2/posts/1", "/cms/v2/posts/1?password=open", "/cms/v2/posts/1?_envelope", "/cms/v2/posts/2", "/cms/v2/posts/3",
    "/cms/v2/posts/1/revisions", "/cms/v2/pages?_embed", "/cms/v2/pages?orderby=menu_order", "/cms/v2/pages/2",
    "/cms/v2/categories", "/cms/v2/categories?hide_empty=true", "/cms/v2/categories/1", "/cms/v2/tags?post=1",
    "/cms/v2/tags/2", "/cms/v2/tags/3", "/cms/v2/users", "/cms/v2/users/3", "/cms/v2/users/6", "/cms/v2/types",
    "/cms/v2/taxonomies", "/cms/v2/statuses", "/cms/v2/intervento?_embed", "/", "/?_fields=name,url", "/cms/v2",
    "/oembed/1.0", "/cms/v2/posts?mlang_language=it", "/cms/v2/posts?_jsonp=f", "/cms/v2/posts?_method=HEAD",
)  # fmt: skip


class Writer:
    """Writes that change what others read; the numbers of records are those that a site gives one after the other."""

    def __init__(self, stand: Stand) -> None:
        self.admin, self.author = stand.client("admin"), stand.client("author")

    def post(self) -> None:
        members = {"title": "A post", "content": "Its text", "status": "publish"}
        self.author.post("/cms/v2/posts", {**members, "categories": [1], "tags": [2]})

    def page(self) -> None:
        self.admin.post("/cms/v2/pages", {"title": "A page", "content": "Text", "status": "publish", "parent": 2})

    def intervento(self) -> None:
        self.admin.post("/cms/v2/intervento", {"title": "A work", "status": "publish"})

    def tag(self) -> None:
        self.admin.post("/cms/v2/tags", {"name": "A tag"})

    def user(self) -> None:
        members = {"username": "new", "email": "new@example.org", "password": "x", "roles": ["author"]}
        self.admin.post("/cms/v2/users", members)

    def change(self, path: str, **members: Any) -> Callable[[], None]:
        return lambda: self.admin.post(path, members) and None

    def remove(self, path: str) -> Callable[[], None]:
        return lambda: self.admin.delete(path) and None

    def all(self) -> dict[str, Callable[[], None]]:
        """Return every write by its name."""
        return {
            "a new post": self.post,
            "a new page": self.page,
            "a new work": self.intervento,
            "a new tag": self.tag,
            "a new user": self.user,
            "a new title": self.change("/cms/v2/posts/1", title="Another"),
            "a new text": self.change("/cms/v2/posts/1", content="Another text"),
            "a draft again": self.change("/cms/v2/posts/1", status="draft"),
            "published again": self.change("/cms/v2/posts/1", status="publish"),
            "private": self.change("/cms/v2/posts/2", status="private"),
            "a password": self.change("/cms/v2/posts/1", password="open"),
            "no password": self.change("/cms/v2/posts/1", password=""),
            "sticky": self.change("/cms/v2/posts/1", sticky=True),
            "another author": self.change("/cms/v2/posts/1", author=1),
            "another tag": self.change("/cms/v2/posts/1", tags=[3]),
            "another slug": self.change("/cms/v2/pages/2", slug="another"),
            "a name of a tag": self.change("/cms/v2/tags/2", name="Renamed", slug="renamed"),
            "a name of a category": self.change("/cms/v2/categories/1", name="Renamed", slug="renamed"),
            "a name of a user": self.change("/cms/v2/users/3", name="Renamed", description="Says this"),
            "a slug of a user": self.change("/cms/v2/users/3", slug="renamed"),
            "an autosave": self.change("/cms/v2/posts/1/autosaves", content="Unsaved"),
            "the trash": self.remove("/cms/v2/posts/1"),
            "out of the trash": self.change("/cms/v2/posts/1", status="publish"),
            "a removal": self.remove("/cms/v2/posts/1?force=true"),
            "a removal of a page": self.remove("/cms/v2/pages/2?force=true"),
            "a removal of a tag": self.remove("/cms/v2/tags/2?force=true"),
            "a removal of a user": self.remove("/cms/v2/users/3?force=true&reassign=1"),
            "a batch": self.batch,
            "a batch that fails in part": self.failing_batch,
        }  # fmt: skip

    def batch(self) -> None:
        change = {"path": "/cms/v2/posts/1", "body": {"title": "From a batch"}}
        self.admin.post("/batch/v1", {"requests": [change, {"path": "/cms/v2/tags", "body": {"name": "Batched"}}]})

    def failing_batch(self) -> None:
        good = {"path": "/cms/v2/posts/1", "body": {"excerpt": "From a batch"}}
        self.admin.post("/batch/v1", {"requests": [good, {"path": "/cms/v2/posts/99", "body": {"title": "x"}}]})




@pytest.fixture
def pair(prepared: Path, tmp_path: Path) -> Iterator[Callable[[], tuple[Stand, Client, Client]]]:
    """Makes a fresh site with two readers: one that is answered from what is kept, one that never is."""
    opened: list[Site] = []

    def make() -> tuple[Stand, Client, Client]:
        folder = tmp_path / str(len(opened))
        folder.mkdir()
        shutil.copy(prepared / "site.sqlite", folder / "site.sqlite")
        sites = [
            Site(load_profile("first"), Settings(secret="secret of the tests", cache_bytes=size), folder, durable=False)
            for size in (1 << 24, 0)
        ]
        opened.extend(sites)
        return Stand(sites[0]), Client(sites[0]), Client(sites[1])

    yield make
    for site in opened:
        site.close()


def differing(pair_of: tuple[Stand, Client, Client]) -> list[str]:
    _, keeping, anew = pair_of
    wrong = []
    for path in READS:
        kept, fresh = keeping.get(path), anew.get(path)
        if (kept.status, kept.headers, kept.content) != (fresh.status, fresh.headers, fresh.content):
            wrong.append(f"{path}: {kept.status} {kept.content[:200]!r} but anew {fresh.status} {fresh.content[:200]!r} "+str({k:(kept.headers.get(k),fresh.headers.get(k)) for k in set(kept.headers)|set(fresh.headers) if kept.headers.get(k)!=fresh.headers.get(k)}))
    return wrong


def names() -> list[str]:
    writer = Writer.__new__(Writer)
    writer.admin = writer.author = None
    return list(writer.all())


@settings(max_examples=60, suppress_health_check=[__import__("hypothesis").HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(names()), min_size=1, max_size=12))
def test_no_write_leaves_an_old_answer(pair: Any, writes: list[str]) -> None:
    sites = pair()
    writer = Writer(sites[0])
    act = writer.all()
    for first in ("a new post", "a new page", "a new tag", "a new user"):
        act[first]()
    act["another tag"]()
    assert not differing(sites)
    for name in writes:
        act[name]()
        assert not differing(sites), name
