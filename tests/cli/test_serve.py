"""`vetrina serve` as a process: output, state, and shutdown."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from vetrina.backends.database_schema import HEAD_REVISION

from .conftest import PATIENCE, Made, Server, basic

USERS = [
    {"login": "admin", "role": "administrator", "email": "a@example.org", "application_password": "open sesame"},
    {"login": "reader", "role": "subscriber", "application_password": "read only"},
]


def eventually(true: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.02)
    return False


def is_refused(server: Server) -> bool:
    """Return whether a server takes no connections any more."""
    try:
        socket.create_connection((server.host, server.port), timeout=PATIENCE).close()
    except ConnectionRefusedError:
        return True
    except ConnectionResetError:
        # It waited to be accepted while the port was closed.
        return False
    return False


@pytest.fixture
def users(tmp_path: Path) -> Path:
    path = tmp_path / "users.json"
    path.write_text(json.dumps(USERS))
    return path


def test_a_stand_in_has_the_given_accounts_and_leaves_nothing(
    serving: Callable[..., Server], users: Path, tmp_path: Path
) -> None:
    server = serving("--ephemeral", "--users", users, "--profile", "second", "--set", "title=Trial")
    assert server.first_line == f"Vetrina answers at {server.root}/ (Ctrl-C stops it)\n"
    assert server.root.endswith("/en/cms-json")
    assert server.ask("GET", "/")[1]["name"] == "Trial"
    assert server.ask("GET", "/cms/v2/posts") == (200, [])
    assert server.ask("GET", "/cms/v2/users/me", login="reader", password="read only")[1]["name"] == "reader"
    status, made = server.ask("POST", "/cms/v2/posts", {"title": "Hello"}, "admin", "open sesame")
    assert (status, made["title"]["raw"]) == (201, "Hello")
    assert [path.name for path in tmp_path.glob("vetrina-*")]
    assert server.stop() == 0
    assert not list(tmp_path.glob("vetrina-*"))
    assert server.errors() == ""


def test_a_stand_in_without_accounts_says_its_administrators_password(serving: Callable[..., Server]) -> None:
    server = serving("--ephemeral")
    password = server.line().rpartition(": ")[2].strip()
    assert server.ask("GET", "/cms/v2/users/me", login="admin", password=password)[0] == 200
    assert server.stop(signal.SIGINT) == 0


def test_workers_share_one_site(serving: Callable[..., Server], users: Path) -> None:
    server = serving("--ephemeral", "--users", users, "--workers", "2")
    assert eventually(lambda: len(server.workers()) == 2)
    for number in range(1, 11):
        status, _ = server.ask("POST", "/cms/v2/posts", {"title": "x", "status": "publish"}, "admin", "open sesame")
        assert status == 201
        assert len(server.ask("GET", "/cms/v2/posts?per_page=100")[1]) == number
    assert server.stop() == 0


def test_a_request_that_has_begun_is_finished_before_the_stop(serving: Callable[..., Server], made: Made) -> None:
    server = serving("--site", made.folder)
    idle = server.connect()
    idle.request("GET", "/en/cms-json/")
    idle.getresponse().read()
    body = json.dumps({"title": "Written late", "status": "publish"}).encode()
    slow = socket.create_connection((server.host, server.port))
    head = (
        f"POST /en/cms-json/cms/v2/posts HTTP/1.1\r\nhost: {server.host}:{server.port}\r\n"
        f"authorization: {basic('admin', made.application_password)}\r\n"
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\nexpect: 100-continue\r\n\r\n"
    )
    slow.sendall(head.encode())
    slow.settimeout(PATIENCE)
    # The server has begun to read the body.
    assert slow.recv(4096).startswith(b"HTTP/1.1 100 ")
    slow.sendall(body[:10])
    server.process.send_signal(signal.SIGTERM)
    assert eventually(lambda: is_refused(server))
    assert server.process.poll() is None
    slow.sendall(body[10:])
    assert slow.recv(4096).startswith(b"HTTP/1.1 201 ")
    # An open connection without a request delays nobody.
    assert server.process.wait(PATIENCE) == 0
    assert server.errors() == ""
    slow.close()
    idle.close()
    # The last worker has written everything to the one file.
    assert not [path.name for path in made.folder.iterdir() if path.name.endswith(("-wal", "-shm"))]
    again = serving("--site", made.folder)
    assert "Written late" in [post["title"]["rendered"] for post in again.ask("GET", "/cms/v2/posts")[1]]
    assert again.stop() == 0


def test_a_write_that_waits_for_another_is_finished_before_the_stop(serving: Callable[..., Server], made: Made) -> None:
    server = serving("--site", made.folder)
    other = sqlite3.connect(made.folder / "site.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    connection = server.connect()
    body = json.dumps({"name": "patience"}).encode()
    connection.putrequest("POST", "/en/cms-json/cms/v2/tags")
    for name, value in {
        "authorization": basic("admin", made.application_password), "content-type": "application/json",
        "content-length": str(len(body)), "expect": "100-continue",
    }.items():  # fmt: skip
        connection.putheader(name, value)
    connection.endheaders()
    assert connection.sock.recv(4096).startswith(b"HTTP/1.1 100 "), "the server has begun to read"
    connection.send(body)
    server.process.send_signal(signal.SIGINT)
    assert eventually(lambda: is_refused(server))
    other.execute("ROLLBACK")
    other.close()
    assert connection.getresponse().status == 201
    assert server.process.wait(PATIENCE) == 0
    connection.close()


def test_debug_logs_a_line_for_every_request_and_nothing_else_does(serving: Callable[..., Server]) -> None:
    server = serving("--ephemeral", "--log", "debug")
    server.ask("GET", "/cms/v2/tags")
    server.ask("GET", "/cms/v2/tags")
    server.stop()
    lines = [line for line in server.errors().splitlines() if "vetrina.request" in line]
    # The second response is the first one, from the cache.
    assert len(lines) == 2
    assert all("path=/en/cms-json/cms/v2/tags status=200" in line for line in lines)


def test_a_worker_that_dies_is_replaced(serving: Callable[..., Server]) -> None:
    server = serving("--ephemeral")
    [first] = server.workers()
    os.kill(first, signal.SIGKILL)
    assert eventually(lambda: server.workers() not in ([], [first]) and _answers(server))
    assert server.stop() == 0


def test_workers_do_not_outlive_their_parent(serving: Callable[..., Server], users: Path) -> None:
    server = serving("--ephemeral", "--users", users)
    server.process.kill()
    assert eventually(lambda: not _answers(server))


def _answers(server: Server) -> bool:
    try:
        return server.ask("GET", "/cms/v2/tags")[0] == 200
    except OSError:
        return False


def test_a_taken_port_is_told_in_a_line(vetrina: Callable[..., Result], made: Made) -> None:
    with socket.create_server(("127.0.0.1", 0), reuse_port=True) as taken:
        port = taken.getsockname()[1]
        result = vetrina("serve", "--site", made.folder, "--port", port)
    assert (result.exit_code, result.stderr) == (
        1,
        f"Error: port {port} of 127.0.0.1 is taken by another program; stop it, or choose another with --port\n",
    )


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"login": "admin"}', "Expected `array`, got `object`"),
        ("[{}]", "missing required field `login`"),
        ("[", "Input data was truncated"),
        ('[{"login": "a", "role": "boss"}]', "'a' has the unknown role 'boss'"),
    ],
)
def test_a_wrong_users_file_is_told(vetrina: Callable[..., Result], tmp_path: Path, content: str, told: str) -> None:
    path = tmp_path / "users.json"
    path.write_text(content)
    result = vetrina("serve", "--ephemeral", "--users", path)
    assert result.exit_code == 2
    assert str(path) in result.stderr
    assert told in result.stderr
    assert not list(tmp_path.glob("vetrina-*"))


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("--profile", "third"), 2, "there is no profile 'third'; built in: first, second"),
        (("--set", "titel=x"), 2, "--set 'titel=x': write KEY=VALUE; KEY is one of"),
        (("--set", "port=none"), 2, "the environment or --set: port: must be a whole number, not 'none'"),
        (("--set", "log=loud"), 2, "log: 'loud' is none of debug, info, warning, error"),
        (("--set", "time_zone=Nowhere"), 2, "time_zone: 'Nowhere' is no zone"),
        (("--set", "database=mysql:///x"), 1, "is not understood"),
        (("--users", __file__), 2, "--users is for the throw-away site"),
        (("--host", "nowhere.invalid"), 1, "nowhere.invalid is no address of this machine"),
        (("--workers", "0"), 2, "Invalid value for '--workers'"),
    ],
)
def test_a_wrong_option_is_told(
    vetrina: Callable[..., Result], made: Made, words: tuple[str, ...], status: int, told: str
) -> None:
    result = vetrina("serve", "--site", made.folder, *words)
    assert result.exit_code == status
    assert told in result.stderr
    assert "Traceback" not in result.stderr


def test_a_folder_without_a_site_says_how_to_make_one(vetrina: Callable[..., Result], tmp_path: Path) -> None:
    result = vetrina("serve", "--site", tmp_path)
    assert (result.exit_code, result.stderr) == (
        1,
        f"Error: there is no site in {tmp_path}; make one with: vetrina init {tmp_path}\n",
    )


@pytest.mark.parametrize(
    ("stamp", "told"),
    [
        ("0000", f"this version needs {HEAD_REVISION}; run: vetrina migrate --site"),
        ("9999", "a newer version than this one"),
    ],
)
def test_a_database_of_another_version_is_refused(
    vetrina: Callable[..., Result], made: Made, stamp: str, told: str
) -> None:
    connection = sqlite3.connect(made.folder / "site.sqlite")
    connection.execute("UPDATE alembic_version SET version_num = ?", (stamp,))
    connection.commit()
    connection.close()
    result = vetrina("serve", "--site", made.folder)
    assert result.exit_code == 1
    assert told in result.stderr


def test_a_missing_or_foreign_database_is_told(vetrina: Callable[..., Result], made: Made) -> None:
    database = made.folder / "site.sqlite"
    database.unlink()
    assert "is missing; put it back from a backup" in vetrina("serve", "--site", made.folder).stderr
    database.write_bytes(b"no database at all" * 100)
    assert "cannot be read" in vetrina("serve", "--site", made.folder).stderr
