"""Lists of comments: a page of them, their order, the total.

A query is a value; its statement depends only on its shape and is cached. Where the query asks for it, comments that
the caller may not see are neither listed nor counted (content/comments/visibility_filters.py). Rules:
docs/rules/comments.md, 10; ties are ordered by id, descending unless the order is by date.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sqlalchemy import bindparam, func, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.database import Statement
from vetrina.backends.filter_cache import FilterQuery
from vetrina.backends.statement_cache import InList, ListPosition, StatementCache, encode_list
from vetrina.backends.tables.comments import comment as table
from vetrina.content.comments.filters import (
    BOTH_STATUSES,
    CommentCondition,
    CommentQuery,
    add_from_clause,
    build_clauses,
    build_conditions,
    needs_record_join,
)
from vetrina.content.comments.model import APPROVED, HOLD, STORE, Comment
from vetrina.core.listing import build_order, label_keys, merge_in_order, plan_reading
from vetrina.core.unit_of_work import UnitOfWork

COMMENT_ORDERS = ("date", "date_gmt", "id", "include", "post", "parent", "type")

_STATEMENTS = StatementCache(most=512)
_ORDER_COLUMNS: dict[str, ColumnElement[Any]] = {
    "date": table.c.date,
    "date_gmt": table.c.date_gmt,
    "post": table.c.post,
    "parent": table.c.parent,
    "type": table.c.type,
}


def list_comments(work: UnitOfWork, query: CommentQuery) -> tuple[list[Comment], int]:
    """Return one page of comments and the number of all matches."""
    work.uses("comment")
    if not query.post:
        # Those of named records depend on these alone, which `filter_readable_posts` looks at.
        work.uses("user", *work.site.types)
    values: dict[str, Any] = {}
    conditions, shape = build_conditions(work, query, values)
    total = _count_matches(work, query, conditions, shape, values)
    if query.offset >= total:
        return [], total
    by_list = query.orderby == "include" and query.include
    if by_list:
        values["order_list"] = encode_list(query.include)
    page = plan_reading(query.offset, query.limit, total)
    statement = _STATEMENTS.get(
        (shape, query.orderby, bool(by_list), query.descending, page.backwards),
        lambda: _select_ids(query, conditions, page.backwards),
    )
    rows = work.tx.all(statement, **values, limit=page.taken, start=page.skipped)
    ids = [row[0] for row in (reversed(rows) if page.backwards else rows)]
    found = STORE.load_by_ids(work.tx, ids)
    return [found[id] for id in ids], total


def _count_matches(
    work: UnitOfWork, query: CommentQuery, conditions: list[CommentCondition], shape: tuple[str, ...],
    values: dict[str, Any],
) -> int:  # fmt: skip
    """Return how many comments match, which is counted once and then kept current by the change log."""

    def statement(kind: str, build: Callable[[], Any]) -> Statement:
        return _STATEMENTS.get((shape, kind), build)

    def select_from(column: ColumnElement[Any], *more: ColumnElement[bool]) -> Any:
        return add_from_clause(query, select(column)).where(*build_clauses(conditions), *more)

    def count() -> int:
        return int(work.tx.value(statement("count", lambda: select_from(func.count())), **values))

    def ids(most: int | None) -> Iterable[int]:
        if most is None:
            return work.tx.column(statement("all", lambda: select_from(table.c.id)), **values)
        some = statement("some", lambda: select_from(table.c.id).limit(bindparam("most")))
        return work.tx.column(some, **values, most=most)

    def select_matching(changed: Sequence[int]) -> Iterable[int]:
        among = statement("among", lambda: select_from(table.c.id, InList(table.c.id, "changed")))
        return work.tx.column(among, **values, changed=encode_list(changed))

    # Language and visibility are those of the records; the rights over named records are among the values.
    records = frozenset(work.site.types) if needs_record_join(query) else frozenset()
    key = ("comments", shape, tuple(values.items()))
    matches = FilterQuery(key, frozenset({"comment"}), records, count, ids, select_matching)
    return work.site.filter_cache.find_matches(work.tx, matches).total


def _select_ids(query: CommentQuery, conditions: list[CommentCondition], backwards: bool) -> Any:
    """Return the statement of the ids of a page in order, or in the opposite one.

    An index has what is asked of a comment, but not its text: that is read of a page only. As indexes have the status
    before the date, both statuses are one list each, merged by the database, which stops at the end of the page.
    """
    keys = [(key, down != backwards) for key, down in _list_order_keys(query)]
    columns = (table.c.id, *label_keys(keys))
    groups = [(table.c.status == status,) for status in (APPROVED, HOLD)] if query.status in BOTH_STATUSES else [()]
    parts = [add_from_clause(query, select(*columns)).where(*build_clauses(conditions), *group) for group in groups]
    if len(parts) > 1:
        return merge_in_order(parts, keys)
    return parts[0].order_by(*build_order(keys)).limit(bindparam("limit")).offset(bindparam("start"))


def _list_order_keys(query: CommentQuery) -> list[tuple[ColumnElement[Any], bool]]:
    """Return what a list is sorted by, each column with whether it descends."""
    down = query.descending
    match query.orderby:
        case "id":
            return [(table.c.id, down)]
        case "include" if query.include:
            return [(ListPosition(table.c.id, "order_list"), False)]
        case orderby:
            ties_down = down or orderby not in ("date", "date_gmt")
            return [(_ORDER_COLUMNS.get(orderby, table.c.date_gmt), down), (table.c.id, ties_down)]
