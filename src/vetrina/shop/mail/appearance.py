"""The common look of a shop's mails: sender, colours, header, footer, placeholders in texts.

Settings of the group `email`; an invalid colour counts as the default one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import Any, Final
from urllib.parse import urlsplit

from vetrina.content.text import sanitizing
from vetrina.content.text.paragraphs import add_paragraphs
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.email_addresses import is_email_address
from vetrina.kernel.integers import parse_digits
from vetrina.kernel.tags import strip_scripts, strip_tags
from vetrina.shop.mail import drafts as mail_drafts
from vetrina.shop.settings import places, rules as settings

_COLOR = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_NAME = re.compile(r"\{[a-z_]+\}")
_TAG = re.compile(r"<(/?[a-zA-Z][a-zA-Z0-9]*)([^<>]*)>")
_HREF = re.compile(r"""(?i)\bhref\s*=\s*["']?(https?://[^"'\s]+)""")
_BREAKS: Final = frozenset({"br", "/p", "/div", "/li", "/tr", "/h1", "/h2", "/h3", "/h4", "/blockquote"})
_COLORS: Final = {
    "base": ("shop_email_base_color", "#111111"),
    "background": ("shop_email_background_color", "#FFFFFF"),
    "body": ("shop_email_body_background_color", "#FFFFFF"),
    "text": ("shop_email_text_color", "#111111"),
    "secondary": ("shop_email_footer_text_color", "#111111"),
}
_WIDTH: Final = 120  # pixels of the image in the header
_MAX_WIDTH: Final = 600
_ALIGNMENTS: Final = ("left", "center", "right")
_HEADER_IMAGE: Final = "shop_email_header_image"  # an option that no setting of the interface writes


def get_sender(work: UnitOfWork) -> tuple[str, str]:
    """Return the address and the name that mails are sent from."""
    own = str(work.stored_option("shop_email_from_address") or "").strip()
    address = own if is_email_address(own) else work.site.settings.mail_from or str(work.option("email"))
    name = unescape(strip_tags(str(settings.get_shop_option(work, "shop_email_from_name") or "")))
    return address or "shop@localhost", " ".join(name.split()) or _get_site_title(work)


def build_mail_style(work: UnitOfWork, drafts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the style data of the templates. drafts: settings being previewed (shop/mail/drafts.py)."""
    out: dict[str, Any] = {}
    for name, (id, first) in _COLORS.items():
        written = str(mail_drafts.get_drafted_setting(work, drafts, id) or "").strip()
        out[name] = written if _COLOR.fullmatch(written) else first
    width = parse_digits(
        str(mail_drafts.get_drafted_setting(work, drafts, "shop_email_header_image_width") or "").strip()
    )
    alignment = str(mail_drafts.get_drafted_setting(work, drafts, "shop_email_header_alignment") or "")
    image = str(drafts.get(_HEADER_IMAGE, work.stored_option(_HEADER_IMAGE)) or "").strip()
    footer = replace_placeholders(
        str(mail_drafts.get_drafted_setting(work, drafts, "shop_email_footer_text") or ""), build_placeholders(work)
    )
    return {
        **out,
        "on_base": _choose_text_color(out["base"]),
        "image": image if urlsplit(image).scheme in ("http", "https") else "",
        "image_width": min(width, _MAX_WIDTH) if width else _WIDTH,
        "alignment": alignment if alignment in _ALIGNMENTS else "left",
        "footer": footer,
    }


def build_placeholders(work: UnitOfWork) -> dict[str, str]:
    """Return the values of the placeholders in settings' texts, as plain text."""
    return {
        "{site_title}": _get_site_title(work),
        "{site_address}": urlsplit(work.origin).netloc,
        "{site_url}": work.home(),
        "{store_address}": ", ".join(format_store_address(work)),
        "{store_email}": get_sender(work)[0],
    }


def replace_placeholders(text: str, known: Mapping[str, str]) -> str:
    """Return a text with its placeholders replaced in one pass: replaced values are not searched again."""
    return _NAME.sub(lambda found: known.get(found[0], found[0]), text)


def replace_plain_placeholders(text: str, known: Mapping[str, str]) -> str:
    """Return a setting's text without markup, with its placeholders replaced."""
    return replace_placeholders(unescape(strip_tags(text)), known)


def format_store_address(work: UnitOfWork) -> list[str]:
    """Return the lines of the shop's own address."""

    def read(name: str) -> str:
        return " ".join(unescape(strip_tags(str(settings.get_shop_option(work, name) or ""))).split())

    street = [read("shop_store_address"), read("shop_store_address_2")]
    if not any(street):
        return []
    country, _, state = read("shop_default_country").partition(":")
    city = " ".join(part for part in (read("shop_store_postcode"), read("shop_store_city")) if part)
    more = [
        city,
        places.list_states(country).get(state, "") if state else "",
        unescape(places.list_countries().get(country, "")),
    ]
    return [line for line in (*street, *more) if line]


def render_mail_html(text: str) -> str:
    """Return a text as HTML for mails: allowed markup only, in paragraphs."""
    return add_paragraphs(sanitizing.sanitize_content(strip_scripts(text))).strip() if text.strip() else ""


def convert_html_to_text(text: str) -> str:
    """Return HTML as plain text; the URL of a link follows its text."""
    out: list[str] = []
    at, address = 0, ""
    without = strip_scripts(text)
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
    plain = unescape(strip_tags("".join([*out, without[at:]])))
    return "\n".join(" ".join(line.split()) for line in plain.splitlines()).strip()


def _get_site_title(work: UnitOfWork) -> str:
    return " ".join(unescape(strip_tags(str(work.option("title")))).split())


def _choose_text_color(colour: str) -> str:
    """Return black or white, whichever contrasts more with a colour."""
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    red, green, blue = (int(digits[at : at + 2], 16) for at in (0, 2, 4))
    return "#ffffff" if 0.299 * red + 0.587 * green + 0.114 * blue < 150 else "#111111"
