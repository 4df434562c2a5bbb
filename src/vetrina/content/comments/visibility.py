"""Who may see a comment, and the record that it is about: callers who may not read the record do not read its comments.

Not here: which of them a list contains (content/comments/visibility_filters.py), who may change and moderate them
(content/comments/capabilities.py). Rules: docs/rules/comments.md, 6, 9 and 11.
"""

from __future__ import annotations

from vetrina.access.roles.capabilities import may_edit_record, may_read_record
from vetrina.content.comments.capabilities import may_edit_commented_record
from vetrina.content.comments.model import APPROVED, NOTE, Comment
from vetrina.content.records import passwords as record_passwords
from vetrina.content.records.model import Record
from vetrina.content.records.visibility import load_parents
from vetrina.core.unit_of_work import UnitOfWork


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
