"""A page's own metadata: title, icon, description and image, for the preview of a link.

For a page of this site no request is sent: what it shows to everybody is known here. Rules: docs/rules/oembed.md, 7;
the head of HTML, Open Graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import unescape
from html.parser import HTMLParser
from typing import Final
from urllib.parse import urljoin, urlsplit

from vetrina.backends.http_client import OutboundClient
from vetrina.backends.http_client_urls import OutboundAddressRefused, OutboundError, parse_target
from vetrina.backends.public_addresses import is_public_address
from vetrina.content.records import passwords as record_passwords, url_lookup
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.tags import strip_tags
from vetrina.media.attachments import store as attachment_store
from vetrina.media.images.blocks import get_image_size
from vetrina.media.oembed import provider as oembed_provider

_HEAD_BYTES: Final = 150 << 10
# `meta` names per value: within a row the page's first one wins, and earlier rows win over later ones.
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
_WIDTH: Final = 600  # pixels; width of an image that is returned
_MAX_TEXT_SIGNS: Final = 1000  # characters of a text that is returned


class PageNoResponse(ApiError):
    """The page does not exist, its server does not respond, or this server does not connect to it."""

    failure, code = Failure.NOT_FOUND, "no_response"
    message = "Nothing could be read at this address."


class PageNoContent(ApiError):
    """The page is empty."""

    failure, code = Failure.NOT_FOUND, "no_content"
    message = "The page at this address is empty."


@dataclass(frozen=True, slots=True)
class PageMetadata:
    """The metadata of a page; missing values are empty. icon, image: absolute URLs."""

    title: str
    icon: str
    description: str
    image: str


def is_fetchable_address(address: str) -> bool:
    """Return whether a URL is one that this server might fetch; host names are not resolved."""
    try:
        target = parse_target(address)
    except OutboundAddressRefused:
        return False
    numeric = ":" in target.host or target.host.replace(".", "").isdigit()
    return is_public_address(target.host) if numeric else "." in target.host.strip(".")


def is_own_address(work: UnitOfWork, address: str) -> bool:
    """Return whether a URL belongs to this site."""
    return address == work.origin or address.startswith((f"{work.origin}/", f"{work.origin}?"))


def build_own_metadata(work: UnitOfWork, address: str) -> PageMetadata:
    """Return the public metadata of a page of this site. Raises PageNoResponse if it shows nothing."""
    site, icon = unescape(work.get_translated_option("title")), _build_icon_url(work)
    if address.partition("?")[0].rstrip("/") in (work.origin, work.home()):
        return PageMetadata(site, icon, unescape(work.get_translated_option("description")), "")
    found = oembed_provider.build_embed_data(work, address, _WIDTH)
    if found is None:
        raise PageNoResponse
    record = url_lookup.find_record_by_url(work, address)
    words = "" if record is None or record_passwords.is_password_protected(record) else strip_tags(record.excerpt_html)
    title = f"{unescape(strip_tags(found['title']))} – {site}"
    return PageMetadata(title, icon, unescape(words).strip()[:_MAX_TEXT_SIGNS], found.get("thumbnail_url", ""))


def _build_icon_url(work: UnitOfWork) -> str:
    work.uses("attachment")
    media = attachment_store.find_media_file(work.tx, int(work.option("site_icon") or 0))
    return get_image_size(work, media, "")[0] if media is not None else ""


def fetch_page_metadata(outbound: OutboundClient, address: str) -> PageMetadata:
    """Return the metadata of the page at a URL. Raises PageNoResponse, PageNoContent."""
    try:
        reply = outbound.get(address, accept="text/html,application/xhtml+xml", most_bytes=_HEAD_BYTES, cut=True)
    except OutboundError:
        raise PageNoResponse from None
    if reply.status != 200:
        raise PageNoResponse
    page = reply.text()
    if not page.strip():
        raise PageNoContent
    head = _PageHeadParser()
    head.feed(page)
    return PageMetadata(
        title=_clean_text(head.title),
        icon=_get_inline_icon(head.icon) or _resolve_url(head.icon, reply.url),
        description=_clean_text(_find_first_content(head.meta_contents, _DESCRIPTIONS)),
        image=_resolve_url(_find_first_content(head.meta_contents, _IMAGES), reply.url),
    )


class _PageHeadParser(HTMLParser):
    """Reads title, icon and `meta` of a page, from its head alone."""

    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.icon = ""
        self.meta_contents: dict[str, str] = {}
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
                self.meta_contents.setdefault(f"{by}={given.get(by, '').strip().lower()}", given["content"])

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False

    def handle_data(self, data: str) -> None:
        if self._in_title and not self._done:
            self.title += data


def _find_first_content(contents: dict[str, str], rows: tuple[tuple[str, ...], ...]) -> str:
    """Return the first content of the first row of which the page has any; `contents` is in the page's order."""
    return next((content for row in rows for name, content in contents.items() if name in row), "")


def _clean_text(text: str) -> str:
    """Return a text as plain text: it was encoded with entities, so a tag in it is literal."""
    return " ".join(strip_tags(text).split())[:_MAX_TEXT_SIGNS]


def _get_inline_icon(icon: str) -> str:
    """Return an icon given as a data URL, empty for one with another URL."""
    return icon.strip() if icon.strip().lower().startswith("data:image/") else ""


def _resolve_url(url: str, page: str) -> str:
    """Return a URL of a page as an absolute one; empty for a URL that a browser could not fetch."""
    try:
        whole = urljoin(page, url.strip()) if url.strip() else ""
        return whole if urlsplit(whole).scheme in ("http", "https") else ""
    except ValueError:
        return ""
