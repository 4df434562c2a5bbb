"""Links to this site in a translated text: replaced by links to the same item in the text's language.

Rules: docs/rules/translation_jobs.md, 11.
"""

from __future__ import annotations

import html
import re

from vetrina.content.records import model as record_model, permalinks, url_lookup
from vetrina.content.translations import record_translations
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.site_paths import get_relative_url, remove_base_path

_LINK = re.compile(r"""(\bhref=)(["'])([^"'<>]*)\2""")


def translate_links(work: UnitOfWork, text: str, language: str) -> str:
    """Return a text whose links to records of the site lead to their translations; the rest stays byte for byte."""
    if "href=" not in text:
        return text
    known: dict[str, str] = {}

    def turned(found: re.Match[str]) -> str:
        written = found[3]
        if written not in known:
            known[written] = find_translated_address(work, html.unescape(written), language)
        there = known[written]
        return f"{found[1]}{found[2]}{html.escape(there)}{found[2]}" if there else found[0]

    return _LINK.sub(turned, text)


def find_translated_address(work: UnitOfWork, address: str, language: str) -> str:
    """Return the URL of the same item in a language; empty where the link stays."""
    own = address.startswith(f"{work.origin}/") or (address.startswith("/") and not address.startswith("//"))
    if not own or not work.origin:
        return ""
    whole = address if address.startswith(work.origin) else work.origin + remove_base_path(work.base_path, address)
    whole, sign, fragment = whole.partition("#")
    found = url_lookup.find_record_by_url(work, whole)
    if found is None or found.language == language:
        return ""
    there = record_model.find_record(work.tx, record_translations.translate_record_id(work, found.id, language))
    type = work.site.types.get(found.type)
    if there is None or type is None or there.id == found.id or there.status == "trash":
        return ""
    link = permalinks.build_permalink(work, type, there) + sign + fragment
    return link if address.startswith(work.origin) else get_relative_url(work.origin, link) or link
