"""Lists of what has no translation in a language."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand

LISTS = {
    "/cms/v2/posts": {"title": "One", "status": "publish"},
    "/cms/v2/pages": {"title": "One", "status": "publish"},
    "/cms/v2/categories": {"name": "One"},
    "/cms/v2/tags": {"name": "One"},
}
POSTS = "/cms/v2/posts"


def untranslated(client: Client, path: str, language: str = "it", **query: Any) -> list[int]:
    answer = client.get(path, query={"untranslated_in": language, "per_page": 100, **query})
    assert answer.status == 200, answer.json
    assert answer.headers["x-cms-total"] == str(len(answer.json))
    return [one["id"] for one in answer.json]


def make(client: Client, path: str, **members: Any) -> int:
    answer = client.post(path, {**LISTS[path], **members})
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


@pytest.mark.parametrize("path", LISTS)
def test_what_has_no_translation_is_listed_until_it_has_one(admin: Client, path: str) -> None:
    name = "name" if "name" in LISTS[path] else "title"
    first, second = make(admin, path), make(admin, path, **{name: "Two"})
    assert {first, second} <= set(untranslated(admin, path))
    make(admin, path, **{name: "Uno"}, lang="it", translations={"en": first})
    left = untranslated(admin, path)
    assert second in left
    assert first not in left
    assert untranslated(admin, path, "en") == []


def test_an_editor_counts_drafts_as_translations_and_readers_do_not(admin: Client, anyone: Client) -> None:
    id = make(admin, POSTS)
    draft = make(admin, POSTS, title="Uno", lang="it", translations={"en": id}, status="draft")
    assert id not in untranslated(admin, POSTS, context="edit")
    assert id in untranslated(anyone, POSTS)
    admin.post(f"{POSTS}/{draft}", {"status": "publish"})
    assert id not in untranslated(anyone, POSTS)
    admin.delete(f"{POSTS}/{draft}")
    assert id in untranslated(admin, POSTS, context="edit")


def test_a_kept_total_follows_the_translation_of_another_record(admin: Client) -> None:
    first = make(admin, POSTS)
    known = untranslated(admin, POSTS)
    assert first in known
    make(admin, POSTS, title="Uno", lang="it", translations={"en": first})
    assert untranslated(admin, POSTS) == [id for id in known if id != first]


def test_it_goes_with_other_filters_orders_and_a_search(admin: Client) -> None:
    category = make(admin, "/cms/v2/categories")
    first, second = (make(admin, POSTS, title=title, categories=[category]) for title in ("Beech", "Ash"))
    other = make(admin, POSTS, title="Ash of another kind")
    translated = make(admin, POSTS, title="Ash again", categories=[category])
    make(admin, POSTS, title="Frassino", lang="it", translations={"en": translated})
    assert untranslated(admin, POSTS, categories=category) == [second, first]
    assert untranslated(admin, POSTS, categories=category, orderby="title", order="desc") == [first, second]
    assert sorted(untranslated(admin, POSTS, search="ash")) == [second, other]
    assert untranslated(admin, POSTS, search="ash", categories=category) == [second]


def test_pages_of_the_list_hold_all_of_it_once(admin: Client) -> None:
    ids = {make(admin, POSTS, title=f"Post {number}") for number in range(7)}
    seen: list[int] = []
    for page in (1, 2, 3, 4):
        answer = admin.get(POSTS, query={"untranslated_in": "it", "per_page": 2, "page": page, "include": [*ids]})
        seen += [one["id"] for one in answer.json]
    assert sorted(seen) == sorted(ids)


def test_what_all_languages_share_lacks_nothing(site: Stand, admin: Client) -> None:
    make(admin, POSTS)
    with site.site.work() as work:
        work.set_option("translation_modes", {"post_post": 0, "tax_category": 0})
    assert admin.get(POSTS).json
    assert untranslated(admin, POSTS) == []
    assert untranslated(admin, "/cms/v2/categories") == []


def test_an_unknown_language_is_refused(admin: Client) -> None:
    for path in LISTS:
        answer = admin.get(path, query={"untranslated_in": "fr"})
        assert (answer.status, answer.code) == (400, "rest_invalid_param")
        assert list(answer.json["data"]["params"]) == ["untranslated_in"]
