"""Passkeys as rows, and the challenges that were answered. Rules: docs/rules/passkeys.md."""

from __future__ import annotations

from typing import Final

from sqlalchemy import bindparam, delete, select, update

from vetrina.access.passkeys.model import Passkey
from vetrina.backends.database import Statement, Transaction
from vetrina.backends.statement_cache import build_insert_once
from vetrina.backends.store import JSON_TUPLE, Store
from vetrina.backends.tables.second_factors import passkey as table, spent_challenge

STORE: Final = Store(table, Passkey, {"transports": JSON_TUPLE})

_OF_ACCOUNT = Statement(
    select(*STORE.columns).where(table.c.account == bindparam("account")).order_by(table.c.created, table.c.id)
)
_BY_CREDENTIAL = Statement(select(*STORE.columns).where(table.c.credential == bindparam("credential")))
_USE = Statement(
    update(table)
    .where(table.c.id == bindparam("of"), table.c.sign_count == bindparam("before"))
    .values(sign_count=bindparam("count"), last_used=bindparam("now"))
)
_DELETE_OF_ACCOUNT = Statement(delete(table).where(table.c.account == bindparam("account")))
_DELETE_EXPIRED = Statement(delete(spent_challenge).where(spent_challenge.c.until <= bindparam("now")))
_SPEND_CHALLENGE = Statement(
    build_insert_once(
        spent_challenge, keys=("digest",), values={"digest": bindparam("digest"), "until": bindparam("until")}
    )
)


def list_passkeys(tx: Transaction, account: int) -> list[Passkey]:
    """Return the passkeys of an account, the oldest first."""
    return STORE.of_rows(tx.all(_OF_ACCOUNT, account=account))


def find_passkey(tx: Transaction, account: int, id: str) -> Passkey | None:
    """Return a passkey of an account, None where it has no such one."""
    found = STORE.find(tx, id)
    return found if found is not None and found.account == account else None


def find_by_credential(tx: Transaction, credential: str) -> Passkey | None:
    """Return the passkey with an authenticator's id, in base64url."""
    row = tx.first(_BY_CREDENTIAL, credential=credential)
    return STORE.of_row(row) if row else None


def save_use(tx: Transaction, passkey: Passkey, count: int, now: int) -> bool:
    """Store the use of a passkey; return whether no other use came in between. count: of its authenticator."""
    return tx.run_and_count(_USE, of=passkey.id, before=passkey.sign_count, count=count, now=now) == 1


def delete_passkeys_of_account(tx: Transaction, account: int) -> None:
    """Delete the passkeys of an account."""
    tx.run(_DELETE_OF_ACCOUNT, account=account)


def spend_challenge(tx: Transaction, digest: str, until: int, now: int) -> bool:
    """Use up a challenge; return whether it had not been answered before. until: when it is too old anyway."""
    tx.run(_DELETE_EXPIRED, now=now)
    return tx.run_and_count(_SPEND_CHALLENGE, digest=digest, until=until) == 1
