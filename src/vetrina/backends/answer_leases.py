"""How long a machine may serve kept answers without asking the database, and what that costs writers elsewhere.

A machine registers a lease as a row of the database. A process of it that has read the change log may take what it
read for the newest for `_LEASE_SECONDS`, as long as no writer of its own machine commits (backends/commit_marks.py). A
writer of another machine finds the row, revokes it in its own transaction and acknowledges that only when what was
granted by it has run out; the machine then asks for each answer, as without a lease, until nobody else has written for
a while. So a database that one machine writes to pays nothing, and no message has to arrive for an answer to be true
(docs/decisions/kept_answers.md).
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from math import inf
from typing import Final

from sqlalchemy import bindparam, delete, insert, literal_column, select, update

from vetrina.backends.commit_marks import CommitMarks
from vetrina.backends.tables.records import counter

from .database import Row, Statement, Transaction
from .statement_cache import InList, encode_list
from .transaction_retries import RetryableError

_LOG: Final = logging.getLogger("vetrina.leases")
_LEASE_SECONDS: Final = 0.05  # after its reading of the log began
_WAIT_SECONDS: Final = 0.06  # after the commit, by the writer's clock, which may run faster than that of a reader
_WORTH: Final = 64  # answers of a process that were asked for, before a lease is worth a transaction
_OPEN_SECONDS: Final = 1.0  # after which the writer of an open mark is taken for dead
_REST_SECONDS: Final = 60.0  # after another machine has written
_PREFIX: Final = "lease "  # of the counters; then the machine and a number that is never used again
_AFTER_PREFIX: Final = _PREFIX[:-1] + chr(ord(_PREFIX[-1]) + 1)  # the first text after all that begin with it
_ACTIVE, _REVOKED = 1, 0

# Without bound values, for which PostgreSQL would plan it again with every write.
LIST_LEASES: Final = Statement(
    select(counter.c.name, counter.c.value).where(
        counter.c.name >= literal_column(f"'{_PREFIX}'"), counter.c.name < literal_column(f"'{_AFTER_PREFIX}'")
    )
)
FIND_LEASE: Final = Statement(
    select(counter.c.name).where(counter.c.name == bindparam("name"), counter.c.value == _ACTIVE)
)
_REVOKE: Final = Statement(update(counter).where(InList(counter.c.name, "names")).values(value=_REVOKED))
_DELETE: Final = Statement(delete(counter).where(InList(counter.c.name, "names")))
_REGISTER: Final = Statement(insert(counter).values(name=bindparam("name"), value=_ACTIVE))


def read_clock() -> float:
    """Return seconds of a clock that nobody sets, and that goes on while the machine sleeps where there is one."""
    return time.clock_gettime(_CLOCK)


_CLOCK: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class LeasedReading:
    """What one reader knows of the log: until when, and as of which mark, its last reading holds.

    begin: before a reading. complete: after it; found: the rows of FIND_LEASE, which the server answered before it.
    """

    __slots__ = ("_mark", "_next_mark", "_next_until", "_until")

    def __init__(self) -> None:
        self._mark: int | None = None
        self._next_mark: int | None = None
        self._until = self._next_until = 0.0

    def is_newest(self, marks: CommitMarks) -> bool:
        """Return whether nothing can have been committed since the reading; ask after the request was read."""
        return self._mark == marks.mark and read_clock() < self._until

    def begin(self, marks: CommitMarks) -> None:
        """Note what is known before a reading."""
        self._mark = None
        self._next_mark = marks.settled_mark
        self._next_until = read_clock() + _LEASE_SECONDS

    def complete(self, found: Sequence[Row]) -> None:
        """Note that the reading is there."""
        if found:
            self._mark, self._until = self._next_mark, self._next_until
        self._next_mark = None


class MachineLease:
    """The lease of this machine, as one process of it sees it."""

    def __init__(self, marks: CommitMarks, begin_write: Callable[[], AbstractContextManager[Transaction]]) -> None:
        self.marks, self._begin_write = marks, begin_write
        self._asked, self._asked_since = 0, 0.0
        self._rests_until = 0.0
        self._revoked = 0
        self._thread: threading.Thread | None = None

    @property
    def name(self) -> str:
        """Return the name of the row, empty while there is none that holds."""
        number = self.marks.lease
        return "" if not number or number == self._revoked else self._name(number)

    def note_reading(self, name: str, is_held: bool) -> None:
        """Count a reading of the log; register a lease where it is worth that. name: of the row that was looked for."""
        if is_held and self.marks.settled_mark is not None:
            self._asked = 0
            return
        now = read_clock()
        if name and not is_held:
            self._revoked = _get_number(name)
            self._rests_until = now + _REST_SECONDS
        if not self._asked:
            self._asked_since = now
        self._asked += 1
        # A mark that is open may be that of a writer who lives.
        is_due = now >= (self._asked_since + _OPEN_SECONDS if is_held else self._rests_until)
        if self._asked >= _WORTH and is_due and (self._thread is None or not self._thread.is_alive()):
            self._asked = 0
            self._thread = threading.Thread(target=self._register, name="lease", daemon=True)
            self._thread.start()

    def _register(self) -> None:
        """Make a lease where none holds; the commit also settles the mark that a dead writer left open."""
        try:
            with self._begin_write() as tx:
                own = {str(name): int(value) for name, value in tx.all(LIST_LEASES) if self.is_own(name)}
                # Another process of this machine may have made one.
                active = [name for name, value in own.items() if value == _ACTIVE]
                name = active[0] if active else self._name(secrets.randbits(63) + 1)
                if not active:
                    # What an old one has granted has run out when what the new one grants has: it goes only with it.
                    tx.run(_DELETE, names=encode_list(own))
                    tx.run(_REGISTER, name=name)
                tx.note_change()
        except RetryableError:
            return
        except Exception:
            _LOG.exception("a lease for kept answers could not be registered; each is asked for")
            self._rests_until = read_clock() + _REST_SECONDS
        else:
            # Only now: readers take a lease whose row they do not find for one that was revoked.
            self.marks.lease = _get_number(name)

    def _name(self, number: int) -> str:
        return f"{_PREFIX}{self.marks.machine} {number:016x}"

    def is_own(self, name: str) -> bool:
        """Return whether a row is of this machine."""
        return name.startswith(f"{_PREFIX}{self.marks.machine} ")

    def wait(self) -> None:
        """Return when no lease is being registered."""
        if self._thread is not None:
            self._thread.join()


def _get_number(name: str) -> int:
    return int(name.rpartition(" ")[2], 16)


class ForeignLeases:
    """What the writers of this process know of the leases of other machines."""

    def __init__(self) -> None:
        self._harmless_after: dict[str, float] = {}

    def revoke(self, tx: Transaction, rows: Sequence[Row], is_own: Callable[[str], bool]) -> list[str]:
        """Revoke the leases of others at the end of a transaction; return those that its acknowledgement waits for.

        rows: those of LIST_LEASES, read by the only writer. is_own: whether a row is of this machine.
        """
        foreign = [(str(name), int(value)) for name, value in rows if not is_own(name)]
        if not foreign:
            return []
        now, over, active, pending = read_clock(), [], [], []
        for name, value in foreign:
            if value == _ACTIVE:
                active.append(name)
            elif self._harmless_after.get(name, inf) <= now:
                over.append(name)
            else:
                pending.append(name)
        if active:
            tx.run(_REVOKE, names=encode_list(active))
        if over:
            tx.run(_DELETE, names=encode_list(over))
            for name in over:
                del self._harmless_after[name]
        return active + pending

    def get_wait(self, names: Sequence[str]) -> float:
        """Return how many seconds the acknowledgement of a commit, which is made now, has to wait for these leases."""
        now = read_clock()
        for name in names:
            self._harmless_after.setdefault(name, now + _WAIT_SECONDS)
        return max((self._harmless_after[name] for name in names), default=now) - now
