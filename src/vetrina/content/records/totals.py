"""The total of a list, and its matches where they are few: counted before, or searched once and kept up to date.

Plain lists use the counters; a single excluding filter is the whole less what it excludes; everything else is searched
for and then kept up to date by the change log (backends/filter_cache.py). Not here: the page of a list
(content/records/listing.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import FromClause, bindparam, distinct, false, func, select, union_all

from vetrina.backends import search_index
from vetrina.backends.database import Statement
from vetrina.backends.filter_cache import FilterQuery, FilterResult
from vetrina.backends.statement_cache import InList, StatementCache, encode_list
from vetrina.backends.tables.records import record
from vetrina.backends.tables.terms import record_term
from vetrina.content.custom_fields.value_conditions import LEADING
from vetrina.content.records import counters
from vetrina.content.records.filters import RecordFilters
from vetrina.content.records.list_languages import LanguageShare
from vetrina.content.records.query import RecordQuery
from vetrina.content.records.visibility_filters import OWN_SHAPE
from vetrina.core.unit_of_work import UnitOfWork

_STATEMENTS = StatementCache(most=1024)

_ESTIMATED_ROWS = (1_000, 50_000)  # rows of a filter by an own field that are counted to choose the one to read along

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
    linked = None if untranslated else filters.build_link_conditions()
    # Which filter by an own field finds the fewest is asked only where a total is not known yet.
    leads: list[int | None] = []

    def choose_lead() -> int | None:
        if not leads:
            leads.append(find_leading_field(work, filters, share))
        return leads[0]

    def statement(kind: str, build: Any, *lead: int | None) -> Statement:
        shape = (filters.key, filters.narrowed, untranslated, kind, len(filters.statuses), *lead)
        return _STATEMENTS.get(shape, build)

    def select_matches(counting: bool) -> Any:
        lead = choose_lead()
        source: FromClause = record_term
        if linked is None:
            source = filters.source(counting=True, untranslated=untranslated, led=lead)
        number = source.c.record if source in (record_term, LEADING) else record.c.id
        # A record may have several of the terms, or several values of a field.
        repeated = linked is not None or (lead is not None and query.fields[lead].is_repeated)
        if filters.narrowed and filters.is_divided:
            # One status at a time, an index has all that is asked of the ids that the text index finds.
            found = union_all(
                *(
                    select(number).select_from(source).where(*filters.where(untranslated, led=lead, part=part))
                    for part in range(len(filters.statuses))
                )
            )
            return select(func.count()).select_from(found.subquery()) if counting else found
        conditions = filters.where(untranslated, led=lead) if linked is None else linked
        if counting:
            columns = select(func.count(distinct(number)) if repeated else func.count())
        else:
            columns = select(number).distinct() if repeated else select(number)
        return columns.select_from(source).where(*conditions)

    def count() -> int:
        return int(work.tx.value(statement("count", lambda: select_matches(True), choose_lead()), **values))

    def ids(most: int | None) -> Iterable[int]:
        if most is None:
            return work.tx.column(statement("all", lambda: select_matches(False), choose_lead()), **values)
        some = statement("some", lambda: select_matches(False).limit(bindparam("most")), choose_lead())
        return work.tx.column(some, **values, most=most)

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
    alone = not (untranslated or filters.mixed or query.untranslated_in)
    shaking = frozenset(one.taxonomy for one in query.terms) | (frozenset() if alone else types)
    if filters.rights.beneath:
        shaking |= frozenset(work.site.types) - types
    told = tuple((name, value) for name, value in values.items() if name not in search_index.BOUND_NAMES)
    question = FilterQuery((filters.key, share, told), types if alone else frozenset(), shaking, count, ids, among)
    expensive = query.search is not None or bool(query.media_kinds or query.mime_types)
    return work.site.filter_cache.find_matches(work.tx, question, expensive)


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


def find_leading_field(work: UnitOfWork, filters: RecordFilters, share: LanguageShare) -> int | None:
    """Return the place of the filter by an own field that finds the fewest records of a share, None for no such filter.

    Each is counted up to a bound, and those that all reach it up to a higher one.
    """
    query = filters.query
    places = [at for at, one in enumerate(query.fields) if not one.without]
    if filters.by_term or filters.mixed or query.search or not places:
        return None
    for most in _ESTIMATED_ROWS:
        if len(places) == 1:
            break
        sizes = {at: _count_rows(work, filters, share, at, most) for at in places}
        least = min(sizes.values())
        places = [at for at in places if sizes[at] == least]
    return places[0]


def _count_rows(work: UnitOfWork, filters: RecordFilters, share: LanguageShare, at: int, most: int) -> int:
    """Return how many rows a filter by an own field finds in a share, up to `most`."""
    statement = _STATEMENTS.get(
        (filters.key, "rows", at),
        lambda: select(func.count()).select_from(
            select(LEADING.c.record)
            .where(*filters.fields.build_row_conditions(at, one_status="status" in filters.shape))
            .limit(bindparam("most"))
            .subquery()
        ),
    )
    return int(work.tx.value(statement, **filters.bind_values(share), most=most))


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
    if query.fields and query.fields[0].without:
        return msgspec.structs.replace(query, fields=(msgspec.structs.replace(query.fields[0], without=False),))
    if query.sticky is False:
        return msgspec.structs.replace(query, sticky=True)
    if "standard" in query.formats:
        return msgspec.structs.replace(query, formats=(), other_formats=query.formats)
    if query.terms and query.terms[0].without:
        one = msgspec.structs.replace(query.terms[0], without=False, every=False)
        return msgspec.structs.replace(query, terms=(one,), any_taxonomy=False)
    return None
