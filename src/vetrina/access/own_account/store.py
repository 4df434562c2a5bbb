"""Statements on changes of mail addresses that wait."""

from __future__ import annotations

from typing import Final

from sqlalchemy import bindparam, delete, select, update

from vetrina.access.own_account.model import EmailChange
from vetrina.backends.database import Statement, Transaction
from vetrina.backends.store import Store
from vetrina.backends.tables.registration import email_change as table

# The digests of the keys are not read with a change: they are what it is found by, and empty until the mails were sent.
STORE: Final = Store(
    table, EmailChange, key="account", compute=lambda one: {"new_digest": "", "old_digest": ""}, compute_from=("id",)
)
_BY_UUID = Statement(select(*STORE.columns).where(table.c.id == bindparam("uuid")))
_BY_DIGEST = {
    side: Statement(select(*STORE.columns).where(table.c[f"{side}_digest"] == bindparam("digest")))
    for side in ("new", "old")
}
_SAVE_DIGEST = {
    column: Statement(
        update(table).where(table.c.id == bindparam("uuid")).values({column: bindparam("digest")})
    )
    for column in ("new_digest", "old_digest")
}  # fmt: skip
_DELETE_EXPIRED = Statement(delete(table).where(table.c.until <= bindparam("now")))


def find_by_uuid(tx: Transaction, uuid: str) -> EmailChange | None:
    """Return a change by its own id."""
    row = tx.first(_BY_UUID, uuid=uuid)
    return STORE.of_row(row) if row else None


def find_by_digest(tx: Transaction, digest: str) -> tuple[EmailChange, str] | None:
    """Return the change that a key belongs to, and whose it is: new, old; whether or not its time has run out."""
    for side, statement in _BY_DIGEST.items():
        row = tx.first(statement, digest=digest)
        if row is not None:
            return STORE.of_row(row), side
    return None


def save_digest(tx: Transaction, column: str, uuid: str, digest: str) -> None:
    """Store the digest of the key that one of the addresses got. column: new_digest, old_digest."""
    tx.run(_SAVE_DIGEST[column], uuid=uuid, digest=digest)


def delete_expired(tx: Transaction, now: int) -> None:
    """Delete the changes whose time has run out."""
    tx.run(_DELETE_EXPIRED, now=now)
