"""A site in a folder, and `vetrina serve` of it as processes, for tests of processes and kills."""

from __future__ import annotations

import base64
import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from vetrina.backends import database_schema
from vetrina.settings import load_profile, load_settings
from vetrina.site import Site
from vetrina.system.bootstrap import InitialAccount, bootstrap_site

__all__ = ["PASSWORD", "PATIENCE", "VETRINA", "Server", "founded", "list_children"]

VETRINA = Path(sys.executable).with_name("vetrina")
PASSWORD = "pass word of the tests"
PATIENCE = 60.0  # seconds for anything


def founded(folder: Path, database: str = "", profile: str = "first") -> Path:
    """Make a durable site with an administrator, as `vetrina init` leaves it, and return its folder."""
    named = f"database = {json.dumps(database)}\n" if database else ""
    (folder / "vetrina.toml").write_text(f'profile = "{profile}"\nsecret = "secret of the tests"\n{named}')
    site = Site(load_profile(profile), load_settings(folder), folder)
    database_schema.create_schema(site.database)
    with site.work() as work:
        bootstrap_site(work, [InitialAccount("admin", "administrator", application_password=PASSWORD)])
    site.close()
    return folder


def list_children(parent: int) -> dict[int, list[str]]:
    """Return the running processes that a process has started, with their command lines and names.

    The kernel's own list of a process's children leaves some out while another one ends.
    """
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, above = path.read_text().rpartition(")")[2].split()[:2]
            if int(above) == parent and state != "Z":
                # A consumer that was forked from its server has that one's command line.
                words = path.with_name("cmdline").read_text().split("\0")
                found[int(path.parent.name)] = words + path.with_name("comm").read_text().split()
    return found


class Server:
    """`vetrina serve` of a folder, stopped at the end of its `with`."""

    def __init__(self, folder: Path, *words: str) -> None:
        command: list[str | Path] = [VETRINA, "serve", "--site", folder, "--port", "0", *words]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        assert self.process.stdout is not None
        found = re.search(r"http://([^:/]+):(\d+)", self.process.stdout.readline())
        assert found, "the server did not say where it answers"
        self.host, self.port = found[1], int(found[2])
        self._lines: list[Line] = []

    def line(self) -> Line:
        """Return a connection for one thread, which stays open as long as the server."""
        self._lines.append(Line(self))
        return self._lines[-1]

    def _children(self) -> dict[int, bool]:
        """Return the server's processes without the job worker, and whether each checks if it would start again."""
        found = {}
        for number, words in list_children(self.process.pid).items():
            with contextlib.suppress(OSError):
                if "work" not in words:
                    found[number] = b"VETRINA_LOOKING" in Path(f"/proc/{number}/environ").read_bytes()
        return found

    def workers(self) -> set[int]:
        """Return the worker processes."""
        return {number for number, looks in self._children().items() if not looks}

    def looks(self) -> bool:
        """Say whether the server is checking if it would start again."""
        return any(self._children().values())

    def kill(self) -> None:
        """Kill every process of the server at once, as a power cut would, without any cleanup."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self._close()

    def stop(self) -> int:
        """Stop the server gracefully and return its exit status."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE)
        return self.process.returncode

    def _close(self) -> None:
        assert self.process.stdout is not None
        if not self.process.stdout.closed:
            self.process.communicate()
        for line in self._lines:
            line.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.kill()
        self._close()


class Line:
    """One client of a server. total: X-CMS-Total of its last response. signed: headers of the administrator."""

    def __init__(self, server: Server) -> None:
        self._connection = http.client.HTTPConnection(server.host, server.port, timeout=PATIENCE)
        pair = base64.b64encode(f"admin:{PASSWORD}".encode()).decode()
        self.signed = {"Authorization": f"Basic {pair}"}
        self.total = -1

    def ask(self, method: str, path: str, members: Any = None, *, signed: bool = True) -> tuple[int, Any]:
        """Send a request and return status and decoded body."""
        headers = dict(self.signed) if signed else {}
        if members is not None:
            headers["Content-Type"] = "application/json"
        body = None if members is None else json.dumps(members)
        self._connection.request(method, f"/en/cms-json{path}", body, headers)
        answer = self._connection.getresponse()
        content = answer.read()
        self.total = int(answer.headers.get("X-CMS-Total", -1))
        return answer.status, json.loads(content)

    def close(self) -> None:
        """End the connection."""
        self._connection.close()
