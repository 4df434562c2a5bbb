"""Several servers in one URL: which one is taken, and what is said of one that does not answer any more."""

from __future__ import annotations

import shutil
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy import text

from postgres_server import Postgres
from vetrina.backends import libpq, postgres_connections as backend, server_search
from vetrina.backends.database import Database, Statement
from vetrina.backends.libpq import PreparedConnection
from vetrina.backends.postgres import PostgresDatabase
from vetrina.backends.postgres_transaction import DIALECT
from vetrina.backends.postgres_watchers import PostgresLease
from vetrina.backends.server_search import complete_conninfo, open_connection, require_alive, split_servers
from vetrina.backends.transaction_retries import DatabaseBusy, run_with_retries

ONE = Statement(text("SELECT 1")).compile_for(DIALECT)


class Gate:
    """A server in front of another one, in a folder of its own, that may stand still as a stopped machine does.

    last_words: with which it does so by itself, instead of handing them on.
    """

    def __init__(self, folder: Path, behind: str) -> None:
        self.folder, self._behind = folder, f"{behind}/.s.PGSQL.5432"
        self.is_still = self._is_closed = False
        self.last_words = b""
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(f"{folder}/.s.PGSQL.5432")
        self._socket.listen(64)
        self._ends: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while not self.is_still:
                near, far = self._socket.accept()[0], socket.socket(socket.AF_UNIX)
                self._ends += [near, far]
                if self._is_closed:  # while this one knocked
                    self._end_connections()
                if self.is_still:
                    return
                far.connect(self._behind)
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=self._hand_on, args=pair, daemon=True).start()

    def _hand_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while (read := source.recv(65_536)) and not self.is_still:
                self.is_still |= bool(self.last_words) and self.last_words in read
                if not self.is_still:
                    target.sendall(read)

    def close(self) -> None:
        self._is_closed = True
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._end_connections()

    def _end_connections(self) -> None:
        for end in self._ends:
            # A thread that reads from it would keep a socket open that is only closed.
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@pytest.fixture
def url(postgres: Postgres) -> Iterator[str]:
    made = postgres.new()
    yield made
    postgres.drop(made)


@pytest.fixture
def gate(url: str) -> Iterator[Gate]:
    folder = Path(tempfile.mkdtemp(prefix="vetrina-gate-"))
    made = Gate(folder, str(conninfo_to_dict(url)["host"]))
    yield made
    made.close()
    shutil.rmtree(folder, ignore_errors=True)


def test_what_a_url_leaves_open_is_bounded_and_what_it_says_stays() -> None:
    found = conninfo_to_dict(complete_conninfo("postgresql://u@one,two/d?keepalives_idle=60"))
    assert found["target_session_attrs"] == "read-write"
    assert (found["keepalives_idle"], found["tcp_user_timeout"], found["connect_timeout"]) == ("60", "6000", "3")
    assert "target_session_attrs" not in conninfo_to_dict(complete_conninfo("postgresql://u@one/d"))


def test_each_server_has_its_port() -> None:
    found = [conninfo_to_dict(one) for one in split_servers("postgresql://u@one:1,two:2/d")]
    assert [(one["host"], one["port"]) for one in found] == [("one", "1"), ("two", "2")]
    assert [conninfo_to_dict(one)["port"] for one in split_servers("host=one,two port=7")] == ["7", "7"]


def test_a_server_that_stands_still_keeps_nobody_from_the_others(url: str, gate: Gate) -> None:
    gate.is_still = True
    # Asked one after the other, the second one would be asked in ten minutes.
    hosts = f"{gate.folder},{conninfo_to_dict(url)['host']}"
    connection = open_connection(complete_conninfo(make_conninfo(url, host=hosts, connect_timeout=600)))
    assert connection.host.decode() == str(conninfo_to_dict(url)["host"])
    connection.finish()


def test_a_server_is_found_when_it_begins_to_take_writes(url: str) -> None:
    name, host = conninfo_to_dict(url)["dbname"], conninfo_to_dict(url)["host"]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on'.encode())
    conninfo = complete_conninfo(make_conninfo(url, host=f"{host},{host}"))
    with pytest.raises(psycopg.OperationalError, match="read-only"):
        open_connection(conninfo)

    def promote() -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(b"SET default_transaction_read_only = off")
            connection.execute(f'ALTER DATABASE "{name}" RESET default_transaction_read_only'.encode())

    promoting = threading.Timer(0.1, promote)
    promoting.start()
    open_connection(conninfo, 60).finish()
    promoting.join()


def test_a_server_that_stands_still_is_given_up_in_the_middle_of_a_statement(
    url: str, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libpq, "_SILENCE_MILLISECONDS", 20)
    conninfo = make_conninfo(url, host=str(gate.folder), tcp_user_timeout=2000)
    connection = open_connection(conninfo)
    line = PreparedConnection(connection, check=partial(require_alive, conninfo=conninfo))
    # Several checks pass while the server is busy.
    assert line.all(Statement(text("SELECT 1 FROM pg_sleep(0.1)")).compile_for(DIALECT), []) == [(1,)]
    gate.is_still = True
    with pytest.raises(psycopg.OperationalError, match="does not answer"):
        line.all(ONE, [])
    assert connection.status == psycopg.pq.ConnStatus.BAD


def test_a_transaction_goes_on_where_the_first_server_stands_still(
    url: str, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libpq, "_SILENCE_MILLISECONDS", 20)
    monkeypatch.setattr(backend, "_REACH_SECONDS", 1.0)
    hosts = f"{gate.folder},{gate.folder}"
    database = PostgresDatabase(make_conninfo(url, host=hosts, connect_timeout=1, tcp_user_timeout=1000))
    assert read(database) == 1
    gate.is_still = True
    with pytest.raises(DatabaseBusy):
        run_with_retries(lambda: read(database))
    database.close()


@pytest.fixture
def successor(url: str) -> Iterator[Path]:
    """The folder of a server that is there as soon as `begin` is called."""
    folder = Path(tempfile.mkdtemp(prefix="vetrina-successor-"))
    yield folder
    shutil.rmtree(folder)


def begin(successor: Path, url: str) -> None:
    (successor / ".s.PGSQL.5432").symlink_to(f"{conninfo_to_dict(url)['host']}/.s.PGSQL.5432")


@pytest.fixture
def database(url: str, gate: Gate, successor: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PostgresDatabase]:
    """A database at the gate. Its successor alone ends what waits for it: by itself it has ten minutes."""
    monkeypatch.setattr(libpq, "_SILENCE_MILLISECONDS", 20)
    made = PostgresDatabase(make_conninfo(url, host=f"{gate.folder},{successor}", tcp_user_timeout=600_000))
    assert read(made) == 1
    yield made
    made.close()


def test_a_server_that_stands_still_is_given_up_when_another_one_takes_writes(
    database: PostgresDatabase, gate: Gate, successor: Path, url: str
) -> None:
    gate.is_still = True
    promoting = threading.Timer(0.3, begin, (successor, url))
    promoting.start()
    assert read(database) == 1
    promoting.join()


def test_a_server_that_is_merely_slow_is_waited_for(
    database: PostgresDatabase, successor: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_search, "_SUCCESSION_SECONDS", 60.0)  # to accept a connection, on a busy machine
    begin(successor, url)
    slow = Statement(text("SELECT host FROM (SELECT 'here' AS host, pg_sleep(1.5)) AS slow"))
    with database.begin_read() as tx:
        assert tx.value(slow) == "here"
    assert database.connections.silences == 0


def stop_and_fail(database: PostgresDatabase, gate: Gate, promote: Callable[[], None]) -> None:
    """Read in a transaction that fails when its server stands still and another one takes writes."""
    with database.begin_read() as tx:
        tx.value(Statement(text("SELECT 1")))
        promote()
        gate.is_still = True
        raise LookupError


def test_an_error_is_told_while_the_server_stands_still(
    database: PostgresDatabase, gate: Gate, successor: Path, url: str
) -> None:
    with pytest.raises(LookupError):
        stop_and_fail(database, gate, lambda: begin(successor, url))
    assert read(database) == 1


def test_a_connection_whose_server_stops_while_it_is_set_up_keeps_nobody(
    database: PostgresDatabase, gate: Gate, successor: Path, url: str
) -> None:
    with database.begin_read() as tx:
        tx.value(Statement(text("SELECT 1")))
        gate.last_words = b"lock_timeout"
        promoting = threading.Timer(0.3, begin, (successor, url))
        promoting.start()
        assert read(database) == 1  # on another connection
    promoting.join()


def test_what_is_given_back_of_a_server_that_was_given_up_is_not_lent_again(
    database: PostgresDatabase, gate: Gate, successor: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database.begin_read() as kept:
        kept.value(Statement(text("SELECT 1")))
        with pytest.raises(LookupError):
            stop_and_fail(database, gate, lambda: begin(successor, url))
        assert database.connections.silences == 1
    # Whoever were lent it would wait for ten minutes.
    monkeypatch.setattr(libpq, "_SILENCE_MILLISECONDS", 600_000)
    reading = threading.Thread(target=read, args=(database,), daemon=True)
    reading.start()
    reading.join(30)
    assert not reading.is_alive()


def read(database: Database) -> int:
    with database.begin_read() as tx:
        return int(tx.value(Statement(text("SELECT 1"))))


def test_whoever_knows_that_no_server_takes_writes_keeps_nobody_waiting(
    url: str, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backend, "_REACH_SECONDS", 3.0)
    database = PostgresDatabase(make_conninfo(url, host=str(gate.folder)))
    assert read(database) == 1
    assert not database.connections.is_unreached
    gate.close()
    with pytest.raises(DatabaseBusy):
        run_with_retries(lambda: read(database))
    assert database.connections.is_unreached
    # Ten minutes for the first one; this one does not wait for them.
    monkeypatch.setattr(backend, "_REACH_SECONDS", 600.0)
    with pytest.raises(DatabaseBusy):
        run_with_retries(lambda: read(database))
    database.close()


def test_a_lease_is_free_before_the_server_hears_of_the_closed_connection(url: str, gate: Gate) -> None:
    gate.last_words = b"X\x00\x00\x00\x04"  # a client's farewell
    held, next_one = PostgresLease(make_conninfo(url, host=str(gate.folder)), "jobs"), PostgresLease(url, "jobs")
    assert (held.acquire(), next_one.acquire()) == (True, False)
    held.close()
    assert next_one.acquire()
    next_one.close()


def test_a_lease_of_a_server_that_stands_still_is_given_up(url: str, gate: Gate) -> None:
    held = PostgresLease(make_conninfo(url, host=str(gate.folder)), "jobs")
    assert held.acquire()
    gate.is_still = True
    held.close()
