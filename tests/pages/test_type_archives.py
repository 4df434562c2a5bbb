"""The page that lists the records of a type of a profile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import Stand, exchange, made
from vetrina.profile_checks import convert_sound_profile
from vetrina.settings import SettingsError

BOOK = {"label": "Books & maps", "singular": "Book", "has_archive": "library", "translation": "translated"}


def build_profile(**types: dict[str, object]):
    return convert_sound_profile({"languages": ["en", "it"], "types": types}, "the test")


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Stand]:
    profile = build_profile(book=BOOK, map={"label": "Maps"}, leaf={"label": "Leaves", "has_archive": True})
    site = made(tmp_path, profile)
    yield Stand(site)
    site.close()


def read(shelf: Stand, target: str) -> tuple[int, str]:
    status, _, content = exchange(shelf.site, "GET", target)
    return status, content.decode()


def test_a_page_lists_the_records_of_a_type_in_its_language(shelf: Stand) -> None:
    admin, italian = shelf.client("admin"), shelf.client("admin", "/it/cms-json")
    for number in range(3):
        admin.post("/cms/v2/book", {"title": f"Book {number}", "status": "publish"})
    admin.post("/cms/v2/book", {"title": "Hidden", "status": "draft"})
    italian.post("/cms/v2/book", {"title": "Libro", "status": "publish"})
    admin.post("/cms/v2/settings", {"posts_per_page": 2})
    status, text = read(shelf, "/en/library/")
    assert (status, "Book 2" in text, "Book 1" in text, "Book 0" in text) == (200, True, True, False)
    assert ">Books &amp; maps</h1>" in text
    assert "Hidden" not in text
    assert 'hreflang="it" href="http://vetrina.test/it/library/"' in text
    assert "Book 0" in read(shelf, "/en/library/page/2/")[1]
    assert "Libro" in read(shelf, "/it/library/")[1]
    assert read(shelf, "/en/library/feed/")[0] == 200


def test_only_types_that_say_so_have_one(shelf: Stand) -> None:
    assert [read(shelf, f"/en/{name}/")[0] for name in ("leaf", "map", "book")] == [200, 404, 404]
    types = shelf.client("admin").get("/cms/v2/types?context=edit").json
    assert [types[name]["has_archive"] for name in ("book", "leaf", "map", "post")] == ["library", True, False, False]


def test_it_has_templates_of_its_own(shelf: Stand) -> None:
    text = '<!-- wp:query-title {"type":"archive"} /--><!-- wp:paragraph --><p>On shelves</p><!-- /wp:paragraph -->'
    shelf.client("admin").post("/cms/v2/templates", {"slug": "archive-book", "title": "Books", "content": text})
    assert "On shelves" in read(shelf, "/en/library/")[1]
    assert "On shelves" not in read(shelf, "/en/leaf/")[1]


@pytest.mark.parametrize("name", ["feed", "it", "admin", "2026", "a/b", "", "leaf"])
def test_an_address_that_leads_elsewhere_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="has_archive"):
        build_profile(leaf={"label": "Leaves", "has_archive": True}, book={**BOOK, "has_archive": name})
