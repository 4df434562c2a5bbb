"""A page of a list, and a record, is not looked for again while nothing has changed that it was made from."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from conftest import Stand
from recorded_statements import record_statements
from vetrina.site import Site

POSTS = "/cms/v2/posts"

pytestmark = pytest.mark.in_process("it counts what that process asks of its database")


@pytest.fixture
def second(site: Stand) -> Iterator[Stand]:
    """The same site once more, by a process that keeps no answers."""
    context = site.site.context
    settings = msgspec.structs.replace(context.settings, cache_bytes=0)
    other = Site(context.profile, settings, site.site.folder)
    yield Stand(other)
    other.close()


def test_what_is_known_asks_for_nothing_and_takes_no_snapshot(site: Stand, second: Stand) -> None:
    post = site.client("admin").post(POSTS, {"title": "One", "status": "publish"}).json["id"]
    lists = (POSTS, f"{POSTS}?categories=1&orderby=title", f"{POSTS}?per_page=100&_fields=id,title")
    for target in (*lists, f"{POSTS}/{post}", f"{POSTS}/{post}?_fields=id,title"):
        first = second.client().get(target)
        with record_statements(second, framed=True) as asked:
            again = second.client().get(target)
        assert asked == []
        assert (again.content, again.headers.get("x-cms-total")) == (first.content, first.headers.get("x-cms-total"))
        assert again.headers["etag"] == first.headers["etag"]


def test_a_known_record_is_that_which_another_process_has_changed_since(site: Stand, second: Stand) -> None:
    admin, anyone = site.client("admin"), second.client()
    target = f"{POSTS}/{admin.post(POSTS, {'title': 'One', 'status': 'publish'}).json['id']}"
    for title in ("Two", "Three", "Four"):
        anyone.get(target)
        admin.post(target, {"title": title})
        assert anyone.get(target).json["title"]["rendered"] == title
    admin.post(target, {"status": "draft"})
    assert anyone.get(target).status == 401


def test_a_page_that_asked_for_no_reader_serves_accounts_too(second: Stand) -> None:
    second.client().get(f"{POSTS}?per_page=7")
    subscriber = second.client("subscriber")
    subscriber.get("/cms/v2/users/me")
    with record_statements(second) as asked:
        assert subscriber.get(f"{POSTS}?per_page=7").status == 200
    assert not [one for one in asked if " record" in one]


def test_a_known_page_has_what_another_process_has_published_since(site: Stand, second: Stand) -> None:
    admin, anyone = site.client("admin"), second.client()
    target = f"{POSTS}?per_page=2&orderby=id&_fields=id"
    ids = [one["id"] for one in anyone.get(target).json]
    for title in ("One", "Two", "Three"):
        ids.insert(0, admin.post(POSTS, {"title": title, "status": "publish"}).json["id"])
        answer = anyone.get(target)
        assert [one["id"] for one in answer.json] == ids[:2]
        assert answer.headers["x-cms-total"] == str(len(ids))
    admin.post(f"{POSTS}/{ids[0]}", {"status": "draft"})
    assert [one["id"] for one in anyone.get(target).json] == ids[1:3]


def test_a_page_that_an_account_found_by_its_rights_is_shown_to_nobody_else(site: Stand, second: Stand) -> None:
    admin = site.client("admin")
    draft = admin.post(POSTS, {"title": "Draft", "status": "draft"}).json["id"]
    name = {"content-disposition": 'attachment; filename="words.txt"'}
    hidden = admin.post("/cms/v2/media", body=b"words", query={"post": draft}, headers=name).json["id"]
    for login, is_shown in (("admin", True), ("", False), ("admin", True), ("subscriber", False), ("", False)):
        for _ in range(2):
            shown = [one["id"] for one in second.client(login).get("/cms/v2/media?_fields=id").json]
            assert (hidden in shown) == is_shown, login


def test_options_are_not_read_again_and_yet_are_those_of_now(site: Stand, second: Stand) -> None:
    anyone = second.client()
    for title in ("One", "Two"):
        site.client("admin").post("/cms/v2/settings", {"title": title})
        assert anyone.get("/?_fields=name").json["name"] == title
        with record_statements(second) as asked:
            assert anyone.get("/?_fields=name").json["name"] == title
        assert not [one for one in asked if "option" in one]
