"""Comments that readers send from public pages, with or without an account; who sees theirs while it waits.

The rules of a comment are those of the interface (content/comments/rules.py); what a page adds is who may comment
without an account, and how often. Not here: the form (pages/comments/), who is told (content/comments/mails.py). Rules:
docs/rules/reader_comments.md, 1 to 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.content.comments import mails as comment_mails, model as comment_model, rules as comments
from vetrina.content.comments.model import APPROVED, HOLD, NOTE, Comment
from vetrina.content.comments.openness import CommentLoginRequired, CommentsClosed, takes_comments
from vetrina.content.comments.rules import CommentContentInvalid, CommentPostInvalid
from vetrina.content.comments.visibility import may_read_commented_record
from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.kernel.keys import compute_digest, generate_letters, is_equal_secret
from vetrina.kernel.networks import get_network
from vetrina.kernel.tags import strip_tags

_STATUSES: Final = ("publish", "private")
_MOST_COMMENTS: Final = 10  # of one address, in the window of the guess limiter, which is a minute at first
_MARK: Final = 12  # letters that tell the comments of one address apart


class CommentParentInvalid(ApiError):
    """The comment that is replied to is not there."""

    code = "rest_comment_invalid_parent"
    message = "There is no comment {id} here that could be replied to."


def needs_account(work: UnitOfWork) -> bool:
    """Return whether the caller has to sign in before they may comment."""
    return not work.user and bool(work.option("comment_registration"))


def find_commented_record(work: UnitOfWork, id: int) -> Record:
    """Return the record that the caller may comment on. Raises CommentPostInvalid, CommentsClosed.

    One that they may not read is as one that is not there.
    """
    of = record_model.find_record(work.tx, id) if id > 0 else None
    type = work.site.types.get(of.type) if of is not None else None
    if of is None or type is None or not type.public or of.status not in _STATUSES:
        raise CommentPostInvalid(id=id)
    if not may_read_commented_record(work, of):
        raise CommentPostInvalid(id=id)
    if not takes_comments(work, of):
        raise CommentsClosed(id=id)
    return of


def create_reader_comment(
    work: UnitOfWork, of: Record, given: Mapping[str, Any], ip: str, agent: str, *, trapped: bool = False
) -> Comment:
    """Store a comment of a reader, and tell those who want to know of it.

    given: `content`, `parent`, and of a reader without an account `author_name`, `author_email`, `author_url`. trapped:
    whether a field was filled in that no reader sees; then it is spam.
    Raises CommentLoginRequired, TooManyGuesses, CommentParentInvalid and what `create_comment` raises.
    """
    if needs_account(work):
        raise CommentLoginRequired(False)
    parent = given.get("parent") or 0
    if parent and not work.option("thread_comments"):
        parent = 0
    if parent and find_answered_comment(work, of, parent) is None:
        raise CommentParentInvalid(id=parent)
    _count_comment(work, ip)
    moderation = {"status": "spam"} if trapped else {}
    made = comments.create_comment(work, of, "comment", {**given, "parent": parent, **moderation}, ip, agent)
    if not strip_tags(made.content).strip():
        # Nothing was left of it but markup; it is rolled back.
        raise CommentContentInvalid
    comment_mails.enqueue_comment_mails(work, of, made)
    return made


def find_answered_comment(work: UnitOfWork, of: Record, id: int) -> Comment | None:
    """Return a comment of a record that readers may reply to, None for none."""
    if id <= 0:
        return None
    work.uses("comment")
    found = comment_model.STORE.find(work.tx, id)
    if found is None or found.post != of.id or found.status != APPROVED or found.type == NOTE:
        return None
    return found


def _count_comment(work: UnitOfWork, ip: str) -> None:
    """Count a comment of an address that has no account. Raises TooManyGuesses."""
    tries = work.guesses
    if tries is None or work.user:
        return
    place = ((compute_digest(work.site.settings.secret, f"comment\n{get_network(ip)}"), _MOST_COMMENTS),)
    tries.require(work.tx, SecretKind.COMMENT, place)
    tries.add_wrong_guess(place, generate_letters(_MARK))


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
