"""Themes of a user: that of the guide, one without templates, texts in other languages, palettes for dark pages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from css_reader import read_sheet
from vetrina.design.themes import active_theme

GUIDE = Path(__file__).parents[2] / "docs" / "themes.md"


@pytest.fixture
def use_theme(site):
    """Put a theme of some files into the site, and activate it."""

    def use(**files: str) -> None:
        folder = site.site.folder / "themes" / "riva"
        for name, text in {"style.css": "/*\nTheme Name: Riva\n*/", "theme.json": '{"version":3}', **files}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        active_theme.activate_theme(site.site, "riva")
        with site.site.work() as work:
            work.note("option", "theme", "changed")

    return use


def path(record) -> str:
    return urlsplit(record["link"]).path


def read_text(visitor, target: str) -> str:
    """Return the style sheet that a page names."""
    address = re.search(r'<link rel="stylesheet" href="([^"]+)"', visitor.get(target).text)
    assert address is not None
    return visitor.get(address[1]).text


def test_the_theme_of_the_guide_shows_lists_and_records(visitor, write, use_theme):
    blocks = dict(re.findall(r"^```(css|html)\n(.*?)^```$", GUIDE.read_text("utf-8"), re.DOTALL | re.MULTILINE))
    one = write(title="Of boats", content="Wood and tar.")
    use_theme(**{"style.css": blocks["css"], "templates/index.html": blocks["html"]})
    listed, shown = visitor.get("/en/").text, visitor.get(path(one)).text
    assert f'<h2 class="wp-block-post-title"><a href="{one["link"]}"' in listed
    assert '<h1 class="wp-block-post-title">Of boats</h1>' in shown
    assert "<p>Wood and tar.</p>" in shown
    assert read_sheet(read_text(visitor, "/en/")).find(".wp-site-blocks>main")["max-width"] == "40rem"


def test_a_theme_without_templates_has_plain_pages(visitor, write, use_theme):
    one = write(title="Plain", content="Some words.")
    use_theme()
    for target, heading in ((path(one), "Plain"), ("/en/", "Vetrina"), ("/en/nothing/", "There is no such page")):
        text = visitor.get(target).text
        assert f"<h1>{heading}</h1>" in text
        assert '<main id="content"' in text
    assert "Some words." in visitor.get(path(one)).text


def test_plain_pages_have_the_form_of_comments_and_replies(visitor, write, admin, use_theme):
    one = write(title="Plain")
    use_theme()
    first = admin.post(
        "/cms/v2/comments",
        {"post": one["id"], "content": "First", "author_name": "Ada", "author_email": "ada@example.com",
         "date": "2026-01-01T10:00:00", "status": "approve"},
    ).json  # fmt: skip
    asked = visitor.get(f"{path(one)}?replytocom={first['id']}")
    assert f'<article id="comment-{first["id"]}">' in asked.text
    assert asked.form["comment_parent"] == str(first["id"])
    form = {**asked.form, "author": "Bea", "email": "bea@example.com", "comment": "I agree"}
    answer = visitor.post(path(one), form, **{"sec-fetch-site": "same-origin"})
    assert answer.location.startswith(f"{one['link']}?unapproved=")
    assert "Your comment is awaiting moderation." in visitor.follow(answer).text
    assert "Your comment is shown as soon as" in visitor.follow(answer).text


def test_the_built_in_theme_speaks_the_language_of_the_page(visitor, write):
    for target, heading in (("/en/nothing/", "There is no page"), ("/it/nothing/", "A questo indirizzo")):
        assert heading in visitor.get(target).text
    write(language="it", title="Uno")
    text = visitor.get("/it/?s=uno").text
    assert "Cerca</button>" in text
    assert 'placeholder="Cerca"' in text


def test_what_the_owner_wrote_is_not_translated_by_the_theme(visitor, admin):
    text = "<!-- wp:paragraph --><p>What is new</p><!-- /wp:paragraph -->"
    assert admin.post("/cms/v2/templates/portico//404", {"content": text}).status == 200
    assert "<p>What is new</p>" in visitor.get("/it/nothing/").text


def test_dark_pages_have_the_palette_that_the_theme_names(visitor, use_theme, admin):
    night = {"version": 3, "title": "Night", "settings": {"color": {"palette": [
        {"slug": "base", "name": "Base", "color": "#101010"}]}}}  # fmt: skip
    day = {"version": 3, "settings": {"color": {"palette": [{"slug": "base", "name": "Base", "color": "#fefefe"}]}}}
    use_theme(**{
        "style.css": "/*\nTheme Name: Riva\nDark Variation: night\n*/", "styles/night.json": json.dumps(night),
        "theme.json": json.dumps(day), "templates/index.html": "<p>Here</p>",
    })  # fmt: skip
    dark = "@media(prefers-color-scheme:dark){:root{--wp--preset--color--base:#101010}}"
    assert dark in read_text(visitor, "/en/")
    own = admin.get("/cms/v2/themes?status=active").json[0]["_links"]["cms:user-global-styles"][0]["href"]
    number = own.rpartition("/")[2]
    assert admin.post(f"/cms/v2/global-styles/{number}", {"styles": {"color": {"background": "#eee"}}}).status == 200
    assert "prefers-color-scheme:dark" not in read_text(visitor, "/en/")
