"""Addresses and ids in texts of the source: what they name there, they name here.

Links to records and files that came lead to these; other links to the old site lead to the same path of this one. A
file that did not come keeps its old address, and so is still seen while the old site stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

from vetrina.content.records import model as record_model, permalinks
from vetrina.content.terms import store as term_store
from vetrina.media.attachments import store as attachment_store
from vetrina.media.attachments.store import MediaFile
from vetrina.multilingual.translations import block_rules
from vetrina.multilingual.translations.block_references import replace_references

from .incoming_record import IncomingRecord
from .journal import RECORD, TERM

_SIZE: Final = re.compile(r"-(\d{1,5})x(\d{1,5})(?=\.\w{2,5}$)", re.ASCII)
_MADE: Final = re.compile(r"-(?:scaled|rotated|\d{1,5}x\d{1,5})(?=\.\w{2,5}$)", re.ASCII)
_NO_RULES: Final = block_rules.TranslationRules()
_FILE: Final = re.compile(r"/[^/?#]+\.[A-Za-z0-9]{2,5}$")
_ID_PARAMETERS: Final = ("p", "page_id", "attachment_id")
# Without these a text names nothing by its id, unless the site's own rules say more; reading its blocks takes long.
_SIGNS: Final = re.compile(r'":\s*[\[{"]*\d|wp-image-|wp-att-|data-id|attachment_|\[(?:gallery|playlist)')


def normalize_address(url: str) -> str:
    """Return the form in which the journal has an address of the source: host and path; empty for none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    path = unquote(parts.path).rstrip("/")
    return f"{parts.netloc.lower().removeprefix('www.')}{path}" if parts.netloc and path else ""


def rewrite_value(one: IncomingRecord, value: Any) -> Any:
    """Return a value of an extra field with the addresses in its texts rewritten."""
    if isinstance(value, str):
        return rewrite_addresses(one, value)
    if isinstance(value, list):
        return [rewrite_value(one, item) for item in value]
    if isinstance(value, Mapping):
        return {name: rewrite_value(one, item) for name, item in value.items()}
    return value


def rewrite_content(one: IncomingRecord, text: str) -> str:
    """Return content with its ids and addresses rewritten."""
    rules = block_rules.load_rules(one.work)
    if _SIGNS.search(text) or rules != _NO_RULES:
        text = replace_references(text, rules, lambda kind, ids: _map_ids(one, kind, ids), lambda address: "")
    return rewrite_addresses(one, text)


def rewrite_addresses(one: IncomingRecord, text: str) -> str:
    """Return a text with its addresses of the source rewritten."""
    if "//" not in text or not one.urls:
        return text
    return _build_pattern(one.urls).sub(lambda found: _rewrite_address(one, found[0], found[1]), text)


@lru_cache(maxsize=16)
def _build_pattern(urls: tuple[str, ...]) -> re.Pattern[str]:
    named = {url.partition("://")[2].removeprefix("www.") for url in urls} - {""}
    hosts = "|".join(map(re.escape, sorted(named, key=len, reverse=True))) or r"\b\B"
    return re.compile(rf"""\bhttps?://(?:www\.)?(?:{hosts})(?![\w.:-])((?:[/?#][^\s"'<>\\)\]]*)?)""", re.IGNORECASE)


def _rewrite_address(one: IncomingRecord, url: str, rest: str) -> str:
    plain = url.replace("&amp;", "&").replace("&#038;", "&")
    address = normalize_address(plain)
    work, journal = one.work, one.journal
    try:
        query = urlsplit(plain).query
        named = parse_qs(query)
    except ValueError:
        return url
    id = next((named[name][0] for name in _ID_PARAMETERS if name in named), "")
    found, kind = (journal.find_target(work.tx, RECORD, id), RECORD) if id else _find_by_address(one, address)
    if not work.site.settings.url:
        one.notes[f"its texts name this site by {work.origin}: the site has no address (setting `url`)"] = 1
    if found and (there := _build_address(one, found, kind, address, bool(id))):
        fragment = plain.partition("#")[2]
        return there + (f"#{fragment}" if fragment else "")
    if not rest.strip("/"):
        return work.origin + rest
    one.retried = True
    return url if _FILE.search(address) else work.origin + rest


def _find_by_address(one: IncomingRecord, address: str) -> tuple[int, str]:
    """Return id and kind of what had an address: a record or term, a file or the whole of which one was made."""
    whole = _MADE.sub("", address)
    for candidate in dict.fromkeys((address, whole, _SIZE.sub("-scaled", address))):
        found, pending, kind = one.journal.find_by_address(one.work.tx, candidate)
        if found:
            one.retried |= pending
            return found, kind
    return 0, RECORD


def _build_address(one: IncomingRecord, id: int, kind: str, address: str, by_id: bool) -> str:
    """Return the address here of a term, a record or its file; empty where it is gone."""
    work = one.work
    if kind == TERM:
        term = term_store.find_term(work.tx, id)
        return term_store.build_term_url(work, term) if term and term.taxonomy in work.site.taxonomies else ""
    record = record_model.find_record(work.tx, id)
    type = work.site.types.get(record.type) if record else None
    if record is None or type is None:
        return ""
    media = attachment_store.find_media_file(work.tx, id) if type.address == "attached" and not by_id else None
    if media is not None and _FILE.search(address):
        return attachment_store.build_file_url(work, _choose_file(media, address))
    return permalinks.build_permalink(work, type, record)


def _choose_file(media: MediaFile, address: str) -> str:
    """Return the path of the file of an attachment that has the size in an address, or else of the whole one."""
    if size := _SIZE.search(address):
        wanted = int(size[1]), int(size[2])
        folder = media.file.rpartition("/")[0]
        for one in media.sizes.values():
            if (one.width, one.height) == wanted:
                return f"{folder}/{one.file}"
    return media.file


def _map_ids(one: IncomingRecord, kind: str, ids: set[int]) -> dict[int, int]:
    out = {}
    for id in ids:
        found = one.journal.find_target(one.work.tx, TERM if kind.startswith(TERM) else RECORD, str(id))
        if found:
            out[id] = found
        else:
            one.retried = True
    return out
