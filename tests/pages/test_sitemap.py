"""The sitemap: what it names and what it leaves out. Rules: docs/rules/seo.md, 5."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"


def read_entries(visitor: Any, target: str) -> dict[str, dict[str, str]]:
    """Return the URLs of a piece, each with those in other languages."""
    answer = visitor.get(target)
    assert answer.status == 200, target
    return {
        one.findtext(f"{SPACE}loc") or "": {link.get("hreflang"): link.get("href") for link in one.iter(f"{XHTML}link")}
        for one in ElementTree.fromstring(answer.content)
    }


def test_what_nobody_should_find_is_left_out(visitor, write, admin):
    shown = write(title="Shown")
    for members in ({"password": "secret"}, {"status": "private"}, {"status": "draft"}, {"seo": {"noindex": True}}):
        write(title="Hidden", **members)
    assert list(read_entries(visitor, "/sitemap-post-en-1.xml")) == [shown["link"]]


def test_a_piece_of_hidden_things_alone_is_empty(visitor, write):
    write(seo={"noindex": True})
    assert "/sitemap-post-en-1.xml" in visitor.get("/sitemap.xml").text
    assert read_entries(visitor, "/sitemap-post-en-1.xml") == {}
    assert visitor.get("/sitemap-post-en-2.xml").status == 404


def test_terms_name_their_translations(visitor, write, admin):
    english = admin.post("/cms/v2/tags", {"name": "Red"}).json
    italian = admin.post("/cms/v2/tags?mlang_language=it", {"name": "Rosso"}).json
    alone = admin.post("/cms/v2/tags", {"name": "Blue"}).json
    linked = admin.post(f"/cms/v2/tags/{italian['id']}", {"translations": {"en": english["id"]}})
    assert linked.status == 200, linked.json
    write(tags=[english["id"], alone["id"]])
    write(language="it", tags=[italian["id"]])
    found = read_entries(visitor, "/sitemap-post_tag-en-1.xml")
    both = {"en": english["link"], "it": italian["link"], "x-default": english["link"]}
    assert found == {english["link"]: both, alone["link"]: {}}
    assert read_entries(visitor, "/sitemap-post_tag-it-1.xml") == {italian["link"]: both}


def test_home_and_authors_are_in_it(visitor, write, admin):
    write()
    homes = {"en": "http://vetrina.test/en/", "it": "http://vetrina.test/it/", "x-default": "http://vetrina.test/en/"}
    author = "http://vetrina.test/en/author/editor/"
    assert read_entries(visitor, "/sitemap-cms_list-en-1.xml") == {"http://vetrina.test/en/": homes, author: {}}
    assert read_entries(visitor, "/sitemap-cms_list-it-1.xml") == {"http://vetrina.test/it/": homes}
    front = write("pages", title="Our shop")
    admin.post("/cms/v2/settings", {"show_on_front": "page", "page_on_front": front["id"]})
    assert list(read_entries(visitor, "/sitemap-cms_list-en-1.xml")) == [author]
    assert visitor.get("/sitemap-cms_list-xx-1.xml").status == visitor.get("/sitemap-cms_list-en-2.xml").status == 404
