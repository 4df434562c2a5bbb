"""A total counts what its list contains, and a list contains what the caller may read one by one; for every role."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand

CALLERS = ("", "subscriber", "contributor", "author", "editor", "admin")
STATUSES = ("publish", "future", "draft", "pending", "private")
LATER = "2199-01-01T00:00:00"
TEXT = {"content-type": "text/plain", "content-disposition": 'attachment; filename="a.txt"'}
ANY = ",".join(STATUSES)


def made(client: Client, path: str, body: dict[str, Any]) -> int:
    answer = client.post(path, body)
    assert answer.status == 201, (path, body, answer.json)
    return int(answer.json["id"])


@pytest.fixture
def everything(site: Stand) -> dict[str, list[int]]:
    """Records of every author in every status, attached files, and comments, created by their routes."""
    admin = site.client("admin")
    authors = {one["slug"]: one["id"] for one in admin.get("/cms/v2/users", query={"per_page": 100}).json}
    out: dict[str, list[int]] = {"posts": [], "blocks": [], "media": [], "comments": []}
    for login in ("contributor", "author", "editor"):
        for status in (*STATUSES, "trash"):
            told = {"title": f"zebra {login}", "content": "words", "author": authors[login], "date": LATER}
            state = {"publish" if status == "trash" else status} - {"future"} or {"publish"}
            body = {**told, "status": state.pop()} | ({} if status == "future" else {"date": "2020-01-01T00:00:00"})
            post = made(admin, "/cms/v2/posts", body)
            block = made(admin, "/cms/v2/blocks", {name: value for name, value in body.items() if name != "author"})
            out["posts"].append(post)
            out["blocks"].append(block)
            for owner in ("admin", "author"):
                file = site.client(owner).post("/cms/v2/media", body=b"text", headers=TEXT).json["id"]
                assert admin.post(f"/cms/v2/media/{file}", {"post": post}).status == 200
                out["media"].append(file)
            if status == "publish":
                protected = {"post": post, "content": f"held {login}"}
                out["comments"] += [
                    made(admin, "/cms/v2/comments", {**protected, "status": "hold", "date": f"2021-01-0{1}T00:00:00"}),
                    made(admin, "/cms/v2/comments", {"post": post, "content": f"note {login}", "type": "note"}),
                ]
            out["comments"].append(made(admin, "/cms/v2/comments", {"post": post, "content": login + status})
                                   ) if status in ("publish", "private") else None  # fmt: skip
            if status == "trash":
                for path in (f"/cms/v2/posts/{post}", f"/cms/v2/blocks/{block}"):
                    assert admin.delete(path).status == 200
    return out


LISTS = (
    ("posts", {}), ("posts", {"status": "any"}), ("posts", {"status": "any", "search": "zebra"}),
    ("posts", {"status": "any", "context": "edit"}), ("posts", {"status": "draft,pending"}),
    ("posts", {"status": "private"}), ("posts", {"status": "trash"}), ("posts", {"status": f"{ANY},trash"}),
    ("posts", {"status": "trash", "context": "edit"}), ("posts", {"status": "any", "orderby": "title"}),
    ("posts", {"status": "any", "author": 3}), ("posts", {"status": "draft", "author": 3}),
    ("posts", {"status": "any", "author_exclude": 3}), ("posts", {"status": "any", "categories": 1}),
    ("posts", {"status": "draft", "categories": 1}), ("posts", {"status": "any", "exclude": 1}),
    ("posts", {"status": "any", "search": "zebra", "orderby": "relevance"}), ("posts", {"status": "any", "offset": 2}),
    ("posts", {"status": "any", "ignore_sticky": "false"}), ("posts", {"status": "any", "search": "-words"}),
    ("blocks", {}), ("blocks", {"status": "any"}), ("blocks", {"status": "any", "context": "edit"}), ("navigation", {}),
    ("media", {}), ("media", {"search": "a"}), ("media", {"context": "edit"}), ("media", {"media_type": "text"}),
    ("media", {"author": 3}), ("media", {"orderby": "title"}), ("media", {"status": "inherit,private"}),
    ("pages", {}), ("menu-items", {}), ("users", {}), ("users", {"search": "e"}), ("search", {"search": "zebra"}),
    ("comments", {}), ("comments", {"status": "any"}), ("comments", {"status": "hold"}), ("comments", {"type": "note"}),
    ("comments", {"status": "any", "type": "all"}), ("comments", {"search": "e"}),
    ("comments", {"status": "all", "search": "held"}), ("comments", {"author": 1, "status": "any"}),
)  # fmt: skip


def test_a_total_counts_what_its_list_shows(site: Stand, everything: dict[str, list[int]]) -> None:
    wrong = []
    for login in CALLERS:
        client = site.client(login)
        for base, query in LISTS:
            answer = client.get(f"/cms/v2/{base}", query={**query, "per_page": 100})
            if answer.status != 200:
                assert answer.status in (400, 401, 403), (login, base, query, answer.json)
                continue
            skipped = query.get("offset", 0)
            total = int(answer.headers["x-cms-total"])
            if total - min(skipped, total) != len(answer.json) or (total > 100) != ("next" in answer.headers["link"]):
                wrong.append((login, base, query, total, [one["id"] for one in answer.json]))
            small = client.get(f"/cms/v2/{base}", query={**query, "per_page": 1})
            if not skipped and small.headers["x-cms-totalpages"] != str(total):
                wrong.append((login, base, query, "pages", small.headers["x-cms-totalpages"]))
    assert wrong == []


@pytest.mark.parametrize("login", CALLERS)
def test_a_list_has_what_its_caller_may_read(site: Stand, everything: dict[str, list[int]], login: str) -> None:
    client = site.client(login)
    queries: dict[str, dict[str, str]] = {
        "posts": {"status": f"{ANY},trash"}, "blocks": {"status": f"{ANY},trash"}, "media": {},
        "comments": {"status": "any", "type": "all"},
    }  # fmt: skip
    for base, ids in everything.items():
        for context in ("view", "edit"):
            answer = client.get(f"/cms/v2/{base}", query={**queries[base], "context": context, "per_page": 100})
            if answer.status != 200:
                continue
            one_by_one = {
                id for id in ids if client.get(f"/cms/v2/{base}/{id}", query={"context": context}).status == 200
            }
            assert {one["id"] for one in answer.json} & set(ids) == one_by_one, (base, context)


def test_a_page_of_a_list_is_full(site: Stand, everything: dict[str, list[int]]) -> None:
    contributor = site.client("contributor")
    query = {"status": "any", "per_page": 2}
    pages = int(contributor.get("/cms/v2/posts", query=query).headers["x-cms-totalpages"])
    found = [contributor.get("/cms/v2/posts", query={**query, "page": page}).json for page in range(1, pages + 1)]
    assert [len(page) for page in found[:-1]] == [2] * (pages - 1)
    numbers = [one["id"] for page in found for one in page]
    assert len(numbers) == len(set(numbers))


def test_a_file_is_counted_when_what_it_hangs_on_is_published(site: Stand) -> None:
    admin, anyone = site.client("admin"), site.client()
    post = made(admin, "/cms/v2/posts", {"title": "x", "status": "draft"})
    file = admin.post("/cms/v2/media", body=b"text", headers=TEXT).json["id"]
    admin.post(f"/cms/v2/media/{file}", {"post": post})
    for status, total in (("draft", "0"), ("publish", "1"), ("private", "0"), ("publish", "1")):
        admin.post(f"/cms/v2/posts/{post}", {"status": status})
        for query in ({}, {"search": "a"}, {"author": 1}):
            assert anyone.get("/cms/v2/media", query=query).headers["x-cms-total"] == total, (status, query)
