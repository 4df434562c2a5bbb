"""Which comments a list may have for its caller, as a condition of its statement: a total counts what the list shows.

Not here: whether one comment may be read (content/comments/rights.py), which this agrees with. Rules: facts,
"Comments".
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, bindparam, or_, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.core import comment as table
from vetrina.backends.tables.core import record
from vetrina.content.comments import rights as comment_rights
from vetrina.content.comments.model import APPROVED, NOTE
from vetrina.content.records import model as record_model
from vetrina.content.records.model import NO_PASSWORD
from vetrina.content.records.visibility import INHERITED
from vetrina.content.records.visibility_filters import Condition, within
from vetrina.core.unit_of_work import Work

__all__ = ["readable", "readable_posts"]

_above = record.alias("above_commented")


def readable_posts(work: Work, posts: tuple[int, ...], opened: bool = False) -> tuple[tuple[int, ...], Condition]:
    """Return those of some records of which the caller may read comments, and the condition that he may read one.

    opened: whether its password came with the request, where it is about one record.
    """
    known = record_model.by_ids(work.tx, posts)
    seen = tuple(id for id, of in known.items() if comment_rights.reads_record(work, of, opened))
    edited = [id for id, of in known.items() if work.user and comment_rights.edits_record(work, of)]
    values: dict[str, Any] = {"caller": work.user.id, "edited": listed(edited)}

    def build() -> ColumnElement[bool]:
        plain = table.c.type != NOTE
        approved = and_(table.c.status == APPROVED, plain)
        own = and_(table.c.author == bindparam("caller"), plain)
        return or_(approved, own, Among(table.c.post, "edited"))

    if not edited and not work.user:
        return seen, Condition("approved", lambda: and_(table.c.status == APPROVED, table.c.type != NOTE), {})
    # Where he edits a record he sees what is said of it, whether or not a password keeps others out.
    among = tuple(dict.fromkeys((*seen, *edited)))
    return among, Condition("of posts", build, values)


def readable(work: Work) -> Condition:
    """Return the condition that the caller may read a comment, of which the record is joined to the statement."""
    types, user = work.frame.types, work.user
    seen, seen_above = within(work, types, "read", record, "seen"), within(work, types, "read", _above, "seen")
    edited = within(work, types, "edit", record, "edited") if user else None
    open_to_all = or_(*(record.c.password == word for word in NO_PASSWORD))

    def reads_record() -> ColumnElement[bool]:
        above = select(_above.c.id).where(_above.c.id == record.c.parent)
        allowed = above.where(or_(_above.c.status == INHERITED, seen_above.build()))
        with_file = and_(record.c.status == INHERITED, or_(~above.exists(), allowed.exists()))
        return and_(or_(and_(record.c.status != INHERITED, seen.build()), with_file), open_to_all)

    def build() -> ColumnElement[bool]:
        approved = and_(table.c.status == APPROVED, table.c.type != NOTE, reads_record())
        if edited is None:
            return approved
        own = and_(table.c.author == bindparam("caller"), table.c.type != NOTE)
        return or_(approved, own, edited.build())

    values = {**seen.values, **(edited.values if edited else {})}
    return Condition(("readable", seen.shape, edited.shape if edited else None), build, values)
