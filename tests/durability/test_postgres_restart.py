"""A database server that restarts or crashes: no client notices, and no write is lost or doubled."""

from __future__ import annotations

import contextlib
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import select

from conftest import Stand, made
from postgres_server import Missing, programs_of_wheel, user_of_server
from vetrina.backends.database import Statement
from vetrina.backends.tables.records import record
from vetrina.settings import load_profile
from vetrina.site import Site

_IDS = Statement(select(record.c.id))


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
        with psycopg.connect(f"host={folder} user=vetrina dbname=postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE site TEMPLATE template0")

    def start(self) -> None:
        options = ["-D", "data", "-c", f"unix_socket_directories={self.folder}", "-c", "listen_addresses="]
        self.process = subprocess.Popen([self._programs / "postgres", *options, "-c", "fsync=off"], **self._run)
        while subprocess.run([self._programs / "pg_isready", "-q", "-h", self.folder], **self._run).returncode:
            time.sleep(0.02)

    def end(self, how: int) -> None:
        self.process.send_signal(how)
        self.process.wait()


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


def test_a_commit_that_a_crashed_server_never_heard_of_is_none(server: Server, tmp_path: Path) -> None:
    stand_in = made(tmp_path, database=f"postgresql://vetrina@/site?host={server.folder}", cache_bytes=0)
    address = f"host={server.folder} user=vetrina dbname=site"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
    with contextlib.suppress(psycopg.OperationalError), psycopg.connect(address) as connection:
        row = connection.execute("SELECT CAST(pg_current_xact_id() AS text)").fetchone()
        assert row is not None
        server.end(signal.SIGQUIT)
        server.start()
        # It knows nothing of the number, and would give it to the next writer.
        assert stand_in.database._was_committed(row[0]) is False
        assert Stand(stand_in).client("admin").post("/cms/v2/posts", {"title": "Later"}).status == 201
        assert stand_in.database._was_committed(row[0]) is False
    stand_in.close()
