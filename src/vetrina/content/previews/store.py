"""The rows of preview links. Of a token only its keyed digest is stored."""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, insert, select

from vetrina.backends.database import Row, Statement, Transaction
from vetrina.backends.tables.records import preview_link as table
from vetrina.content.previews.model import PreviewLink
from vetrina.kernel.keys import is_equal_secret

_COLUMNS: Final = tuple(table.c[name] for name in PreviewLink.__struct_fields__)

_OF_RECORD = Statement(
    select(table.c.digest, *_COLUMNS)
    .where(table.c.record == bindparam("record"))
    .order_by(table.c.created.desc(), table.c.uuid)
)
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_DELETE = Statement(delete(table).where(table.c.uuid == bindparam("of")))
_DELETE_EXPIRED = Statement(delete(table).where(table.c.until <= bindparam("before")))


def list_links(tx: Transaction, record: int) -> list[PreviewLink]:
    """Return the links of a record, expired ones too, the newest first."""
    return [_row_to_link(row) for row in tx.all(_OF_RECORD, record=record)]


def find_link_by_digest(tx: Transaction, record: int, digest: str) -> PreviewLink | None:
    """Return the link of a record whose token has this digest, expired or not."""
    found = None
    # All are compared, so that the time does not reveal which one came close.
    for row in tx.all(_OF_RECORD, record=record):
        if is_equal_secret(row[0], digest):
            found = _row_to_link(row)
    return found


def insert_link(tx: Transaction, new: PreviewLink, digest: str) -> None:
    """Store a new link with the digest of its token."""
    tx.run(_INSERT, digest=digest, **msgspec.structs.asdict(new))


def delete_link(tx: Transaction, uuid: str) -> None:
    """Delete a link."""
    tx.run(_DELETE, of=uuid)


def delete_links_expired_before(tx: Transaction, before: int) -> None:
    """Delete the links that expired before an instant, in seconds since 1970."""
    tx.run(_DELETE_EXPIRED, before=before)


def _row_to_link(row: Row) -> PreviewLink:
    members = [*row[1:-1], bool(row[-1])]
    return PreviewLink(*members)
