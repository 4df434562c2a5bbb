"""Which comments are approved at once, which wait, which are refused because they repeat or come too fast.

Not here: storing them (content/comments/rules.py). Rules: facts, "Comments": administrators, editors and the author of
the record are trusted, others from their second comment on; who moderates nothing waits 15 seconds between two
comments.
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import bindparam, func, or_, select

from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.tables.core import comment as table
from vetrina.content.comments import rights as comment_rights
from vetrina.content.comments.model import APPROVED, HOLD, SPAM, TRASH, Comment
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError

__all__ = ["CommentDuplicate", "CommentFlood", "judged", "moderated", "refuse_repeats"]

_PAUSE: Final = 15  # seconds between two comments of somebody who moderates nothing
_HOUR: Final = 3600  # seconds


class CommentDuplicate(ApiError):
    """The same author said the same before."""

    status, code = 409, "comment_duplicate"
    message = "This comment is there already, as number {id}."


class CommentFlood(ApiError):
    """Comments of one author come too fast."""

    code = "comment_flood"
    message = "You comment too fast; wait {wait} seconds."


_SAID_BEFORE = Statement(
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


def refuse_repeats(work: Work, new: Comment) -> None:
    """Raise CommentDuplicate or CommentFlood for what was said before, or too soon."""
    email = new.author_email.lower()
    same = work.tx.value(
        _SAID_BEFORE, post=new.post, parent=new.parent, name=new.author_name, email=email, content=new.content
    )
    if same is not None:
        raise CommentDuplicate(id=same)
    if comment_rights.moderates(work) or work.user.can("manage_options"):
        return
    since = work.now - _HOUR
    last = max(
        work.tx.value(_LAST_OF_AUTHOR, author=work.user.id, at=since) or 0,
        (work.tx.value(_LAST_OF_EMAIL, email=email, at=since) or 0) if email else 0,
    )
    if last and new.date_gmt - last < _PAUSE:
        raise CommentFlood(wait=max(1, _PAUSE - (new.date_gmt - last)))


def judged(work: Work, of: Record, new: Comment) -> str:
    """Return the status that a new comment gets: approved for those who are trusted, else it waits."""
    author = users.by_id(work.tx, new.author) if new.author else None
    if author is not None and (author.id == of.author or author.can("moderate_comments")):
        return APPROVED
    if _mentions(new, work.option("disallowed_keys")):
        return TRASH
    most = work.option("comment_max_links")
    if work.option("comment_moderation") or (most and new.content_html.count("<a ") >= most):
        return HOLD
    if _mentions(new, work.option("moderation_keys")):
        return HOLD
    if not work.option("comment_previously_approved"):
        return APPROVED
    if author is not None:
        known = work.tx.value(_KNOWN_AUTHOR, author=author.id)
    else:
        known = work.tx.value(_KNOWN_GUEST, name=new.author_name, email=new.author_email.lower())
    return HOLD if known is None else APPROVED


def _mentions(new: Comment, words: str) -> bool:
    """Say whether a comment or its author's data holds one of the words, of which each stands on a line."""
    wanted = [word.strip().lower() for word in words.splitlines() if word.strip()]
    if not wanted:
        return False
    texts = "\n".join(
        (new.author_name, new.author_email, new.author_url, new.content, new.author_ip, new.author_user_agent)
    ).lower()
    return any(word in texts for word in wanted)


def moderated(old: Comment, word: str) -> Comment:
    """Return a comment after a status was written; an unknown word changes nothing."""
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
