"""The database interface: compiled statements, one write transaction per call, one snapshot per read.

Statements are written once with SQLAlchemy Core and run on the driver itself: compiling costs 140 µs and Core's own
execution 25 µs a statement, and both are paid once per shape. The two implementations are
backends/sqlite.py and backends/postgres.py; their SQL differences are in backends/statement_cache.py.
"""

from __future__ import annotations

import copy
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar

from sqlalchemy import Table
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.sql.elements import ClauseElement

from vetrina.backends.deferred_writes import DeferredWrites
from vetrina.backends.group_commit import GroupCommit
from vetrina.backends.kept_readings import KeptReadings
from vetrina.kernel.errors import InlineBudgetExceeded

Row = tuple[Any, ...]
DatabaseKind = Literal["sqlite", "postgresql"]
T = TypeVar("T")

_WRITES = re.compile(r'(?:INSERT INTO|UPDATE|DELETE FROM) "?(\w+)')
_READS = re.compile(r"(?:SELECT|WITH)\b")
_WRITING = frozenset({"INSERT", "UPDATE", "DELETE", "MERGE"})
_WORD = re.compile(r"\w+")
# An insert of values concerns its table alone, though columns may be called as other tables are.
_PLAIN_INSERT = re.compile(r'INSERT INTO "?(\w+)"? \([^()]*\) VALUES \([^()]*\)')


class DatabaseUnreachable(Exception):
    """The database cannot be used at the URL given; the message says why, and retrying does not help."""


class CompiledStatement:
    """A statement compiled for one kind of database.

    names: the bound values, in the order of their placeholders. fixed: values that belong to the text.
    is_planned_each_time: whether the best plan depends so much on the values that it is made for each execution.
    target: the table that it writes, None for a read, "" where that is not plain. deletes: whether it deletes rows.
    words: that stand in the text, the names of the tables that it reads among them.
    """

    __slots__ = ("deletes", "fixed", "is_planned_each_time", "names", "target", "text", "words")

    def __init__(self, core: ClauseElement, dialect: Dialect) -> None:
        compiled = core.compile(dialect=dialect)
        params: dict[str, Any] = compiled.params or {}
        self.text = str(compiled)
        self.names: list[str] = list(getattr(compiled, "positiontup", None) or ())
        self.fixed = {name: value for name, value in params.items() if value is not None}
        self.is_planned_each_time: bool = getattr(compiled, "is_planned_each_time", False)
        plain = _PLAIN_INSERT.fullmatch(self.text)
        self.words = frozenset(plain.groups() if plain else _WORD.findall(self.text))
        written = _WRITES.match(self.text)
        self.target = written[1] if written else None if _READS.match(self.text) and not self.words & _WRITING else ""
        self.deletes = self.text.startswith("DELETE")

    def replace_text(self, text: str) -> CompiledStatement:
        """Return a statement on the same tables with another text."""
        out = copy.copy(self)
        out.text = text
        return out


class Statement:
    """A Core statement and its compiled forms, each compiled at first use.

    Values are bound by name; literals inside the statement are bound with them.
    core: the statement, or a function of the dialect where no common form suits both databases.
    """

    __slots__ = ("_core", "compiled")

    def __init__(self, core: ClauseElement | Callable[[DatabaseKind], ClauseElement]) -> None:
        self._core = core
        self.compiled: dict[str, CompiledStatement] = {}

    def compile_for(self, dialect: Dialect) -> CompiledStatement:
        """Return the compiled form for a dialect, cached in `forms`."""
        kind: DatabaseKind = "postgresql" if dialect.name == "postgresql" else "sqlite"
        core = self._core if isinstance(self._core, ClauseElement) else self._core(kind)
        found = self.compiled[kind] = CompiledStatement(core, dialect)
        return found


class Assumption(ABC):
    """What a read was made from before it had a snapshot. kinds: of the things that it was taken to know."""

    kinds: set[str]

    @abstractmethod
    def expect(self, tx: Transaction) -> None:
        """Have what `confirm` reads read with the statement that begins the transaction."""

    @abstractmethod
    def confirm(self, tx: Transaction) -> None:
        """Raise RetryableError where the snapshot, which the transaction has now, contradicts it."""


class Transaction(ABC):
    """One transaction: reads see one snapshot, writes are committed all or none.

    kind: of the database. writes: whether it may write. position: of the database's log after its commit, 0 where it is
    not asked for (`notes_positions`). counters: the values of the rows of ids that it has raised
    (backends/id_sequences.py), which no other writer can raise meanwhile.
    is_replica: whether it reads a copy of the database that may be behind.
    log_position: that of the change log in the snapshot of a read, None before it is known.
    is_begun: whether it has its snapshot, which a read takes with its first statement. may_assume: whether it may be
    taken to be where the log is known to end, as long as it has none (backends/fragment_cache.py). assumption: what it
    was taken for, which is confirmed once it has begun.
    look: called with every statement; raises InlineBudgetExceeded when the transaction blocks others for too long.
    """

    __slots__ = (
        "_deferred", "_depth", "_kept", "assumption", "counters", "is_begun", "is_replica", "log_position", "look",
        "may_assume", "position", "writes",
    )  # fmt: skip

    kind: ClassVar[DatabaseKind]

    def __init__(self, writes: bool) -> None:
        self.writes = writes
        self.is_begun = self.may_assume = False
        self.assumption: Assumption | None = None
        self.counters: dict[str, int] = {}
        self.is_replica, self.position = False, 0
        self.log_position: int | None = None
        self.look: Callable[[], None] | None = None
        self._deferred = DeferredWrites()
        self._kept = KeptReadings()
        self._depth = 0

    def watch_time(self, check_time: Callable[[], None]) -> None:
        """Have `check_time` called with every statement, and within long ones where the database supports it.

        Call it before the first statement.
        """
        self.look = check_time

    def add_later(self, table: Table, statement: Statement, summand: str, /, **values: Any) -> None:
        """Have a write executed that adds to a number of a table, once for all whose other values are the same.

        It is executed before the next statement that names the table, at the latest with the commit.
        """
        self._deferred.add(table.name, statement, summand, values)

    def insert_later(self, table: Table, statement: Statement, /, **values: Any) -> None:
        """Have a row inserted with others of the statement, in their order, by the time that `add_later` says."""
        self._deferred.append(table.name, statement, values)

    def keep(self, table: Table, key: Hashable, value: object) -> None:
        """Keep what was read of a table, which nobody else changes while this transaction may write.

        It is forgotten when a statement writes the table. Who adds to it later keeps what is true then.
        """
        if self.writes:
            self._kept.keep(table.name, key, value)

    def recall(self, table: Table, key: Hashable) -> Any:
        """Return what was kept of a table under a key, None for nothing."""
        return self._kept.get(table.name, key)

    def _forget_written(self, form: CompiledStatement) -> None:
        """Forget what a statement may change, if it writes."""
        if form.deletes or form.target == "":
            # Rows of other tables may go with those that are deleted.
            self._kept.clear()
        elif form.target is not None:
            self._kept.forget(form.target)

    def write_deferred(self) -> None:
        """Execute the writes that wait."""
        for statement, rows in self._deferred.take():
            self.run_each(statement, rows)

    @abstractmethod
    def note_change(self) -> None:
        """Take notice that the transaction adds to the change log, which readers elsewhere will have to hear of."""

    @abstractmethod
    def all(self, statement: Statement, /, **values: Any) -> list[Row]:
        """Return every row."""

    @abstractmethod
    def column(self, statement: Statement, /, **values: Any) -> Iterator[Any]:
        """Yield the first column of every row without loading all rows; exhaust it before the next statement."""

    @abstractmethod
    def first(self, statement: Statement, /, **values: Any) -> Row | None:
        """Return the first row, or None."""

    @abstractmethod
    def value(self, statement: Statement, /, **values: Any) -> Any:
        """Return the first column of the first row, or None."""

    @abstractmethod
    def run(self, statement: Statement, /, **values: Any) -> None:
        """Execute a write, before the next statement whose result is asked for: that one may raise its error."""

    @abstractmethod
    def send_writes(self) -> None:
        """Have the writes that wait carried out while the caller goes on; their errors come as those of `run` do."""

    @abstractmethod
    def send_expected(self) -> None:
        """Have what is expected to be read asked for while the caller goes on."""

    @abstractmethod
    def run_and_count(self, statement: Statement, /, **values: Any) -> int:
        """Execute a write and return the number of rows affected."""

    @abstractmethod
    def run_each(self, statement: Statement, rows: list[dict[str, Any]]) -> None:
        """Execute a write once for each set of values, as `run` does."""

    @abstractmethod
    def expect(self, statement: Statement, /, **values: Any) -> None:
        """Say that a read will be asked for, so that it travels to a server with the next one that is.

        What is written meanwhile is seen as without it: an expectation saves a round trip and changes nothing else.
        """

    @abstractmethod
    def load(self, table: Table, rows: list[Row]) -> None:
        """Bulk-load rows into a table, values in column order; much faster than inserting each."""

    @abstractmethod
    def command(self, sql: str) -> None:
        """Execute a command without values that both databases understand."""

    @contextmanager
    def savepoint(self, waits: bool = True) -> Iterator[None]:
        """Open a savepoint: an error in the block undoes the block only.

        waits: whether an error of its writes is raised in the block; else by a later statement, at the latest by the
        commit, and fails the transaction.
        """
        if not self.writes:
            yield
            return
        self._depth += 1
        name, deferred = f"part_{self._depth}", self._deferred.copy()
        self.command(f"SAVEPOINT {name}")
        try:
            yield
        except BaseException:
            self.counters.clear()
            self._kept.clear()
            self._deferred = deferred
            self.command(f"ROLLBACK TO SAVEPOINT {name}")
            raise
        finally:
            self.command(f"RELEASE SAVEPOINT {name}")
            self._depth -= 1


class ChangeWatcher(ABC):
    """Reads the database outside any transaction; each call sees everything committed before it."""

    @abstractmethod
    def has_changed(self) -> bool:
        """Return whether anything may have been committed since the last call, by any process."""

    @property
    def may_ask(self) -> bool:
        """Whether it is worth asking now, for those who could ask in a transaction as well."""
        return True

    @abstractmethod
    def all(self, statement: Statement, /, **values: Any) -> list[Row]:
        """Return every row."""


class Lease(ABC):
    """A lock that one process at a time holds on a database; it is released when the process ends, however it ends."""

    @abstractmethod
    def acquire(self) -> bool:
        """Take the lease if it is free and return whether this process holds it; a lost lease is taken again."""

    @abstractmethod
    def close(self) -> None:
        """Release the lease."""


class Database(ABC):
    """An open database.

    kind: SQLite or PostgreSQL. durable: whether an acknowledged write survives a power cut.
    path: the file of an embedded database, None for a server. leases_answers: whether this process may know for some
    milliseconds that nobody has changed anything (backends/answer_leases.py). notes_positions: whether a write asks for
    its position in the server's log (backends/replicas.py).
    """

    kind: ClassVar[DatabaseKind]
    durable: bool
    path: Path | None = None
    leases_answers = False
    notes_positions = False

    def __init__(self, durable: bool) -> None:
        self.durable = durable
        self._here = threading.local()

    @abstractmethod
    def begin_read(self) -> AbstractContextManager[Transaction]:
        """Open a read-only snapshot."""

    @abstractmethod
    def begin_write(self) -> AbstractContextManager[Transaction]:
        """Open the write transaction: committed on return, rolled back on an error.

        Writers of a site are serialized, and the change log numbers their changes in commit order: a reader that has
        seen a sequence number has seen everything below it. Raises InlineBudgetExceeded inside `open_group_commit` when
        another writer is active.
        """

    def begin_shared_write(self) -> AbstractContextManager[Transaction]:
        """Open the write transaction, or a part of one that other blocks of `open_group_commit` have opened.

        Inside `open_group_commit` it is committed by `GroupCommit.end_shared`, or before the next transaction that the
        block begins; elsewhere, as by `begin_write`, on return.
        """
        return self.begin_write()

    @property
    def open_turn(self) -> Transaction | None:
        """The write transaction that `begin_shared_write` would open a part of in this thread; None for a new one.

        Nobody else has written to the site since it began.
        """
        return None

    def end_shared_write(self) -> None:
        """Commit what the block of `open_group_commit` has written and shares. Raises what `end_shared` does."""
        gathered: GroupCommit | None = getattr(self._here, "gathered", None)
        if gathered is not None:
            gathered.end_shared()

    @contextmanager
    def open_group_commit(self) -> Iterator[GroupCommit]:
        """Leave it to the caller when this thread's commits in the block are synced; acknowledge nothing before that.

        For threads that must not block: where a writer in the block would have to wait, `begin_write` raises
        InlineBudgetExceeded, unless the block has committed something, because that could not be run again.
        """
        gathered = self._here.gathered = self._build_group_commit()
        try:
            yield gathered
        except BaseException:
            # What fails after a transaction leaves it committed.
            with suppress(InlineBudgetExceeded):
                gathered.end_shared()
            raise
        finally:
            self._here.gathered = None

    def _build_group_commit(self) -> GroupCommit:
        return GroupCommit()

    @property
    def _may_wait(self) -> bool:
        """Return whether a writer of this thread may wait for others."""
        gathered: GroupCommit | None = getattr(self._here, "gathered", None)
        return gathered is None or gathered.committed

    def _mark_committed(self) -> GroupCommit | None:
        """Record that this thread has committed; return the group that syncs it, None if no group is open."""
        gathered: GroupCommit | None = getattr(self._here, "gathered", None)
        if gathered is not None:
            gathered.committed = True
        return gathered

    @abstractmethod
    def watch(self) -> ChangeWatcher:
        """Open a watcher with a connection of its own."""

    def watch_changes(self) -> ChangeWatcher:
        """Open a watcher that reads nothing but the change log; what is not logged may escape its notice."""
        return self.watch()

    @abstractmethod
    def open_lease(self, name: str) -> Lease:
        """Return a lease, not yet acquired; name: what it protects, letters only."""

    def facts(self) -> dict[str, int]:
        """Return how many connections of this process are `open`, `idle` and waited for (`wanted`), if counted."""
        return {}

    @abstractmethod
    def close(self) -> None:
        """Close all connections of all threads."""


def open_database(url: str, durable: bool = True, direct: str = "") -> Database:
    """Open the database at a URL.

    url: `sqlite:///PATH` (four slashes before an absolute path) or `postgresql://USER@HOST/NAME`, as libpq reads it.
    durable: off for throw-away sites only. direct: URL of the same server past a pool, empty for none. Raises
    ValueError for any other URL.
    """
    scheme, _, rest = url.partition("://")
    if scheme == "sqlite" and rest.startswith("/") and rest != "/":
        from .sqlite import SqliteDatabase

        return SqliteDatabase(Path(rest[1:]), durable)
    if scheme in ("postgresql", "postgres"):
        # Imported only where it is used: it is large, and an optional extra of the package.
        try:
            from .postgres import PostgresDatabase
        except ImportError as error:
            raise ValueError(f"{scheme}:// needs its driver: pip install 'vetrina[postgres]' ({error})") from None
        return PostgresDatabase(url, durable, direct)
    raise ValueError(f"database {url!r} is not understood: write sqlite:///PATH or postgresql://USER@HOST/NAME")
