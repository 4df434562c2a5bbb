"""What pages tell machines of themselves. Rules: docs/rules/seo.md, 3 to 5."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import pytest

from pictures import picture


def path(record: Any) -> str:
    return urlsplit(record["link"]).path


def read_head(visitor: Any, target: str) -> dict[str, str]:
    """Return the named elements of a head, with its title and its canonical address."""
    text = visitor.get(target).text.partition("</head>")[0]
    found = {
        name: unescape(value)
        for name, value in re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', text)
    }
    canonical = re.findall(r'<link rel="canonical" href="([^"]+)"', text)
    assert len(canonical) <= 1
    title = re.search(r"<title>(.*?)</title>", text)
    assert title is not None
    return {**found, "title": unescape(title[1]), "canonical": canonical[0] if canonical else ""}


def read_data(visitor: Any, target: str) -> dict[str, Any]:
    """Return the structured data of a page by its type."""
    found = re.findall(r'<script type="application/ld\+json">(.*?)</script>', visitor.get(target).text)
    return {one["@type"]: one for one in map(json.loads, found)}


@pytest.fixture
def upload(admin):
    def uploaded(name: str, width: int = 900, height: int = 600, alt: str = "") -> Any:
        headers = {"content-type": "image/png", "content-disposition": f'attachment; filename="{name}.png"'}
        made = admin.ask("POST", "/cms/v2/media", body=picture(width, height, "PNG"), headers=headers)
        assert made.status == 201, made.json
        if alt:
            admin.post(f"/cms/v2/media/{made.json['id']}", {"alt_text": alt})
        return made.json

    return uploaded


def test_the_first_picture_of_a_text_stands_in_for_a_featured_one(visitor, write, upload):
    first, second = upload("first", alt='Fish & "sea"'), upload("second")
    text = "".join(
        f'<!-- wp:image {{"id":{one["id"]}}} --><figure class="wp-block-image"><img src="{one["source_url"]}" '
        f'class="wp-image-{one["id"]}" alt=""/></figure><!-- /wp:image -->'
        for one in (first, second)
    )
    head = read_head(visitor, path(write(content=text)))
    assert "/first" in head["og:image"]
    assert (head["og:image:width"], head["og:image:height"], head["og:image:alt"]) == ("900", "600", 'Fish & "sea"')
    assert head["twitter:card"] == "summary_large_image"
    featured = read_head(visitor, path(write(title="Other", content=text, featured_media=second["id"])))
    assert "/second" in featured["og:image"]
    assert "og:image" not in read_head(visitor, path(write(title="Shut", content=text, password="secret")))


def test_the_logo_stands_for_what_has_no_picture(visitor, write, admin, upload):
    one = write()
    assert "og:image" not in read_head(visitor, path(one))
    logo = upload("logo", 200, 200)
    admin.post("/cms/v2/settings", {"site_logo": logo["id"]})
    for target in (path(one), "/en/", "/en/author/editor/"):
        head = read_head(visitor, target)
        assert (head["og:image"], head["twitter:card"]) == (logo["source_url"], "summary"), target
    article = read_data(visitor, path(one))["Article"]
    assert "image" not in article
    assert article["publisher"]["logo"] == logo["source_url"]


def test_the_home_says_whose_site_it_is(visitor, write, admin):
    admin.post("/cms/v2/settings", {"description": "Walks & words"})
    write()
    head, data = read_head(visitor, "/en/"), read_data(visitor, "/en/")
    assert (head["title"], head["description"], head["og:type"]) == ("Vetrina", "Walks & words", "website")
    assert head["canonical"] == "http://vetrina.test/en/"
    assert sorted(data) == ["Organization", "WebSite"]
    assert data["WebSite"]["potentialAction"]["target"] == "http://vetrina.test/en/?s={search_term_string}"
    assert data["Organization"]["url"] == "http://vetrina.test/en/"


@pytest.mark.parametrize(
    ("target", "title", "kind"),
    [
        ("/en/2025/", "Archive: 2025 – Vetrina", "CollectionPage"),
        ("/en/2025/03/", "Archive: March 2025 – Vetrina", "CollectionPage"),
        ("/it/2025/03/", "Archivio: Marzo 2025 – Vetrina", "CollectionPage"),
        ("/en/author/editor/", "Entries by editor – Vetrina", "ProfilePage"),
    ],
)
def test_lists_have_titles_addresses_and_trails(visitor, write, admin, target, title, kind):
    admin.post("/cms/v2/settings", {"posts_per_page": 1})
    for language in ("en", "it"):
        for day in (1, 2):
            write(language=language, title=f"Number {day}", date=f"2025-03-0{day}T10:00:00")
    head, data = read_head(visitor, target), read_data(visitor, target)
    assert (head["title"], head["canonical"]) == (title, f"http://vetrina.test{target}")
    assert "robots" not in head
    assert data["BreadcrumbList"]["itemListElement"][0]["name"] == "Vetrina"
    assert data[kind]["url"] == f"http://vetrina.test{target}"
    further = read_head(visitor, f"{target}page/2/")
    assert further["canonical"] == f"http://vetrina.test{target}page/2/"
    assert further["title"] != title


def test_a_search_is_not_to_be_listed(visitor, write):
    write(title="A walk")
    head = read_head(visitor, "/en/?s=walk")
    assert (head["robots"], "og:title" in head) == ("noindex", False)
