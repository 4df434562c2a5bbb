"""Feeds of public pages. Rules: docs/rules/feeds.md, 1 to 5."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from html import unescape
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

from conftest import Stand
from vetrina.content.feeds.parsing import parse_feed

ATOM = "{http://www.w3.org/2005/Atom}"
CONTENT = "{http://purl.org/rss/1.0/modules/content/}encoded"
SLASH = "{http://purl.org/rss/1.0/modules/slash/}comments"
WFW = "{http://wellformedweb.org/CommentAPI/}commentRss"
CREATOR = "{http://purl.org/dc/elements/1.1/}creator"
RSS_TYPE, ATOM_TYPE = "application/rss+xml; charset=UTF-8", "application/atom+xml; charset=UTF-8"


def path(record: Any) -> str:
    return urlsplit(record["link"]).path


def read_rss(visitor: Any, target: str) -> Any:
    """Return the channel of a feed, which has what RSS 2.0 demands."""
    answer = visitor.get(target)
    assert (answer.status, answer.headers["content-type"]) == (200, RSS_TYPE), target
    root = ElementTree.fromstring(answer.content)
    channel = root.find("channel")
    assert (root.tag, root.get("version"), len(root)) == ("rss", "2.0", 1)
    assert channel is not None
    for name in ("title", "link", "description"):
        assert len(channel.findall(name)) == 1
    own = channel.find(f"{ATOM}link")
    assert own is not None
    assert (own.get("rel"), own.get("type")) == ("self", "application/rss+xml")
    for item in channel.findall("item"):
        assert item.findtext("title") or item.findtext("description")
        assert parsedate_to_datetime(item.findtext("pubDate") or "").tzinfo is not None
        guid = item.find("guid")
        assert guid is not None
        assert guid.get("isPermaLink") == "false"
    return channel


def titles(channel: Any) -> list[str]:
    return [one.findtext("title") for one in channel.findall("item")]


def set_options(site: Stand, **values: Any) -> None:
    with site.site.work() as work:
        for name, value in values.items():
            work.set_option(name, value)


@pytest.mark.every_database
def test_a_feed_is_rss_and_atom_beside_it(visitor, write, admin):
    admin.post("/cms/v2/settings", {"description": "Words & more"})
    tag = admin.post("/cms/v2/tags", {"name": "Red"}).json
    one = write(title="A & B", content="<p>C &amp; D</p>", excerpt="Short", tags=[tag["id"]])
    channel = read_rss(visitor, "/en/feed/")
    assert [channel.findtext(name) for name in ("title", "link", "description", "language")] == [
        "Vetrina", "http://vetrina.test/en/", "Words & more", "en",
    ]  # fmt: skip
    assert channel.find(f"{ATOM}link").get("href") == "http://vetrina.test/en/feed/"
    [item] = channel.findall("item")
    assert (item.findtext("title"), item.findtext("link"), item.findtext(CREATOR)) == ("A & B", one["link"], "editor")
    assert item.findtext(CONTENT).strip() == "<p>C &amp; D</p>"
    assert item.findtext("description").strip() == "<p>Short</p>"
    assert [category.text for category in item.findall("category")] == ["Red", "Uncategorized"]
    assert item.findtext("guid") == one["guid"]["rendered"]
    atom = visitor.get("/en/feed/atom/")
    assert atom.headers["content-type"] == ATOM_TYPE
    assert [entry.title for entry in parse_feed(atom.content, "http://vetrina.test/")] == ["A & B"]
    assert titles(read_rss(visitor, "/en/feed/rss2/")) == ["A & B"]


def test_each_list_has_its_feeds_and_names_them(visitor, write, admin):
    tag = admin.post("/cms/v2/tags", {"name": "Red"}).json
    category = admin.post("/cms/v2/categories", {"name": "Walks"}).json
    write(title="Tagged", date="2025-03-04T10:00:00", tags=[tag["id"]], categories=[category["id"]])
    write(title="Other", date="2024-03-04T10:00:00")
    write(language="it", title="Italiano", date="2025-03-04T10:00:00")
    for target, expected in {
        "/en/": ["Tagged", "Other"],
        "/it/": ["Italiano"],
        path(tag): ["Tagged"],
        path(category): ["Tagged"],
        "/en/author/editor/": ["Tagged", "Other"],
        "/it/author/editor/": ["Italiano"],
        "/en/2025/": ["Tagged"],
        "/en/2025/03/": ["Tagged"],
        "/it/2025/03/04/": ["Italiano"],
    }.items():
        shown = visitor.get(target)
        assert shown.status == 200, target
        named = re.findall(
            r'<link rel="alternate" type="application/(\w+)\+xml" title="[^"]+" href="([^"]+)">', shown.text
        )
        assert named == [
            ("rss", f"http://vetrina.test{target}feed/"), ("atom", f"http://vetrina.test{target}feed/atom/"),
        ]  # fmt: skip
        assert titles(read_rss(visitor, f"{target}feed/")) == expected
        assert len(parse_feed(visitor.get(f"{target}feed/atom/").content, target)) == len(expected)


def test_a_search_has_a_feed(visitor, write):
    write(title="A walk", date="2024-01-01T10:00:00")
    write(title="Walk walk walk", date="2023-01-01T10:00:00")
    write(title="Bread")
    shown = visitor.get("/en/?s=walk").text
    named = re.search(r'type="application/rss\+xml" title="[^"]+" href="([^"]+)"', shown)
    assert named is not None
    assert unescape(named[1]) == "http://vetrina.test/en/feed/?s=walk"
    channel = read_rss(visitor, "/en/feed/?s=walk")
    assert titles(channel) == ["A walk", "Walk walk walk"]
    assert channel.find(f"{ATOM}link").get("href") == "http://vetrina.test/en/feed/?s=walk"


def test_the_page_of_posts_has_a_feed(visitor, write, admin):
    front, blog = write("pages", title="Our shop"), write("pages", title="News")
    write(title="A post")
    admin.post(
        "/cms/v2/settings", {"show_on_front": "page", "page_on_front": front["id"], "page_for_posts": blog["id"]}
    )
    assert 'href="http://vetrina.test/en/news/feed/"' in visitor.get("/en/news/").text
    for target in ("/en/news/feed/", "/en/feed/"):
        assert titles(read_rss(visitor, target)) == ["A post"]


@pytest.mark.parametrize(
    "target", ["/en/feed/feed/", "/en/none/feed/", "/en/feed/xml/", "/en/category/none/feed/", "/en/2031/feed/",
               "/en/author/subscriber/feed/", "/en/author/subscriber/", "/en/feed/atom/rss2/"],
)  # fmt: skip
def test_what_has_no_page_has_no_feed(visitor, target):
    assert visitor.get(target).status == 404


def test_the_options_say_how_many_and_how_much(visitor, write, house):
    for number in range(4):
        write(title=f"Post {number}", date=f"2026-01-0{number + 1}T10:00:00", content="The whole text", excerpt="Short")
    set_options(house, posts_per_rss=3, rss_use_excerpt=True)
    channel = read_rss(visitor, "/en/feed/")
    assert titles(channel) == ["Post 3", "Post 2", "Post 1"]
    assert channel.find(f"item/{CONTENT}") is None
    assert "The whole text" not in visitor.get("/en/feed/atom/").text


def test_a_text_with_a_password_is_not_told(visitor, write):
    write(title="Secret", content="Nobody knows", excerpt="Nobody at all", password="open")
    for target in ("/en/feed/", "/en/feed/atom/"):
        text = visitor.get(target).text
        assert "Nobody" not in text
        assert "protected" in text


def test_comments_have_feeds(visitor, write, admin):
    def comment(on: Any, text: str, second: int, **members: Any) -> None:
        words = {"author_name": "Ada & co", "author_email": "ada@example.com", "status": "approve", **members}
        made = admin.post(
            "/cms/v2/comments", {"post": on["id"], "content": text, "date": f"2026-01-01T10:00:0{second}", **words}
        )
        assert made.status == 201, made.json

    first, other = write(title="First"), write(title="Other", password="secret")
    italian = write(title="Italiano", language="it")
    comment(first, "One", 1)
    comment(first, "Two", 2)
    comment(first, "Waits", 3, status="hold")
    comment(other, "Hidden", 4)
    comment(italian, "Tre", 5)
    channel = read_rss(visitor, f"{path(first)}feed/")
    assert titles(channel) == ["By Ada & co"] * 2
    assert [one.findtext(CONTENT).strip() for one in channel.findall("item")] == ["<p>Two</p>", "<p>One</p>"]
    assert channel.findtext("link") == first["link"]
    assert channel.find("item").findtext("link") == f"{first['link']}#comment-2"
    everything = read_rss(visitor, "/en/comments/feed/")
    assert titles(everything) == ["Ada & co on “First”"] * 2
    assert everything.find(f"{ATOM}link").get("href") == "http://vetrina.test/en/comments/feed/"
    assert titles(read_rss(visitor, "/it/comments/feed/")) == ["Ada & co su «Italiano»"]
    assert len(parse_feed(visitor.get("/en/comments/feed/atom/").content, "/")) == 2
    assert visitor.get(f"{path(other)}feed/").status == 404
    item = read_rss(visitor, "/en/feed/").findall("item")[-1]
    assert (item.findtext(SLASH), item.findtext(WFW)) == ("2", f"{first['link']}feed/")
    assert f'href="{first["link"]}feed/"' in visitor.get(path(first)).text


@pytest.mark.parametrize("target", ["/en/feed/", "/en/feed/atom/", "/en/comments/feed/", "{post}feed/"])
def test_a_feed_is_kept_until_something_changes(visitor, write, admin, target):
    post = write(title="First")
    target = target.format(post=path(post))
    kept = visitor.get(target).headers["etag"]
    assert visitor.get(target, **{"if-none-match": kept}).status == 304
    words = {"author_name": "Ada", "author_email": "ada@example.com", "status": "approve"}
    assert admin.post("/cms/v2/comments", {"post": post["id"], "content": "One", **words}).status == 201
    assert ("One" in visitor.get(target).text) == ("/en/feed" not in target)
    if "/en/feed" not in target:
        assert visitor.get(target, **{"if-none-match": kept}).status == 200
    kept = visitor.get(target).headers["etag"]
    admin.post(f"/cms/v2/posts/{post['id']}", {"title": "Renamed", "content": "New words"})
    if "comments" not in target:
        assert "Renamed" in visitor.get(target, **{"if-none-match": kept}).text


def test_a_feed_is_xml_whatever_a_text_holds(visitor, write):
    write(title="A\x0b\ufffeB <i>c</i>", content='<p>\x1f\uffff ]]> &nbsp; <a href="#x">C</a></p>')
    [item] = read_rss(visitor, "/en/feed/").findall("item")
    assert '<a href="#x">C</a>' in item.findtext(CONTENT)


def test_links_of_a_text_lead_to_the_site_from_elsewhere(visitor, write):
    write(
        content='<p><a href="/en/a/">A</a> <a href="//b.example/">B</a> <img src="/c.png" alt=""> <a href="d">D</a></p>'
    )
    for target in ("/en/feed/", "/en/feed/atom/"):
        text = unescape(visitor.get(target).text)
        for part in ('href="http://vetrina.test/en/a/"', 'href="//b.example/"', 'src="http://vetrina.test/c.png"'):
            assert part in text


def test_robots_are_told_the_owner_s_lines(visitor, house):
    assert visitor.get("/robots.txt").text == (
        "User-agent: *\nDisallow: /admin/\n\nSitemap: http://vetrina.test/sitemap.xml\n"
    )
    set_options(house, robots_txt="Disallow: /tmp/\r\n\x00\n  Crawl-delay: 5\x07\nUser-agent: GPTBot\nDisallow: /")
    assert visitor.get("/robots.txt").text == (
        "User-agent: *\nDisallow: /admin/\nDisallow: /tmp/\nCrawl-delay: 5\nUser-agent: GPTBot\nDisallow: /\n\n"
        "Sitemap: http://vetrina.test/sitemap.xml\n"
    )
    set_options(house, blog_public=False)
    assert visitor.get("/robots.txt").text == "User-agent: *\nDisallow: /\n"


def test_addresses_in_a_feed_are_absolute(visitor, write):
    write(title="Links", content='<p><a href="/en/about/">About</a></p>', excerpt='<a href="more">More</a>')
    [item] = read_rss(visitor, "/en/feed/").findall("item")
    assert '<a href="http://vetrina.test/en/about/">About</a>' in item.findtext(CONTENT)
    assert re.search(r'<a href="http://vetrina.test/en/.+/more">More</a>', item.findtext("description"))
