"""Who may read, change and moderate which comment.

A comment follows its record: who may not read the one does not read the other, and who may edit the record moderates
what is said about it. Not here: what a new comment needs (namespaces). Rules: facts, "Comments".
"""

from __future__ import annotations

from vetrina.access.roles.capabilities import may_edit as may_edit_record
from vetrina.access.roles.capabilities import may_read as may_read_record
from vetrina.content.comments.model import APPROVED, NOTE, Comment
from vetrina.content.records import model as record_model
from vetrina.content.records import passwords as record_passwords
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import Work

__all__ = ["edits_record", "may_change", "may_read", "methods", "moderates", "reads_record"]


def moderates(work: Work) -> bool:
    """May the caller handle every comment of the site?"""
    return work.user.can("moderate_comments")


def edits_record(work: Work, of: Record | None) -> bool:
    """May the caller edit the record that comments are about?"""
    type = work.frame.types.get(of.type) if of else None
    if of is None or type is None:
        return False
    work.uses(type.name)
    return may_edit_record(work.user, type, of)


def reads_record(work: Work, of: Record, opened: bool = False) -> bool:
    """May the caller read the record that comments are about?

    opened: whether its password came with a question for this very record or one comment of it.
    """
    type = work.frame.types.get(of.type)
    if type is None:
        return False
    work.uses(type.name)
    if record_passwords.protects(of) and not opened:
        return may_edit_record(work.user, type, of)
    if of.status != "inherit":
        return may_read_record(work.user, type, of)
    # A file belongs to the record that it was uploaded to; without one everybody reads it.
    above = record_model.by_id(work.tx, of.parent) if of.parent else None
    return above is None or above.status == "inherit" or reads_record(work, above, opened=True)


def may_read(work: Work, comment: Comment, of: Record, opened: bool = False) -> bool:
    """May the caller read a comment? of: its record."""
    if comment.type == NOTE:
        return edits_record(work, of)
    if comment.status == APPROVED and reads_record(work, of, opened):
        return True
    if not work.user:
        return False
    return comment.author == work.user.id or edits_record(work, of)


def may_change(work: Work, comment: Comment, of: Record) -> bool:
    """May the caller change, moderate and remove a comment? of: its record."""
    return bool(work.user) and (moderates(work) or edits_record(work, of))


def methods(work: Work, comment: Comment, of: Record, opened: bool = False) -> list[str]:
    """Return the methods that the caller may use on a comment. of: its record."""
    out = ["GET"] if may_read(work, comment, of, opened) and reads_record(work, of, opened) else []
    if may_change(work, comment, of):
        out += ["POST", "PUT", "PATCH", "DELETE"]
    return out
