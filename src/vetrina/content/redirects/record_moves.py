"""Former addresses of records, which lead to the present ones.

A published record whose slug, parent, date or language changes leaves its old address behind; in a tree everything
below it comes along. The redirect names the record, not its address, so that it leads to wherever that stands now.
Rules: docs/rules/redirects.md, 5.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote, urlsplit

import msgspec

from vetrina.content.records import ancestry, permalinks, url_lookup
from vetrina.content.records.model import Record
from vetrina.content.redirects import paths, store
from vetrina.content.redirects.paths import RedirectSource
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.site_paths import remove_base_path

_MAX_FORMER_ADDRESSES: Final = 40  # of a record; the oldest are forgotten


def remember_old_address(work: UnitOfWork, type: ContentType, record: Record, link: str) -> None:
    """Store that a record, which has moved, was at a URL, and what is below it with it."""
    source = _build_source(work, link)
    present = _build_source(work, permalinks.build_permalink(work, type, record))
    if source is None or source == present:
        return
    _store_address(work, record.id, source)
    if type.hierarchical and ancestry.list_child_records(work.tx, record.id):
        _store_address(work, record.id, source._replace(prefix=True))
    if present is not None:
        _forget_present_address(work, record.id, present)
    former = store.list_redirects_of_record(work, record.id)
    store.delete_redirects(work, *former[_MAX_FORMER_ADDRESSES:])


def add_former_address(work: UnitOfWork, type: ContentType, record: Record, link: str) -> bool:
    """Store that a record was at a URL before it came here, and return whether that is new.

    link: a URL of any host, whose path counts. Where a page stands, or another redirect leads from, it is not stored.
    """
    source = _build_source(work, link)
    if source is None or len(source.path) > paths.MAX_LENGTH or "*" in source.path:
        return False
    if source == _build_source(work, permalinks.build_permalink(work, type, record)):
        return False
    there = store.find_by_sources(work, [source.path], ["", source.language])
    if any(not one.prefix for one in there) or _is_page(work, source):
        return False
    store.insert_redirect(work, source, target="", record=record.id, status=301, active=True, origin=store.SLUG)
    return True


def forget_addresses(work: UnitOfWork, record: int) -> None:
    """Delete the former addresses of a record that is being deleted."""
    store.delete_redirects(work, *store.list_redirects_of_record(work, record))


def _build_source(work: UnitOfWork, link: str) -> RedirectSource | None:
    """Return the source that a URL of the site is, None for one that no redirect leads from."""
    parts = urlsplit(link)
    named, rest = paths.split_site_path(remove_base_path(work.base_path, parts.path), work.site.profile.languages)
    if parts.query or rest == "/":
        return None
    return RedirectSource(named or work.site.profile.default_language, rest, False)


def _is_page(work: UnitOfWork, source: RedirectSource) -> bool:
    """Return whether a record stands at a source."""
    found = url_lookup.find_record_by_url(work, f"{work.origin}/{source.language}{quote(source.path)}")
    return found is not None and found.status == "publish"


def _forget_present_address(work: UnitOfWork, record: int, present: RedirectSource) -> None:
    """Delete the redirects from the address that a record has come back to."""
    for source in (present, present._replace(prefix=True)):
        old = store.find_by_source(work, source)
        if old is not None and old.record == record:
            store.delete_redirects(work, old)


def _store_address(work: UnitOfWork, record: int, source: RedirectSource) -> None:
    old = store.find_by_source(work, source)
    if old is None:
        store.insert_redirect(work, source, target="", record=record, status=301, active=True, origin=store.SLUG)
    elif old.origin == store.SLUG:
        # The later of two records that had an address is the one that readers look for.
        store.update_redirect(work, old, msgspec.structs.replace(old, record=record, status=301, active=True))
