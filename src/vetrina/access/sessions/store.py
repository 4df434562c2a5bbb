"""Statements on sessions."""

from __future__ import annotations

from typing import Final

import msgspec
import orjson
from sqlalchemy import bindparam, delete, insert, select, update

from vetrina.access.sessions.model import Session, SessionKind
from vetrina.backends.database import Row, Statement, Transaction
from vetrina.backends.tables.sessions import session as table

_COLUMNS: Final = tuple(table.c[name] for name in Session.__struct_fields__)
_BY_ID = Statement(select(*_COLUMNS).where(table.c.id == bindparam("id")))
_BY_ACCOUNT = Statement(
    select(*_COLUMNS)
    .where(table.c.account == bindparam("account"), table.c.until > bindparam("now"))
    .order_by(table.c.last_used.desc(), table.c.id)
)
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_UPDATE_USE = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    .values(last_used=bindparam("last_used"), address=bindparam("address"))
)
_UPDATE_END = Statement(update(table).where(table.c.id == bindparam("of")).values(until=bindparam("until")))
_DELETE = Statement(delete(table).where(table.c.id == bindparam("id")))
_DELETE_EXPIRED = Statement(delete(table).where(table.c.until <= bindparam("now")))


def insert_session(tx: Transaction, session: Session, digest: str) -> None:
    """Store a new session. digest: of the key of its cookie, empty for none."""
    row = {**msgspec.structs.asdict(session), "scopes": orjson.dumps(session.scopes).decode()}
    tx.run(_INSERT, digest=digest, **row)


def select_session(tx: Transaction, id: str) -> Session | None:
    """Return the session with an id, whether or not it has run out."""
    row = tx.first(_BY_ID, id=id)
    return _row_to_session(row) if row else None


def select_sessions(tx: Transaction, account: int, now: int) -> list[Session]:
    """Return the sessions of an account that have not run out, the latest used first."""
    return [_row_to_session(row) for row in tx.all(_BY_ACCOUNT, account=account, now=now)]


def update_last_use(tx: Transaction, id: str, at: int, address: str) -> None:
    """Store when a session was used, and from which IP address."""
    tx.run(_UPDATE_USE, of=id, last_used=at, address=address)


def update_end(tx: Transaction, id: str, until: int) -> None:
    """Store when a session runs out."""
    tx.run(_UPDATE_END, of=id, until=until)


def delete_session(tx: Transaction, id: str) -> None:
    """Delete a session."""
    tx.run(_DELETE, id=id)


def delete_expired(tx: Transaction, now: int) -> None:
    """Delete the sessions that have run out."""
    tx.run(_DELETE_EXPIRED, now=now)


def _row_to_session(row: Row) -> Session:
    id, account, kind, name, created, last_used, until, address, agent, scopes = row
    return Session(
        id, account, SessionKind(kind), name, created, last_used, until, address, agent, tuple(orjson.loads(scopes))
    )
