"""The public pages of the demonstrations: valid HTML, light, without a link that leads nowhere."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

import html5lib
import pytest

from conftest import exchange
from demo.conftest import Demo
from vetrina.site import Site

MOST_BYTES = 60_000  # of a page with its style sheet and scripts as they are sent, without pictures
MOST_PAGES = 400
_LOCATION = re.compile(r"<loc>([^<]+)</loc>")
_LINK = re.compile(r'<(?:a|link|form)\b[^>]*? (?:href|action)="([^"]*)"')
_LOADED = re.compile(r'<(?:link rel="stylesheet" href|script src)="([^"]*)"')


def get(site: Site, url: str) -> tuple[int, str, str]:
    """Return the status, the type and the text of an address of the site; redirects are followed."""
    for _ in range(5):
        parts = urlsplit(url)
        status, pairs, content = exchange(site, "GET", parts.path + (f"?{parts.query}" if parts.query else ""), b"", {})
        headers = dict(pairs)
        if status not in (301, 302, 303, 307, 308):
            return status, headers.get("content-type", ""), content.decode("utf-8", "replace")
        url = urljoin(url, headers["location"])
    raise AssertionError(f"{url} leads in a circle")


@pytest.fixture(scope="module", params=["first", "second"])
def pages(request: pytest.FixtureRequest) -> dict[str, str]:
    """The public pages that can be reached from the sitemap, with their texts."""
    demo: Demo = request.getfixturevalue(request.param)
    site = demo.site
    sitemaps = _LOCATION.findall(get(site, "/sitemap.xml")[2])
    pending = [unescape(url) for one in sitemaps for url in _LOCATION.findall(get(site, one)[2])]
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(pending[0]))
    pending += [f"{origin}/en/?s=the", f"{origin}/it/?s=il", f"{origin}/en/no-such-page/"]
    seen, found, broken = set(pending), {}, []
    while pending and len(found) < MOST_PAGES:
        url = pending.pop(0)
        status, kind, text = get(site, url)
        if status != 200 and not url.endswith("/no-such-page/"):
            broken.append((status, url))
        if not kind.startswith("text/html"):
            continue
        found[url] = text
        for link in _LINK.findall(text):
            to = urldefrag(urljoin(url, unescape(link)))[0]
            # What signs in, and the interface, is tried elsewhere; of the queries of a list those that its pages name.
            if to.startswith(origin) and "/cms-json/" not in to and "/wp-json/" not in to and to not in seen:
                seen.add(to)
                pending.append(to)
    assert broken == []
    return found


def test_each_page_is_valid_html(pages: dict[str, str]) -> None:
    faults: Counter[str] = Counter()
    for url, text in pages.items():
        parser = html5lib.HTMLParser()
        parser.parse(text)
        faults.update(f"{code} {details} at {position}: {url}" for position, code, details in parser.errors[:3])
    assert not faults


def test_no_id_is_there_twice(pages: dict[str, str]) -> None:
    for url, text in pages.items():
        ids = Counter(re.findall(r'<[a-z][^>]*? id="([^"]+)"', text))
        assert [one for one, count in ids.items() if count > 1] == [], url


def _list_objects(value: object) -> Iterator[dict[str, Any]]:
    """Return each object of schema.org in a value."""
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _list_objects(one)


# What those that read them ask for.
_MEMBERS = {
    "Product": {"name", "url", "offers"}, "Offer": {"price", "priceCurrency", "availability"},
    "AggregateOffer": {"lowPrice", "highPrice", "priceCurrency"}, "AggregateRating": {"ratingValue", "reviewCount"},
    "BreadcrumbList": {"itemListElement"}, "ListItem": {"position", "name", "item"},
    "Article": {"headline", "datePublished", "author", "publisher"}, "Organization": {"name", "url"},
}  # fmt: skip
_ADDRESSES = ("@id", "url", "image", "logo", "item")


def test_what_a_page_tells_machines_is_whole(pages: dict[str, str]) -> None:
    kinds, faults = set(), []
    for url, text in pages.items():
        if not re.search(r"<title>[^<]+</title>", text):
            faults.append(f"{url}: no title")
        for data in re.findall(r'<script type="application/ld\+json">(.*?)</script>', text):
            for one in _list_objects(json.loads(data)):
                kinds.add(one.get("@type"))
                missing = _MEMBERS.get(str(one.get("@type")), set()) - set(one)
                faults += [f"{url}: {one['@type']} without {name}" for name in missing]
                faults += [f"{url}: empty {name}" for name, value in one.items() if value in ("", None, [], {})]
                faults += [f"{url}: {one[name]}" for name in _ADDRESSES
                           if isinstance(one.get(name), str) and not one[name].startswith("http")]  # fmt: skip
            if re.search(r"[\w.]+@example", data):
                faults.append(f"{url}: an address of e-mail")
    assert faults == []
    assert {"Article", "BreadcrumbList", "Organization", "WebSite"} <= kinds
    assert "Product" not in kinds or {"Offer", "AggregateOffer", "AggregateRating"} <= kinds


def test_only_types_with_authors_name_them(pages: dict[str, str]) -> None:
    named = {url.split("/")[4] for url, text in pages.items() if 'class="wp-block-post-author-name' in text}
    assert named
    assert "percorso" not in named


def test_a_page_is_light(request: pytest.FixtureRequest, pages: dict[str, str]) -> None:
    site: Site = request.getfixturevalue(request.node.callspec.params["pages"]).site
    sizes: dict[str, int] = {}
    for url, text in pages.items():
        whole = len(text.encode())
        for part in map(unescape, _LOADED.findall(text)):
            if part not in sizes:
                status, _, content = exchange(site, "GET", urlsplit(part).path, b"", {"accept-encoding": "br, gzip"})
                assert status == 200, part
                sizes[part] = len(content)
            whole += sizes[part]
        assert whole <= MOST_BYTES, url


def test_a_page_asks_no_other_host(pages: dict[str, str]) -> None:
    for url, text in pages.items():
        origin = "{0.scheme}://{0.netloc}".format(urlsplit(url))
        loaded = re.findall(r'<(?:img|script|iframe|source|video|audio)\b[^>]*? src="(https?://[^"]*)"', text)
        assert [one for one in loaded if not one.startswith(origin)] == [], url


def test_the_list_of_pages_is_no_short_one(pages: dict[str, str]) -> None:
    assert len(pages) > 50
