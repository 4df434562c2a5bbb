"""Application passwords: random keys by which a program acts as an account.

A password is shown once, when it is made; stored is its keyed digest. Not here: signing in with one
(access/sign_in/rules.py). Rules: facts, "Application passwords".
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update

from vetrina.backends.database import Statement, Tx
from vetrina.backends.tables.core import app_password
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError
from vetrina.kernel.keys import digest, new_uuid, readable_password, same

__all__ = [
    "AppPassword", "EmptyName", "by_uuid", "create", "digest_of", "matching", "of_account", "rename", "revoke",
    "revoke_all", "store_use",
]  # fmt: skip


class EmptyName(ApiError):
    """Nothing of the name is left without its tags."""

    code = "application_password_empty_name"
    message = "The name of an application password needs at least one visible character."


class AppPassword(msgspec.Struct, frozen=True):
    """One application password, without the password.

    account: the number of its owner. app_id: the UUID of the program, or empty. created: seconds since 1970.
    last_used, last_ip: of its last use, kept once a day; None until it is used.
    """

    uuid: str
    account: int
    app_id: str
    name: str
    created: int
    last_used: int | None
    last_ip: str | None


_TABLE: Final = app_password.c
_COLUMNS = (
    _TABLE.uuid, _TABLE.account, _TABLE.app_id, _TABLE.name, _TABLE.created, _TABLE.last_used, _TABLE.last_ip,
)  # fmt: skip
_OF_ACCOUNT = Statement(select(*_COLUMNS).where(_TABLE.account == bindparam("account")).order_by(_TABLE.created))
_ONE = Statement(select(*_COLUMNS).where(_TABLE.uuid == bindparam("uuid"), _TABLE.account == bindparam("account")))
_DIGESTS = Statement(select(_TABLE.digest, *_COLUMNS).where(_TABLE.account == bindparam("account")))
_INSERT = Statement(insert(app_password).values({column.name: bindparam(column.name) for column in _TABLE}))
_RENAME = Statement(update(app_password).where(_TABLE.uuid == bindparam("of")).values(name=bindparam("name")))
_USE = Statement(
    update(app_password)
    .where(_TABLE.uuid == bindparam("of"))
    .values(last_used=bindparam("last_used"), last_ip=bindparam("last_ip"))
)
_REVOKE = Statement(delete(app_password).where(_TABLE.uuid == bindparam("uuid")))
_REVOKE_ALL = Statement(delete(app_password).where(_TABLE.account == bindparam("account")))


def of_account(tx: Tx, account: int) -> list[AppPassword]:
    """Return the application passwords of an account, the oldest first."""
    return [AppPassword(*row) for row in tx.all(_OF_ACCOUNT, account=account)]


def by_uuid(tx: Tx, account: int, uuid: str) -> AppPassword | None:
    """Return one application password of an account."""
    row = tx.first(_ONE, account=account, uuid=uuid)
    return AppPassword(*row) if row else None


def digest_of(frame: Frame, password: str) -> str:
    """Return what is stored of a password; blanks in it do not count."""
    return digest(frame.settings.secret, "".join(password.split()))


def matching(tx: Tx, account: int, digest: str) -> AppPassword | None:
    """Return the application password of an account whose digest this is."""
    found = None
    # All are compared, so that the time does not tell which one came near.
    for stored, *columns in tx.all(_DIGESTS, account=account):
        if same(stored, digest):
            found = AppPassword(*columns)
    return found


def create(work: Work, account: int, name: str, app_id: str = "", password: str = "") -> tuple[AppPassword, str]:
    """Make an application password and return it with the password itself, which nobody sees again.

    password: the one to keep, for accounts that are set up by a file; by default a random one. Raises EmptyName.
    """
    if not name:
        raise EmptyName
    password = password or readable_password()
    made = AppPassword(new_uuid(), account, app_id, name, work.now, None, None)
    work.tx.run(_INSERT, digest=digest_of(work.frame, password), **msgspec.structs.asdict(made))
    work.note("app_password", made.uuid, "created")
    return made, password


def rename(work: Work, item: AppPassword, name: str) -> AppPassword:
    """Give an application password another name; an empty one changes nothing."""
    if not name or name == item.name:
        return item
    work.tx.run(_RENAME, of=item.uuid, name=name)
    work.note("app_password", item.uuid, "changed")
    return msgspec.structs.replace(item, name=name)


def revoke(work: Work, item: AppPassword) -> None:
    """Remove an application password; requests with it are refused from now on."""
    work.tx.run(_REVOKE, uuid=item.uuid)
    work.note("app_password", item.uuid, "removed")


def revoke_all(work: Work, account: int) -> int:
    """Remove every application password of an account and return how many there were."""
    items = of_account(work.tx, account)
    work.tx.run(_REVOKE_ALL, account=account)
    for item in items:
        work.note("app_password", item.uuid, "removed")
    return len(items)


def store_use(tx: Tx, uuid: str, at: int, address: str) -> None:
    """Keep when an application password was used, and from which address."""
    tx.run(_USE, of=uuid, last_used=at, last_ip=address)
