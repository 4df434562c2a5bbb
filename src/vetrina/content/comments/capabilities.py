"""Who may read, change and moderate which comment.

A comment follows its record: callers who may not read the record do not read its comments, and those who may edit it
moderate them. Not here: who may create a comment (content/comments/permissions.py). Rules: docs/rules/comments.md, 6, 9
and 11.
"""

from __future__ import annotations

from vetrina.access.roles.capabilities import may_edit_record, may_read_record
from vetrina.content.comments.model import APPROVED, NOTE, Comment
from vetrina.content.records import passwords as record_passwords
from vetrina.content.records.model import Record
from vetrina.content.records.visibility import load_parents
from vetrina.core.unit_of_work import UnitOfWork


def may_moderate_comments(work: UnitOfWork) -> bool:
    """Return whether the caller may moderate every comment of the site."""
    return work.user.can("moderate_comments")


def may_edit_commented_record(work: UnitOfWork, of: Record | None) -> bool:
    """Return whether the caller may edit the record that comments are about."""
    type = work.site.types.get(of.type) if of else None
    if of is None or type is None:
        return False
    work.uses_items(type.name, (of.id,))
    return may_edit_record(work.user, type, of)


def may_read_commented_record(work: UnitOfWork, of: Record, opened: bool = False) -> bool:
    """Return whether the caller may read the record that comments are about.

    opened: whether the request has its password, where it is about this record or one comment of it.
    """
    type = work.site.types.get(of.type)
    if type is None:
        return False
    work.uses_items(type.name, (of.id,))
    if work.is_previewed("record", of.id):
        return True
    if record_passwords.is_password_protected(of) and not opened:
        return may_edit_record(work.user, type, of)
    if of.status != "inherit":
        return may_read_record(work.user, type, of)
    # A file belongs to the record that it was uploaded to; without one everybody may read it.
    above = load_parents(work, [of]).get(of.parent)
    return above is None or above.status == "inherit" or may_read_commented_record(work, above, opened=True)


def may_read_comment(work: UnitOfWork, comment: Comment, of: Record, opened: bool = False) -> bool:
    """Return whether the caller may read a comment. of: its record."""
    if comment.type == NOTE:
        return may_edit_commented_record(work, of)
    if comment.status == APPROVED and may_read_commented_record(work, of, opened):
        return True
    if not work.user:
        return False
    return comment.author == work.user.id or may_edit_commented_record(work, of)


def may_edit_comment(work: UnitOfWork, comment: Comment, of: Record) -> bool:
    """Return whether the caller may change, moderate and remove a comment. of: its record."""
    return bool(work.user) and (may_moderate_comments(work) or may_edit_commented_record(work, of))


def list_comment_methods(work: UnitOfWork, comment: Comment, of: Record, opened: bool = False) -> list[str]:
    """Return the methods that the caller may use on a comment. of: its record."""
    out = ["GET"] if may_read_comment(work, comment, of, opened) and may_read_commented_record(work, of, opened) else []
    if may_edit_comment(work, comment, of):
        out += ["POST", "PUT", "PATCH", "DELETE"]
    return out
