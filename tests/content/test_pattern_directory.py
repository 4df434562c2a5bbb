"""The pattern directory: patterns of the site's themes and packages, searched as clients do."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import Client, Stand
from vetrina.design.patterns import directory as pattern_directory

PATH = "/cms/v2/pattern-directory/patterns"
PACKAGE = """
from vetrina.design.themes.model import BlockPattern

PATTERNS = (
    BlockPattern("acme/cafe", "Café menu", "What there is to drink.", "<!-- wp:separator /-->",
            ("text",), ("drinks",)),
    BlockPattern("acme/hidden", "Hidden", "For templates alone.", "<p></p>", inserter=False),
)
"""


def titles(client: Client, query: str = "") -> list[str]:
    answer = client.get(f"{PATH}?{query}")
    assert answer.status == 200, answer.json
    return [one["title"] for one in answer.json]


def test_the_patterns_of_the_themes_are_listed(contributor: Client) -> None:
    answer = contributor.get(PATH)
    assert int(answer.headers["x-cms-total"]) == len(answer.json) > 4
    own = {one["title"]: one for one in contributor.get("/cms/v2/block-patterns/patterns").json if one["inserter"]}
    assert {one["title"] for one in answer.json} == set(own)
    for one in answer.json:
        assert one["content"] == own[one["title"]]["content"]
        assert one["id"] == zlib.crc32(own[one["title"]]["name"].encode())
        assert set(one) == {
            "id", "title", "content", "categories", "keywords", "description", "viewport_width", "block_types",
        }  # fmt: skip


def test_patterns_are_found_by_words_category_keyword_and_slug(contributor: Client) -> None:
    assert titles(contributor, "search=call") == ["Call to act"]
    assert titles(contributor, "search=call%20BUTTON") == ["Call to act"]
    assert titles(contributor, "search=nothing-at-all") == []
    buttons = zlib.crc32(b"buttons")
    assert "Call to act" in titles(contributor, f"category={buttons}")
    assert all("buttons" in one["categories"] for one in contributor.get(f"{PATH}?category={buttons}").json)
    assert "Call to act" in titles(contributor, f"keyword={zlib.crc32(b'contact')}")
    assert titles(contributor, "category=1") == []
    assert titles(contributor, "slug=call") == titles(contributor, "slug[]=portico/call") == ["Call to act"]
    chosen = contributor.get(f"{PATH}?slug=opening,call&orderby=include_slugs&order=asc").json
    assert [one["id"] for one in chosen] == [zlib.crc32(b"portico/opening"), zlib.crc32(b"portico/call")]


def test_patterns_come_in_pages_and_orders(contributor: Client) -> None:
    every = titles(contributor, "orderby=title&order=asc")
    assert every == sorted(every, key=str.lower)
    assert titles(contributor, "orderby=title") == every[::-1]
    paged = [titles(contributor, f"orderby=title&order=asc&per_page=2&page={page}") for page in (1, 2)]
    assert [*paged[0], *paged[1]] == every[:4]
    assert titles(contributor, "orderby=title&order=asc&offset=1&per_page=2") == every[1:3]
    assert titles(contributor, "page=99") == []
    assert contributor.get(f"{PATH}?orderby=none").status == 400
    assert contributor.get(f"{PATH}?_fields=id,title&per_page=1").json[0].keys() == {"id", "title"}


@pytest.fixture
def package(tmp_path: Path) -> Iterator[None]:
    """A package that brings patterns is installed."""
    (tmp_path / "acme_patterns.py").write_text(PACKAGE, encoding="utf-8")
    told = tmp_path / "acme_patterns-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-patterns\nVersion: 1.0\n", encoding="utf-8")
    (told / "entry_points.txt").write_text("[vetrina.block_patterns]\nacme = acme_patterns:PATTERNS\n", "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(tmp_path))
        pattern_directory.list_packaged_patterns.cache_clear()
        yield
    sys.modules.pop("acme_patterns", None)
    pattern_directory.list_packaged_patterns.cache_clear()


@pytest.mark.in_process("a package is installed in it")
@pytest.mark.usefixtures("package")
def test_a_package_brings_patterns(site: Stand) -> None:
    client = site.client("author")
    assert titles(client, "search=cafe") == ["Café menu"]
    assert titles(client, "slug=hidden") == []
    named = {one["name"]: one["source"] for one in client.get("/cms/v2/block-patterns/patterns").json}
    assert (named["acme/cafe"], named["portico/call"]) == ("plugin", "theme")
