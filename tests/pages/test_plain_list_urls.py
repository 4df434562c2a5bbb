"""Addresses that name a list by parameters. Rules: docs/rules/slugs.md, 5."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def post(write, admin) -> dict[str, Any]:
    """A post in a category below another, with a tag, by its author."""
    parent = admin.post("/cms/v2/categories", {"name": "Walks", "slug": "walks"}).json["id"]
    child = admin.post("/cms/v2/categories", {"name": "Snow", "slug": "snow", "parent": parent}).json["id"]
    tag = admin.post("/cms/v2/tags", {"name": "Easy", "slug": "easy"}).json["id"]
    return write(categories=[child], tags=[tag], date="2025-03-04T10:00:00")


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("cat={categories[0]}", "category/walks/snow/"), ("category_name=snow", "category/walks/snow/"),
        ("category_name=walks/snow", "category/walks/snow/"), ("tag=easy", "tag/easy/"),
        ("author={author}", "author/editor/"), ("author_name=editor", "author/editor/"), ("m=2025", "2025/"),
        ("m=202503", "2025/03/"), ("m=20250304", "2025/03/04/"),
        ("year=2025", "2025/"), ("year=2025&monthnum=3", "2025/03/"), ("year=2025&monthnum=3&day=4", "2025/03/04/"),
        ("tag=easy&feed=rss2", "tag/easy/feed/"), ("tag=easy&feed=atom", "tag/easy/feed/atom/"),
        ("feed=rss2", "feed/"), ("feed=atom", "feed/atom/"), ("s=words&feed=rss2", "feed/?s=words"),
    ],
)  # fmt: skip
def test_a_plain_address_leads_to_the_list(visitor, post, query: str, place: str) -> None:
    answer = visitor.get(f"/en/?{query.format(**post)}")
    assert (answer.status, answer.location) == (301, f"http://vetrina.test/en/{place}")
    assert visitor.follow(answer).status == 200


def test_it_keeps_the_page(visitor, post, write, admin) -> None:
    write(tags=post["tags"])
    admin.post("/cms/v2/settings", {"posts_per_page": 1})
    answer = visitor.get("/en/?tag=easy&paged=2")
    assert answer.location == "http://vetrina.test/en/tag/easy/page/2/"
    assert visitor.follow(answer).status == 200


def test_a_term_of_another_language_leads_there(visitor, write, admin) -> None:
    made = admin.post("/cms/v2/tags?mlang_language=it", {"name": "Facile", "slug": "facile"}).json
    write(language="it", tags=[made["id"]])
    category = admin.post("/cms/v2/categories?mlang_language=it", {"name": "Neve", "slug": "neve"}).json
    write(language="it", categories=[category["id"]])
    assert visitor.get(f"/en/?cat={category['id']}").location == category["link"]
    assert visitor.get("/it/?tag=facile").location == made["link"]


@pytest.mark.parametrize(
    "query",
    [
        "author={id}", "author_name=quiet", "author=99999", "cat=99999", "cat={tag}", "tag=none", "m=20259", "m=1999",
        "post_type=post", "category_name=", "year=0", "author=1%00", "cat[]=1", "feed=x", "author=9999999999999999999",
    ],
)  # fmt: skip
def test_what_nobody_may_see_or_nothing_is_in_is_not_told(visitor, post, admin, query: str) -> None:
    quiet = {"username": "quiet", "email": "quiet@example.org", "password": "three green pens", "roles": ["author"]}
    id = admin.post("/cms/v2/users", quiet).json["id"]
    answer = visitor.get(f"/en/?{query.format(id=id, tag=post['tags'][0])}")
    assert answer.status == 200
    assert "quiet" not in answer.text.replace("author_name=quiet", "")
