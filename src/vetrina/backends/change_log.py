"""The change log: every write is a row of its own transaction; whoever follows the site reads it."""

from __future__ import annotations

from sqlalchemy import bindparam, func, insert, select

from vetrina.backends.tables.core import change

from .database import Database, Statement, Tx

__all__ = ["Follower", "latest", "note"]

_NOTE = Statement(
    insert(change).values(
        kind=bindparam("kind"),
        item=bindparam("item"),
        action=bindparam("action"),
        at=bindparam("at"),
        by=bindparam("by"),
    )
)
_SINCE = Statement(
    select(change.c.sequence, change.c.kind).where(change.c.sequence > bindparam("seen")).order_by(change.c.sequence)
)
_LATEST = Statement(select(func.max(change.c.sequence)))


def note(tx: Tx, kind: str, item: object, action: str, at: int, by: int = 0) -> None:
    """Note that something changed.

    kind: post, page, category, user, option …; item: its number or name; action: created, changed, removed.
    at: seconds since 1970. by: the account that changed it, 0 where none did.
    """
    tx.run(_NOTE, kind=kind, item=str(item), action=action, at=at, by=by)
    tx.noted += 1


def latest(tx: Tx) -> int:
    """Return the number of the last change."""
    return int(tx.value(_LATEST) or 0)


class Follower:
    """Reads on in the log: what was committed since it last looked, by whatever process.

    seen: the last number that it knows; a new follower knows what there is when it first looks.
    """

    def __init__(self, database: Database) -> None:
        self._watch = database.watch()
        self._begun = False
        self.seen = 0

    def news(self) -> list[tuple[int, str]]:
        """Return sequence and kind of the changes since the last call."""
        if not self._watch.moved():
            return []
        if not self._begun:
            # Who has kept nothing yet need not read the whole log.
            self._begun, self.seen = True, int(self._watch.all(_LATEST)[0][0] or 0)
            return []
        rows = [(int(row[0]), str(row[1])) for row in self._watch.all(_SINCE, seen=self.seen)]
        if rows:
            self.seen = rows[-1][0]
        return rows
