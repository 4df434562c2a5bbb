"""Redirects as rows: finding those that match a path, former addresses of records, hits.

Rules: docs/rules/redirects.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
from sqlalchemy import bindparam, func, select, update

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.store import FLAG, Store
from vetrina.backends.tables.redirects import redirect as table
from vetrina.content.redirects.paths import RedirectSource
from vetrina.core.hit_counter import Hits
from vetrina.core.unit_of_work import UnitOfWork

REDIRECT_KIND: Final = "redirect"  # in the change log
MANUAL, SLUG = "manual", "slug"
GONE: Final = 410
STATUSES: Final = (301, 302, 307, 308, GONE)


class Redirect(msgspec.Struct, frozen=True):
    """One redirect. The fields are the columns of its table; times are seconds since 1970."""

    id: int
    language: str
    source: str
    prefix: bool
    target: str
    record: int
    status: int
    active: bool
    origin: str
    hits: int
    last_hit: int | None
    created: int
    modified: int

    @property
    def place(self) -> RedirectSource:
        """Return what it leads from."""
        return RedirectSource(self.language, self.source, self.prefix)


STORE: Final = Store(table, Redirect, {"prefix": FLAG, "active": FLAG})

_BY_SOURCES = Statement(
    select(*STORE.columns).where(InList(table.c.source, "sources"), InList(table.c.language, "languages"))
)
_BY_SOURCE = Statement(
    select(*STORE.columns).where(
        table.c.source == bindparam("source"),
        table.c.prefix == bindparam("prefix"),
        table.c.language == bindparam("language"),
    )
)
_OF_RECORD = Statement(
    select(*STORE.columns).where(table.c.record == bindparam("record")).order_by(table.c.modified.desc(), table.c.id)
)
_MOVED = Statement(
    select(*STORE.columns).where(table.c.origin == SLUG, table.c.record == 0, table.c.target == bindparam("target"))
)
_ALL = Statement(select(*STORE.columns).order_by(table.c.source, table.c.language, table.c.prefix))
_COUNT = Statement(select(func.count()).select_from(table).where(table.c.origin == bindparam("origin")))
_ADD_HITS = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    .values(hits=table.c.hits + bindparam("more"), last_hit=bindparam("last"))
)


def find_redirect(work: UnitOfWork, id: int) -> Redirect | None:
    """Return a redirect, None where there is none."""
    work.uses(REDIRECT_KIND)
    return STORE.find(work.tx, id)


def find_by_source(work: UnitOfWork, source: RedirectSource) -> Redirect | None:
    """Return the redirect from a source, active or not; None where there is none."""
    row = work.tx.first(_BY_SOURCE, source=source.path, prefix=source.prefix, language=source.language)
    return STORE.of_row(row) if row else None


def find_by_sources(work: UnitOfWork, paths: Iterable[str], languages: Iterable[str]) -> list[Redirect]:
    """Return the redirects from any of these paths in any of these languages."""
    work.uses(REDIRECT_KIND)
    rows = work.tx.all(_BY_SOURCES, sources=encode_list(paths), languages=encode_list(languages))
    return STORE.of_rows(rows)


def list_all_redirects(work: UnitOfWork) -> list[Redirect]:
    """Return all redirects by source and language."""
    return STORE.of_rows(work.tx.all(_ALL))


def list_redirects_of_record(work: UnitOfWork, record: int) -> list[Redirect]:
    """Return the former addresses of a record, the latest first."""
    return STORE.of_rows(work.tx.all(_OF_RECORD, record=record))


def list_moved_redirects(work: UnitOfWork, target: str) -> list[Redirect]:
    """Return the redirects from former addresses to what is no record, by its present one."""
    return STORE.of_rows(work.tx.all(_MOVED, target=target))


def count_redirects(work: UnitOfWork, origin: str) -> int:
    """Return how many redirects of an origin there are."""
    return int(work.tx.value(_COUNT, origin=origin) or 0)


def insert_redirect(
    work: UnitOfWork, source: RedirectSource, *, target: str, record: int, status: int, active: bool, origin: str
) -> Redirect:
    """Store a new redirect."""
    new = Redirect(
        allocate_id(work.tx, REDIRECT_KIND), source.language, source.path, source.prefix, target, record, status,
        active, origin, 0, None, work.now, work.now,
    )  # fmt: skip
    STORE.insert(work.tx, new)
    work.note(REDIRECT_KIND, new.id, "created")
    return new


def update_redirect(work: UnitOfWork, old: Redirect, new: Redirect) -> Redirect:
    """Store a new state of a redirect."""
    if STORE.list_changed(old, new):
        new = msgspec.structs.replace(new, modified=work.now)
        STORE.update(work.tx, old, new)
        work.note(REDIRECT_KIND, new.id, "changed")
    return new


def delete_redirects(work: UnitOfWork, *found: Redirect) -> None:
    """Delete redirects."""
    STORE.delete(work.tx, *(one.id for one in found))
    for one in found:
        work.note(REDIRECT_KIND, one.id, "removed")


def add_hits(work: UnitOfWork, batch: Mapping[int, Hits]) -> None:
    """Add hits to redirects; the change log is not told, since no answer to visitors shows them."""
    work.tx.run_each(_ADD_HITS, [{"of": id, "more": one.number, "last": one.last} for id, one in batch.items()])


def sort_by_match(found: Sequence[Redirect], candidates: Sequence[RedirectSource]) -> list[Redirect]:
    """Return the redirects that match a candidate, the nearest first; a language's own before those of all."""
    order = {(one.path, one.prefix): at for at, one in enumerate(candidates)}
    matching = [one for one in found if (one.source, one.prefix) in order]
    return sorted(matching, key=lambda one: (order[one.source, one.prefix], not one.language))
