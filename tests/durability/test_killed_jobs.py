"""Jobs of a consumer that is killed in the middle: all are carried out, and what each wrote is there once."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

JOBS = 60
PATIENCE = 60  # seconds

# A handler that writes, waits and writes again: a kill falls into the middle of most of its runs.
CONSUMER = """
import sys, threading, time
from vetrina.backends.consumer import Consumer
from vetrina.backends.database import open_database
from vetrina.backends.journal import note
from vetrina.kernel.times import SystemClock

def carry_out(tx, job):
    note(tx, "job", job.arguments["number"], "began", 0)
    print("in the middle", flush=True)
    time.sleep(float(sys.argv[2]))
    note(tx, "job", job.arguments["number"], "ended", 0)

database = open_database("sqlite:///" + sys.argv[1])
Consumer(database, SystemClock(), carry_out, lambda tx: None).run(threading.Event())
"""


@pytest.fixture
def database(prepared: Path, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    shutil.copy(prepared / "site.sqlite", tmp_path / "site.sqlite")
    connection = sqlite3.connect(tmp_path / "site.sqlite", timeout=PATIENCE, isolation_level=None)
    yield connection
    connection.close()


def put(database: sqlite3.Connection, jobs: int) -> None:
    database.execute("BEGIN")
    database.executemany(
        "INSERT INTO job (kind, arguments, due, state, attempts, last_error, created) VALUES "
        "('count', json_object('number', ?), 0, 'waiting', 0, '', 0)",
        [(number,) for number in range(jobs)],
    )
    database.execute("COMMIT")


def started(path: Path, seconds: float) -> subprocess.Popen[str]:
    """Start a consumer whose jobs take some seconds, and return when it is in the middle of one."""
    words = [sys.executable, "-c", CONSUMER, str(path), str(seconds)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "in the middle\n"
    return process


def killed(process: subprocess.Popen[str]) -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


def written(database: sqlite3.Connection) -> list[tuple[str, str]]:
    return database.execute("SELECT item, action FROM change WHERE kind = 'job' ORDER BY sequence").fetchall()


def states(database: sqlite3.Connection) -> list[tuple[str, int]]:
    return database.execute("SELECT state, attempts FROM job ORDER BY id").fetchall()


def test_a_job_killed_in_the_middle_leaves_nothing_and_starts_again_at_once(
    database: sqlite3.Connection, tmp_path: Path
) -> None:
    put(database, 1)
    killed(started(tmp_path / "site.sqlite", 60))
    assert (written(database), states(database)) == ([], [("running", 1)])
    begun = time.monotonic()
    process = started(tmp_path / "site.sqlite", 0)
    while states(database) != [("done", 2)]:
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.01)
    killed(process)
    assert written(database) == [("0", "began"), ("0", "ended")]


def test_jobs_of_a_consumer_killed_many_times_are_each_carried_out_once(
    database: sqlite3.Connection, tmp_path: Path
) -> None:
    put(database, JOBS)
    begun, kills = time.monotonic(), 0
    while any(state != "done" for state, _ in states(database)):
        assert time.monotonic() - begun < PATIENCE, states(database)
        process = started(tmp_path / "site.sqlite", 0.002)
        # Ever later, so that kills fall everywhere: into a job, between its two transactions, between two jobs.
        time.sleep(0.1 + 0.017 * kills)
        killed(process)
        kills += 1
    assert kills > 1
    assert written(database) == [(str(number), word) for number in range(JOBS) for word in ("began", "ended")]
