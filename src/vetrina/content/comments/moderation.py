"""Moderation: which comments are approved at once, put on hold, or refused as duplicates or as too frequent.

Not here: storing them (content/comments/rules.py). Rules: docs/rules/comments.md, 7 and 3: administrators, editors and
the author of the record are trusted, others from their second comment on; between two comments of an author who does
not moderate, or of one address without an account, there must be 15 seconds.
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import bindparam, func, or_, select

from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.tables.comments import comment as table
from vetrina.content.comments import capabilities as comment_capabilities
from vetrina.content.comments.model import APPROVED, HOLD, SPAM, TRASH, Comment
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure

_FLOOD_SECONDS: Final = 15  # seconds between two comments of an author who does not moderate
_HOUR_SECONDS: Final = 3600  # seconds


class CommentDuplicate(ApiError):
    """The same author wrote the same comment before."""

    failure, code = Failure.CONFLICT, "comment_duplicate"
    message = "This comment is there already, as number {id}."


class CommentFlood(ApiError):
    """An author writes comments too fast."""

    code = "comment_flood"
    message = "You comment too fast; wait {wait} seconds."


_SELECT_DUPLICATE = Statement(
    select(table.c.id).where(
        table.c.post == bindparam("post"),
        table.c.parent == bindparam("parent"),
        table.c.status != TRASH,
        or_(
            table.c.author_name == bindparam("name"),
            (table.c.email_key == bindparam("email")) & (table.c.email_key != ""),
        ),
        table.c.content == bindparam("content"),
    )
)
_LAST_OF_AUTHOR = Statement(
    select(func.max(table.c.date_gmt)).where(table.c.author == bindparam("author"), table.c.date_gmt >= bindparam("at"))
)
_LAST_OF_ADDRESS = Statement(
    select(func.max(table.c.date_gmt)).where(
        table.c.author == 0, table.c.date_gmt >= bindparam("at"), table.c.author_ip == bindparam("ip")
    )
)
_LAST_OF_EMAIL = Statement(
    select(func.max(table.c.date_gmt)).where(
        table.c.email_key == bindparam("email"), table.c.date_gmt >= bindparam("at")
    )
)
_KNOWN_AUTHOR = Statement(
    select(table.c.id).where(table.c.author == bindparam("author"), table.c.status == APPROVED).limit(1)
)
_KNOWN_GUEST = Statement(
    select(table.c.id)
    .where(
        table.c.author_name == bindparam("name"),
        table.c.email_key == bindparam("email"),
        table.c.status == APPROVED,
    )
    .limit(1)
)


def refuse_repeats(work: UnitOfWork, new: Comment) -> None:
    """Raise CommentDuplicate or CommentFlood for a repeated comment, or one sent too soon."""
    email = new.author_email.lower()
    same = work.tx.value(
        _SELECT_DUPLICATE, post=new.post, parent=new.parent, name=new.author_name, email=email, content=new.content
    )
    if same is not None:
        raise CommentDuplicate(id=same)
    if comment_capabilities.may_moderate_comments(work) or work.user.can("manage_options"):
        return
    since = work.now - _HOUR_SECONDS
    # Those without an account are told apart by their addresses.
    sender = (
        work.tx.value(_LAST_OF_AUTHOR, author=work.user.id, at=since)
        if work.user
        else work.tx.value(_LAST_OF_ADDRESS, ip=new.author_ip, at=since)
    )
    last = max(
        sender or 0,
        (work.tx.value(_LAST_OF_EMAIL, email=email, at=since) or 0) if email else 0,
    )
    if last and new.date_gmt - last < _FLOOD_SECONDS:
        raise CommentFlood(wait=max(1, _FLOOD_SECONDS - (new.date_gmt - last)))


def decide_comment_status(work: UnitOfWork, of: Record, new: Comment) -> str:
    """Return the status of a new comment: approved for trusted authors, else on hold."""
    author = users.find_user(work.tx, new.author) if new.author else None
    if author is not None and (author.id == of.author or author.can("moderate_comments")):
        return APPROVED
    if _mentions_any_word(new, work.option("disallowed_keys")):
        return TRASH
    most = work.option("comment_max_links")
    if work.option("comment_moderation") or (most and new.content_html.count("<a ") >= most):
        return HOLD
    if _mentions_any_word(new, work.option("moderation_keys")):
        return HOLD
    if not work.option("comment_previously_approved"):
        return APPROVED
    if author is not None:
        known = work.tx.value(_KNOWN_AUTHOR, author=author.id)
    else:
        known = work.tx.value(_KNOWN_GUEST, name=new.author_name, email=new.author_email.lower())
    return HOLD if known is None else APPROVED


def _mentions_any_word(new: Comment, words: str) -> bool:
    """Return whether a comment or its author data contains one of the words, which are one per line."""
    wanted = [word.strip().lower() for word in words.splitlines() if word.strip()]
    if not wanted:
        return False
    texts = "\n".join(
        (new.author_name, new.author_email, new.author_url, new.content, new.author_ip, new.author_user_agent)
    ).lower()
    return any(word in texts for word in wanted)


def apply_moderation(old: Comment, word: str) -> Comment:
    """Return a comment with a written status applied; an unknown word changes nothing."""
    match word:
        case "approve" | "approved" | "1":
            return msgspec.structs.replace(old, status=APPROVED)
        case "hold" | "0":
            return msgspec.structs.replace(old, status=HOLD)
        case "spam" | "trash" if old.status != word:
            return msgspec.structs.replace(old, status=SPAM if word == "spam" else TRASH, kept_status=old.status)
        case "unspam" | "untrash":
            return msgspec.structs.replace(old, status=old.kept_status or HOLD, kept_status="")
        case _:
            return old
