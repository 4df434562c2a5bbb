"""Which records take comments of whom, and until when; what is not published yet takes none.

Not here: who may read them (content/comments/visibility.py). Rules: docs/rules/comments.md, 2 and 5;
docs/rules/reader_comments.md, 4.
"""

from __future__ import annotations

from typing import Final

from vetrina.content.records.model import Record
from vetrina.content.types.registry import POST
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure, PermissionDenied

_DAY_SECONDS: Final = 86_400  # seconds


class CommentLoginRequired(PermissionDenied):
    code = "rest_comment_login_required"
    message = "Sign in to comment."


class CommentsClosed(ApiError):
    """The record takes no comments."""

    failure, code = Failure.FORBIDDEN, "rest_comment_closed"
    message = "The record {id} takes no comments."


class CannotCommentOnDraft(ApiError):
    """Nobody can comment on a draft."""

    failure, code = Failure.FORBIDDEN, "rest_comment_draft_post"
    message = "The record {id} is a draft; publish it first."


class CannotCommentOnTrashed(ApiError):
    """Nobody can comment on a trashed record."""

    failure, code = Failure.FORBIDDEN, "rest_comment_trash_post"
    message = "The record {id} is in the trash."


def require_past_draft(of: Record, is_note: bool) -> None:
    """Raise CannotCommentOnDraft or CannotCommentOnTrashed, whoever asks; a draft takes notes."""
    if of.status == "draft" and not is_note:
        raise CannotCommentOnDraft(id=of.id)
    if of.status == "trash":
        raise CannotCommentOnTrashed(id=of.id)


def takes_comments(work: UnitOfWork, of: Record) -> bool:
    """Return whether a record takes comments of the caller, once they may read it."""
    if of.comment_status != "open" or is_too_old_for_comments(work, of):
        return False
    type = work.site.types.get(of.type)
    return type is None or type.admits_comment is None or type.admits_comment(work, of)


def is_too_old_for_comments(work: UnitOfWork, of: Record) -> bool:
    """Return whether a post takes no comments any more because of its age."""
    days = get_comment_days(work, of)
    return days is not None and work.now - of.date_gmt > days * _DAY_SECONDS


def get_comment_days(work: UnitOfWork, of: Record) -> int | None:
    """Return how many days a post takes comments, None for ever."""
    if of.type != POST.name or not work.option("close_comments_for_old_posts"):
        return None
    return max(0, int(work.option("close_comments_days_old") or 0)) or None
