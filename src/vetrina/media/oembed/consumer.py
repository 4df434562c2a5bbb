"""Embedding pages of other sites: request the embed data, validate it, sanitize its markup.

Of a listed provider's response the markup is trusted; of any other's only a quotation, links and one frame are kept,
and the frame may do nothing but run its own scripts. Which site is queried: media/oembed/known_providers.py. Rules:
oembed.com, version 1.0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from html.parser import HTMLParser
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import orjson

from vetrina.backends.http_client import OutboundClient
from vetrina.backends.http_client_urls import OutboundError
from vetrina.content.text.media_shortcodes import escape_url as safe_address
from vetrina.media.oembed.known_providers import discover_endpoint, find_endpoint

_HEAD_BYTES: Final = 150 << 10  # bytes read of a page, whose head names its provider
_ANSWER_BYTES: Final = 512 << 10
_REQUIRED_MEMBERS: Final[Mapping[str, tuple[str, ...]]] = {
    "photo": ("url", "width", "height"), "video": ("html",), "rich": ("html",), "link": (),
}  # fmt: skip
_NUMBERS: Final = frozenset(("width", "height", "thumbnail_width", "thumbnail_height", "cache_age"))
_ADDRESSES: Final = frozenset(("url", "author_url", "provider_url", "thumbnail_url"))
_NUMBER: Final = re.compile(r"[0-9]{1,9}", re.ASCII)
_MAX_MEMBERS: Final = 40


def fetch_page_embed(
    outbound: OutboundClient, address: str, *, max_width: int, max_height: int, discover: bool
) -> dict[str, Any] | None:
    """Return the embed data of a page of another site, None if there is none.

    max_width, max_height: pixels. discover: whether the page of an unlisted site is itself fetched.
    """
    endpoint, kind, trusted = find_endpoint(address), "json", True
    try:
        if not endpoint and discover:
            page = outbound.get(address, accept="text/html,application/xhtml+xml", most_bytes=_HEAD_BYTES, cut=True)
            endpoint, kind = discover_endpoint(page.text(), page.url) if page.status == 200 else ("", "")
            trusted = False
        if not endpoint:
            return None
        request_url = _build_request_url(endpoint, address, kind, max_width, max_height)
        reply = outbound.get(request_url, accept="application/json, text/xml;q=0.5", most_bytes=_ANSWER_BYTES)
    except OutboundError:
        return None
    if reply.status != 200:
        return None
    return _check_members(_parse_response(reply.body, kind), address, trusted)


def _build_request_url(endpoint: str, address: str, kind: str, max_width: int, max_height: int) -> str:
    parts = urlsplit(endpoint)
    given = dict(parse_qsl(parts.query, keep_blank_values=True))
    parameters = {"url": address, **given, "maxwidth": str(max_width), "maxheight": str(max_height), "format": kind}
    return urlunsplit(parts._replace(query=urlencode({**parameters, "dnt": "1"})))


def _parse_response(body: bytes, kind: str) -> dict[str, Any]:
    """Return the members of a response, none if it cannot be parsed."""
    try:
        if kind == "json":
            value = orjson.loads(body)
            return value if isinstance(value, dict) else {}
        # A document's own entities could grow without end; an oEmbed response needs none.
        if b"<!DOCTYPE" in body or b"<!ENTITY" in body:
            return {}
        return _read_xml_members(body)
    except (ValueError, RecursionError):
        return {}


def _read_xml_members(body: bytes) -> dict[str, str]:
    from xml.etree import ElementTree  # hardly any provider answers in XML

    try:
        return {child.tag: child.text or "" for child in ElementTree.fromstring(body)}
    except ElementTree.ParseError:
        return {}


def _check_members(members: Mapping[str, Any], address: str, trusted: bool) -> dict[str, Any] | None:
    """Return a response reduced to its known members, None if one is missing that its type requires.

    `html` is False if no part of it may be used in a page.
    """
    out: dict[str, Any] = {}
    for name, value in list(members.items())[:_MAX_MEMBERS]:
        if name in _NUMBERS:
            if _NUMBER.fullmatch(str(value)) and not isinstance(value, bool):
                out[name] = int(value)
        elif name in _ADDRESSES:
            if isinstance(value, str) and _get_scheme(value) in ("http", "https"):
                out[name] = value
        elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
            out[name] = value
    kind = out.get("type")
    if (
        not isinstance(kind, str)
        or kind not in _REQUIRED_MEMBERS
        or any(not out.get(name) for name in _REQUIRED_MEMBERS[kind])
    ):
        return None
    if kind in ("video", "rich"):
        if not isinstance(out["html"], str):
            return None
        # Even if none of an unlisted site's markup is safe, its other data is returned: the title is useful.
        out["html"] = out["html"] if trusted else _sanitize_embed(out["html"]) or False
    else:
        out["html"] = _render_photo(out, address) if kind == "photo" else _render_link(out, address)
    return {**out, "scripts": []}


def _get_scheme(address: str) -> str:
    """Return the scheme of a URL, empty if it has none."""
    try:
        return urlsplit(address).scheme.lower()
    except ValueError:
        return ""


def _render_photo(members: Mapping[str, Any], address: str) -> str:
    title = escape(str(members.get("title", "")))
    size = f'width="{members["width"]}" height="{members["height"]}"'
    return f'<a href="{escape(address)}"><img src="{escape(members["url"])}" alt="{title}" {size} /></a>'


def _render_link(members: Mapping[str, Any], address: str) -> str:
    return f'<a href="{escape(address)}">{escape(str(members.get("title") or address))}</a>'


class _EmbedSanitizer(HTMLParser):
    """Keeps quotations with their links and the first frame, all serialized again."""

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
        elif tag == "iframe" and not self.frame and _get_scheme(given.get("src", "")) in ("http", "https"):
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


def _sanitize_embed(html: str) -> str:
    """Return the safe part of an unlisted site's markup; empty without a frame."""
    reader = _EmbedSanitizer()
    reader.feed(html)
    reader.close()
    while reader._open:
        reader.parts.append(f"</{reader._open.pop()}>")
    return "".join(reader.parts) + reader.frame if reader.frame else ""
