"""Links of a translated text: those to this site lead to the same thing in the text's language, where there is one."""

from __future__ import annotations

import html
import re

from vetrina.content.records import model as record_model
from vetrina.content.records import permalinks, url_lookup
from vetrina.content.translations import record_translations
from vetrina.core.unit_of_work import Work

__all__ = ["in_language", "translated_address"]

_LINK = re.compile(r"""(\bhref=)(["'])([^"'<>]*)\2""")


def in_language(work: Work, text: str, language: str) -> str:
    """Return a text whose links to records of the site name their translations; all else stays byte for byte."""
    if "href=" not in text:
        return text
    known: dict[str, str] = {}

    def turned(found: re.Match[str]) -> str:
        written = found[3]
        if written not in known:
            known[written] = translated_address(work, html.unescape(written), language)
        there = known[written]
        return f"{found[1]}{found[2]}{html.escape(there)}{found[2]}" if there else found[0]

    return _LINK.sub(turned, text)


def translated_address(work: Work, address: str, language: str) -> str:
    """Return the address of the same thing in a language; empty where it is to stay as it is."""
    own = address.startswith(f"{work.origin}/") or (address.startswith("/") and not address.startswith("//"))
    if not own or not work.origin:
        return ""
    whole = address if address.startswith(work.origin) else work.origin + address
    whole, sign, fragment = whole.partition("#")
    found = url_lookup.named_by(work, whole)
    if found is None or found.language == language:
        return ""
    there = record_model.by_id(work.tx, record_translations.in_language(work, found.id, language))
    type = work.frame.types.get(found.type)
    if there is None or type is None or there.id == found.id or there.status == "trash":
        return ""
    link = permalinks.link(work, type, there) + sign + fragment
    return link if address.startswith(work.origin) else link.removeprefix(work.origin)
