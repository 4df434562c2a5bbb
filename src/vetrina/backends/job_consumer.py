"""The consumer: the one loop that carries out a site's jobs, whatever the number of workers.

A job is taken in one transaction and carried out in a second one, which also marks it done. So the work of a job is
kept with that mark or not at all, and a job that kills its process is counted and in the end given up. Not here: jobs
as rows (backends/job_queue.py), what a job does (handed in), the process or thread that runs the loop (cli/work.py,
site.py). Why there is no library for this: docs/decisions/jobs.md.
"""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from vetrina.backends import job_queue
from vetrina.backends.job_queue import Job
from vetrina.kernel.times import Clock

from .database import Database, Turn, Tx, Watch

__all__ = ["Consumer", "Reader"]

T = TypeVar("T")

_LOG = logging.getLogger("vetrina.jobs")

_LOOK = 0.25  # seconds between two looks at the table; how late a job starts that is due at once
_NEAR = 0.02  # seconds between looks in the last second before a date, which the clock does not divide
_STAND_BY = 2.0  # seconds between looks whether the consumer of another process has gone
_MUCH = 1000  # changes that a reader may be behind while others write
_SWEEP = 60  # seconds between two sweeps
_KEEP = {"done": 7 * 86400, "failed": 90 * 86400}  # seconds that ended jobs stay listed
_LONGEST_PAUSE = 30.0  # seconds that the loop rests after the database refused several times


class Reader(NamedTuple):
    """One that reads on in the change log: how many changes it is behind, and reading a batch of them."""

    behind: Callable[[Tx], int]
    read: Callable[[Tx], int]


class Consumer:
    """Carries out the jobs of a database, and lets those who read the change log catch up.

    carry_out: does what a job says, in the transaction that it is given, and returns what is left to do when that is
    kept, or None.
    prepare: does what a job has to wait for, outside every transaction, and returns what then carries it out.
    sweep: notes jobs that should be there and are not; called at the start and every minute.
    reader: catches up when nobody writes, or when much has gathered: each batch costs the writers its lock.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        carry_out: Callable[[Tx, Job], Callable[[], None] | None],
        sweep: Callable[[Tx], None],
        reader: Reader | None = None,
        prepare: Callable[[Job], Callable[[Tx, Job], Callable[[], None] | None]] | None = None,
    ) -> None:
        self._database, self._clock = database, clock
        self._sweep, self._reader = sweep, reader
        self._prepare = prepare or (lambda job: carry_out)
        self._behind = 0
        self._watch: Watch | None = None
        self._due: int | None = None
        self._known = False  # whether _due is still true
        self._swept: int | None = None
        self._begun = False
        self._pause = 0.0
        self._working = threading.Lock()

    def run(self, stop: threading.Event) -> None:
        """Carry out jobs until `stop` is set, as soon as no other process does; the job at hand is finished."""
        turn = self._database.turn("jobs")
        try:
            while not stop.is_set():
                stop.wait(self._look(turn, stop))
        finally:
            turn.close()

    def begin(self) -> None:
        """Free the jobs of a consumer that died; whoever has the turn knows that no other is at work."""
        now = self._clock.now()
        freed = self._write(lambda tx: job_queue.reclaim(tx, now, now))
        if freed:
            _LOG.warning("%s jobs were left in the middle and start again", freed)

    def work_off(self, stop: threading.Event | None = None) -> int:
        """Sweep when it is time, carry out all that is due, and return the number of jobs that were tried.

        One thread at a time: who calls it beside `run` finds nothing due and nothing at hand afterwards.
        """
        with self._working:
            now = self._clock.now()
            if self._swept is None or not 0 <= now - self._swept < _SWEEP:
                self._write(lambda tx: self._tidy(tx, now))
                self._swept = now
            tried = 0
            while not (stop and stop.is_set()) and self._is_due() and self.carry_out_next():
                tried += 1
            return tried

    def read_on(self, stop: threading.Event | None = None, whole: bool = False) -> int:
        """Let the reader of the change log catch up as far as it should now; return how many changes it read.

        whole: to the end, whoever writes meanwhile.
        """
        done = 0
        while self._reader is not None and not (stop and stop.is_set()):
            with self._database.reading() as tx:
                behind = self._reader.behind(tx)
            quiet, self._behind = behind == self._behind, behind
            if not behind or not (whole or quiet or behind >= _MUCH):
                break
            read = self._write(self._reader.read)
            done += read
            self._behind = max(0, behind - read)
        return done

    def carry_out_next(self) -> bool:
        """Carry out the job that is due longest and say whether there was one."""
        job = self._write(lambda tx: job_queue.take(tx, self._clock.now()))
        if job is None:
            return False
        try:
            carry_out = self._prepare(job)
            afterwards = self._write(lambda tx: self._finish(tx, job, carry_out))
        except Exception as error:
            self._failed(job, error)
        else:
            if afterwards is not None:
                afterwards()
            _LOG.debug("job %s is done: %s %s", job.id, job.kind, job.arguments)
        return True

    def _finish(
        self, tx: Tx, job: Job, carry_out: Callable[[Tx, Job], Callable[[], None] | None]
    ) -> Callable[[], None] | None:
        # Put anew, or freed by its lease, meanwhile: then it is somebody else's.
        held = job_queue.finish(tx, job, self._clock.now())
        return carry_out(tx, held) if held is not None else None

    def _failed(self, job: Job, error: Exception) -> None:
        now, told = self._clock.now(), f"{type(error).__name__}: {error}"
        again = self._write(lambda tx: job_queue.fail(tx, job, told, now, random.random()))
        ahead = "it is given up" if again is None else f"it is tried again in {again - now} s"
        _LOG.error("job %s failed, %s: %s %s", job.id, ahead, job.kind, job.arguments, exc_info=error)

    def _tidy(self, tx: Tx, now: int) -> None:
        self._sweep(tx)
        for state, seconds in _KEEP.items():
            job_queue.forget(tx, state, now - seconds)

    def _write(self, run: Callable[[Tx], T]) -> T:
        def once() -> T:
            with self._database.writing() as tx:
                return run(tx)

        return self._database.settled(once)

    def _is_due(self) -> bool:
        due = self._next_due()
        return due is not None and due <= self._clock.now()

    def _next_due(self) -> int | None:
        self._watch = self._watch or self._database.watch()
        if self._watch.moved():
            self._known = False
        if not self._known:
            self._due = job_queue.next_due(self._watch)
            self._known = True
        return self._due

    def _look(self, turn: Turn, stop: threading.Event) -> float:
        """Work off what is due and return the seconds until the next look."""
        try:
            # Asked at every look: the turn at a server is lost with the connection.
            if not turn.taken():
                self._begun = False
                return _STAND_BY
            if not self._begun:
                self.begin()
                self._begun = True
            self.work_off(stop)
            self.read_on(stop)
            due = self._next_due()
        except Exception as error:
            # Whatever ails the database, the consumer outlives it: somebody will mend it and expect jobs to go on.
            self._pause = min(_LONGEST_PAUSE, max(1.0, 2 * self._pause))
            _LOG.error("jobs rest for %s s", self._pause, exc_info=error)
            return self._pause
        self._pause = 0.0
        return _NEAR if due is not None and due - self._clock.now() <= 1 else _LOOK
