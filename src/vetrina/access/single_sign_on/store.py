"""The stored identities: which account of a provider signs in to which account here."""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update

from vetrina.access.single_sign_on.model import Identity
from vetrina.access.users.rules import USER_COLUMNS, row_to_user
from vetrina.backends.database import Row, Statement, Transaction
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.single_sign_on import identity
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User

_TABLE: Final = identity.c
_COLUMNS: Final = (
    _TABLE.id, _TABLE.provider, _TABLE.issuer, _TABLE.subject, _TABLE.account, _TABLE.email, _TABLE.created,
    _TABLE.last_used, _TABLE.made_account,
)  # fmt: skip
_BY_SUBJECT = Statement(
    select(*_COLUMNS).where(
        _TABLE.provider == bindparam("provider"),
        _TABLE.issuer == bindparam("issuer"),
        _TABLE.subject == bindparam("subject"),
    )
)
_BY_ACCOUNT = Statement(
    select(*_COLUMNS).where(_TABLE.account == bindparam("account")).order_by(_TABLE.created, _TABLE.id)
)
_INSERT = Statement(insert(identity).values({column.name: bindparam(column.name) for column in _TABLE}))
_UPDATE_USE = Statement(
    update(identity)
    .where(_TABLE.id == bindparam("of"))
    .values(last_used=bindparam("last_used"), email=bindparam("email"))
)
_DELETE = Statement(delete(identity).where(_TABLE.id == bindparam("of")))
_ACCOUNT_BY_EMAIL = Statement(select(*USER_COLUMNS).where(account.c.email_key == bindparam("key")))
_REMOVE_PASSWORD = Statement(update(account).where(account.c.id == bindparam("of")).values(password=""))


def find_identity(tx: Transaction, provider: str, issuer: str, subject: str) -> Identity | None:
    """Return the identity of somebody whom a provider calls `subject`."""
    row = tx.first(_BY_SUBJECT, provider=provider, issuer=issuer, subject=subject)
    return _row_to_identity(row) if row else None


def list_identities(tx: Transaction, account: int) -> list[Identity]:
    """Return the identities of an account, the oldest first."""
    return [_row_to_identity(row) for row in tx.all(_BY_ACCOUNT, account=account)]


def add_identity(work: UnitOfWork, new: Identity) -> None:
    work.tx.run(_INSERT, **msgspec.structs.asdict(new))
    work.note("identity", new.id, "created")


def update_identity_use(work: UnitOfWork, id: str, email: str) -> None:
    """Store that an identity was used now, and the address that the provider gave."""
    work.tx.run(_UPDATE_USE, of=id, last_used=work.now, email=email)


def remove_identity(work: UnitOfWork, old: Identity) -> None:
    work.tx.run(_DELETE, of=old.id)
    work.note("identity", old.id, "removed")


def find_account_by_email(work: UnitOfWork, email: str) -> User | None:
    """Return the account that has a mail address; never one whose login looks like it."""
    row = work.tx.first(_ACCOUNT_BY_EMAIL, key=email.lower()) if email else None
    return row_to_user(row, work.site.roles) if row else None


def remove_password(work: UnitOfWork, user: User) -> None:
    """Leave an account without a password of its own; its owner may ask for a new one by mail."""
    work.tx.run(_REMOVE_PASSWORD, of=user.id)
    work.note("user", user.id, "changed")


def _row_to_identity(row: Row) -> Identity:
    # SQLite has no truth values of its own.
    id, provider, issuer, subject, of, email, created, last_used, made_account = row
    return Identity(id, provider, issuer, subject, of, email, created, last_used, bool(made_account))
