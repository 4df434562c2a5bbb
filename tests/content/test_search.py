"""The search over the whole site over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand

SEARCH = "/cms/v2/search"


@pytest.fixture
def content(admin: Client) -> dict[str, int]:
    """Records and terms that share a word."""
    out = {}
    for name, path, members in (
        ("post", "posts", {"title": "An okapi & more", "status": "publish", "format": "aside"}),
        ("page", "pages", {"title": "Page", "content": "of the okapi", "status": "publish"}),
        ("talk", "intervento", {"title": "Okapi talk", "status": "publish"}),
        ("draft", "posts", {"title": "Okapi draft", "format": "video"}),
        ("private", "posts", {"title": "Okapi private", "status": "private"}),
        ("locked", "posts", {"title": "Okapi locked", "status": "publish", "password": "x"}),
        ("block", "blocks", {"title": "Okapi block", "status": "publish"}),
        ("category", "categories", {"name": "Okapi category"}),
        ("tag", "tags", {"name": "A tag", "slug": "okapi-tag"}),
        ("kind", "categoria-intervento", {"name": "Kind of okapi"}),
        ("menu", "menus", {"name": "Okapi menu"}),
    ):
        answer = admin.post(f"/cms/v2/{path}", members)
        assert answer.status == 201, answer.json
        out[name] = answer.json["id"]
    return out


def numbers(answer: Any) -> list[int]:
    assert answer.status == 200, answer.json
    return [one["id"] for one in answer.json]


def test_records_are_found_in_one_form(anyone: Client, admin: Client, content: dict[str, int]) -> None:
    answer = anyone.get(SEARCH, query={"search": "okapi", "subtype": "post"})
    [found] = answer.json
    links = found.pop("_links")
    assert found.pop("url").endswith("/an-okapi-more/")
    assert found == {"id": content["post"], "title": "An okapi &#038; more", "type": "post", "subtype": "post"}
    assert (links["self"][0]["embeddable"], links["self"][0]["targetHints"]) == (True, {"allow": ["GET"]})
    assert links["about"][0]["href"].endswith("/types/post")
    assert links["collection"][0]["href"].endswith(SEARCH)
    assert answer.headers["allow"] == "GET"
    assert (answer.headers["x-cms-total"], answer.headers["x-cms-totalpages"]) == ("1", "1")
    inside = admin.get(SEARCH, query={"search": "okapi", "subtype": "page", "_embed": "self"}).json[0]
    assert inside["_embedded"]["self"][0]["slug"] == "page"


def test_only_public_records_are_found_whoever_asks(anyone: Client, admin: Client, content: dict[str, int]) -> None:
    public = {content[name] for name in ("post", "page", "talk")}
    assert set(numbers(anyone.get(SEARCH, query={"search": "okapi"}))) == public
    # Signed-in users find protected content, as in lists.
    assert set(numbers(admin.get(SEARCH, query={"search": "okapi"}))) == public | {content["locked"]}


def test_titles_come_before_texts(anyone: Client, content: dict[str, int]) -> None:
    assert numbers(anyone.get(SEARCH, query={"search": "okapi"}))[-1] == content["page"]


def test_filters_and_pages(anyone: Client, content: dict[str, int]) -> None:
    post, page, talk = content["post"], content["page"], content["talk"]
    for query, expected in (
        ({"subtype": ["page", "intervento"]}, {page, talk}),
        ({"subtype": "any"}, {post, page, talk}),
        ({"subtype": "category"}, {post, page, talk}),
        ({"include": page}, {page}),
        ({"exclude": page}, {post, talk}),
        ({"include": page, "exclude": page}, {page}),
        ({"per_page": 1, "page": 2}, None),
        ({"per_page": 2, "page": 9}, set()),
    ):
        found = numbers(anyone.get(SEARCH, query={"search": "okapi", **query}))
        assert len(found) == 1 if expected is None else set(found) == expected, query
    far = anyone.get(SEARCH, query={"search": "okapi", "page": 9})
    assert (far.headers["x-cms-total"], far.headers["x-cms-totalpages"]) == ("0", "0")
    head = anyone.head(SEARCH, query={"search": "okapi"})
    assert (head.status, head.content, head.headers["x-cms-total"]) == (200, b"", "3")


def test_terms_are_found_by_name_and_slug(anyone: Client, content: dict[str, int]) -> None:
    answer = anyone.get(SEARCH, query={"search": "okapi", "type": "term"})
    assert numbers(answer) == [content[name] for name in ("tag", "kind", "category")]
    assert [one["type"] for one in answer.json] == ["post_tag", "categoria-intervento", "category"]
    assert "subtype" not in answer.json[0]
    assert answer.json[0]["_links"]["about"][0]["href"].endswith("/taxonomies/post_tag")
    tags = anyone.get(SEARCH, query={"search": "okapi", "type": "term", "subtype": "post_tag"})
    assert numbers(tags) == [content["tag"]]


def test_formats_are_those_that_public_posts_have(anyone: Client, content: dict[str, int]) -> None:
    [found] = anyone.get(SEARCH, query={"type": "post-format"}).json
    assert (found["id"], found["title"], found["type"]) == ("aside", "Aside", "post-format")
    assert found["url"].endswith("/type/aside/")
    assert found["_links"].keys() == {"collection"}
    assert numbers(anyone.get(SEARCH, query={"type": "post-format", "search": "video"})) == []


@pytest.mark.parametrize(
    "query",
    [{"type": "user"}, {"subtype": "nothing"}, {"subtype": "attachment"}, {"context": "edit"}, {"per_page": 0},
     {"per_page": 101}],
)  # fmt: skip
def test_what_cannot_be_asked(anyone: Client, query: dict[str, Any]) -> None:
    answer = anyone.get(SEARCH, query=query)
    assert (answer.status, answer.code, answer.headers["allow"]) == (400, "rest_invalid_param", "GET")


def test_the_search_is_in_the_language_of_the_request(site: Stand, content: dict[str, int]) -> None:
    assert numbers(site.client(root="/it/cms-json").get(SEARCH, query={"search": "okapi"})) == []


def test_without_a_text_the_newest_come_first(anyone: Client, content: dict[str, int]) -> None:
    found = anyone.get(SEARCH, query={"_fields": "id,title"}).json
    assert len(found) == 4
    assert found[0].keys() == {"id", "title"}
