"""Statements on registrations that wait, and on the addresses that accounts have proved to read."""

from __future__ import annotations

from typing import Final

from sqlalchemy import bindparam, delete, func, select, update

from vetrina.access.registration.model import PendingRegistration
from vetrina.backends.database import Statement, Transaction
from vetrina.backends.statement_cache import build_upsert
from vetrina.backends.store import Store
from vetrina.backends.tables.registration import confirmed_email, registration as table

STORE: Final = Store(table, PendingRegistration)
_BY_DIGEST = Statement(select(*STORE.columns).where(table.c.digest == bindparam("digest"), table.c.digest != ""))
_COUNT = Statement(
    select(func.count()).where(table.c.email_key == bindparam("key"), table.c.until > bindparam("now"))
)  # fmt: skip
_SAVE_DIGEST = Statement(update(table).where(table.c.id == bindparam("of")).values(digest=bindparam("digest")))
_DELETE_OF = Statement(delete(table).where(table.c.email_key == bindparam("key")))
_DELETE_EXPIRED = Statement(delete(table).where(table.c.until <= bindparam("now")))
_CONFIRMED = Statement(select(confirmed_email.c.email_key).where(confirmed_email.c.account == bindparam("account")))
_CONFIRM = Statement(
    build_upsert(
        confirmed_email,
        keys=("account",),
        values={name: bindparam(name) for name in ("account", "email_key", "at")},
        changes={name: bindparam(name) for name in ("email_key", "at")},
    )
)


def find_by_digest(tx: Transaction, digest: str) -> PendingRegistration | None:
    """Return the registration that a key confirms, whether or not its time has run out."""
    row = tx.first(_BY_DIGEST, digest=digest)
    return STORE.of_row(row) if row else None


def count_waiting(tx: Transaction, email_key: str, now: int) -> int:
    """Return how many registrations of an address wait."""
    return int(tx.value(_COUNT, key=email_key, now=now) or 0)


def save_digest(tx: Transaction, id: str, digest: str) -> None:
    """Store the digest of the key that confirms a registration."""
    tx.run(_SAVE_DIGEST, of=id, digest=digest)


def delete_registrations(tx: Transaction, email_key: str) -> None:
    """Delete every registration of an address."""
    tx.run(_DELETE_OF, key=email_key)


def delete_expired(tx: Transaction, now: int) -> None:
    """Delete the registrations whose time has run out."""
    tx.run(_DELETE_EXPIRED, now=now)


def save_confirmed_email(tx: Transaction, account: int, email_key: str, now: int) -> None:
    """Store that an account has proved to read an address."""
    tx.run(_CONFIRM, account=account, email_key=email_key, at=now)


def is_confirmed(tx: Transaction, account: int, email_key: str) -> bool:
    """Return whether an account has proved to read an address."""
    return bool(email_key) and tx.value(_CONFIRMED, account=account) == email_key
