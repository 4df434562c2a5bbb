"""A database server that restarts or crashes: no client notices, and no write is lost or doubled."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import bindparam, insert, select, text

import served
from conftest import Stand, made
from postgres_server import Missing, programs_of_wheel, user_of_server
from vetrina.backends import database_schema
from vetrina.backends.database import Database, Statement, open_database
from vetrina.backends.libpq import PreparedConnection, QueuedStatement
from vetrina.backends.postgres_transaction import DIALECT
from vetrina.backends.tables.records import counter, record
from vetrina.backends.transaction_retries import run_with_retries
from vetrina.settings import load_profile
from vetrina.site import Site

_IDS = Statement(select(record.c.id))
_ADD = Statement(insert(counter).values(name=bindparam("name"), value=0))
_NAMES = Statement(select(counter.c.name).order_by(counter.c.name))
_NUMBER = Statement(text("SELECT CAST(pg_current_xact_id() AS text)"))


class Server:
    """A PostgreSQL for one test, which may stop it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._programs, user = folder, programs_of_wheel(), user_of_server()
        self._run: dict[str, Any] = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        if user:
            shutil.chown(folder, *user)
            self._run.update(user=user[0], group=user[1], extra_groups=[])
        options = ["-D", "data", "-U", "vetrina", "--auth=trust", "--locale=C.UTF-8", "-E", "UTF8", "--no-sync"]
        subprocess.run([self._programs / "initdb", *options], check=True, **self._run)
        self.start()
        with psycopg.connect(conninfo(self, "postgres"), autocommit=True) as connection:
            connection.execute("CREATE DATABASE site TEMPLATE template0")

    def start(self) -> None:
        options = ["-D", "data", "-c", f"unix_socket_directories={self.folder}", "-c", "listen_addresses="]
        self.process = subprocess.Popen([self._programs / "postgres", *options, "-c", "fsync=off"], **self._run)
        while subprocess.run([self._programs / "pg_isready", "-q", "-h", self.folder], **self._run).returncode:
            time.sleep(0.02)

    def end(self, how: int) -> None:
        self.process.send_signal(how)
        self.process.wait()


def conninfo(server: Server, name: str = "site") -> str:
    return f"host={server.folder} user=vetrina dbname={name}"


@pytest.fixture
def server() -> Iterator[Server]:
    folder = Path(tempfile.mkdtemp(prefix="vetrina-pg-"))
    folder.chmod(0o755)
    try:
        server = Server(folder)
    except Missing as error:
        pytest.skip(f"no PostgreSQL: {error}")
    yield server
    server.end(signal.SIGQUIT)
    shutil.rmtree(folder, ignore_errors=True)


def test_no_client_notices_that_the_server_was_started_again(server: Server, tmp_path: Path) -> None:
    # Cached responses belong to the one event loop of a process; here are several threads.
    stand_in = made(tmp_path, database=f"postgresql://vetrina@/site?host={server.folder}", cache_bytes=0)
    stand_in.close()
    site = Site(load_profile("first"), stand_in.context.settings, tmp_path, durable=True)
    stand, stop = Stand(site), threading.Event()
    answers, acknowledged = Counter[tuple[str, int]](), list[int]()

    def ask(number: int) -> None:
        turn = 0
        while not stop.is_set():
            turn += 1
            written = stand.client("admin").post("/cms/v2/posts", {"title": f"{number} {turn}", "status": "publish"})
            answers["POST", written.status] += 1
            acknowledged.append(written.json.get("id"))
            answers["GET", stand.client().get("/cms/v2/posts").status] += 1

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    # Once cleanly, and once as after a crash.
    for how in (signal.SIGINT, signal.SIGQUIT):
        time.sleep(0.4)
        server.end(how)
        time.sleep(0.2)
        server.start()
    time.sleep(0.4)
    stop.set()
    for thread in threads:
        thread.join()
    with site.work(read=True) as work:
        stored = sorted(row[0] for row in work.tx.all(_IDS))
    site.close()
    assert {status for _, status in answers} == {200, 201}
    assert sorted(acknowledged) == stored


def test_workers_that_end_while_the_database_is_down_are_replaced(server: Server, tmp_path: Path) -> None:
    def wait_until(true: Callable[[], bool]) -> None:
        until = time.monotonic() + served.PATIENCE
        while not true():
            assert time.monotonic() < until
            time.sleep(0.05)

    served.founded(tmp_path, f"postgresql://vetrina@/site?host={server.folder}")
    with served.Server(tmp_path, "--workers", "2") as site:
        wait_until(lambda: len(site.workers()) == 2)
        server.end(signal.SIGINT)
        for worker in site.workers():
            os.kill(worker, signal.SIGKILL)
            wait_until(lambda worker=worker: len(site.workers() - {worker}) == 2)
        server.start()
        wait_until(lambda: site.line().ask("GET", "/cms/v2/posts", signed=False)[0] == 200)
        assert site.process.poll() is None


@pytest.mark.parametrize("others", ["", "abc"])
def test_a_commit_is_not_mistaken_for_the_one_that_got_its_number_after_a_crash(
    server: Server, monkeypatch: pytest.MonkeyPatch, others: str
) -> None:
    """A server that crashes with a commit which it has not begun gives its number to another process's transaction."""
    url = f"postgresql://vetrina@/site?host={server.folder}"
    database, other = open_database(url), open_database(url)
    database_schema.create_schema(database)
    real, lost = PreparedConnection.exchange, list[int]()

    def crash(line: PreparedConnection, statements: Sequence[QueuedStatement]) -> None:
        if statements[-1].form.text != "COMMIT" or lost:
            real(line, statements)
            return
        asked = QueuedStatement(_NUMBER.compile_for(DIALECT), (), (), ())
        real(line, [*statements[:-1], asked])
        lost.append(int((asked.result and asked.result.get_value(0, 0)) or 0))
        backend = line._connection.backend_pid
        os.kill(backend, signal.SIGSTOP)
        line.send(statements[-1:])
        os.kill(backend, signal.SIGKILL)
        server.end(signal.SIGQUIT)
        server.start()
        # The first has the number again: else nothing would be shown.
        assert [write(other, name) for name in others][:1] in ([], lost)
        line.settle()

    def work() -> None:
        write(database, "own")

    with psycopg.connect(conninfo(server), autocommit=True) as connection:
        connection.execute("CHECKPOINT")
    monkeypatch.setattr(PreparedConnection, "exchange", crash)
    run_with_retries(work)
    with database.begin_read() as tx:
        assert [row[0] for row in tx.all(_NAMES)] == sorted([*others, "own"])
    assert len(lost) == 1
    other.close()
    database.close()


def write(database: Database, name: str) -> int:
    """Write a row and return the number of its transaction."""
    with database.begin_write() as tx:
        tx.run(_ADD, name=name)
        return int(tx.value(_NUMBER))
