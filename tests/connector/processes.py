"""A site and a fake service as processes, which may be killed and restarted at the same URLs."""

from __future__ import annotations

import base64
import http.client
import json
import os
import re
import signal
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from free_port import find_free_port
from served import PASSWORD, PATIENCE, VETRINA
from vetrina.backends import database_schema
from vetrina.settings import load_profile, load_settings
from vetrina.site import Site
from vetrina.system.bootstrap import InitialAccount, bootstrap_site

__all__ = ["PeerProcess", "Process", "SiteProcess", "ask", "founded"]


def founded(folder: Path) -> Path:
    """Make a durable site of the second profile with an administrator."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vetrina.toml").write_text('profile = "second"\nsecret = "secret of the tests"\n')
    site = Site(load_profile("second"), load_settings(folder), folder)
    database_schema.create_schema(site.database)
    with site.work() as work:
        bootstrap_site(work, [InitialAccount("admin", "administrator", application_password=PASSWORD)])
    site.close()
    return folder


def ask(method: str, url: str, body: Any = None, *, signed_in: bool = False) -> tuple[int, Any]:
    """Return status and decoded body of one request."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=PATIENCE)
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if signed_in:
        headers["Authorization"] = "Basic " + base64.b64encode(f"admin:{PASSWORD}".encode()).decode()
    try:
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.request(method, target, json.dumps(body) if body is not None else None, headers)
        response = connection.getresponse()
        content = response.read()
        return response.status, json.loads(content) if content[:1] in b'{["tfn0123456789' else content
    finally:
        connection.close()


class Process:
    """A command that prints its URL in its first line; stopped at the end of its `with`."""

    def __init__(self, port: int, errors: Path, *words: str | Path) -> None:
        self.port, self.words, self.errors = port, [VETRINA, *words, "--port", str(port)], errors
        self.start()

    def start(self) -> None:
        with self.errors.open("a") as errors:
            self.process = subprocess.Popen(
                self.words, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert re.search(r"http://[^ ;]+", line), line

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """Kill every process of the command at once, without any cleanup."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()

    def restart(self) -> None:
        self.kill()
        self.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.process.poll() is None:
            self.kill()


class PeerProcess(Process):
    """`vetrina connector-peer`."""

    def __init__(self, file: Path, pull: float = 0) -> None:
        errors = file.with_suffix(".errors")
        super().__init__(find_free_port(), errors, "connector-peer", "--data", file, "--pull", str(pull))

    def post(self, path: str) -> Any:
        status, told = ask("POST", self.url + path)
        assert status == 200, told
        return told


class SiteProcess(Process):
    """`vetrina serve` of a site that may register with a service."""

    def __init__(self, folder: Path, service: str, *words: str) -> None:
        super().__init__(
            find_free_port(),
            folder / "errors.txt",
            "serve",
            "--site",
            folder,
            "--log",
            "error",
            "--set",
            f'connector.service_url="{service}"',
            *words,
        )

    def rest(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        return ask(method, f"{self.url}/en/cms-json{path}", body, signed_in=True)
