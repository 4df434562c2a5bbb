"""Addresses that lead to where a thing is now. Rules: docs/rules/redirects.md, 3 and 5."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest


def path(record: Any) -> str:
    return urlsplit(record["link"]).path


@pytest.mark.parametrize("language", ["en", "it"])
def test_an_old_slug_leads_to_the_new_one_in_every_language(visitor, write, admin, language):
    one = write(language=language, title="Old", slug="old-name")
    new = admin.post(f"/cms/v2/posts/{one['id']}", {"slug": "new-name"}).json
    answer = visitor.get(path(one))
    assert (answer.status, answer.location) == (301, new["link"])
    assert visitor.follow(answer).status == 200


@pytest.mark.parametrize(("base", "language"), [("categories", "en"), ("categories", "it"), ("tags", "en")])
def test_a_renamed_term_leads_to_its_new_address(visitor, write, admin, base, language):
    made = admin.post(f"/cms/v2/{base}?mlang_language={language}", {"name": "Walks", "slug": "walks"}).json
    write(language=language, **{base: [made["id"]]})
    assert visitor.get(path(made)).status == 200
    new = admin.post(f"/cms/v2/{base}/{made['id']}", {"slug": "hikes"}).json
    for extra in ("", "feed/", "feed/atom/", "page/1/"):
        answer = visitor.get(path(made) + extra)
        assert (answer.status, answer.location) == (301, new["link"] + extra), extra
    again = admin.post(f"/cms/v2/{base}/{made['id']}", {"slug": "walks"}).json
    assert again["link"] == made["link"]
    assert visitor.get(path(made)).status == 200
    answer = visitor.get(path(new))
    assert (answer.status, answer.location) == (301, made["link"])
    assert len(admin.get("/cms/v2/redirects").json) == 2


def test_a_term_that_moves_often_leaves_no_chain_and_takes_its_addresses_along(visitor, write, admin):
    made = admin.post("/cms/v2/tags", {"name": "Walks", "slug": "walk-0"}).json
    write(tags=[made["id"]])
    for number in range(1, 30):
        new = admin.post(f"/cms/v2/tags/{made['id']}", {"slug": f"walk-{number}"}).json
    stored = admin.get("/cms/v2/redirects", query={"per_page": 100}).json
    assert {one["target"] for one in stored} == {"/en/tag/walk-29/", "/en/tag/walk-29/*"}
    assert {one["origin"] for one in stored} == {"slug"}
    assert len(stored) == 40
    assert visitor.get("/en/tag/walk-28/").location == visitor.get("/en/tag/walk-15/").location == new["link"]
    admin.delete(f"/cms/v2/tags/{made['id']}?force=true")
    assert admin.get("/cms/v2/redirects").json == []
    assert visitor.get("/en/tag/walk-28/").status == 404


def test_what_is_below_a_renamed_category_moves_with_it(visitor, write, admin):
    above = admin.post("/cms/v2/categories", {"name": "Above", "slug": "above"}).json
    below = admin.post("/cms/v2/categories", {"name": "Below", "slug": "below", "parent": above["id"]}).json
    write(categories=[below["id"]])
    assert path(below) == "/en/category/above/below/"
    admin.post(f"/cms/v2/categories/{above['id']}", {"slug": "over"})
    answer = visitor.get(path(below))
    assert (answer.status, answer.location) == (301, "http://vetrina.test/en/category/over/below/")


def test_an_address_with_a_wrong_language_leads_to_the_right_one(visitor, write):
    english, italian = write(slug="only-english"), write("pages", language="it", slug="solo-italiano")
    for one, wrong in ((english, path(english).replace("/en/", "/it/")), (italian, "/en/solo-italiano/")):
        answer = visitor.get(wrong)
        assert (answer.status, answer.location) == (301, one["link"]), wrong
    # Without a language it is one of the default language.
    assert visitor.get("/solo-italiano/").location == italian["link"]


def test_an_address_with_a_wrong_language_of_what_is_hidden_tells_nothing(visitor, write):
    hidden = write(slug="hidden", status="draft"), write("pages", language="it", slug="privata", status="private")
    assert visitor.get("/en/privata/").status == 404
    assert visitor.get("/it/hidden/").status == 404
    del hidden


def test_an_author_without_published_posts_has_no_page(visitor, write):
    write(status="draft")
    write(language="it")
    assert visitor.get("/en/author/editor/").status == 404
    assert visitor.get("/it/author/editor/").status == 200


def test_lists_of_dates_and_authors_have_pages_in_every_language(visitor, write, admin):
    admin.post("/cms/v2/settings", {"posts_per_page": 2})
    for language in ("en", "it"):
        for number in range(3):
            write(language=language, title=f"Number {number}", date=f"2025-03-0{number + 1}T10:00:00")
        for base in (f"/{language}/2025/", f"/{language}/2025/03/", f"/{language}/author/editor/"):
            first, second = visitor.get(base), visitor.get(f"{base}page/2/")
            assert ("Number 2" in first.text, "Number 0" in first.text) == (True, False)
            assert ("Number 2" in second.text, "Number 0" in second.text) == (False, True)
            assert f'<link rel="canonical" href="http://vetrina.test{base}page/2/">' in second.text
            assert visitor.get(f"{base}page/3/").status == 404
