"""Who may change and moderate which comment: those who may edit its record, and moderators.

Not here: who may see one (content/comments/visibility.py), who may create one (content/comments/permissions.py). Rules:
docs/rules/comments.md, 9 and 11.
"""

from __future__ import annotations

from vetrina.access.roles.capabilities import may_edit_record
from vetrina.content.comments.model import Comment
from vetrina.content.records.model import Record
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


def may_edit_comment(work: UnitOfWork, comment: Comment, of: Record) -> bool:
    """Return whether the caller may change, moderate and remove a comment. of: its record."""
    return bool(work.user) and (may_moderate_comments(work) or may_edit_commented_record(work, of))
