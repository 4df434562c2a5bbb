"""A comment, and its conversion from and to its row.

Not here: what may be done to it (content/comments/rules.py), lists (content/comments/listing.py), permissions
(content/comments/capabilities.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, select, update

from vetrina.backends.database import Statement, Transaction
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.store import JSON_OBJECT, Store
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.comments import comment as table
from vetrina.kernel.folding import fold_text

APPROVED: Final = "approved"
HOLD: Final = "hold"
SPAM: Final = "spam"
TRASH: Final = "trash"
SHELVED: Final = "post-trashed"  # its record is in the trash
NOTE: Final = "note"  # the type of an editor's internal comment


class Comment(msgspec.Struct, frozen=True):
    """One comment. The fields are the columns of its table, in their order.

    post: id of its record. parent: id of the comment that it replies to, 0 for none. author: id of the account, 0 for a
    guest. date: local seconds; date_gmt: seconds since 1970. type: `comment` or `note`. kept_status: the status before
    it became spam or trash; shelved_status: before its record went to the trash.
    """

    id: int
    post: int
    parent: int
    author: int
    author_name: str
    author_email: str
    author_url: str
    author_ip: str
    author_user_agent: str
    date: int
    date_gmt: int
    content: str
    content_html: str
    status: str
    kept_status: str
    shelved_status: str
    type: str
    meta: dict[str, Any]


_SEARCHED = ("author_name", "author_email", "author_url", "author_ip", "content")

_UPDATE_SEARCH_KEYS = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    .values(email_key=bindparam("email_key"), search_key=bindparam("search_key"))
)
_SELECT_ANSWERED = Statement(
    select(table.c.parent)
    .where(InList(table.c.parent, "ids"), InList(table.c.status, "statuses"))
    .group_by(table.c.parent)
)
_SELECT_EMAILS = Statement(select(account.c.id, account.c.email).where(InList(account.c.id, "ids")))


def _build_search_keys(of: Comment) -> dict[str, str]:
    return {
        "email_key": of.author_email.lower(),
        "search_key": "\n".join(fold_text(getattr(of, name)) for name in _SEARCHED),
    }


STORE = Store(table, Comment, {"meta": JSON_OBJECT}, compute=_build_search_keys, compute_from=_SEARCHED)


def update_search_keys(tx: Transaction, of: Comment) -> None:
    """Update the columns that a comment is searched by."""
    tx.run(_UPDATE_SEARCH_KEYS, of=of.id, **_build_search_keys(of))


def list_answered_ids(tx: Transaction, ids: Sequence[int]) -> set[int]:
    """Return the ids of the comments that have replies, approved or on hold."""
    if not ids:
        return set()
    return {row[0] for row in tx.all(_SELECT_ANSWERED, ids=encode_list(ids), statuses=encode_list((APPROVED, HOLD)))}


def load_author_emails(tx: Transaction, authors: Iterable[int]) -> dict[int, str]:
    """Return the e-mail addresses of the existing accounts among these, by id."""
    ids = {author for author in authors if author}
    return {row[0]: row[1] for row in tx.all(_SELECT_EMAILS, ids=encode_list(ids))} if ids else {}
