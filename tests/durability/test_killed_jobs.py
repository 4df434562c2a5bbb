"""Jobs of a worker killed at any time: all are run, with the effects of each stored once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from vetrina.backends import database_schema, job_queue
from vetrina.backends.database import Database, Statement, open_database
from vetrina.backends.tables.change_log import change
from vetrina.backends.tables.jobs import job

JOBS = 60
PATIENCE = 60  # seconds

_WRITTEN = Statement(select(change.c.item, change.c.action).where(change.c.kind == "job").order_by(change.c.sequence))
_STATES = Statement(select(job.c.state, job.c.attempts).order_by(job.c.id))

# A handler that writes, waits and writes again: most of its runs are killed in the middle.
CONSUMER = """
import sys, threading, time
from vetrina.backends.job_consumer import JobConsumer
from vetrina.backends.database import open_database
from vetrina.backends.change_log import log_change
from vetrina.kernel.times import SystemClock

def carry_out(tx, job):
    log_change(tx, "job", job.arguments["number"], "began", 0)
    print("in the middle", flush=True)
    time.sleep(float(sys.argv[2]))
    log_change(tx, "job", job.arguments["number"], "ended", 0)

database = open_database(sys.argv[1])
JobConsumer(database, SystemClock(), carry_out, lambda tx: None).run(threading.Event())
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """An empty site on each kind of database; url: as the worker is given it."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'site.sqlite'}"
    else:
        url = request.getfixturevalue("postgres").new()
    database = open_database(url)
    database.url = url  # type: ignore[attr-defined]
    database_schema.create_schema(database)
    yield database
    database.close()
    if request.param == "postgresql":
        request.getfixturevalue("postgres").drop(url)


def put(database: Database, jobs: int) -> None:
    with database.begin_write() as tx:
        for number in range(jobs):
            job_queue.enqueue_job(tx, "count", {"number": number}, due=0, now=0)


def started(database: Database, seconds: float) -> subprocess.Popen[str]:
    """Start a worker whose jobs take some seconds, and return when it is in the middle of one."""
    words = [sys.executable, "-c", CONSUMER, database.url, str(seconds)]  # type: ignore[attr-defined]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "in the middle\n"
    return process


def killed(process: subprocess.Popen[str]) -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


def written(database: Database) -> list[tuple[str, str]]:
    with database.begin_read() as tx:
        return [(row[0], row[1]) for row in tx.all(_WRITTEN)]


def states(database: Database) -> list[tuple[str, int]]:
    with database.begin_read() as tx:
        return [(row[0], row[1]) for row in tx.all(_STATES)]


def test_a_job_killed_in_the_middle_leaves_nothing_and_starts_again_at_once(
    database: Database,
) -> None:
    put(database, 1)
    killed(started(database, 60))
    assert (written(database), states(database)) == ([], [("running", 1)])
    begun = time.monotonic()
    process = started(database, 0)
    while states(database) != [("done", 2)]:
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.01)
    killed(process)
    assert written(database) == [("0", "began"), ("0", "ended")]


def test_jobs_of_a_consumer_killed_many_times_are_each_carried_out_once(
    database: Database,
) -> None:
    put(database, JOBS)
    begun, kills = time.monotonic(), 0
    while any(state != "done" for state, _ in states(database)):
        assert time.monotonic() - begun < PATIENCE, states(database)
        process = started(database, 0.002)
        # Later each time, so that kills fall everywhere: into a job, between its two transactions, between two jobs.
        time.sleep(0.1 + 0.017 * kills)
        killed(process)
        kills += 1
    assert kills > 1
    assert written(database) == [(str(number), word) for number in range(JOBS) for word in ("began", "ended")]
