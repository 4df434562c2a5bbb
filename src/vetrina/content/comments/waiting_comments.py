"""Who sees a comment that waits for approval: its writer alone, by the key in the address that they were led to.

Rules: docs/rules/reader_comments.md, 3.
"""

from __future__ import annotations

from vetrina.content.comments import model as comment_model
from vetrina.content.comments.model import HOLD, Comment
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.keys import compute_digest, is_equal_secret


def compute_waiting_key(work: UnitOfWork, comment: Comment) -> str:
    """Return what an address proves with that it is the writer's of a comment that waits for approval."""
    return compute_digest(work.site.settings.secret, f"waiting comment\n{comment.id}\n{comment.date_gmt}")


def find_waiting_comment(work: UnitOfWork, record: Record, id: int, key: str) -> Comment | None:
    """Return a comment that waits for approval, to its writer; None for none and for anybody else."""
    work.uses("comment")
    found = comment_model.STORE.find(work.tx, id) if id > 0 and key else None
    if found is None or found.post != record.id or found.status != HOLD or found.type != "comment":
        return None
    return found if is_equal_secret(key, compute_waiting_key(work, found)) else None
