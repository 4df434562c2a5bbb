"""Which comments a list shows, in which order, and how many there are.

A query is a value; its statement depends only on its shape and is kept. Where a query says so, what its caller may not
see is neither listed nor counted (content/comments/filters.py). Rules: facts, "Comments"; ties stand by number, the
last first unless the order is by date.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import bindparam, func, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.statement_cache import Among, Contains, Place, Shapes, listed
from vetrina.backends.tables.core import comment as table
from vetrina.backends.tables.core import record
from vetrina.content.comments import filters as comment_filters
from vetrina.content.comments.model import APPROVED, HOLD, NOTE, Comment, of_row
from vetrina.content.translations import language_shares
from vetrina.core.unit_of_work import Work
from vetrina.kernel.folding import fold

__all__ = ["ORDERS", "CommentQuery", "listed_page"]

ORDERS = ("date", "date_gmt", "id", "include", "post", "parent", "type")


class CommentQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What a list asks for; an empty tuple, an empty text or None filters nothing.

    status: approve, hold, all (both), any, or a status of its own. type: comment, note, all. after, before: local
    seconds. start: how many to pass over. readable: whether only comments are listed that the caller may read;
    opened: whether its password came with the request, where it is about one record.
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
    size: int = 10
    start: int = 0
    readable: bool = False
    opened: bool = False


_Condition = Callable[[], ColumnElement[bool]]

_SHAPES = Shapes(most=512)
_COLUMNS = [table.c[name] for name in Comment.__struct_fields__]
_SINGLE = {"approve": APPROVED, "approved": APPROVED, "1": APPROVED, "hold": HOLD, "0": HOLD}
_ORDER: dict[str, ColumnElement[Any]] = {
    "date": table.c.date,
    "date_gmt": table.c.date_gmt,
    "post": table.c.post,
    "parent": table.c.parent,
    "type": table.c.type,
}


def listed_page(work: Work, query: CommentQuery) -> tuple[list[Comment], int]:
    """Return one page of comments and the number of all that match."""
    work.uses("comment", "user", *work.frame.types)
    values: dict[str, Any] = {}
    conditions, shape = _conditions(work, query, values)
    counting = _SHAPES.get((shape, "count"), lambda: _from(query, select(func.count())).where(*_all(conditions)))
    total = int(work.tx.value(counting, **values))
    if query.start >= total:
        return [], total
    by_list = query.orderby == "include" and query.include
    if by_list:
        values["order_list"] = listed(query.include)
    statement = _SHAPES.get(
        (shape, query.orderby, bool(by_list), query.descending),
        lambda: (
            _from(query, select(*_COLUMNS))
            .where(*_all(conditions))
            .order_by(*_order(query))
            .limit(bindparam("size"))
            .offset(bindparam("start"))
        ),
    )
    rows = work.tx.all(statement, **values, size=query.size, start=query.start)
    return [of_row(row) for row in rows], total


def _all(conditions: list[_Condition]) -> list[ColumnElement[bool]]:
    return [condition() for condition in conditions]


def _in_one_language(query: CommentQuery) -> bool:
    # Who names a record or a comment means it, whatever its language.
    return not query.post and not query.parent


def _joins_language(query: CommentQuery) -> bool:
    # What may be read of named records is asked of each; of all others with their comments.
    return _in_one_language(query) or (query.readable and not query.post)


def _from(query: CommentQuery, statement: Any) -> Any:
    if _joins_language(query):
        return statement.select_from(table.join(record, record.c.id == table.c.post))
    return statement.select_from(table)


def _conditions(work: Work, query: CommentQuery, values: dict[str, Any]) -> tuple[list[_Condition], tuple[str, ...]]:
    """Return the conditions of a query and what of it makes their shape; bound values go into `values`."""
    shape: list[str] = []
    out: list[_Condition] = []

    def among(name: str, column: ColumnElement[Any], items: tuple[Any, ...], negate: bool = False) -> None:
        if items:
            values[name] = listed(items)
            shape.append(name)
            out.append(lambda: ~Among(column, name) if negate else Among(column, name))

    def bound(name: str, value: Any, compare: Callable[[Any], ColumnElement[bool]]) -> None:
        if value not in (None, ""):
            values[name] = value
            shape.append(name)
            out.append(lambda: compare(bindparam(name)))

    if _in_one_language(query):
        modes, named = language_shares.by_type(work, work.frame.types)
        values.update(named)
        shape.append("+".join(modes))
        out.append(lambda: language_shares.condition(modes))
    if query.readable:
        if query.post:
            posts, rights = comment_filters.readable_posts(work, query.post, query.opened)
            query = msgspec.structs.replace(query, post=posts or (0,))
        else:
            rights = comment_filters.readable(work)
        values.update(rights.values)
        shape.append(str(rights.shape))
        out.append(rights.build)
    if query.status in ("all", ""):
        among("statuses", table.c.status, (APPROVED, HOLD))
    elif query.status != "any":
        bound("status", _SINGLE.get(query.status, query.status), table.c.status.__eq__)
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
        values["search"] = fold(query.search)
        shape.append("search")
        out.append(lambda: Contains(table.c.search_key, "search"))
    return out, tuple(shape)


def _order(query: CommentQuery) -> list[ColumnElement[Any]]:
    down = query.descending
    match query.orderby:
        case "id":
            return [table.c.id.desc() if down else table.c.id.asc()]
        case "include" if query.include:
            return [Place(table.c.id, "order_list")]
        case orderby:
            column = _ORDER.get(orderby, table.c.date_gmt)
            ties_down = down or orderby not in ("date", "date_gmt")
            return [column.desc() if down else column.asc(), table.c.id.desc() if ties_down else table.c.id.asc()]
