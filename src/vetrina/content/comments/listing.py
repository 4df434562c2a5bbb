"""Lists of comments: a page of them, their order, the total.

A query is a value; its statement depends only on its shape and is cached. Where the query asks for it, comments that
the caller may not see are neither listed nor counted (content/comments/filters.py). Rules: docs/rules/comments.md, 10;
ties are ordered by id, descending unless the order is by date.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import bindparam, func, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.statement_cache import ContainsText, InList, ListPosition, StatementCache, encode_list
from vetrina.backends.tables.comments import comment as table
from vetrina.backends.tables.records import record
from vetrina.content.comments import filters as comment_filters
from vetrina.content.comments.model import APPROVED, HOLD, NOTE, STORE, Comment
from vetrina.content.translations import language_shares
from vetrina.core.listing import build_order, label_keys, merge_in_order, plan_reading
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.folding import fold_text

COMMENT_ORDERS = ("date", "date_gmt", "id", "include", "post", "parent", "type")


class CommentQuery(msgspec.Struct, frozen=True, kw_only=True):
    """The query of a list; an empty tuple, an empty text or None filters nothing.

    status: approve, hold, all (both), any, or another status. type: comment, note, all. after, before: local seconds.
    readable: list only what the caller may read; opened: whether the request has the password of
    the record, where it is about one record.
    """

    status: str = "approve"
    type: str = "comment"
    post: tuple[int, ...] = ()
    parent: tuple[int, ...] = ()
    parent_exclude: tuple[int, ...] = ()
    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    author: tuple[int, ...] = ()
    author_exclude: tuple[int, ...] = ()
    author_email: str = ""
    search: str = ""
    after: int | None = None
    before: int | None = None
    orderby: str = "date_gmt"
    descending: bool = True
    limit: int = 10
    offset: int = 0
    readable: bool = False
    opened: bool = False


_CommentCondition = Callable[[], ColumnElement[bool]]

_STATEMENTS = StatementCache(most=512)
_STATUS_BY_WORD = {"approve": APPROVED, "approved": APPROVED, "1": APPROVED, "hold": HOLD, "0": HOLD}
_BOTH = ("all", "")  # words for approved comments and those on hold
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
    conditions, shape = _build_conditions(work, query, values)
    counting = _STATEMENTS.get(
        (shape, "count"), lambda: _add_from_clause(query, select(func.count())).where(*_build_clauses(conditions))
    )
    total = int(work.tx.value(counting, **values))
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


def _select_ids(query: CommentQuery, conditions: list[_CommentCondition], backwards: bool) -> Any:
    """Return the statement of the ids of a page in order, or in the opposite one.

    An index has what is asked of a comment, but not its text: that is read of a page only. As indexes have the status
    before the date, both statuses are one list each, merged by the database, which stops at the end of the page.
    """
    keys = [(key, down != backwards) for key, down in _list_order_keys(query)]
    columns = (table.c.id, *label_keys(keys))
    groups = [(table.c.status == status,) for status in (APPROVED, HOLD)] if query.status in _BOTH else [()]
    parts = [_add_from_clause(query, select(*columns)).where(*_build_clauses(conditions), *group) for group in groups]
    if len(parts) > 1:
        return merge_in_order(parts, keys)
    return parts[0].order_by(*build_order(keys)).limit(bindparam("limit")).offset(bindparam("start"))


def _build_clauses(conditions: list[_CommentCondition]) -> list[ColumnElement[bool]]:
    return [condition() for condition in conditions]


def _is_in_one_language(query: CommentQuery) -> bool:
    # A filter by records or comments applies whatever their language.
    return not query.post and not query.parent


def _needs_record_join(query: CommentQuery) -> bool:
    # Named records are checked one by one, without a join; all others are joined to their comments.
    return _is_in_one_language(query) or (query.readable and not query.post)


def _add_from_clause(query: CommentQuery, statement: Any) -> Any:
    if _needs_record_join(query):
        return statement.select_from(table.join(record, record.c.id == table.c.post))
    return statement.select_from(table)


def _build_conditions(
    work: UnitOfWork, query: CommentQuery, values: dict[str, Any]
) -> tuple[list[_CommentCondition], tuple[str, ...]]:
    """Return the conditions of a query and its shape; bound values are added to `values`."""
    shape: list[str] = []
    out: list[_CommentCondition] = []

    def among(name: str, column: ColumnElement[Any], items: tuple[Any, ...], negate: bool = False) -> None:
        if items:
            values[name] = encode_list(items)
            shape.append(name)
            out.append(lambda: ~InList(column, name) if negate else InList(column, name))

    def bound(name: str, value: Any, compare: Callable[[Any], ColumnElement[bool]]) -> None:
        if value not in (None, ""):
            values[name] = value
            shape.append(name)
            out.append(lambda: compare(bindparam(name)))

    if _is_in_one_language(query):
        modes, named = language_shares.group_types_by_mode(work, work.site.types)
        values.update(named)
        shape.append("+".join(modes))
        out.append(lambda: language_shares.build_language_condition(modes))
    if query.readable:
        if query.post:
            posts, rights = comment_filters.filter_readable_posts(work, query.post, query.opened)
            query = msgspec.structs.replace(query, post=posts or (0,))
        else:
            rights = comment_filters.build_readable_condition(work)
        values.update(rights.values)
        shape.append(str(rights.shape))
        out.append(rights.build)
    if query.status in _BOTH:
        among("statuses", table.c.status, (APPROVED, HOLD))
    elif query.status != "any":
        bound("status", _STATUS_BY_WORD.get(query.status, query.status), table.c.status.__eq__)
    if query.type == "":
        bound("no_type", NOTE, table.c.type.__ne__)
    elif query.type != "all":
        bound("type", "comment" if query.type == "comments" else query.type, table.c.type.__eq__)
    among("post", table.c.post, query.post)
    among("parent", table.c.parent, query.parent)
    among("parent_exclude", table.c.parent, query.parent_exclude, negate=True)
    among("include", table.c.id, query.include)
    among("exclude", table.c.id, query.exclude, negate=True)
    among("author", table.c.author, query.author)
    among("author_exclude", table.c.author, query.author_exclude, negate=True)
    bound("email", query.author_email.lower(), table.c.email_key.__eq__)
    bound("after", query.after, table.c.date.__gt__)
    bound("before", query.before, table.c.date.__lt__)
    if query.search:
        values["search"] = fold_text(query.search)
        shape.append("search")
        out.append(lambda: ContainsText(table.c.search_key, "search"))
    return out, tuple(shape)


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
