"""What a list of comments may contain for its caller, as SQL conditions: a total counts what the list shows.

Not here: the same for one comment (content/comments/capabilities.py); both agree. Rules: docs/rules/comments.md, 9 and
10.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, bindparam, or_, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.comments import comment as table
from vetrina.backends.tables.records import record
from vetrina.content.comments import capabilities as comment_capabilities, visibility
from vetrina.content.comments.model import APPROVED, NOTE
from vetrina.content.records import model as record_model
from vetrina.content.records.model import EMPTY_PASSWORDS
from vetrina.content.records.visibility import INHERIT_STATUS
from vetrina.content.records.visibility_filters import QueryCondition, build_visibility_condition, is_all_visible
from vetrina.content.types.statuses import ALL_STATUSES
from vetrina.core.unit_of_work import UnitOfWork

_above = record.alias("above_commented")


def filter_readable_posts(
    work: UnitOfWork, posts: tuple[int, ...], opened: bool = False
) -> tuple[tuple[int, ...], QueryCondition]:
    """Return the records among these whose comments the caller may read, and the condition that they may read a
    comment.

    opened: whether the request has the password of the record, where it is about one record.
    """
    known = record_model.find_records(work.tx, posts)
    seen = tuple(id for id, of in known.items() if visibility.may_read_commented_record(work, of, opened))
    edited = [id for id, of in known.items() if work.user and comment_capabilities.may_edit_commented_record(work, of)]
    values: dict[str, Any] = {"caller": work.user.id, "edited": encode_list(edited)}

    def build() -> ColumnElement[bool]:
        plain = table.c.type != NOTE
        approved = and_(table.c.status == APPROVED, plain)
        own = and_(table.c.author == bindparam("caller"), plain)
        return or_(approved, own, InList(table.c.post, "edited"))

    if not edited and not work.user:
        return seen, QueryCondition("approved", lambda: and_(table.c.status == APPROVED, table.c.type != NOTE), {})
    # Callers who may edit a record see its comments, even when a password keeps others out.
    among = tuple(dict.fromkeys((*seen, *edited)))
    return among, QueryCondition("of posts", build, values)


def build_readable_condition(work: UnitOfWork) -> QueryCondition:
    """Return the condition that the caller may read a comment; the statement must join the records."""
    types, user = work.site.types, work.user
    if user and all(is_all_visible(user, type, "edit", ALL_STATUSES) for type in types.values()):
        # Who edits every record reads all comments of them; the conditions below cost more than the list.
        names = {"known_types": encode_list(types)}
        return QueryCondition("of every record", lambda: InList(record.c.type, "known_types"), names)
    seen, seen_above = (
        build_visibility_condition(work, types, "read", record, "seen"),
        build_visibility_condition(work, types, "read", _above, "seen"),
    )
    edited = build_visibility_condition(work, types, "edit", record, "edited") if user else None
    open_to_all = or_(*(record.c.password == word for word in EMPTY_PASSWORDS))

    def reads_record() -> ColumnElement[bool]:
        above = select(_above.c.id).where(_above.c.id == record.c.parent)
        allowed = above.where(or_(_above.c.status == INHERIT_STATUS, seen_above.build()))
        with_file = and_(record.c.status == INHERIT_STATUS, or_(~above.exists(), allowed.exists()))
        return and_(or_(and_(record.c.status != INHERIT_STATUS, seen.build()), with_file), open_to_all)

    def build() -> ColumnElement[bool]:
        approved = and_(table.c.status == APPROVED, table.c.type != NOTE, reads_record())
        if edited is None:
            return approved
        own = and_(table.c.author == bindparam("caller"), table.c.type != NOTE)
        return or_(approved, own, edited.build())

    values = {**seen.values, **(edited.values if edited else {})}
    return QueryCondition(("readable", seen.shape, edited.shape if edited else None), build, values)
