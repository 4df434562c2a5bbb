"""What a page of another site says of itself: title, sign, description and picture, for a preview of a link.

Not here: where this server goes at all (backends/outbound.py), embeds (foreign_embeds.py).
Rules: facts, "Themes, plugins, blocks, widgets, health, helpers, abilities"; the head of HTML, Open Graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Final
from urllib.parse import urljoin, urlsplit

from vetrina.backends.outbound import AddressRefused, Outbound, OutboundError, checked_address
from vetrina.backends.public_addresses import is_public
from vetrina.kernel.errors import ApiError

__all__ = ["Details", "NoContent", "NoResponse", "could_be_asked", "of_page"]

_HEAD_BYTES: Final = 150 << 10
_DESCRIPTIONS: Final = ("description", "og:description", "twitter:description")
_IMAGES: Final = ("og:image", "og:image:url", "twitter:image")
_LONGEST: Final = 1000  # signs of a text that is shown


class NoResponse(ApiError):
    """The page is not there, its server does not answer, or this server does not go there."""

    status, code = 404, "no_response"
    message = "Nothing could be read at this address."


class NoContent(ApiError):
    """The page has no text."""

    status, code = 404, "no_content"
    message = "The page at this address is empty."


@dataclass(frozen=True, slots=True)
class Details:
    """What a page says of itself; what it does not say is empty. icon, image: whole addresses."""

    title: str
    icon: str
    description: str
    image: str


def could_be_asked(address: str) -> bool:
    """Say whether an address is one that this server might go to; names are not resolved for that."""
    try:
        target = checked_address(address)
    except AddressRefused:
        return False
    numeric = ":" in target.host or target.host.replace(".", "").isdigit()
    return is_public(target.host) if numeric else "." in target.host.strip(".")


def of_page(outbound: Outbound, address: str) -> Details:
    """Return what the page at an address says of itself. Raises NoResponse, NoContent."""
    try:
        reply = outbound.get(address, accept="text/html,application/xhtml+xml", most_bytes=_HEAD_BYTES, cut=True)
    except OutboundError:
        raise NoResponse from None
    if reply.status != 200:
        raise NoResponse
    page = reply.text()
    if not page.strip():
        raise NoContent
    head = _Head()
    head.feed(page)
    return Details(
        title=_plain(head.title),
        icon=_address(head.icon, reply.url),
        description=_plain(next((head.told[name] for name in _DESCRIPTIONS if head.told.get(name)), "")),
        image=_address(next((head.told[name] for name in _IMAGES if head.told.get(name)), ""), reply.url),
    )


class _Head(HTMLParser):
    """Reads title, sign and `meta` of a page, from its head alone."""

    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.icon = ""
        self.told: dict[str, str] = {}
        self._in_title = self._done = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag == "body":
            self._done = True
        if self._done:
            return
        if tag == "title" and not self.title:
            self._in_title = True
        elif tag == "link" and not self.icon and "icon" in given.get("rel", "").lower().split():
            self.icon = given.get("href", "")
        elif tag == "meta" and given.get("content"):
            self.told.setdefault((given.get("name") or given.get("property") or "").lower(), given["content"])

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False

    def handle_data(self, data: str) -> None:
        if self._in_title and not self._done:
            self.title += data


def _plain(text: str) -> str:
    return " ".join(text.split())[:_LONGEST]


def _address(found: str, page: str) -> str:
    """Return an address that a page names, whole; empty for what is none that a browser could fetch."""
    try:
        whole = urljoin(page, found.strip()) if found.strip() else ""
        return whole if urlsplit(whole).scheme in ("http", "https") else ""
    except ValueError:
        return ""
