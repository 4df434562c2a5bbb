"""What all mails of a shop have in common as its settings say: sender, colours, header, footer, the names in texts.

Rules: the settings of the group `email`; a colour that is none is the first one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import Any, Final
from urllib.parse import urlsplit

from vetrina.content.text import sanitizing
from vetrina.content.text.paragraphs import with_paragraphs
from vetrina.core.unit_of_work import Work
from vetrina.kernel.integers import whole
from vetrina.kernel.tags import without_scripts, without_tags
from vetrina.shop.mail import drafts as mail_drafts
from vetrina.shop.orders import addresses as order_addresses
from vetrina.shop.settings import places
from vetrina.shop.settings import rules as settings

__all__ = ["as_html", "as_text", "look", "names", "plain_with_names", "sender", "store_lines", "with_names"]

_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_NAME = re.compile(r"\{[a-z_]+\}")
_TAG = re.compile(r"<(/?[a-zA-Z][a-zA-Z0-9]*)([^<>]*)>")
_HREF = re.compile(r"""(?i)\bhref\s*=\s*["']?(https?://[^"'\s]+)""")
_BREAKS: Final = frozenset({"br", "/p", "/div", "/li", "/tr", "/h1", "/h2", "/h3", "/h4", "/blockquote"})
_COLOURS: Final = {
    "base": ("shop_email_base_color", "#111111"),
    "background": ("shop_email_background_color", "#FFFFFF"),
    "body": ("shop_email_body_background_color", "#FFFFFF"),
    "text": ("shop_email_text_color", "#111111"),
    "secondary": ("shop_email_footer_text_color", "#111111"),
}
_WIDTH: Final = 120  # pixels of the picture in the header
_WIDEST: Final = 600
_ALIGNMENTS: Final = ("left", "center", "right")
_HEADER_IMAGE: Final = "shop_email_header_image"  # an option without a setting of the interface


def sender(work: Work) -> tuple[str, str]:
    """Return the address and the name that mails come from."""
    own = str(work.stored_option("shop_email_from_address") or "").strip()
    address = own if order_addresses.is_email(own) else work.frame.settings.mail_from or str(work.option("email"))
    name = unescape(without_tags(str(settings.shop_option(work, "shop_email_from_name") or "")))
    return address or "shop@localhost", " ".join(name.split()) or _title(work)


def look(work: Work, drafts: Mapping[str, Any]) -> dict[str, Any]:
    """Return what templates are given of the shop's look. drafts: settings that are only tried (shop/mail/drafts.py)."""
    out: dict[str, Any] = {}
    for name, (id, first) in _COLOURS.items():
        written = str(mail_drafts.value(work, drafts, id) or "").strip()
        out[name] = written if _COLOUR.fullmatch(written) else first
    width = whole(str(mail_drafts.value(work, drafts, "shop_email_header_image_width") or "").strip())
    alignment = str(mail_drafts.value(work, drafts, "shop_email_header_alignment") or "")
    image = str(drafts.get(_HEADER_IMAGE, work.stored_option(_HEADER_IMAGE)) or "").strip()
    footer = with_names(str(mail_drafts.value(work, drafts, "shop_email_footer_text") or ""), names(work))
    return {
        **out,
        "on_base": _readable_on(out["base"]),
        "image": image if urlsplit(image).scheme in ("http", "https") else "",
        "image_width": min(width, _WIDEST) if width else _WIDTH,
        "alignment": alignment if alignment in _ALIGNMENTS else "left",
        "footer": footer,
    }


def names(work: Work) -> dict[str, str]:
    """Return what stands for what in the texts of settings, as plain text."""
    return {
        "{site_title}": _title(work),
        "{site_address}": urlsplit(work.origin).netloc,
        "{site_url}": work.home(),
        "{store_address}": ", ".join(store_lines(work)),
        "{store_email}": sender(work)[0],
    }


def with_names(text: str, known: Mapping[str, str]) -> str:
    """Return a text with each name replaced once: what stands for one is not looked at again."""
    return _NAME.sub(lambda found: known.get(found[0], found[0]), text)


def plain_with_names(text: str, known: Mapping[str, str]) -> str:
    """Return a text of a setting without markup, with each name replaced once."""
    return with_names(unescape(without_tags(text)), known)


def store_lines(work: Work) -> list[str]:
    """Return the lines of the shop's own address."""

    def told(name: str) -> str:
        return " ".join(unescape(without_tags(str(settings.shop_option(work, name) or ""))).split())

    street = [told("shop_store_address"), told("shop_store_address_2")]
    if not any(street):
        return []
    country, _, state = told("shop_default_country").partition(":")
    city = " ".join(part for part in (told("shop_store_postcode"), told("shop_store_city")) if part)
    more = [city, places.states(country).get(state, "") if state else "", unescape(places.countries().get(country, ""))]
    return [line for line in (*street, *more) if line]


def as_html(text: str) -> str:
    """Return a text of somebody as HTML of mails: allowed markup only, in paragraphs."""
    return with_paragraphs(sanitizing.content(without_scripts(text))).strip() if text.strip() else ""


def as_text(text: str) -> str:
    """Return HTML as plain text; an address that a link leads to stands behind its words."""
    out: list[str] = []
    at, address = 0, ""
    without = without_scripts(text)
    for tag in _TAG.finditer(without):
        out.append(without[at : tag.start()])
        at, name = tag.end(), tag[1].lower()
        if name == "a":
            found = _HREF.search(tag[2])
            address = found[1] if found else ""
        elif name == "/a" and address:
            if out[-1] != address:
                out.append(f" ({address})")
            address = ""
        elif name in _BREAKS:
            out.append("\n")
    plain = unescape(without_tags("".join([*out, without[at:]])))
    return "\n".join(" ".join(line.split()) for line in plain.splitlines()).strip()


def _title(work: Work) -> str:
    return " ".join(unescape(without_tags(str(work.option("title")))).split())


def _readable_on(colour: str) -> str:
    """Return black or white, whichever is read more easily on a colour."""
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    red, green, blue = (int(digits[at : at + 2], 16) for at in (0, 2, 4))
    return "#ffffff" if 0.299 * red + 0.587 * green + 0.114 * blue < 150 else "#111111"
