"""The total of a list, and its matches where they are few: counted before, or searched once and kept up to date.

Plain lists use the counters; a single excluding filter is the whole less what it excludes; everything else is searched
for and then kept up to date by the change log (backends/filter_cache.py). Not here: the page of a list
(content/records/listing.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, bindparam, distinct, false, func, select

from vetrina.backends import search_index
from vetrina.backends.database import Statement
from vetrina.backends.filter_cache import FilterQuery, FilterResult
from vetrina.backends.statement_cache import InList, StatementCache, encode_list
from vetrina.backends.tables.core import record, record_term
from vetrina.content.records import counters
from vetrina.content.records.filters import RecordFilters
from vetrina.content.records.query import RecordQuery
from vetrina.content.records.visibility_filters import OWN_SHAPE
from vetrina.content.translations.language_shares import LanguageShare
from vetrina.core.unit_of_work import UnitOfWork

_STATEMENTS = StatementCache(most=1024)

# Filters that the counters cover: by status, alone or with authors.
_COUNTED_SHAPES = (("status",), ("statuses",), ("status", "author"), ("status", ("author", 1)))


def find_list_matches(work: UnitOfWork, query: RecordQuery, filters: RecordFilters) -> FilterResult:
    """Return how many records a list has in all and, where that needed a search and they are few, which."""
    if len(filters.shares) == 1:
        return find_share_matches(work, query, filters, filters.shares[0])
    return FilterResult(sum(find_share_matches(work, query, filters, share).total for share in filters.shares), None)


def _search_matches(work: UnitOfWork, query: RecordQuery, filters: RecordFilters, share: LanguageShare) -> FilterResult:
    """Return how many records of a share match and, where they are few, which."""
    untranslated = share.untranslated
    values = filters.bind_values(share)
    source = filters.source(counting=True, untranslated=untranslated)
    number: ColumnElement[int] = record_term.c.record if source is record_term else record.c.id
    linked = None if untranslated else filters.build_link_conditions()
    if linked is not None:
        source, number = record_term, record_term.c.record

    def statement(kind: str, build: Any) -> Statement:
        return _STATEMENTS.get((filters.key, filters.narrowed, untranslated, kind), build)

    def select_columns(*columns: Any) -> Any:
        conditions = filters.where(untranslated) if linked is None else linked
        return select(*columns).select_from(source).where(*conditions)

    def count() -> int:
        return int(
            work.tx.value(
                statement(
                    "count",
                    lambda: select_columns(func.count(distinct(number)) if linked is not None else func.count()),
                ),
                **values,
            )
        )

    def ids(most: int | None) -> Iterable[int]:
        def every() -> Any:
            # A record may have several of the terms.
            return select_columns(number).distinct() if linked is not None else select_columns(number)

        if most is None:
            return work.tx.column(statement("all", every), **values)
        return work.tx.column(statement("some", lambda: every().limit(bindparam("most"))), **values, most=most)

    def among(looked_at: Sequence[int]) -> Iterable[int]:
        matches_among = statement(
            "among",
            lambda: (
                select(record.c.id)
                .select_from(filters.source())
                .where(InList(record.c.id, "looked_at"), *filters.where(untranslated, looked_up=False))
            ),
        )
        return work.tx.column(matches_among, **values, looked_at=encode_list(looked_at))

    types = frozenset(query.types or (query.type,))
    # If visibility depends on the translations, a change of one record says nothing about the others.
    alone = not (untranslated or filters.mixed)
    shaking = frozenset(one.taxonomy for one in query.terms) | (frozenset() if alone else types)
    if filters.rights.beneath:
        shaking |= frozenset(work.site.types) - types
    told = tuple((name, value) for name, value in values.items() if name not in search_index.BOUND_NAMES)
    question = FilterQuery((filters.key, share, told), types if alone else frozenset(), shaking, count, ids, among)
    return work.site.filter_cache.find_matches(work.tx, question, expensive=query.search is not None)


def find_share_matches(
    work: UnitOfWork, query: RecordQuery, filters: RecordFilters, share: LanguageShare
) -> FilterResult:
    """Return how many records of a share match and, where that needed a search and they are few, which."""
    if share.untranslated:
        return _search_matches(work, query, filters, share)
    if filters.key in _COUNTED_SHAPES:
        return FilterResult(
            counters.sum_counters(work.tx, query.type, query.statuses, share.language, query.author), None
        )
    rights = filters.rights
    if rights.beneath is not None and filters.key in (
        ("statuses", rights.beneath.shape),
        ("status", rights.beneath.shape),
    ):
        return FilterResult(
            counters.sum_counters(work.tx, query.type, query.statuses, share.language)
            - _count_hidden_files(work, filters, share),
            None,
        )
    if rights.own and filters.key in (("statuses", OWN_SHAPE), ("status", OWN_SHAPE)):
        own = counters.sum_counters(work.tx, query.type, rights.own, share.language, (work.user.id,))
        return FilterResult(counters.sum_counters(work.tx, query.type, rights.seen, share.language) + own, None)
    parts = [part for part in filters.key if not (isinstance(part, tuple) and part[0] == "join")]
    opposite = _invert_query(query) if len(parts) == len(("status", "one more")) else None
    if opposite is None:
        return _search_matches(work, query, filters, share)
    whole = counters.sum_counters(work.tx, query.type, query.statuses, share.language)
    return FilterResult(whole - find_share_matches(work, opposite, RecordFilters(work, opposite), share).total, None)


def _count_hidden_files(work: UnitOfWork, filters: RecordFilters, share: LanguageShare) -> int:
    """Return how many files of a share are attached to what the caller may not see."""
    statement = _STATEMENTS.get(
        (filters.key, "left out"),
        lambda: (
            select(func.count())
            .select_from(record)
            .where(
                record.c.type == bindparam("type"), record.c.language == bindparam("language"),
                filters.rights.left_out() if filters.rights.left_out else false(),
            )
        ),
    )  # fmt: skip
    return int(work.tx.value(statement, **filters.bind_values(share)))


def _invert_query(query: RecordQuery) -> RecordQuery | None:
    """Return the query of what a query excludes, where its only filter beside the statuses is an excluding one."""
    # With `include`, some of the excluding filters have no effect.
    if query.types or query.include:
        return None
    if query.exclude:
        return msgspec.structs.replace(query, exclude=(), include=query.exclude)
    if query.author_exclude:
        return msgspec.structs.replace(query, author_exclude=(), author=query.author_exclude)
    if query.sticky is False:
        return msgspec.structs.replace(query, sticky=True)
    if "standard" in query.formats:
        return msgspec.structs.replace(query, formats=(), other_formats=query.formats)
    if query.terms and query.terms[0].without:
        one = msgspec.structs.replace(query.terms[0], without=False, every=False)
        return msgspec.structs.replace(query, terms=(one,), any_taxonomy=False)
    return None
