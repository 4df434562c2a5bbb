"""What a page says of itself: title, sign, description and picture, for a preview of a link.

A page of this site is not asked for: what it shows everybody is known here.

Not here: where this server goes at all (backends/http_client.py), embeds (media/oembed/consumer.py).
Rules: facts, "Themes, plugins, blocks, widgets, health, helpers, abilities"; the head of HTML, Open Graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import unescape
from html.parser import HTMLParser
from typing import Final
from urllib.parse import urljoin, urlsplit

from vetrina.backends.http_client import AddressRefused, Outbound, OutboundError, checked_address
from vetrina.backends.public_addresses import is_public
from vetrina.content.records import passwords as record_passwords
from vetrina.content.records import url_lookup
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.kernel.tags import without_tags
from vetrina.media.attachments import store as attachment_store
from vetrina.media.images.blocks import sized
from vetrina.media.oembed import provider as oembed_provider

__all__ = ["Details", "NoContent", "NoResponse", "could_be_asked", "is_own", "of_own_page", "of_page"]

_HEAD_BYTES: Final = 150 << 10
# Which `meta` says it: of those in one row the first that the page has, before all in the next row.
_DESCRIPTIONS: Final = (
    ("name=description", "name=og:description"),
    ("property=og:description",),
    ("name=twitter:description", "property=twitter:description"),
)
_IMAGES: Final = (
    ("property=og:image", "property=og:image:url"),
    ("name=og:image", "name=og:image:url"),
    ("name=twitter:image", "property=twitter:image"),
)
_WIDTH: Final = 600  # pixels of a picture that is shown
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


def is_own(work: Work, address: str) -> bool:
    """Say whether an address is one of this site."""
    return address == work.origin or address.startswith((f"{work.origin}/", f"{work.origin}?"))


def of_own_page(work: Work, address: str) -> Details:
    """Return what a page of this site says of itself to everybody. Raises NoResponse where it shows nothing."""
    site, icon = unescape(work.shown("title")), _icon(work)
    if address.partition("?")[0].rstrip("/") in (work.origin, work.home()):
        return Details(site, icon, unescape(work.shown("description")), "")
    found = oembed_provider.of_address(work, address, _WIDTH)
    if found is None:
        raise NoResponse
    record = url_lookup.named_by(work, address)
    words = "" if record is None or record_passwords.protects(record) else without_tags(record.excerpt_html)
    title = f"{unescape(without_tags(found['title']))} – {site}"
    return Details(title, icon, unescape(words).strip()[:_LONGEST], found.get("thumbnail_url", ""))


def _icon(work: Work) -> str:
    work.uses("attachment")
    media = attachment_store.of_record(work.tx, int(work.option("site_icon") or 0))
    return sized(work, media, "")[0] if media is not None else ""


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
        icon=_drawn(head.icon) or _address(head.icon, reply.url),
        description=_plain(_first(head.told, _DESCRIPTIONS)),
        image=_address(_first(head.told, _IMAGES), reply.url),
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
        elif tag == "meta" and given.get("content", "").strip():
            for by in ("name", "property"):
                self.told.setdefault(f"{by}={given.get(by, '').strip().lower()}", given["content"])

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False

    def handle_data(self, data: str) -> None:
        if self._in_title and not self._done:
            self.title += data


def _first(told: dict[str, str], rows: tuple[tuple[str, ...], ...]) -> str:
    """Return what the page says first in one of several ways; a dictionary has them in the page's order."""
    return next((said for row in rows for name, said in told.items() if name in row), "")


def _plain(text: str) -> str:
    """Return a text without markup: it is written with signs, so a tag in it was meant as one."""
    return " ".join(without_tags(text).split())[:_LONGEST]


def _drawn(icon: str) -> str:
    """Return a sign that is written into the page itself, empty for one that has an address."""
    return icon.strip() if icon.strip().lower().startswith("data:image/") else ""


def _address(found: str, page: str) -> str:
    """Return an address that a page names, whole; empty for what is none that a browser could fetch."""
    try:
        whole = urljoin(page, found.strip()) if found.strip() else ""
        return whole if urlsplit(whole).scheme in ("http", "https") else ""
    except ValueError:
        return ""
