"""A connection of the pool: how it is opened, and what is kept with it. Who lends it: postgres_connections.py."""

from __future__ import annotations

from typing import Any, Final, Self

import psycopg

from .database import Row
from .last_commits import CommitNumber
from .libpq import PreparedConnection
from .server_search import open_connection

_SEARCH_SECONDS: Final = 1.0  # seconds for which all servers are asked, before it is said that none accepts


class PooledConnection(psycopg.Connection[Row]):
    """A connection with its prepared statements, and a cursor for bulk transfers.

    taken: when it left the pool. last_commit: that it has sent. silences: how many silences of servers had ended
    connections when it was opened.
    """

    prepared: PreparedConnection
    raw: psycopg.RawCursor[Row]
    taken: float
    last_commit: CommitNumber
    silences: int

    @classmethod
    def connect(cls, conninfo: str = "", **_: Any) -> Self:
        """Connect to the server that takes writes, as soon as there is one, in autocommit."""
        found = open_connection(conninfo, _SEARCH_SECONDS)
        found.nonblocking = 1
        connection = cls(found)
        connection.autocommit = True
        # The driver loses its prepared statements after each ROLLBACK, and every other prepared one too.
        connection.prepare_threshold = None
        return connection
