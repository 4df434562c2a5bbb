"""The block and the widget that display another site's feed: fetched in the background, displayed as last fetched."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from conftest import Client, SetClock, Stand
from foreign_host import Host, answer, outbound_to
from vetrina.content.feeds.parsing import FeedEntry, InvalidFeed, parse_feed
from vetrina.settings import Settings, load_profile
from vetrina.site import Site
from vetrina.system import job_runner

RSS = b"""<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>Frutta</title><link>http://frutta.example/</link>
<item><title>Mele &amp;amp; &lt;b&gt;pere&lt;/b&gt;</title><link>/mele?a=1&amp;b=2</link><dc:creator>Anna</dc:creator>
<pubDate>Sat, 21 Nov 2026 23:30:00 GMT</pubDate><description><![CDATA[<p>Uno due <b>tre</b></p>]]></description></item>
<item><title></title><link>javascript:alert(1)</link></item>
<item><title>Terza</title><guid isPermaLink="true">http://frutta.example/terza</guid></item></channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><entry><title type="html">Una &lt;i&gt;voce&lt;/i&gt;</title>
<link rel="self" href="http://a.example/self"/><link href="voci/1"/><author><name>Bruno</name><email>x</email></author>
<updated>2026-11-21T10:00:00+01:00</updated><summary>Breve</summary></entry></feed>"""
URL = "http://frutta.example/feed"
BLOCK = '<!-- wp:rss {{"feedURL":"{url}","itemsToShow":2{more}}} /-->'
Served = Callable[[Callable[[BaseHTTPRequestHandler], None]], "Reader"]


class Reader:
    """A site that reads feeds of one foreign host, with its administrator."""

    def __init__(self, site: Site, host: Host, clock: SetClock) -> None:
        self.site, self.host, self.clock = site, host, clock
        self.admin = Stand(site).client("admin")

    def work_off(self) -> None:
        job_runner.build_consumer(self.site.context, self.site.database).run_due_jobs()

    def post(self, url: str = URL, more: str = "") -> str:
        text = BLOCK.format(url=url, more=more)
        made = self.admin.post("/cms/v2/posts", {"title": "x", "content": text, "status": "publish"})
        return f"/cms/v2/posts/{made.json['id']}"

    def shown(self, path: str) -> str:
        return str(Client(self.site).get(path).json["content"]["rendered"])


@pytest.fixture
def served(prepared: Path, tmp_path: Path, clock: SetClock) -> Iterator[Served]:
    opened: list[Any] = []

    def start(respond: Callable[[BaseHTTPRequestHandler], None]) -> Reader:
        shutil.copy(prepared / "site.sqlite", tmp_path / "site.sqlite")
        host = Host(respond)
        settings = Settings(secret="secret of the tests")
        outbound = outbound_to(host, {"interno.example": ["10.0.0.1"], "127.0.0.1": ["127.0.0.1"]})
        site = Site(load_profile("first"), settings, tmp_path, durable=False, outbound=outbound, clock=clock)
        opened.extend((host, site))
        return Reader(site, host, clock)

    yield start
    for one in opened:
        one.close()


def test_a_feed_is_read_in_the_background_and_shown(served: Served) -> None:
    reader = served(lambda handler: answer(handler, RSS, Content_Type="text/xml"))
    path = reader.post(more=',"displayDate":true,"displayAuthor":true,"displayExcerpt":true,"excerptLength":2')
    assert (reader.shown(path), reader.host.asked) == ("", [])  # reading a page fetches nothing
    reader.work_off()
    assert reader.shown(path) == (
        '<ul class="has-dates has-authors has-excerpts wp-block-rss">'
        "<li class='wp-block-rss__item'><div class='wp-block-rss__item-title'>"
        "<a href='http://frutta.example/mele?a=1&#038;b=2'>Mele &amp; pere</a></div>"
        '<time datetime="2026-11-22T00:30:00+01:00" class="wp-block-rss__item-publish-date">November 22, 2026</time> '
        '<span class="wp-block-rss__item-author">by Anna</span>'
        '<div class="wp-block-rss__item-excerpt">Uno due [&hellip;]</div></li>'
        "<li class='wp-block-rss__item'><div class='wp-block-rss__item-title'>(no title)</div></li></ul>"
    )
    assert len(reader.host.asked) == 1


def test_a_feed_is_read_again_after_half_a_day_and_outlives_a_failure(served: Served) -> None:
    told = {"body": RSS}

    def respond(handler: BaseHTTPRequestHandler) -> None:
        answer(handler, told["body"], Content_Type="text/xml")

    reader = served(respond)
    path = reader.post()
    reader.work_off()
    told["body"] = RSS.replace(b"Terza", b"Quarta").replace(b"Mele", b"Noci")
    reader.clock.forward(11 * 3600)
    reader.work_off()
    assert "Mele" in reader.shown(path)
    reader.clock.forward(3700)
    reader.work_off()
    assert "Noci" in reader.shown(path)
    told["body"] = b"no feed"
    reader.clock.forward(12 * 3600 + 60)
    reader.work_off()
    assert (len(reader.host.asked), "Noci" in reader.shown(path)) == (3, True)


def test_a_feed_that_no_text_names_is_forgotten(served: Served) -> None:
    reader = served(lambda handler: answer(handler, RSS, Content_Type="text/xml"))
    path = reader.post()
    reader.work_off()
    reader.admin.delete(path, query={"force": True})
    reader.clock.forward(13 * 3600)
    reader.work_off()
    reader.clock.forward(13 * 3600)
    reader.work_off()
    assert len(reader.host.asked) == 1


@pytest.mark.parametrize("url", ["http://interno.example/feed", "http://127.0.0.1/feed", "file:///etc/passwd", "x"])
def test_no_address_inside_is_asked(served: Served, url: str) -> None:
    reader = served(lambda handler: answer(handler, RSS, Content_Type="text/xml"))
    path = reader.post(url)
    reader.work_off()
    asked = {"context": "edit", "attributes": {"feedURL": url}}
    assert "frutta" not in reader.admin.get("/cms/v2/block-renderer/core/rss", query=asked).json["rendered"]
    assert ("frutta" in reader.shown(path), reader.host.asked) == (False, [])


def test_an_editor_sees_a_feed_at_once(served: Served) -> None:
    reader = served(lambda handler: answer(handler, RSS, Content_Type="text/xml"))
    asked = {"context": "edit", "attributes": {"feedURL": URL, "blockLayout": "grid", "columns": 3}}
    shown = reader.admin.get("/cms/v2/block-renderer/core/rss", query=asked).json["rendered"]
    assert shown.startswith('<ul class="is-grid columns-3 wp-block-rss">')
    assert "Terza" in shown
    assert Client(reader.site).get("/cms/v2/block-renderer/core/rss", query=asked).status == 401
    assert len(reader.host.asked) == 1


def test_what_is_no_feed_is_told(served: Served) -> None:
    reader = served(lambda handler: answer(handler, b"<html>x</html>", Content_Type="text/html"))
    path = reader.post()
    reader.work_off()
    assert "notice-error" in reader.shown(path)


def test_a_widget_shows_a_feed(served: Served) -> None:
    reader = served(lambda handler: answer(handler, RSS, Content_Type="text/xml"))
    raw = {"url": URL, "items": 1}
    body = {"id_base": "rss", "sidebar": "cms_inactive_widgets", "instance": {"raw": raw}}
    assert reader.admin.post("/cms/v2/widgets", body).status == 201
    reader.work_off()
    shown = reader.admin.post("/cms/v2/widget-types/rss/render", {"instance": {"raw": raw}}).json["preview"]
    assert "Mele" in shown
    assert "Terza" not in shown


def test_entries_of_both_grammars() -> None:
    (only,) = parse_feed(ATOM, "http://a.example/feeds/")
    assert only == FeedEntry("Una voce", "http://a.example/feeds/voci/1", "Bruno", "Breve", 1_795_251_600)
    assert [one.link for one in parse_feed(RSS, URL)][1:] == ["", "http://frutta.example/terza"]


def test_entities_of_a_feed_are_not_grown() -> None:
    bomb = b"".join(
        (b'<!DOCTYPE r [<!ENTITY a "', b"x" * 1000, b'">', *(b'<!ENTITY %c "%b">' % (98 + n, b"&%c;" % (97 + n) * 10)
         for n in range(9)), b']><rss><channel><item><title>&j;</title></item></channel></rss>')
    )  # fmt: skip
    for content in (bomb, bomb.decode().encode("utf-16")):
        assert all(len(one.title) < 100 for one in parse_feed(content, URL))
    with pytest.raises(InvalidFeed):
        parse_feed(b"\0\1\2", URL)


@pytest.mark.parametrize(
    "content",
    [
        b"<?" + b'encoding=""' * 190_000,
        b"\n" * (2 << 20) + b'<rss version="2.0"/>',
        b"<rss><channel><item><author>" + b"a" * (2 << 20) + b"</author></item></channel></rss>",
        b"<rss><channel><item><pubDate>" + b"1:" * (1 << 20) + b"</pubDate></item></channel></rss>",
        b"<rss><channel><item><title>" + b"&lt;" * (1 << 19) + b"</title></item></channel></rss>",
        b"<rss><channel><item>" + b"<a>" * (700 << 10),
        b"<rss><channel>" + b"<item>" * (350 << 10),
    ],
    ids=["declaration", "lines", "author", "date", "title", "depth", "items"],
)
def test_a_hostile_feed_takes_no_longer_than_its_size(content: bytes) -> None:
    began = time.process_time()
    with suppress(InvalidFeed):
        parse_feed(content, URL)
    assert time.process_time() - began < 2
