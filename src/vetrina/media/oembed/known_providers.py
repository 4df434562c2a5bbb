"""Which oEmbed endpoint serves a page: from a list of known providers, or discovered in the page's head.

The list is data (media/oembed/known_providers.toml). Rules: oembed.com, "Discovery".
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from html.parser import HTMLParser
from importlib.resources import files
from typing import Final
from urllib.parse import urljoin

_OEMBED_FORMATS: Final = {"application/json+oembed": "json", "text/xml+oembed": "xml", "application/xml+oembed": "xml"}


def find_endpoint(address: str) -> str:
    """Return the endpoint for a page of a known provider, empty for other pages."""
    for pattern, endpoint in _load_providers():
        if pattern.fullmatch(address):
            return endpoint
    return ""


def discover_endpoint(page: str, address: str) -> tuple[str, str]:
    """Return the endpoint that a page declares, and its format; empty if it declares none.

    page: its markup, the beginning is enough. address: its URL, against which a relative one is resolved.
    """
    reader = _OembedLinkParser()
    reader.feed(page)
    for kind in ("json", "xml"):
        if found := reader.links.get(kind):
            return urljoin(address, found), kind
    return "", ""


class _OembedLinkParser(HTMLParser):
    """Reads the links of a page's head; the body may hold third-party content and is ignored."""

    def __init__(self) -> None:
        super().__init__()
        self.links: dict[str, str] = {}
        self._done = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "body":
            self._done = True
        if tag != "link" or self._done:
            return
        given = dict(attributes)
        kind = _OEMBED_FORMATS.get((given.get("type") or "").strip().lower())
        if kind and "alternate" in (given.get("rel") or "").lower().split() and given.get("href"):
            self.links.setdefault(kind, (given["href"] or "").strip())


@cache
def _load_providers() -> tuple[tuple[re.Pattern[str], str], ...]:
    text = (files(__package__) / "known_providers.toml").read_text(encoding="utf-8")
    return tuple(
        (_compile_pattern(address), one["endpoint"].replace("{format}", "json"))
        for one in tomllib.loads(text)["provider"]
        for address in one["addresses"]
    )


def _compile_pattern(address: str) -> re.Pattern[str]:
    host, _, path = address.partition("/")
    name = rf"(?:[a-z0-9-]+\.)*{re.escape(host[2:])}" if host.startswith("*.") else re.escape(host)
    rest = "[^#]*".join(map(re.escape, path.split("*")))
    return re.compile(rf"https?://{name}/{rest}(?:#.*)?", re.IGNORECASE | re.ASCII)
