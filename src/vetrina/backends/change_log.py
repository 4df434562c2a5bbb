"""The change log: every write adds a row in its own transaction; caches, search and the connector follow it."""

from __future__ import annotations

from typing import Final, NamedTuple

from sqlalchemy import bindparam, func, insert, literal_column, select

from vetrina.backends.tables.change_log import change

from .database import ChangeWatcher, Database, Statement, Transaction

_MAX_NEWS: Final = 64  # changes that are read with the position of the log

_INSERT_CHANGE = Statement(
    insert(change)
    .values(
        kind=bindparam("kind"),
        item=bindparam("item"),
        action=bindparam("action"),
        at=bindparam("at"),
        by=bindparam("by"),
        before=bindparam("before"),
    )
    .inline()
)
_CHANGES_SINCE = Statement(
    select(change.c.sequence, change.c.kind).where(change.c.sequence > bindparam("seen")).order_by(change.c.sequence)
)
# With a bound and unlimited beginning, PostgreSQL expects a third of the log and plans the statement each time.
_NEWS = Statement(
    select(change.c.sequence, change.c.kind)
    .where(change.c.sequence >= bindparam("seen"))
    .order_by(change.c.sequence)
    .limit(literal_column(str(_MAX_NEWS)))
)
_PAGE = Statement(
    select(change.c.sequence, change.c.kind, change.c.item, change.c.action, change.c.at, change.c.before)
    .where(change.c.sequence > bindparam("seen"))
    .order_by(change.c.sequence)
    .limit(bindparam("most"))
)
_OLDEST_SEQUENCE = Statement(select(func.min(change.c.sequence)))
_LATEST_SEQUENCE = Statement(select(func.max(change.c.sequence)))


def log_change(
    tx: Transaction, kind: str, item: object, action: str, at: int, by: int = 0, before: str | None = None
) -> None:
    """Log that something changed.

    kind: post, page, category, user, option …; item: its id or name; action: created, changed, removed.
    at: seconds since 1970. by: id of the account that made the change, 0 for none.
    before: JSON, what readers could see of it before (system/changes/rules.py reads it); None for nothing.
    """
    tx.insert_later(change, _INSERT_CHANGE, kind=kind, item=str(item), action=action, at=at, by=by, before=before)
    tx.note_change()


def get_latest_sequence(tx: Transaction) -> int:
    """Return the sequence number of the latest change."""
    return int(tx.value(_LATEST_SEQUENCE) or 0)


def get_oldest_sequence(tx: Transaction) -> int:
    """Return the sequence number of the oldest change that is kept, 0 for none."""
    return int(tx.value(_OLDEST_SEQUENCE) or 0)


def list_changed_kinds(tx: Transaction, sequence: int) -> list[tuple[int, str]]:
    """Return sequence and kind of the changes after a sequence number."""
    return [(int(row[0]), str(row[1])) for row in tx.all(_CHANGES_SINCE, seen=sequence)]


def read_news(tx: Transaction, seen: int) -> tuple[int, list[tuple[int, str]]]:
    """Return the sequence number of the latest change, and the changes after the one numbered `seen`, as kinds."""
    rows = tx.all(_NEWS, seen=seen)
    if not rows:
        # The snapshot is older than what was seen.
        return get_latest_sequence(tx), []
    if len(rows) == _MAX_NEWS:
        return get_latest_sequence(tx), list_changed_kinds(tx, seen)
    return int(rows[-1][0]), [(int(row[0]), str(row[1])) for row in rows if row[0] > seen]


def read_news_outside(watch: ChangeWatcher, seen: int | None) -> tuple[int, list[tuple[int, str]]]:
    """Return the same as `read_news`, without a transaction. seen: None for no changes, but where the log ends.

    By one statement: what is committed while it is answered is newer than what the watcher has noted of it.
    """
    if seen is None:
        return int(watch.all(_LATEST_SEQUENCE)[0][0] or 0), []
    news = [(int(row[0]), str(row[1])) for row in watch.all(_CHANGES_SINCE, seen=seen)]
    return news[-1][0] if news else seen, news


def expect_latest_sequence(tx: Transaction) -> None:
    """Have what `get_latest_sequence` reads read with what is asked of the database next."""
    tx.expect(_LATEST_SEQUENCE)


def expect_news(tx: Transaction, seen: int) -> None:
    """Have what `read_news` reads read with what is asked of the database next."""
    tx.expect(_NEWS, seen=seen)


class LoggedChange(NamedTuple):
    """A row of the log. at: seconds since 1970. before: JSON or None, as `log_change` has it."""

    sequence: int
    kind: str
    item: str
    action: str
    at: int
    before: str | None


def list_changes_after(tx: Transaction, sequence: int, most: int) -> list[LoggedChange]:
    """Return the changes after a sequence number, at most so many, in the order of their commits.

    Writers of a site commit one after the other on both databases, so no smaller number appears later.
    """
    return [LoggedChange(*row) for row in tx.all(_PAGE, seen=sequence, most=most)]


class ChangeLogPosition:
    """How far the log is, for those who read it elsewhere; its connection is its own, of one thread."""

    def __init__(self, database: Database) -> None:
        self._watch, self._seen = database.watch_changes(), 0

    def read(self) -> int:
        """Return the sequence number of the latest change that any process committed. Raises DatabaseBusy."""
        if self._watch.has_changed():
            self._seen = int(self._watch.all(_LATEST_SEQUENCE)[0][0] or 0)
        return self._seen
