"""The change log: every write is a row of its own transaction; whoever follows the site reads it."""

from __future__ import annotations

from sqlalchemy import bindparam, func, insert, select

from .database import Database, Statement, Tx
from .tables import change

__all__ = ["Follower", "latest", "note"]

_NOTE = Statement(
    insert(change).values(
        kind=bindparam("kind"), item=bindparam("item"), action=bindparam("action"), at=bindparam("at")
    )
)
_SINCE = "SELECT sequence, kind FROM change WHERE sequence > ? ORDER BY sequence"
_LATEST = Statement(select(func.max(change.c.sequence)))


def note(tx: Tx, kind: str, item: object, action: str, at: int) -> None:
    """Note that something changed.

    kind: post, page, category, user, option …; item: its number or name; action: created, changed, removed.
    at: seconds since 1970.
    """
    tx.run(_NOTE, kind=kind, item=str(item), action=action, at=at)
    tx.noted += 1


def latest(tx: Tx) -> int:
    """Return the number of the last change."""
    return int(tx.value(_LATEST) or 0)


class Follower:
    """Reads on in the log: what was committed since it last looked, by whatever process.

    SQLite tells by `data_version`, asked on a connection that never writes (a connection does not see its own writes
    there), whether looking is worth while.
    """

    def __init__(self, database: Database) -> None:
        self._connection = database.watching()
        self._version = -1
        self.seen = 0

    def news(self) -> list[tuple[int, str]]:
        """Return sequence and kind of the changes since the last call."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version == self._version:
            return []
        self._version = version
        rows = self._connection.execute(_SINCE, (self.seen,)).fetchall()
        if rows:
            self.seen = rows[-1][0]
        return rows
