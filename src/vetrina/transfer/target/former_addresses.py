"""Addresses that things had in the source and do not have here: whoever follows an old link is led to the new one.

Published records have one, and terms with pages, and only where nothing else stands. Rules: docs/rules/redirects.md, 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import quote, urlsplit

from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.content.redirects import record_moves, term_moves
from vetrina.content.terms import store as term_store
from vetrina.content.translations.modes import TranslationMode, build_element_name, get_translation_mode
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork

from .incoming_record import IncomingRecord
from .journal import RECORD, TERM, JournalEntry

_OLD_SLUG: Final = "_cms_old_slug"  # extra field with the slugs that a record had before, in an export file


def keep_old_addresses(work: UnitOfWork, entries: Sequence[JournalEntry]) -> int:
    """Let the addresses that records and terms had in the source lead to them; return how many did not before."""
    records = record_model.find_records(work.tx, [entry.target for entry in entries if entry.kind == RECORD])
    return sum(
        _keep_term_address(work, entry)
        if entry.kind == TERM
        else _keep_address(work, records.get(entry.target), entry.address)
        for entry in entries
    )


def _keep_term_address(work: UnitOfWork, entry: JournalEntry) -> bool:
    term = term_store.find_term(work.tx, entry.target)
    taxonomy = work.site.taxonomies.get(term.taxonomy) if term is not None else None
    if term is None or taxonomy is None or not taxonomy.directory:
        return False
    shared = get_translation_mode(work, build_element_name(taxonomy)) is TranslationMode.NOT_TRANSLATED
    there, here = _build_url(entry.address), term_store.build_term_url(work, term)
    return bool(there) and term_moves.add_former_term_address(work, there, here, shared=shared)


def _keep_address(work: UnitOfWork, record: Record | None, address: str) -> bool:
    type = work.site.types.get(record.type) if record is not None else None
    if record is None or type is None or not _has_address(type, record):
        return False
    there = _build_url(address)
    return bool(there) and record_moves.add_former_address(work, type, record, there)


def _build_url(address: str) -> str:
    """Return an address of the journal as a URL, empty for a site's first page."""
    host, slash, path = address.partition("/")
    return f"https://{host}/{quote(path)}" if slash else ""


def keep_old_slugs(one: IncomingRecord, type: ContentType, record: Record) -> None:
    """Let the addresses lead to a record that it had in the source under other slugs."""
    named = one.meta.get(_OLD_SLUG)
    slugs = named if isinstance(named, list) else [named] if named else []
    if not slugs or not _has_address(type, record):
        return
    parts = urlsplit(str(one.values.get("link") or ""))
    above = parts.path.rstrip("/").rpartition("/")[0]
    if parts.query or not parts.netloc:
        return
    for slug in dict.fromkeys(map(str, slugs)):
        if record_moves.add_former_address(one.work, type, record, f"https://{parts.netloc}{above}/{quote(slug)}/"):
            one.notes["an earlier slug leads to it"] += 1


def _has_address(type: ContentType, record: Record) -> bool:
    return record.status == "publish" and type.public and type.address != "attached"
