"""A pool between this program and the server that hands out a connection for each transaction (PgBouncer and its kind).

Nothing that belongs to a session lasts there: settings, prepared statements and locks of the session would be those of
whoever has the connection next. So transactions bring their settings along, statements are prepared only where the pool
takes care of their names, and what has to hold a lock for long keeps a transaction open, or goes past the pool
(`database_direct`). Which is the case is found out by asking: nobody has to say it.
"""

from __future__ import annotations

import secrets
from typing import Any, Final

import psycopg
from psycopg import pq
from sqlalchemy import text

from .database import DatabaseUnreachable, Statement

FIND_PROCESS: Final = Statement(text("SELECT pg_backend_pid()"))
# A transaction that stays open; without a snapshot it keeps nothing from being cleaned up.
BEGIN_LEASE: Final = Statement(text("BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY"))
END_LEASE: Final = Statement(text("ROLLBACK"))
_RENAMED: Final = "PGBOUNCER_"  # how the names of statements begin that PgBouncer 1.21 or later prepares
_FIND_STATEMENT: Final = "SELECT name FROM pg_prepared_statements WHERE statement = %s"


def is_pooled(connection: psycopg.Connection[Any]) -> bool:
    """Return whether a pool answers: it does not know which process of the server it will give a client."""
    row = connection.execute("SELECT pg_backend_pid()", prepare=False).fetchone()
    return row is not None and row[0] != connection.info.backend_pid


def require_no_options(conninfo: str) -> None:
    """Raise DatabaseUnreachable for options of a session in the URL, which a pool loses or refuses."""
    if psycopg.conninfo.conninfo_to_dict(conninfo).get("options"):
        raise DatabaseUnreachable(
            "a pool does not hand on the `options` of the database's URL; set them for the account instead:"
            " ALTER ROLE name SET search_path = …"
        )


def may_prepare(connection: psycopg.Connection[Any]) -> bool:
    """Return whether the pool prepares a statement again on each connection of the server that needs it.

    Such a pool gives statements names of its own (PgBouncer 1.21 or later, with `max_prepared_statements`).
    """
    name = f"v{secrets.token_hex(8)}"
    probe = f"SELECT 1 AS {name}"
    with connection.transaction():
        prepared = connection.pgconn.prepare(name.encode(), probe.encode())
        if prepared.status != pq.ExecStatus.COMMAND_OK:
            return False
        names = [row[0] for row in connection.execute(_FIND_STATEMENT, [probe], prepare=False)]
        if name in names:
            # On the server by that name: the next transaction may find another one, or somebody else's.
            connection.execute(f"DEALLOCATE {name}".encode(), prepare=False)
            return False
    return any(one.startswith(_RENAMED) for one in names)
