"""Application passwords: random keys by which a program acts as an account.

A password is returned once, when it is created; only its keyed digest is stored. Signing in with one:
access/sign_in/credentials.py. Rules: docs/rules/authentication.md, 5 and 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update

from vetrina.backends.database import Statement, Transaction
from vetrina.backends.tables.accounts import app_password
from vetrina.core.change_source import Told
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.kernel.keys import compute_digest, generate_password, generate_uuid, is_equal_secret


class EmptyAppPasswordName(ApiError):
    """The name is empty after removing tags."""

    code = "application_password_empty_name"
    message = "The name of an application password needs at least one visible character."


class AppPassword(msgspec.Struct, frozen=True):
    """One application password, without the password.

    account: id of its owner. app_id: the UUID of the program, or empty. created: seconds since 1970.
    last_used, last_ip: of its last use, updated once a day; None until it is used.
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
_SELECT_OF_ACCOUNT = Statement(select(*_COLUMNS).where(_TABLE.account == bindparam("account")).order_by(_TABLE.created))
_SELECT_ONE = Statement(
    select(*_COLUMNS).where(_TABLE.uuid == bindparam("uuid"), _TABLE.account == bindparam("account"))
)
_SELECT_DIGESTS = Statement(select(_TABLE.digest, *_COLUMNS).where(_TABLE.account == bindparam("account")))
_INSERT = Statement(insert(app_password).values({column.name: bindparam(column.name) for column in _TABLE}))
_UPDATE_NAME = Statement(update(app_password).where(_TABLE.uuid == bindparam("of")).values(name=bindparam("name")))
_UPDATE_LAST_USE = Statement(
    update(app_password)
    .where(_TABLE.uuid == bindparam("of"))
    .values(last_used=bindparam("last_used"), last_ip=bindparam("last_ip"))
)
_DELETE = Statement(delete(app_password).where(_TABLE.uuid == bindparam("uuid")))
_DELETE_OF_ACCOUNT = Statement(delete(app_password).where(_TABLE.account == bindparam("account")))


def list_app_passwords(tx: Transaction, account: int) -> list[AppPassword]:
    """Return the application passwords of an account, the oldest first."""
    return [AppPassword(*row) for row in tx.all(_SELECT_OF_ACCOUNT, account=account)]


def find_app_password(tx: Transaction, account: int, uuid: str) -> AppPassword | None:
    """Return one application password of an account."""
    row = tx.first(_SELECT_ONE, account=account, uuid=uuid)
    return AppPassword(*row) if row else None


def compute_app_password_digest(site: SiteContext, password: str) -> str:
    """Return the stored digest of a password; spaces in it are ignored."""
    return compute_digest(site.settings.secret, "".join(password.split()))


def find_matching_app_password(tx: Transaction, account: int, digest: str) -> AppPassword | None:
    """Return the application password of an account with this digest."""
    found = None
    # All are compared, so that the time does not reveal which one came close.
    for stored, *columns in tx.all(_SELECT_DIGESTS, account=account):
        if is_equal_secret(stored, digest):
            found = AppPassword(*columns)
    return found


def create_app_password(
    work: UnitOfWork, account: int, name: str, app_id: str = "", password: str = ""
) -> tuple[AppPassword, str]:
    """Create an application password and return it with the password itself, which is never returned again.

    password: to use, for accounts that are set up from a file; random by default. Raises EmptyAppPasswordName.
    """
    if not name:
        raise EmptyAppPasswordName
    password = password or generate_password()
    item = AppPassword(generate_uuid(), account, app_id, name, work.now, None, None)
    work.tx.run(_INSERT, digest=compute_app_password_digest(work.site, password), **msgspec.structs.asdict(item))
    _note_change(work, item, "created")
    return item, password


def rename_app_password(work: UnitOfWork, item: AppPassword, name: str) -> AppPassword:
    """Rename an application password; an empty name changes nothing."""
    if not name or name == item.name:
        return item
    work.tx.run(_UPDATE_NAME, of=item.uuid, name=name)
    _note_change(work, item, "changed", {"name": Told(item.name, name)})
    return msgspec.structs.replace(item, name=name)


def revoke_app_password(work: UnitOfWork, item: AppPassword) -> None:
    """Delete an application password; requests with it are refused from now on."""
    work.tx.run(_DELETE, uuid=item.uuid)
    _note_change(work, item, "removed")


def revoke_all_app_passwords(work: UnitOfWork, account: int) -> int:
    """Delete every application password of an account and return their number."""
    items = list_app_passwords(work.tx, account)
    work.tx.run(_DELETE_OF_ACCOUNT, account=account)
    for item in items:
        _note_change(work, item, "removed")
    return len(items)


def _note_change(
    work: UnitOfWork, item: AppPassword, action: str, members: Mapping[str, Told | None] | None = None
) -> None:
    work.note("app_password", item.uuid, action)
    # Whose it is: often not the caller's.
    work.describe(
        "app_password", item.uuid, item.name, {"account": Told(item.account, item.account), **(members or {})}
    )


def update_last_use(tx: Transaction, uuid: str, at: int, address: str) -> None:
    """Store when an application password was used, and from which IP address."""
    tx.run(_UPDATE_LAST_USE, of=uuid, last_used=at, last_ip=address)
