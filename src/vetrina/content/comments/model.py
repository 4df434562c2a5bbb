"""A comment, and its conversion from and to its row.

Not here: what may be done to it (content/comments/rules.py), lists (content/comments/listing.py), permissions
(content/comments/rights.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, delete, insert, select, update

from vetrina.backends.database import Row, Statement, Transaction
from vetrina.backends.statement_cache import InList, StatementCache, encode_list
from vetrina.backends.tables.core import account, comment as table
from vetrina.kernel.folding import fold_text

__all__ = [
    "APPROVED",
    "HOLD",
    "NOTE",
    "SHELVED",
    "SPAM",
    "TRASH",
    "Comment",
    "delete_comment_row",
    "find_comment",
    "insert_comment",
    "list_answered_ids",
    "load_author_emails",
    "row_to_comment",
    "update_comment_row",
]  # fmt: skip

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


_NAMES = Comment.__struct_fields__
_COLUMNS = [table.c[name] for name in _NAMES]
_SEARCHED = ("author_name", "author_email", "author_url", "author_ip", "content")

_BY_ID = Statement(select(*_COLUMNS).where(table.c.id == bindparam("id")))
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_UPDATE_SEARCH_KEYS = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    .values(email_key=bindparam("email_key"), search_key=bindparam("search_key"))
)
_DELETE = Statement(delete(table).where(table.c.id == bindparam("id")))
_SELECT_ANSWERED = Statement(
    select(table.c.parent)
    .where(InList(table.c.parent, "ids"), InList(table.c.status, "statuses"))
    .group_by(table.c.parent)
)
_SELECT_EMAILS = Statement(select(account.c.id, account.c.email).where(InList(account.c.id, "ids")))
_UPDATE_STATEMENTS = StatementCache(most=128)


def row_to_comment(row: Row) -> Comment:
    """Return the comment of a row."""
    members = [*row[:-1], {} if row[-1] == "{}" else orjson.loads(row[-1])]
    return Comment(*members)


def find_comment(tx: Transaction, id: int) -> Comment | None:
    """Return the comment with this id."""
    row = tx.first(_BY_ID, id=id)
    return row_to_comment(row) if row else None


def insert_comment(tx: Transaction, new: Comment) -> None:
    """Insert a comment."""
    tx.run(_INSERT, **_encode_values(msgspec.structs.asdict(new)), **_build_search_keys(new))


def update_comment_row(tx: Transaction, old: Comment, new: Comment) -> bool:
    """Write what differs between two states of a comment, and return whether anything did."""
    changed = {name: value for name in _NAMES if (value := getattr(new, name)) != getattr(old, name)}
    if not changed:
        return False
    values = _encode_values(changed)
    if not changed.keys().isdisjoint(_SEARCHED):
        values |= _build_search_keys(new)
    names = tuple(values)
    statement = _UPDATE_STATEMENTS.get(
        names,
        lambda: update(table).where(table.c.id == bindparam("of")).values({name: bindparam(name) for name in names}),
    )
    tx.run(statement, of=new.id, **values)
    return True


def update_search_keys(tx: Transaction, of: Comment) -> None:
    """Update the columns that a comment is searched by."""
    tx.run(_UPDATE_SEARCH_KEYS, of=of.id, **_build_search_keys(of))


def delete_comment_row(tx: Transaction, id: int) -> None:
    """Delete a comment's row."""
    tx.run(_DELETE, id=id)


def list_answered_ids(tx: Transaction, ids: Sequence[int]) -> set[int]:
    """Return the ids of the comments that have replies, approved or on hold."""
    if not ids:
        return set()
    return {row[0] for row in tx.all(_SELECT_ANSWERED, ids=encode_list(ids), statuses=encode_list((APPROVED, HOLD)))}


def load_author_emails(tx: Transaction, authors: Iterable[int]) -> dict[int, str]:
    """Return the e-mail addresses of the existing accounts among these, by id."""
    ids = {author for author in authors if author}
    return {row[0]: row[1] for row in tx.all(_SELECT_EMAILS, ids=encode_list(ids))} if ids else {}


def _encode_values(members: dict[str, Any]) -> dict[str, Any]:
    if "meta" in members:
        members["meta"] = orjson.dumps(members["meta"]).decode()
    return members


def _build_search_keys(of: Comment) -> dict[str, str]:
    return {
        "email_key": of.author_email.lower(),
        "search_key": "\n".join(fold_text(getattr(of, name)) for name in _SEARCHED),
    }
