"""How pages of other sites are embedded here: asked of the site, checked, and its markup held in bounds.

Not here: which site is asked (media/oembed/known_providers.py), where this server goes at all
(backends/http_client.py). Rules: oembed.com, version 1.0. What a listed site answers is trusted; of what any other says
of itself, only a quotation, links and one frame stay, and the frame may do nothing but run its own scripts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from html.parser import HTMLParser
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit
from xml.etree import ElementTree

import orjson

from vetrina.backends.http_client import Outbound, OutboundError
from vetrina.content.text.media_shortcodes import address as safe_address
from vetrina.media.oembed.known_providers import announced, endpoint_for

__all__ = ["of_page"]

_HEAD_BYTES: Final = 150 << 10  # of a page, which says in its head whom to ask
_ANSWER_BYTES: Final = 512 << 10
_NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    "photo": ("url", "width", "height"), "video": ("html",), "rich": ("html",), "link": (),
}  # fmt: skip
_NUMBERS: Final = frozenset(("width", "height", "thumbnail_width", "thumbnail_height", "cache_age"))
_ADDRESSES: Final = frozenset(("url", "author_url", "provider_url", "thumbnail_url"))
_NUMBER: Final = re.compile(r"[0-9]{1,9}", re.ASCII)
_MOST_MEMBERS: Final = 40


def of_page(
    outbound: Outbound, address: str, *, max_width: int, max_height: int, discover: bool
) -> dict[str, Any] | None:
    """Return how a page of another site is embedded, None where nobody says.

    max_width, max_height: pixels. discover: whether a page of a site that is not listed is asked itself.
    """
    endpoint, kind, trusted = endpoint_for(address), "json", True
    try:
        if not endpoint and discover:
            page = outbound.get(address, accept="text/html,application/xhtml+xml", most_bytes=_HEAD_BYTES, cut=True)
            endpoint, kind = announced(page.text(), page.url) if page.status == 200 else ("", "")
            trusted = False
        if not endpoint:
            return None
        asked = _question(endpoint, address, kind, max_width, max_height)
        reply = outbound.get(asked, accept="application/json, text/xml;q=0.5", most_bytes=_ANSWER_BYTES)
    except OutboundError:
        return None
    if reply.status != 200:
        return None
    return _checked(_members(reply.body, kind), address, trusted)


def _question(endpoint: str, address: str, kind: str, max_width: int, max_height: int) -> str:
    parts = urlsplit(endpoint)
    given = dict(parse_qsl(parts.query, keep_blank_values=True))
    asked = {"url": address, **given, "maxwidth": str(max_width), "maxheight": str(max_height), "format": kind}
    return urlunsplit(parts._replace(query=urlencode({**asked, "dnt": "1"})))


def _members(body: bytes, kind: str) -> dict[str, Any]:
    """Return the members of an answer, none where it cannot be read."""
    try:
        if kind == "json":
            value = orjson.loads(body)
            return value if isinstance(value, dict) else {}
        # Entities of a document's own could grow without end; an answer of oEmbed needs none.
        if b"<!DOCTYPE" in body or b"<!ENTITY" in body:
            return {}
        return {child.tag: child.text or "" for child in ElementTree.fromstring(body)}
    except (ValueError, RecursionError, ElementTree.ParseError):
        return {}


def _checked(members: Mapping[str, Any], address: str, trusted: bool) -> dict[str, Any] | None:
    """Return the answer with its known kinds of members, None where one is missing that its type needs.

    `html` is False where nothing of it may stand in a page.
    """
    out: dict[str, Any] = {}
    for name, value in list(members.items())[:_MOST_MEMBERS]:
        if name in _NUMBERS:
            if _NUMBER.fullmatch(str(value)) and not isinstance(value, bool):
                out[name] = int(value)
        elif name in _ADDRESSES:
            if isinstance(value, str) and _scheme(value) in ("http", "https"):
                out[name] = value
        elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
            out[name] = value
    kind = out.get("type")
    if not isinstance(kind, str) or kind not in _NEEDS or any(not out.get(name) for name in _NEEDS[kind]):
        return None
    if kind in ("video", "rich"):
        if not isinstance(out["html"], str):
            return None
        # What a stranger says is told where none of its markup may stay: the title is worth showing, too.
        out["html"] = out["html"] if trusted else _bounded(out["html"]) or False
    else:
        out["html"] = _photo(out, address) if kind == "photo" else _link(out, address)
    return {**out, "scripts": []}


def _scheme(address: str) -> str:
    """Return the scheme of an address, empty where it has none."""
    try:
        return urlsplit(address).scheme.lower()
    except ValueError:
        return ""


def _photo(found: Mapping[str, Any], address: str) -> str:
    title = escape(str(found.get("title", "")))
    size = f'width="{found["width"]}" height="{found["height"]}"'
    return f'<a href="{escape(address)}"><img src="{escape(found["url"])}" alt="{title}" {size} /></a>'


def _link(found: Mapping[str, Any], address: str) -> str:
    return f'<a href="{escape(address)}">{escape(str(found.get("title") or address))}</a>'


class _Bounded(HTMLParser):
    """Keeps quotations with their links and the first frame, all of them written anew."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.frame = ""
        self._open: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag in ("script", "style"):
            self._silent += 1
        elif tag == "blockquote" or (tag == "a" and "blockquote" in self._open):
            self._open.append(tag)
            words = f' href="{escape(safe_address(given["href"]))}"' if tag == "a" and given.get("href") else ""
            self.parts.append(f"<{tag}{words}>")
        elif tag == "iframe" and not self.frame and _scheme(given.get("src", "")) in ("http", "https"):
            sizes = "".join(f' {name}="{given[name]}"' for name in ("width", "height") if given.get(name, "").isdigit())
            title = f' title="{escape(given["title"])}"' if given.get("title") else ""
            self.frame = (
                f'<iframe sandbox="allow-scripts" security="restricted" src="{escape(given["src"])}"{sizes}{title} '
                'frameborder="0" marginwidth="0" marginheight="0" scrolling="no"></iframe>'
            )

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._silent = max(0, self._silent - 1)
        elif self._open and self._open[-1] == tag:
            self._open.pop()
            self.parts.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if self._open and not self._silent:
            self.parts.append(escape(data, quote=False))


def _bounded(html: str) -> str:
    """Return what of a stranger's markup may stand in a page; nothing without a frame."""
    reader = _Bounded()
    reader.feed(html)
    reader.close()
    while reader._open:
        reader.parts.append(f"</{reader._open.pop()}>")
    return "".join(reader.parts) + reader.frame if reader.frame else ""
