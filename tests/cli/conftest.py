"""The command, run in this process and as a process of its own."""

from __future__ import annotations

import base64
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner, Result

from served import list_children
from vetrina.cli import main

VETRINA = Path(sys.executable).with_name("vetrina")
PATIENCE = 90  # seconds for a process before the test gives up


def basic(login: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{login}:{password}".encode()).decode()


@dataclass
class Made:
    """A site made by `vetrina init`, and the command's output."""

    folder: Path
    said: str

    @property
    def application_password(self) -> str:
        found = re.search(r"application password +(.+)", self.said)
        assert found
        return found[1]


class Server:
    """A running `vetrina serve`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stdout is not None
        self.first_line = process.stdout.readline()
        found = re.search(r"http://\S+", self.first_line)
        assert found, f"the first line is {self.first_line!r}"
        self.root = found[0].rstrip("/")
        self.host, self.port = urlsplit(self.root).hostname or "", urlsplit(self.root).port or 0

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)

    def ask(self, method: str, path: str, body: Any = None, login: str = "", password: str = "") -> tuple[int, Any]:
        """Send a request on its own connection, and return status and decoded JSON."""
        connection = self.connect()
        headers = {"content-type": "application/json"}
        if login:
            headers["authorization"] = basic(login, password)
        text = None if body is None else json.dumps(body)
        connection.request(method, urlsplit(self.root).path + path, text, headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, json.loads(content)

    def children(self) -> dict[int, list[str]]:
        """Return the processes that the server started, with their command lines."""
        return list_children(self.process.pid)

    def workers(self) -> list[int]:
        return [number for number, words in self.children().items() if "work" not in words]

    def consumers(self) -> list[int]:
        return [number for number, words in self.children().items() if "work" in words]

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and return the exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def errors(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read()


@pytest.fixture
def vetrina() -> Callable[..., Result]:
    """Call the command in this process."""

    def call(*words: str | Path, input: str | None = None) -> Result:
        return CliRunner().invoke(main, [str(word) for word in words], input=input, catch_exceptions=False)

    return call


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start `vetrina serve` on a free port, with temporary folders of the test."""
    started: list[subprocess.Popen[str]] = []

    def start(*words: str | Path) -> Server:
        process = subprocess.Popen(
            [VETRINA, "serve", "--port", "0", *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(tmp_path)},
        )
        started.append(process)
        return Server(process)

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture(scope="session")
def prepared_site(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("made") / "site"
    result = CliRunner().invoke(main, ["init", str(folder)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return Made(folder, result.output)


@pytest.fixture
def made(prepared_site: Made, tmp_path: Path) -> Made:
    """A new site for one test."""
    folder = tmp_path / "site"
    shutil.copytree(prepared_site.folder, folder)
    return Made(folder, prepared_site.said)
