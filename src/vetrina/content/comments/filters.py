"""What a list of comments contains: its filters as SQL conditions.

Not here: what its caller may read (content/comments/visibility_filters.py), order and pages
(content/comments/listing.py). Rules: docs/rules/comments.md, 10; docs/rules/translated_content.md, 12.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import bindparam
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.statement_cache import ContainsText, InList, encode_list
from vetrina.backends.tables.comments import comment as table
from vetrina.backends.tables.records import record
from vetrina.content.comments import visibility_filters
from vetrina.content.comments.model import APPROVED, HOLD, NOTE
from vetrina.content.records import list_languages
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.folding import fold_text


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


CommentCondition = Callable[[], ColumnElement[bool]]
_STATUS_BY_WORD = {"approve": APPROVED, "approved": APPROVED, "1": APPROVED, "hold": HOLD, "0": HOLD}
BOTH_STATUSES = ("all", "")  # words for approved comments and those on hold


def build_clauses(conditions: list[CommentCondition]) -> list[ColumnElement[bool]]:
    return [condition() for condition in conditions]


def _is_in_one_language(query: CommentQuery) -> bool:
    # A filter by records or comments applies whatever their language.
    return not query.post and not query.parent


def needs_record_join(query: CommentQuery) -> bool:
    """Return whether a list reads the records of its comments; named ones are checked one by one, without a join."""
    return _is_in_one_language(query) or (query.readable and not query.post)


def add_from_clause(query: CommentQuery, statement: Any) -> Any:
    if needs_record_join(query):
        return statement.select_from(table.join(record, record.c.id == table.c.post))
    return statement.select_from(table)


def build_conditions(
    work: UnitOfWork, query: CommentQuery, values: dict[str, Any]
) -> tuple[list[CommentCondition], tuple[str, ...]]:
    """Return the conditions of a query and its shape; bound values are added to `values`."""
    shape: list[str] = []
    out: list[CommentCondition] = []

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
        modes, named = list_languages.group_types_by_mode(work, work.site.types)
        values.update(named)
        shape.append("+".join(modes))
        out.append(lambda: list_languages.build_language_condition(modes))
    if query.readable:
        if query.post:
            posts, rights = visibility_filters.filter_readable_posts(work, query.post, query.opened)
            query = msgspec.structs.replace(query, post=posts or (0,))
        else:
            rights = visibility_filters.build_readable_condition(work)
        values.update(rights.values)
        shape.append(str(rights.shape))
        out.append(rights.build)
    if query.status in BOTH_STATUSES:
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
