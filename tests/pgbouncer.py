"""A real PgBouncer in transaction mode in front of a server, for one test.

It does not run as root; where the tests do, it runs as the user that the server runs as. VETRINA_PGBOUNCER names
another program than the one that is installed: from 1.21 on it prepares statements.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import dict_row

from postgres_server import Missing, user_of_server

__all__ = ["MAX_PREPARED", "Bouncer", "running_bouncer"]

_PATH = "/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin"
_PORT = 6432  # the name of its socket; the folder is its own
_READY_SECONDS = 30.0
_PREPARING = (1, 21)  # the first version that prepares statements
MAX_PREPARED = 20  # statements on each connection of the server, fewer than a site has


class Bouncer:
    """A running PgBouncer. folder: where its socket is. prepares: whether it prepares statements."""

    def __init__(self, folder: Path, server: str, size: int) -> None:
        self.folder = folder
        program = os.environ.get("VETRINA_PGBOUNCER") or shutil.which("pgbouncer", path=_PATH)
        if program is None:
            raise Missing("there is no pgbouncer")
        version = re.search(r"(\d+)\.(\d+)", subprocess.check_output([program, "-V"], text=True))
        self.prepares = version is not None and (int(version[1]), int(version[2])) >= _PREPARING
        (folder / "users.txt").write_text('"vetrina" ""\n')
        (folder / "bouncer.ini").write_text(
            f"[databases]\n* = host={server}\n[pgbouncer]\nlisten_port = {_PORT}\nunix_socket_dir = {folder}\n"
            f"auth_type = trust\nauth_file = {folder}/users.txt\npool_mode = transaction\ndefault_pool_size = {size}\n"
            "admin_users = vetrina\nmax_client_conn = 500\nserver_login_retry = 1\nquery_wait_timeout = 60\n"
            + (f"max_prepared_statements = {MAX_PREPARED}\n" if self.prepares else "")
        )
        run: dict[str, Any] = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        if user := user_of_server():
            shutil.chown(folder, *user)
            run.update(user=user[0], group=user[1], extra_groups=[])
        self._start = lambda: subprocess.Popen([program, "-q", folder / "bouncer.ini"], **run)
        self.process = self._start()
        self._wait()

    def restart(self) -> None:
        """End it with all its connections, and start it again."""
        self.process.kill()
        self.process.wait()
        (self.folder / f".s.PGSQL.{_PORT}").unlink(missing_ok=True)
        self.process = self._start()
        self._wait()

    def _wait(self) -> None:
        until = time.monotonic() + _READY_SECONDS
        while not (self.folder / f".s.PGSQL.{_PORT}").exists():
            if self.process.poll() is not None or time.monotonic() > until:
                raise AssertionError("pgbouncer does not start")
            time.sleep(0.02)

    def url(self, database: str) -> str:
        """Return the URL of a database through the pool."""
        return f"postgresql://vetrina@/{database}?host={self.folder}&port={_PORT}"

    def show(self, what: str) -> list[dict[str, Any]]:
        """Return rows of the console, `pools` or `stats`."""
        address = f"host={self.folder} port={_PORT} user=vetrina dbname=pgbouncer"
        with psycopg.connect(address, autocommit=True, cursor_factory=psycopg.ClientCursor) as connection:
            return connection.cursor(row_factory=dict_row).execute(f"SHOW {what}".encode()).fetchall()


@contextmanager
def running_bouncer(server: str, size: int) -> Iterator[Bouncer]:
    """Run a pool of `size` connections for each database. server: the folder of its socket. Raises Missing."""
    folder = Path(tempfile.mkdtemp(prefix="vetrina-pool-"))
    folder.chmod(0o755)
    bouncer = None
    try:
        bouncer = Bouncer(folder, server, size)
        yield bouncer
    finally:
        if bouncer is not None:
            bouncer.process.terminate()
            bouncer.process.wait()
        shutil.rmtree(folder, ignore_errors=True)
