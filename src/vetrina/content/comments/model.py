"""A comment as the domain knows it, and its way to and from its row.

Not here: what may be done to it (content/comments/rules.py), which ones a list shows (content/comments/listing.py), who
may (content/comments/rights.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, delete, insert, select, update

from vetrina.backends.database import Row, Statement, Tx
from vetrina.backends.statement_cache import Among, Shapes, listed
from vetrina.backends.tables.core import account
from vetrina.backends.tables.core import comment as table
from vetrina.kernel.folding import fold

__all__ = [
    "APPROVED", "HOLD", "NOTE", "SHELVED", "SPAM", "TRASH", "Comment", "answered", "by_id", "emails_of", "erase",
    "insert_new", "of_row", "store",
]  # fmt: skip

APPROVED: Final = "approved"
HOLD: Final = "hold"
SPAM: Final = "spam"
TRASH: Final = "trash"
SHELVED: Final = "post-trashed"  # its record is in the trash
NOTE: Final = "note"  # the type of an editor's inner comment


class Comment(msgspec.Struct, frozen=True):
    """One comment. The members are the columns of its table, in their order.

    post: the record that it is about. parent: the comment that it answers, 0 for none. author: the account, 0 for a
    guest. date: local seconds; date_gmt: seconds since 1970. type: `comment` or `note`.
    kept_status: what it was before it became spam or trash; shelved_status: before its record went to the trash.
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
_FOLD = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    .values(email_key=bindparam("email_key"), search_key=bindparam("search_key"))
)
_DELETE = Statement(delete(table).where(table.c.id == bindparam("id")))
_ANSWERED = Statement(
    select(table.c.parent)
    .where(Among(table.c.parent, "ids"), Among(table.c.status, "statuses"))
    .group_by(table.c.parent)
)
_EMAILS = Statement(select(account.c.id, account.c.email).where(Among(account.c.id, "ids")))
_UPDATES = Shapes(most=128)


def of_row(row: Row) -> Comment:
    """Return the comment of a row."""
    members = [*row[:-1], {} if row[-1] == "{}" else orjson.loads(row[-1])]
    return Comment(*members)


def by_id(tx: Tx, id: int) -> Comment | None:
    """Return the comment with a number."""
    row = tx.first(_BY_ID, id=id)
    return of_row(row) if row else None


def insert_new(tx: Tx, new: Comment) -> None:
    """Write a comment for the first time."""
    tx.run(_INSERT, **_values(msgspec.structs.asdict(new)), **_keys(new))


def store(tx: Tx, old: Comment, new: Comment) -> bool:
    """Write what differs between two states of a comment, and return whether anything did."""
    changed = {name: value for name in _NAMES if (value := getattr(new, name)) != getattr(old, name)}
    if not changed:
        return False
    values = _values(changed)
    if not changed.keys().isdisjoint(_SEARCHED):
        values |= _keys(new)
    names = tuple(values)
    statement = _UPDATES.get(
        names,
        lambda: update(table).where(table.c.id == bindparam("of")).values({name: bindparam(name) for name in names}),
    )
    tx.run(statement, of=new.id, **values)
    return True


def fold_anew(tx: Tx, of: Comment) -> None:
    """Write once more what a comment is found by."""
    tx.run(_FOLD, of=of.id, **_keys(of))


def erase(tx: Tx, id: int) -> None:
    """Remove a comment's row."""
    tx.run(_DELETE, id=id)


def answered(tx: Tx, ids: Sequence[int]) -> set[int]:
    """Return those of the comments that have answers, approved or waiting."""
    if not ids:
        return set()
    return {row[0] for row in tx.all(_ANSWERED, ids=listed(ids), statuses=listed((APPROVED, HOLD)))}


def emails_of(tx: Tx, authors: Iterable[int]) -> dict[int, str]:
    """Return the e-mail addresses of those accounts that there are."""
    ids = {author for author in authors if author}
    return {row[0]: row[1] for row in tx.all(_EMAILS, ids=listed(ids))} if ids else {}


def _values(members: dict[str, Any]) -> dict[str, Any]:
    if "meta" in members:
        members["meta"] = orjson.dumps(members["meta"]).decode()
    return members


def _keys(of: Comment) -> dict[str, str]:
    return {
        "email_key": of.author_email.lower(),
        "search_key": "\n".join(fold(getattr(of, name)) for name in _SEARCHED),
    }
