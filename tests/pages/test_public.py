"""The public pages: records at their URLs, lists, languages, restricted content."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlsplit
from xml.etree import ElementTree

import msgspec
import pytest

from conftest import exchange
from vetrina.content.records import model as record
from vetrina.content.types.registry import CATEGORY
from vetrina.rest.dialects import names
from vetrina.settings import load_profile
from vetrina.site import Site

ATOM = "{http://www.w3.org/2005/Atom}"


def path(record) -> str:
    parts = urlsplit(record["link"])
    return parts.path + (f"?{parts.query}" if parts.query else "")


def heading(title: str) -> str:
    """Return the heading of a page as the built-in theme has it."""
    return f'<h1 class="wp-block-post-title">{title}</h1>'


def test_each_kind_of_record_is_at_its_address(visitor, write, admin):
    parent = write("pages", title="Above")
    made = [
        write(title="Dated <em>post</em>"),
        write("pages", title="Below", parent=parent["id"]),
        write("intervento", title="Custom"),
        write(title="È già l’ora", slug="日本"),
    ]
    for one in made:
        answer = visitor.get(path(one))
        assert answer.status == 200, one["link"]
        assert heading(one["title"]["rendered"]) in answer.text
        assert "Some words." in answer.text
        base = one["_links"]["self"][0]["href"]
        assert f'<{base}>; rel="alternate"; title="JSON"; type="application/json"' in answer.headers["link"]
        assert 'rel="https://api.cms.example/"' in answer.headers["link"]
        assert f'<link rel="canonical" href="{one["link"]}">' in answer.text


def test_the_text_of_a_page_is_escaped(visitor, write):
    one = write(title="Fish & <chips>", slug="fish")
    text = visitor.get(path(one)).text
    assert "<title>Fish &amp; – Vetrina</title>" in text or "<title>Fish &amp; &lt;chips&gt; – Vetrina</title>" in text


@pytest.mark.parametrize("query", ["?p={id}", "?post_type=post&p={id}"])
def test_a_number_leads_to_the_address(visitor, write, query):
    one = write()
    answer = visitor.get("/en/" + query.format(**one))
    assert (answer.status, answer.location) == (301, one["link"])


def test_other_ways_to_write_an_address_lead_to_it(visitor, write):
    one = write()
    own = urlsplit(one["link"]).path
    for other in (own.rstrip("/"), own.removeprefix("/en"), own.upper().replace("/EN/", "/en/")):
        answer = visitor.get(other)
        assert (answer.status, answer.location) == (301, one["link"]), other


@pytest.mark.parametrize(
    "target",
    [
        "/nothing/", "/en/nothing/", "/en/2026/01/01/none/", "/en/?p=999", "/en/?page_id=x", "/en/page/2/",
        "/en/category/none/", "/en/author/nobody/", "/en/1999/", "/en/2026/13/", "/en/feed/x/", "/nothing.txt",
        "/en/0/", "/favicon.ico", "/%00", "/en/%ff/", "/sitemap-none-en-1.xml", "/adminx/", "/en/page/0/",
        "/en/nothing/embed/", "/en/9999/12/31/", "/en/9999/12/", "/en/9999/",
    ],
)  # fmt: skip
def test_what_is_not_there_is_not_found(visitor, target):
    answer = visitor.get(target)
    assert answer.status == 404
    assert "etag" not in answer.headers


@pytest.mark.parametrize("target", ["/", "/en/", "/it/"])
def test_a_page_has_its_landmarks_and_its_language(visitor, write, target):
    write()
    text = visitor.get(target).text
    language = "it" if "it" in target else "en"
    assert text.startswith(f'<!DOCTYPE html>\n<html lang="{language}">')
    for part in ('<a href="#content" class="skip">', "<header ", '<main id="content"', "<footer ", "<title>"):
        assert text.count(part) == 1
    assert text.count("<h1") == 1
    assert '<link rel="alternate" hreflang="it" href="http://vetrina.test/it/">' in text


def test_the_front_shows_posts_in_pages(visitor, write, admin):
    for number in range(5):
        write(title=f"Post {number}", date=f"2026-01-0{number + 1}T10:00:00")
    write(language="it", title="Italiano")
    admin.post("/cms/v2/settings", {"posts_per_page": 2})
    first, second = visitor.get("/en/").text, visitor.get("/en/page/2/").text
    assert first.index("Post 4") < first.index("Post 3")
    assert "Post 2" in second
    assert "Italiano</a></h3>" not in first
    assert 'rel="next"' in first
    assert 'rel="prev"' not in first
    assert re.search(r'<a [^>]*href="http://vetrina.test/en/" rel="prev"', second)
    assert visitor.get("/en/page/4/").status == 404


def test_a_page_may_stand_on_the_front_and_another_for_the_posts(visitor, write, admin):
    front, blog = write("pages", title="Our shop"), write("pages", title="News")
    write(title="A post")
    admin.post(
        "/cms/v2/settings", {"show_on_front": "page", "page_on_front": front["id"], "page_for_posts": blog["id"]}
    )
    for target in ("/", "/en/"):
        assert heading("Our shop") in visitor.get(target).text
    assert "A post" in visitor.get("/en/news/").text
    assert heading("Our shop") in visitor.get(f"/en/?page_id={front['id']}").text
    assert heading("Our shop") not in visitor.get("/it/").text


def test_drafts_and_private_records_are_for_those_who_may_read_them(visitor, write):
    draft, private = write(status="draft", title="Not yet"), write(status="private", title="Ours")
    for one in (draft, private):
        assert visitor.get(path(one)).status == 404
    visitor.sign_in("author")
    for one in (draft, private):
        assert visitor.get(path(one)).status == 404
    visitor.cookies.clear()
    visitor.sign_in("editor")
    for one, title in ((draft, "Not yet"), (private, "Ours")):
        answer = visitor.get(path(one))
        assert answer.status == 200
        assert title in answer.text
        assert answer.headers["cache-control"] == "no-store"
        assert "noindex" in answer.text


def test_a_preview_key_shows_what_is_not_saved(visitor, write, site, clock):
    one = write(title="As it is")
    editor = site.client("editor")
    kept = editor.post(f"/cms/v2/posts/{one['id']}/autosaves", {"title": "As it may be", "content": "New words."}).json
    answer = visitor.get(path({"link": kept["preview_link"]}))
    assert answer.status == 200
    assert "As it may be" in answer.text
    assert "New words." in answer.text
    assert answer.headers["cache-control"] == "no-store"
    forged = kept["preview_link"].replace("preview_nonce=", "preview_nonce=0")
    assert "As it may be" not in visitor.get(path({"link": forged})).text
    clock.forward(2 * 12 * 3600)
    assert "As it may be" not in visitor.get(path({"link": kept["preview_link"]})).text


def test_a_key_does_not_open_another_record(visitor, write, site):
    one, draft = write(), write(status="draft")
    kept = site.client("admin").post(f"/cms/v2/posts/{one['id']}/autosaves", {"content": "x"}).json
    key = kept["preview_link"].partition("?")[2]
    assert visitor.get(f"/en/?p={draft['id']}&{key}").status == 404


def test_a_password_opens_a_record(visitor, write):
    one = write(title="Behind a door", content="The secret.", excerpt="Secret too.", password="sesame")
    locked = visitor.get(path(one))
    assert locked.status == 200
    for answer in (locked, visitor.get("/en/"), visitor.get("/en/feed/"), visitor.get(path(one) + "embed/")):
        assert "Behind a door" in answer.text
        assert "The secret." not in answer.text
        assert "Secret too." not in answer.text
    wrong = visitor.post(path(one), {"post_password": "wrong"})
    assert wrong.status == 403
    assert "This password is wrong." in wrong.text
    right = visitor.post(path(one), {"post_password": "sesame"})
    assert (right.status, right.location) == (303, one["link"])
    opened = visitor.get(path(one))
    assert "The secret." in opened.text
    assert opened.headers["cache-control"] == "no-store"
    visitor.cookies.clear()
    assert "The secret." not in visitor.get(path(one)).text


@pytest.mark.every_database
def test_guesses_at_a_password_are_slowed(visitor, write, site):
    one = write(password="sesame")
    for _ in range(site.site.context.profile.limits.sign_in_failures):
        assert visitor.post(path(one), {"post_password": "x"}).status == 403
    assert visitor.post(path(one), {"post_password": "sesame"}).status == 429


def test_a_new_password_locks_again(visitor, write, site):
    one = write(password="sesame", content="The secret.")
    visitor.post(path(one), {"post_password": "sesame"})
    site.client("editor").post(f"/cms/v2/posts/{one['id']}", {"password": "other"})
    assert "The secret." not in visitor.get(path(one)).text


def test_only_what_has_a_password_takes_a_form(visitor, write):
    one = write()
    answer = visitor.post(path(one), {"post_password": "x"})
    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")
    assert visitor.ask("DELETE", path(one)).status == 405


@pytest.mark.every_database
def test_terms_authors_and_days_have_lists(visitor, write, admin):
    above = admin.post("/cms/v2/categories", {"name": "Fruit & more"}).json
    below = admin.post("/cms/v2/categories", {"name": "Apples", "parent": above["id"]}).json
    tag = admin.post("/cms/v2/tags", {"name": "Red"}).json
    one = write(title="About apples", categories=[below["id"]], tags=[tag["id"]], date="2026-03-05T10:00:00")
    write(title="Something else", date="2025-01-01T10:00:00")
    for target in (
        path(above),
        path(below),
        path(tag),
        "/en/2026/",
        "/en/2026/03/",
        "/en/2026/03/05/",
        "/en/?m=2026&w=10",
    ):
        text = visitor.get(target).text
        assert "About apples" in text, target
        assert "Something else" not in text, target
    assert ">Category: <span>Fruit &amp; more</span></h1>" in visitor.get(path(above)).text
    assert "Something else" in visitor.get("/en/author/editor/").text
    assert visitor.get("/en/author/subscriber/").status == 404
    assert visitor.get(path(below).replace("/fruit-more", "")).status == 404
    assert f'<a href="{below["link"]}" rel="tag">Apples</a>' in visitor.get(path(one)).text
    assert CATEGORY.directory in below["link"]


def test_a_search_finds_by_words(visitor, write):
    write(title="About pears")
    write("pages", title="Pears, too")
    write(title="Hidden pears", status="private")
    text = visitor.get("/en/?s=pears").text
    assert "About pears" in text
    assert "Pears, too" in text
    assert "Hidden" not in text
    assert "noindex" in text
    nothing = visitor.get("/en/?s=fig+%3Cb%3E").text
    assert "Search results for “fig &lt;b&gt;”</h1>" in nothing
    assert "Nothing fits these words" in nothing
    assert "What is new</h1>" in visitor.get("/en/?s=%3Cb%3E").text


def test_a_translation_is_named(visitor, write, site):
    english, italian = write(title="Opening hours"), write(language="it", title="Orari")
    with site.site.work() as work:
        old = record.find_record(work.tx, italian["id"])
        record.update_record_row(work, old, msgspec.structs.replace(old, translations=english["id"]))
        work.note("post", italian["id"], "changed")
    text = visitor.get(path(english)).text
    assert f'<link rel="alternate" hreflang="it" href="{italian["link"]}">' in text
    assert f'<a href="{italian["link"]}" lang="it" hreflang="it">Italiano</a>' in text
    assert '<html lang="it">' in visitor.get(path(italian)).text


def test_an_embed_may_be_framed_and_nothing_else(visitor, write):
    one = write()
    policy = visitor.get(path(one)).headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    embed = visitor.get(path(one) + "embed/")
    assert "frame-ancestors *" in embed.headers["content-security-policy"]
    assert "script-src 'sha256-" in embed.headers["content-security-policy"]
    assert "x-frame-options" not in embed.headers
    assert "application/json+oembed" in visitor.get(path(one)).text


@pytest.mark.every_database
def test_feeds_are_atom(visitor, write, admin):
    tag = admin.post("/cms/v2/tags", {"name": "Red"}).json
    one = write(title="A & B", content="<p>C &amp; D</p>", tags=[tag["id"]])
    write(language="it", title="Italiano")
    for target in ("/en/feed/atom/", "/feed/atom/", path(tag) + "feed/atom/", "/en/author/editor/feed/atom/"):
        answer = visitor.get(target)
        assert answer.headers["content-type"].startswith("application/atom+xml")
        root = ElementTree.fromstring(answer.content)
        space = "{http://www.w3.org/2005/Atom}"
        assert [entry.find(f"{space}title").text for entry in root.findall(f"{space}entry")] == ["A & B"]
        assert root.find(f"{space}entry/{space}link").get("href") == one["link"]
        assert "<p>C &amp; D</p>" in root.find(f"{space}entry/{space}content").text
    assert "Italiano" in visitor.get("/it/feed/atom/").text


def test_a_sticky_post_keeps_its_place_in_a_feed(visitor, write):
    write(title="Old", date="2020-01-01T10:00:00", sticky=True)
    write(title="New", date="2021-01-01T10:00:00")
    root = ElementTree.fromstring(visitor.get("/en/feed/atom/").content)
    assert [entry.find(f"{ATOM}title").text for entry in root.findall(f"{ATOM}entry")] == ["New", "Old"]
    shown = visitor.get("/en/").text
    assert shown.index("Old") < shown.index("New")


def test_the_administration_answers_alike_with_and_without_a_slash(visitor):
    one, other = visitor.get("/admin"), visitor.get("/admin/")
    assert (one.status, other.status) == (302, 302)
    assert other.location == f"{one.location}%2F"


def test_a_feed_is_xml_whatever_a_text_holds(visitor, write):
    one = write(title="A\x0b\ufffeB <i>c</i>", content='<p>\x1f\uffff ]]> &nbsp; <a href="#x">C</a></p>')
    root = ElementTree.fromstring(visitor.get("/en/feed/atom/").content)
    content = root.find(f"{ATOM}entry/{ATOM}content")
    assert '<a href="#x">C</a>' in content.text
    assert content.get("{http://www.w3.org/XML/1998/namespace}base") == one["link"]
    # Required elements of a feed, and those allowed only once: RFC 4287, 4.1.
    for place in (root, root.find(f"{ATOM}entry")):
        assert [len(place.findall(ATOM + name)) for name in ("id", "title", "updated")] == [1, 1, 1]
    assert root.find(f"{ATOM}link[@rel='self']") is not None
    assert root.find(f"{ATOM}entry/{ATOM}author/{ATOM}name").text


def test_a_translation_is_named_in_the_map_both_ways(visitor, write, admin):
    first, second = write(), write(language="it")
    linked = admin.post(f"/cms/v2/posts/{second['id']}", {"translations": {"en": first["id"]}})
    assert linked.status == 200
    maps = [ElementTree.fromstring(visitor.get(f"/sitemap-post-{one}-1.xml").content) for one in ("en", "it")]
    named = [{link.get("hreflang"): link.get("href") for link in one.iter("{http://www.w3.org/1999/xhtml}link")}
             for one in maps]  # fmt: skip
    assert named[0] == named[1] == {"en": first["link"], "it": second["link"], "x-default": first["link"]}


@pytest.mark.every_database
def test_the_map_names_every_published_record(visitor, write):
    made = [write(), write("pages"), write("intervento"), write(language="it")]
    hidden = write(status="private")
    index = visitor.get("/sitemap.xml").text
    pieces = [urlsplit(part.partition("</loc>")[0]).path for part in index.split("<loc>")[1:]]
    names = ("cms_list-en", "cms_list-it", "post-en", "post-it", "page-en", "intervento-en", "category-en")
    assert pieces == [f"/sitemap-{name}-1.xml" for name in names]
    whole = "".join(visitor.get(piece).text for piece in pieces)
    for one in made:
        assert f"<loc>{one['link']}</loc>" in whole
    assert hidden["link"] not in whole
    assert "<loc>http://vetrina.test/en/category/uncategorized/</loc></url>" in whole
    assert "Sitemap: http://vetrina.test/sitemap.xml" in visitor.get("/robots.txt").text


def test_an_unchanged_page_is_not_sent_again(visitor, write):
    one = write()
    first = visitor.get(path(one))
    assert first.headers["vary"] == "Cookie"
    for _ in range(2):
        again = visitor.get(path(one), **{"if-none-match": first.headers["etag"], "origin": "https://evil.example"})
        assert (again.status, again.content) == (304, b"")
        assert "access-control-allow-origin" not in again.headers
    head = visitor.ask("HEAD", path(one))
    assert (head.status, head.content, head.headers["etag"]) == (200, b"", first.headers["etag"])


def test_a_large_form_is_refused(visitor):
    assert visitor.post("/admin/sign-in", {"login": "x" * 70_000}).status == 413


def test_a_dialect_finds_its_root_and_the_sites_own_pages(house):
    pairs = names.load_name_pairs("wordpress")
    profile = load_profile("first", {"dialects": ["neutral", "wordpress"]})
    site = Site(profile, house.site.context.settings, house.site.folder)
    try:
        own = exchange(site, "GET", f"/{pairs.url_prefix['admin']}/authorize-application.php?app_name=x")
        _, headers, text = exchange(site, "GET", "/it/")
    finally:
        site.close()
    assert own[0] == 303
    assert dict(own[1])["location"].startswith(f"/{pairs.url_prefix['admin']}/sign-in?")
    relation, prefix = pairs.link_relations["https://api.cms.example/"], pairs.url_prefix["cms-json"]
    assert f'<http://vetrina.test/it/{prefix}/>; rel="{relation}"' in dict(headers)["link"]
    assert f'rel="{relation}"'.encode() in text


def test_a_site_of_the_other_dialect_alone_names_nothing_that_it_does_not_answer(house, write):
    one = write()
    profile = load_profile("first", {"dialects": ["wordpress"]})
    site = Site(profile, house.site.context.settings, house.site.folder)
    try:
        _, headers, text = exchange(site, "GET", path(one))
        found = re.findall(r'href="http://vetrina\.test(/[^"]*json[^"]*)"', text.decode())
        alternate = dict(headers)["link"]
        assert len(found) == 4
        assert [exchange(site, "GET", unescape(place))[0] for place in found] == [200] * 4
    finally:
        site.close()
    assert b"cms-json" not in text
    assert "cms-json" not in alternate
    assert f'<http://vetrina.test/en/wp-json/wp/v2/posts/{one["id"]}>; rel="alternate"' in alternate


def test_dates_are_written_as_the_language_does_until_the_owner_chooses(visitor, write, site):
    english, italian = (write(language=one, date="2026-11-04T10:00:00") for one in ("en", "it"))
    assert ">November 4, 2026<" in visitor.get(path(english)).text
    assert ">4 novembre 2026<" in visitor.get(path(italian)).text
    with site.site.work() as work:
        work.set_option("date_format", "Y-m-d")
    assert ">2026-11-04<" in visitor.get(path(italian)).text
