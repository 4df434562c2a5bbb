"""The consumer: the one loop that runs a site's jobs, whatever the number of workers.

A job is taken in one transaction and run in a second one, which also marks it done. So its work is committed with that
mark or not at all, and a job that kills its process is counted and given up in the end. Jobs as rows:
backends/job_queue.py. The process or thread of the loop: cli/work.py, asgi.py. Why no library: docs/decisions/jobs.md.
"""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable, Collection
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import NamedTuple, TypeVar

from vetrina.backends import job_queue
from vetrina.backends.job_queue import BackgroundJob
from vetrina.kernel.times import Clock

from .database import ChangeWatcher, Database, Lease, Transaction
from .transaction_retries import run_with_retries

T = TypeVar("T")

_LOG = logging.getLogger("vetrina.jobs")

_POLL_INTERVAL = 0.25  # seconds between polls; the latest start of a job that is due at once
_NEAR_POLL_INTERVAL = 0.02  # seconds between polls in the last second before a due time; the clock has whole seconds
_STANDBY_INTERVAL = 2.0  # seconds between checks whether the consumer of another process is gone
_BACKLOG_THRESHOLD = 1000  # changes that a log reader may be behind while others write
_SWEEP_INTERVAL = 60  # seconds between two runs of the periodic jobs
_RETENTION_SECONDS = {"done": 7 * 86400, "failed": 90 * 86400}  # seconds that ended jobs stay listed
_MAX_PAUSE = 30.0  # seconds; the longest pause after repeated database errors
_LONG_JOBS = 2  # jobs of long kinds that are run at once


class BacklogReader(NamedTuple):
    """A reader of the change log: how many changes it is behind, and a function that reads a batch of them."""

    count_pending: Callable[[Transaction], int]
    read_batch: Callable[[Transaction], int]


class JobConsumer:
    """Runs the jobs of a database, and lets the readers of the change log catch up.

    carry_out: runs a job in the transaction that it is given, and returns what to do after the commit, or None.
    prepare: does what a job has to wait for, outside any transaction, and returns the function that then runs it.
    sweep: does what is due again and again, and returns what to do after the commit; called at the start and every
    minute.
    reader: catches up while nobody writes, or when its backlog is large: each batch costs the writers its lock.
    long_kinds: kinds of jobs whose preparation takes minutes; `run` lets the others pass meanwhile.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        carry_out: Callable[[Transaction, BackgroundJob], Callable[[], None] | None],
        sweep: Callable[[Transaction], Callable[[], None] | None],
        reader: BacklogReader | None = None,
        prepare: Callable[[BackgroundJob], Callable[[Transaction, BackgroundJob], Callable[[], None] | None]]
        | None = None,
        long_kinds: Collection[str] = (),
    ) -> None:
        self._database, self._clock = database, clock
        self._long_kinds = frozenset(long_kinds)
        self._threads: ThreadPoolExecutor | None = None  # for jobs of these kinds, while `run` runs
        self._under_way: list[Future[None]] = []
        self._sweep, self._reader = sweep, reader
        self._prepare = prepare or (lambda job: carry_out)
        self._behind = 0
        self._watch: ChangeWatcher | None = None
        self._due: int | None = None
        self._known = False  # whether _due is current
        self._swept: int | None = None
        self._begun = False
        self._pause = 0.0
        self._working = threading.Lock()

    def run(self, stop: threading.Event) -> None:
        """Run jobs until `stop` is set, as soon as no other process does; a job in progress is finished."""
        lease = self._database.open_lease("jobs")
        try:
            # Left only when the jobs in its threads are finished, too.
            with ThreadPoolExecutor(_LONG_JOBS, "long-jobs") as self._threads:
                while not stop.is_set():
                    stop.wait(self._run_cycle(lease, stop))
        finally:
            self._threads = None
            lease.close()

    def reclaim_jobs(self) -> None:
        """Free the jobs of a dead consumer; the holder of the lease knows that no other is running."""
        now = self._clock.now()
        freed = self._run_in_transaction(lambda tx: job_queue.reclaim_jobs(tx, now, now))
        if freed:
            _LOG.warning("%s jobs were left in the middle and start again", freed)

    def run_due_jobs(self, stop: threading.Event | None = None) -> int:
        """Enqueue periodic jobs if it is time, run everything due, and return the number of attempts.

        One thread at a time: a caller beside `run` finds nothing due and nothing in progress afterwards.
        """
        with self._working:
            now = self._clock.now()
            if self._swept is None or not 0 <= now - self._swept < _SWEEP_INTERVAL:
                afterwards = self._run_in_transaction(lambda tx: self._run_sweeps(tx, now))
                self._swept = now
                if afterwards is not None:
                    afterwards()
            tried = 0
            while not (stop and stop.is_set()):
                if self._has_due_job() and self.run_next_job():
                    tried += 1
                elif stop is not None or not self._wait_for_long_jobs():
                    break
            return tried

    def catch_up(self, stop: threading.Event | None = None, whole: bool = False) -> int:
        """Let the reader of the change log catch up as far as it should now; return how many changes it read.

        whole: read to the end, even while others write.
        """
        done = 0
        while self._reader is not None and not (stop and stop.is_set()):
            with self._database.begin_read() as tx:
                behind = self._reader.count_pending(tx)
            quiet, self._behind = behind == self._behind, behind
            if not behind or not (whole or quiet or behind >= _BACKLOG_THRESHOLD):
                break
            read = self._run_in_transaction(self._reader.read_batch)
            done += read
            self._behind = max(0, behind - read)
        return done

    def run_next_job(self) -> bool:
        """Run the job that has been due longest, or begin to where it is a long one; return whether there was one."""
        job = self._run_in_transaction(lambda tx: job_queue.take_job(tx, self._clock.now()))
        if job is None:
            return False
        if self._threads is not None and job.kind in self._long_kinds:
            self._under_way = [one for one in self._under_way if not one.done()]
            self._under_way.append(self._threads.submit(self._run_long_job, job))
        else:
            self._run_job(job)
        return True

    def _wait_for_long_jobs(self) -> bool:
        """Wait until no long job runs any more, and return whether one did."""
        running = [one for one in self._under_way if not one.done()]
        wait(running)
        return bool(running)

    def _run_long_job(self, job: BackgroundJob) -> None:
        try:
            self._run_job(job)
        except Exception as error:
            # Not even its failure could be stored; the lease of the job ends some time.
            _LOG.error("job %s ended without a mark: %s %s", job.id, job.kind, job.arguments, exc_info=error)

    def _run_job(self, job: BackgroundJob) -> None:
        """Run a job that was taken, and store that it is done or why it failed."""
        try:
            carry_out = self._prepare(job)
            afterwards = self._run_in_transaction(lambda tx: self._finish(tx, job, carry_out))
        except Exception as error:
            self._record_failure(job, error)
        else:
            if afterwards is not None:
                afterwards()
            _LOG.debug("job %s is done: %s %s", job.id, job.kind, job.arguments)

    def _finish(
        self,
        tx: Transaction,
        job: BackgroundJob,
        carry_out: Callable[[Transaction, BackgroundJob], Callable[[], None] | None],
    ) -> Callable[[], None] | None:
        # Enqueued again or freed by its lease meanwhile: another run owns it.
        finished = job_queue.finish_job(tx, job, self._clock.now())
        return carry_out(tx, finished) if finished is not None else None

    def _record_failure(self, job: BackgroundJob, error: Exception) -> None:
        now, message = self._clock.now(), f"{type(error).__name__}: {error}"
        again = self._run_in_transaction(lambda tx: job_queue.fail_job(tx, job, message, now, random.random()))
        ahead = "it is given up" if again is None else f"it is tried again in {again - now} s"
        _LOG.error("job %s failed, %s: %s %s", job.id, ahead, job.kind, job.arguments, exc_info=error)

    def _run_sweeps(self, tx: Transaction, now: int) -> Callable[[], None] | None:
        afterwards = self._sweep(tx)
        for state, seconds in _RETENTION_SECONDS.items():
            job_queue.delete_ended_jobs(tx, state, now - seconds)
        return afterwards

    def _run_in_transaction(self, run: Callable[[Transaction], T]) -> T:
        def once() -> T:
            with self._database.begin_write() as tx:
                return run(tx)

        return run_with_retries(once)

    def _has_due_job(self) -> bool:
        due = self._find_next_due()
        return due is not None and due <= self._clock.now()

    def _find_next_due(self) -> int | None:
        self._watch = self._watch or self._database.watch()
        if self._watch.has_changed():
            self._known = False
        if not self._known:
            self._due = job_queue.find_next_due(self._watch)
            self._known = True
        return self._due

    def _run_cycle(self, lease: Lease, stop: threading.Event) -> float:
        """Run what is due and return the seconds until the next poll."""
        try:
            # Checked on every poll: a lease held at a server is lost with the connection.
            if not lease.acquire():
                self._begun = False
                return _STANDBY_INTERVAL
            if not self._begun:
                self.reclaim_jobs()
                self._begun = True
            self.run_due_jobs(stop)
            self.catch_up(stop)
            due = self._find_next_due()
        except Exception as error:
            # Whatever the database's error, the consumer survives it, so that jobs go on once it is repaired.
            self._pause = min(_MAX_PAUSE, max(1.0, 2 * self._pause))
            _LOG.error("jobs rest for %s s", self._pause, exc_info=error)
            return self._pause
        self._pause = 0.0
        return _NEAR_POLL_INTERVAL if due is not None and due - self._clock.now() <= 1 else _POLL_INTERVAL
