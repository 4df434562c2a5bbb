"""How many records a list has in all, and which, where they are few: known, or looked for once and kept true.

Plain lists have a tally; what all filters leave out is the whole less those; whatever else is asked is looked for and
then kept up by the change log (backends/filter_cache.py). Not here: the page of a list (content/records/listing.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, bindparam, distinct, false, func, select

from vetrina.backends import search_index
from vetrina.backends.database import Statement
from vetrina.backends.filter_cache import Found, Question
from vetrina.backends.statement_cache import Among, Shapes, listed
from vetrina.backends.tables.core import record, record_term
from vetrina.content.records import counters
from vetrina.content.records.filters import Filters
from vetrina.content.records.query import RecordQuery
from vetrina.content.records.visibility_filters import OWN
from vetrina.content.translations.language_shares import Share
from vetrina.core.unit_of_work import Work

__all__ = ["found", "of_share"]

_STATEMENTS = Shapes(most=1024)

# Filters whose totals the tally knows: by status, alone or with the authors.
_KNOWN = (("status",), ("statuses",), ("status", "author"), ("status", ("author", 1)))


def found(work: Work, query: RecordQuery, filters: Filters) -> Found:
    """Return how many records a list has in all and, where that had to be looked for and they are few, which."""
    if len(filters.shares) == 1:
        return of_share(work, query, filters, filters.shares[0])
    return Found(sum(of_share(work, query, filters, share).total for share in filters.shares), None)


def _looked_for(work: Work, query: RecordQuery, filters: Filters, share: Share) -> Found:
    """Return how many records of a share match and, where they are few, which."""
    untranslated = share.untranslated
    values = filters.bound(share)
    source = filters.source(counting=True, untranslated=untranslated)
    number: ColumnElement[int] = record_term.c.record if source is record_term else record.c.id
    linked = None if untranslated else filters.linked()
    if linked is not None:
        source, number = record_term, record_term.c.record

    def statement(what: str, build: Any) -> Statement:
        return _STATEMENTS.get((filters.key, filters.narrowed, untranslated, what), build)

    def chosen(*columns: Any) -> Any:
        conditions = filters.where(untranslated) if linked is None else linked
        return select(*columns).select_from(source).where(*conditions)

    def count() -> int:
        return int(
            work.tx.value(
                statement(
                    "count", lambda: chosen(func.count(distinct(number)) if linked is not None else func.count())
                ),
                **values,
            )
        )

    def ids(most: int | None) -> Iterable[int]:
        def every() -> Any:
            # A record may have several of the terms.
            return chosen(number).distinct() if linked is not None else chosen(number)

        if most is None:
            return work.tx.column(statement("all", every), **values)
        return work.tx.column(statement("some", lambda: every().limit(bindparam("most"))), **values, most=most)

    def among(looked_at: Sequence[int]) -> Iterable[int]:
        asked = statement(
            "among",
            lambda: (
                select(record.c.id)
                .select_from(filters.source())
                .where(Among(record.c.id, "looked_at"), *filters.where(untranslated, looked_up=False))
            ),
        )
        return work.tx.column(asked, **values, looked_at=listed(looked_at))

    types = frozenset(query.types or (query.type,))
    # Whether a record is shown can hang on its translations: then a change of one says nothing of the others.
    alone = not (untranslated or filters.mixed)
    shaking = frozenset(one.taxonomy for one in query.terms) | (frozenset() if alone else types)
    if filters.rights.beneath:
        shaking |= frozenset(work.frame.types) - types
    told = tuple((name, value) for name, value in values.items() if name not in search_index.BOUND)
    question = Question((filters.key, share, told), types if alone else frozenset(), shaking, count, ids, among)
    return work.frame.matches.found(work.tx, question, dear=query.search is not None)


def of_share(work: Work, query: RecordQuery, filters: Filters, share: Share) -> Found:
    """Return how many records of a share match and, where that had to be looked for and they are few, which."""
    if share.untranslated:
        return _looked_for(work, query, filters, share)
    if filters.key in _KNOWN:
        return Found(counters.total(work.tx, query.type, query.statuses, share.language, query.author), None)
    rights = filters.rights
    if rights.beneath is not None and filters.key in (
        ("statuses", rights.beneath.shape),
        ("status", rights.beneath.shape),
    ):
        return Found(
            counters.total(work.tx, query.type, query.statuses, share.language) - _beneath(work, filters, share), None
        )
    if rights.own and filters.key in (("statuses", OWN), ("status", OWN)):
        own = counters.total(work.tx, query.type, rights.own, share.language, (work.user.id,))
        return Found(counters.total(work.tx, query.type, rights.seen, share.language) + own, None)
    parts = [part for part in filters.key if not (isinstance(part, tuple) and part[0] == "join")]
    opposite = _opposite(query) if len(parts) == len(("status", "one more")) else None
    if opposite is None:
        return _looked_for(work, query, filters, share)
    whole = counters.total(work.tx, query.type, query.statuses, share.language)
    return Found(whole - of_share(work, opposite, Filters(work, opposite), share).total, None)


def _beneath(work: Work, filters: Filters, share: Share) -> int:
    """Return how many files of a share hang on what the caller may not see."""
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
    return int(work.tx.value(statement, **filters.bound(share)))


def _opposite(query: RecordQuery) -> RecordQuery | None:
    """Return what a query leaves out, where it has one filter, beside the statuses, and that leaves something out."""
    # Beside numbers to include, some of the filters that leave something out count for nothing.
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
