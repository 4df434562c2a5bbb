"""The database: statements kept as text, one write transaction a call, one snapshot a read; the same for both kinds.

Statements are written once with SQLAlchemy Core and run on the driver itself: compiling costs 140 µs and Core's own
execution 25 µs a statement, both are spent once per shape. Not here: the two kinds (backends/sqlite.py,
backends/postgres.py), what the tables are (backends/tables/core.py), which filters make which statement and what the
kinds write differently (backends/statement_cache.py).
"""

from __future__ import annotations

import random
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar

from sqlalchemy import Table
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.sql.elements import ClauseElement

from vetrina.backends.group_commit import Gathered
from vetrina.kernel.errors import ApiError

__all__ = ["Database", "DatabaseBusy", "Form", "Kind", "Row", "Statement", "Turn", "Tx", "Unreachable", "Unsettled",
           "Watch", "open_database"]  # fmt: skip

Row = tuple[Any, ...]
Kind = Literal["sqlite", "postgresql"]
T = TypeVar("T")

_ATTEMPTS = 5  # how often a transaction that the database gave up is run in all
_PATIENCE = 4.0  # seconds after the first attempt in which another one may begin
_PAUSE = 0.01  # seconds before the second attempt; twice as long before each further one


class Unsettled(Exception):
    """The database gave a transaction up and kept nothing of it; the same work may succeed when it is done again."""


class Unreachable(Exception):
    """The database cannot be used as its URL names it; the message says why, and no waiting mends it."""


class DatabaseBusy(ApiError):
    """The database gave the transaction up each time, or cannot be reached."""

    status, code = 503, "database_busy"
    message = "The database cannot carry this out now; nothing was changed. Send the request again in {wait} seconds."

    def __init__(self, wait: int = 2) -> None:
        super().__init__(wait=wait)
        self.headers["Retry-After"] = str(wait)


class Form:
    """What one kind of database is given of a statement.

    names: of the bound values, in the order in which the text numbers them. fixed: values that belong to the text.
    planned_anew: whether the best plan depends on the values so much that it is made for each of them.
    """

    __slots__ = ("fixed", "names", "planned_anew", "text")

    def __init__(self, core: ClauseElement, dialect: Dialect) -> None:
        compiled = core.compile(dialect=dialect)
        params: dict[str, Any] = compiled.params or {}
        self.text = str(compiled)
        self.names: list[str] = list(getattr(compiled, "positiontup", None) or ())
        self.fixed = {name: value for name, value in params.items() if value is not None}
        self.planned_anew: bool = getattr(compiled, "planned_anew", False)


class Statement:
    """A Core statement and its texts, each compiled at first use.

    Values are bound by name; literals inside the statement are bound with it.
    core: the statement, or what makes it for a kind of database where no common form is good for both.
    """

    __slots__ = ("_core", "forms")

    def __init__(self, core: ClauseElement | Callable[[Kind], ClauseElement]) -> None:
        self._core = core
        self.forms: dict[str, Form] = {}

    def form(self, dialect: Dialect) -> Form:
        """Return the form for a kind of database; `forms` has it from then on."""
        kind: Kind = "postgresql" if dialect.name == "postgresql" else "sqlite"
        core = self._core if isinstance(self._core, ClauseElement) else self._core(kind)
        found = self.forms[kind] = Form(core, dialect)
        return found


class Tx(ABC):
    """One transaction: reads see one snapshot, writes are all kept or none.

    kind: of its database. writes: whether it may write. noted: how many changes it put into the log.
    look: called with every statement; it raises TakesLong where the transaction takes longer than others may wait.
    """

    __slots__ = ("_depth", "look", "noted", "writes")

    kind: ClassVar[Kind]

    def __init__(self, writes: bool) -> None:
        self.writes = writes
        self.noted = 0
        self.look: Callable[[], None] | None = None
        self._depth = 0

    def watch_time(self, look: Callable[[], None]) -> None:
        """Let `look` be called with every statement, and within long ones where the database can."""
        self.look = look

    @abstractmethod
    def all(self, statement: Statement, /, **values: Any) -> list[Row]:
        """Return every row."""

    @abstractmethod
    def column(self, statement: Statement, /, **values: Any) -> Iterator[Any]:
        """Yield the first column of every row, without holding all rows; read it to its end before asking anew."""

    @abstractmethod
    def first(self, statement: Statement, /, **values: Any) -> Row | None:
        """Return the first row, or None."""

    @abstractmethod
    def value(self, statement: Statement, /, **values: Any) -> Any:
        """Return the first column of the first row, or None."""

    @abstractmethod
    def run(self, statement: Statement, /, **values: Any) -> int:
        """Carry out a write and return the number of rows that it touched."""

    @abstractmethod
    def run_each(self, statement: Statement, rows: list[dict[str, Any]]) -> None:
        """Carry out a write once for each row of values."""

    @abstractmethod
    def load(self, table: Table, rows: list[Row]) -> None:
        """Store many rows of a table, their members in the order of its columns; much faster than writing each."""

    @abstractmethod
    def command(self, words: str) -> None:
        """Carry out a command without values that both kinds understand."""

    @contextmanager
    def part(self) -> Iterator[None]:
        """Run a part that an error undoes without undoing what came before."""
        if not self.writes:
            yield
            return
        self._depth += 1
        name = f"part_{self._depth}"
        self.command(f"SAVEPOINT {name}")
        try:
            yield
        except BaseException:
            self.command(f"ROLLBACK TO SAVEPOINT {name}")
            raise
        finally:
            self.command(f"RELEASE SAVEPOINT {name}")
            self._depth -= 1


class Watch(ABC):
    """A look at the database outside every transaction; each one sees all that was committed before it."""

    @abstractmethod
    def moved(self) -> bool:
        """Say whether something may have been committed since the last call, by whatever process."""

    def watch_time(self, look: Callable[[], None]) -> None:
        """Let `look` be called with every statement, and within long ones where the database can."""
        self.look = look

    @abstractmethod
    def all(self, statement: Statement, /, **values: Any) -> list[Row]:
        """Return every row."""


class Turn(ABC):
    """A right that one process at a time has with a database; it ends with the process, however that ends."""

    @abstractmethod
    def taken(self) -> bool:
        """Take the turn where it is free, and say whether it is this one's; one that was lost is taken anew."""

    @abstractmethod
    def close(self) -> None:
        """Give the turn back."""


class Database(ABC):
    """An open database.

    kind: which of the two it is. durable: whether an acknowledged write survives a power cut.
    path: the file of the embedded one, None for a server.
    """

    kind: ClassVar[Kind]
    durable: bool
    path: Path | None = None

    def __init__(self, durable: bool) -> None:
        self.durable = durable
        self._here = threading.local()

    @abstractmethod
    def reading(self) -> AbstractContextManager[Tx]:
        """Open a snapshot."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[Tx]:
        """Open the one write transaction: kept on return, undone on an error.

        Writers of a site come one after another, and the change log numbers their changes in the order in which they
        are committed: who has seen a number has seen everything below it. Raises TakesLong in the block of `gathering`
        where another one is at work.
        """

    @contextmanager
    def gathering(self) -> Iterator[Gathered]:
        """Leave to the caller when what this thread commits in the block is kept; nobody may be told of it before.

        The thread is one that must not wait: where a writer of the block would have to, `writing` raises TakesLong, as
        long as nothing of the block was committed, for what was cannot be done again.
        """
        gathered = self._here.gathered = self._gathered()
        try:
            yield gathered
        finally:
            self._here.gathered = None

    def _gathered(self) -> Gathered:
        return Gathered()

    @property
    def _waits(self) -> bool:
        """Say whether a writer of this thread may wait for others."""
        gathered: Gathered | None = getattr(self._here, "gathered", None)
        return gathered is None or gathered.committed

    def _committed(self) -> Gathered | None:
        """Note that this thread has committed; return who keeps it, None for nobody."""
        gathered: Gathered | None = getattr(self._here, "gathered", None)
        if gathered is not None:
            gathered.committed = True
        return gathered

    @abstractmethod
    def watch(self) -> Watch:
        """Open a look of its own."""

    @abstractmethod
    def turn(self, name: str) -> Turn:
        """Return a right that one process at a time has; name: of what it is the right to do, letters only."""

    def facts(self) -> dict[str, int]:
        """Return how many connections of this process are `open`, `idle` and waited for (`wanted`), where it counts."""
        return {}

    @abstractmethod
    def close(self) -> None:
        """Close every connection of every thread."""

    def settled(self, run: Callable[[], T]) -> T:
        """Return what `run` returns; where the database gives its transaction up it is run again, some times.

        Raises DatabaseBusy when that did not help.
        """
        start, pause = time.monotonic(), _PAUSE
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return run()
            except Unsettled as error:
                if attempt == _ATTEMPTS or time.monotonic() - start > _PATIENCE:
                    raise DatabaseBusy from error
            # Not all at once again: what collided would collide anew.
            time.sleep(pause * random.uniform(0.5, 1.5))
            pause *= 2
        raise AssertionError("unreachable")


def open_database(url: str, durable: bool = True) -> Database:
    """Open the database that a URL names.

    url: `sqlite:///PATH` (an absolute path has a fourth stroke) or `postgresql://USER@HOST/NAME`, as libpq reads it.
    durable: off for throw-away sites only. Raises ValueError for any other URL.
    """
    scheme, _, rest = url.partition("://")
    if scheme == "sqlite" and rest.startswith("/") and rest != "/":
        from .sqlite import SqliteDatabase

        return SqliteDatabase(Path(rest[1:]), durable)
    if scheme in ("postgresql", "postgres"):
        # Loaded only where it is used: it is large, and an extra of the package.
        try:
            from .postgres import PostgresDatabase
        except ImportError as error:
            raise ValueError(f"{scheme}:// needs its driver: pip install 'vetrina[postgres]' ({error})") from None
        return PostgresDatabase(url, durable)
    raise ValueError(f"database {url!r} is not understood: write sqlite:///PATH or postgresql://USER@HOST/NAME")
