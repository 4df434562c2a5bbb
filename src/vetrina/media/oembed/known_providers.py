"""Which site is asked how a page is embedded: a list of known ones, and what a page says itself in its head.

The list is data (embed_providers.toml). Not here: asking, and what is done with the answer (media/oembed/consumer.py).
Rules: oembed.com, "Discovery".
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from html.parser import HTMLParser
from importlib.resources import files
from typing import Final
from urllib.parse import urljoin

__all__ = ["announced", "endpoint_for"]

_KINDS: Final = {"application/json+oembed": "json", "text/xml+oembed": "xml", "application/xml+oembed": "xml"}


def endpoint_for(address: str) -> str:
    """Return where to ask about a page of a known site, empty for pages of others."""
    for pattern, endpoint in _known():
        if pattern.fullmatch(address):
            return endpoint
    return ""


def announced(page: str, address: str) -> tuple[str, str]:
    """Return where a page says that it can be asked about, and in which format it answers; empty where it says nothing.

    page: its markup, the beginning is enough. address: its own, to which a relative one is added.
    """
    reader = _Head()
    reader.feed(page)
    for kind in ("json", "xml"):
        if found := reader.links.get(kind):
            return urljoin(address, found), kind
    return "", ""


class _Head(HTMLParser):
    """Reads the links of a page's head; the body may hold what others wrote, so it says nothing."""

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
        kind = _KINDS.get((given.get("type") or "").strip().lower())
        if kind and "alternate" in (given.get("rel") or "").lower().split() and given.get("href"):
            self.links.setdefault(kind, (given["href"] or "").strip())


@cache
def _known() -> tuple[tuple[re.Pattern[str], str], ...]:
    text = (files(__package__) / "known_providers.toml").read_text(encoding="utf-8")
    return tuple(
        (_pattern(address), one["endpoint"].replace("{format}", "json"))
        for one in tomllib.loads(text)["provider"]
        for address in one["addresses"]
    )


def _pattern(address: str) -> re.Pattern[str]:
    host, _, path = address.partition("/")
    name = rf"(?:[a-z0-9-]+\.)*{re.escape(host[2:])}" if host.startswith("*.") else re.escape(host)
    rest = "[^#]*".join(map(re.escape, path.split("*")))
    return re.compile(rf"https?://{name}/{rest}(?:#.*)?", re.IGNORECASE | re.ASCII)
