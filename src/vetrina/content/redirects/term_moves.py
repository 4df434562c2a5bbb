"""Former addresses of terms, which lead to the present ones.

A term that gets another slug or another parent leaves its old address behind, and all that is below it: its feeds, its
further pages, the terms beneath. Unlike that of a record, such a redirect names the new address; those that lead to the
old one are changed with it, so that no chain grows. Rules: docs/rules/redirects.md, 5.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote, urlsplit

import msgspec

from vetrina.content.records.url_lookup import find_record_by_url
from vetrina.content.redirects import paths, store
from vetrina.content.redirects.paths import RedirectSource
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.site_paths import remove_base_path

_MAX_FORMER_ADDRESSES: Final = 40  # rows of a term; the oldest are forgotten


def remember_old_term_address(work: UnitOfWork, old: str, new: str, *, shared: bool) -> None:
    """Store that a term which is at one URL now was at another one. shared: whether it is one for all languages."""
    source, present = (_build_source(work, link, shared) for link in (old, new))
    before, target = (_build_target(work, link, shared) for link in (old, new))
    if source == present or max(len(target) + 1, len(source.path)) > paths.MAX_LENGTH:
        return
    for prefix in (False, True):
        taken = store.find_by_source(work, present._replace(prefix=prefix))
        if taken is not None and taken.origin == store.SLUG and not taken.record:
            store.delete_redirects(work, taken)
    former = [*store.list_moved_redirects(work, before), *store.list_moved_redirects(work, f"{before}*")]
    for one in former:
        ending = "*" if one.prefix else ""
        store.update_redirect(work, one, msgspec.structs.replace(one, target=f"{target}{ending}"))
    _store_address(work, source, target)
    former.sort(key=lambda one: one.id)
    store.delete_redirects(work, *former[: max(0, len(former) + 2 - _MAX_FORMER_ADDRESSES)])


def add_former_term_address(work: UnitOfWork, old: str, new: str, *, shared: bool) -> bool:
    """Store that a term which is at one URL now was at another before it came here, and return whether that is new.

    old: a URL of any host, whose path counts. Where a record stands, or another redirect leads from, it is not stored.
    """
    source, present = (_build_source(work, link, shared) for link in (old, new))
    target = _build_target(work, new, shared)
    if urlsplit(old).query or source.path == "/" or "*" in source.path or source.path == present.path:
        return False
    if max(len(target) + 1, len(source.path)) > paths.MAX_LENGTH:
        return False
    if store.find_by_sources(work, [source.path], ["", source.language]):
        return False
    there = find_record_by_url(work, f"{work.origin}/{source.language or work.site.profile.default_language}"
                                     f"{quote(source.path)}")  # fmt: skip
    if there is not None and there.status == "publish":
        return False
    _store_address(work, source, target)
    return True


def _store_address(work: UnitOfWork, source: RedirectSource, target: str) -> None:
    """Let an address lead to a target, and all that is below it to what is below that."""
    for prefix in (False, True):
        place = source._replace(prefix=prefix)
        if store.find_by_source(work, place) is None:
            store.insert_redirect(
                work, place, target=f"{target}*" if prefix else target, record=0, status=301, active=True,
                origin=store.SLUG,
            )  # fmt: skip


def forget_term_addresses(work: UnitOfWork, link: str, *, shared: bool) -> None:
    """Delete the former addresses of a term that is being deleted. link: its URL."""
    target = _build_target(work, link, shared)
    store.delete_redirects(
        work, *store.list_moved_redirects(work, target), *store.list_moved_redirects(work, f"{target}*")
    )


def _build_source(work: UnitOfWork, link: str, shared: bool) -> RedirectSource:
    path = remove_base_path(work.base_path, urlsplit(link).path)
    named, rest = paths.split_site_path(path, work.site.profile.languages)
    return RedirectSource("" if shared else named or work.site.profile.default_language, rest, False)


def _build_target(work: UnitOfWork, link: str, shared: bool) -> str:
    """Return a URL as the target of a redirect, in the language that is asked for where it is of all."""
    path = remove_base_path(work.base_path, urlsplit(link).path)
    first, _, rest = path.lstrip("/").partition("/")
    return f"/{rest}" if shared and first in work.site.profile.languages else path
