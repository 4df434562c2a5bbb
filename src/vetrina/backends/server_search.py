"""Opens connections to whichever of a database's servers accepts them, and says which one does not answer any more.

A URL may name several servers, of which one takes writes and the others follow it (libpq's list of hosts). They are
asked all at once and again until one accepts: so one that does not answer keeps nobody from the others, and a follower
that is promoted is found within a moment. Who uses connections: backends/postgres.py.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterator
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import PGconn, PollingStatus
from psycopg.pq.abc import PGconn as Connection

_PAUSE: Final = 0.2  # seconds before a server that refused is asked again
_CONNECT_SECONDS: Final = 3.0  # for which a server may take to accept
# How soon a server on another machine is given up that confirms nothing: in seconds, the last one in milliseconds.
_LOSS: Final[dict[str, Any]] = {
    "keepalives_idle": 3,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": 6000,
}
_NO_ANSWER: Final = "the server does not answer"


def complete_conninfo(url: str) -> str:
    """Return a URL with what it leaves open. Raises ProgrammingError where libpq does not understand it.

    Of several servers the one is meant that takes writes.
    """
    given = conninfo_to_dict(url)
    added: dict[str, Any] = {"client_encoding": "utf8", "connect_timeout": int(_CONNECT_SECONDS)} | _LOSS
    if is_list(url):
        added["target_session_attrs"] = "read-write"
    # A user may have said so for all that libpq does (PGCONNECT_TIMEOUT).
    options = psycopg.pq.Conninfo.get_defaults()
    defaults = {one.keyword.decode() for one in options if one.envvar and one.envvar.decode() in os.environ}
    return make_conninfo(url, **{name: value for name, value in added.items() if name not in {*given, *defaults}})


def is_list(conninfo: str) -> bool:
    """Return whether several servers are named."""
    given = conninfo_to_dict(conninfo)
    return any("," in str(given.get(name, "")) for name in ("host", "hostaddr"))


def open_connection(conninfo: str, seconds: float = 0.0) -> Connection:
    """Return a connection to the first server that accepts it; each is asked once, and again for so many seconds.

    Raises OperationalError, with what each of them said.
    """
    servers = [_Attempt(one) for one in split_servers(conninfo)]
    until = time.monotonic() + seconds
    try:
        while True:
            for server in servers:
                server.go_on()
            found = next((server for server in servers if server.is_open), None)
            if found is not None:
                return found.take()
            now = time.monotonic()
            waiting = [server for server in servers if server.is_under_way]
            # One that has not answered yet is waited for, and the others are asked again meanwhile.
            goes_on = now < until or any(server.begun <= until for server in waiting)
            if not goes_on:
                raise psycopg.OperationalError("; ".join(dict.fromkeys(server.refusal for server in servers)))
            _wait(waiting, _PAUSE)
            for server in servers:
                if seconds and not server.is_under_way and now >= server.ended + _PAUSE:
                    server.begin()
    finally:
        for server in servers:
            server.close()


def split_servers(conninfo: str) -> Iterator[str]:
    """Yield the connection of each server that is named."""
    given = conninfo_to_dict(conninfo)
    lists = {name: str(given[name]).split(",") for name in ("host", "hostaddr", "port") if given.get(name)}
    for number in range(max(map(len, lists.values()), default=1)):
        yield make_conninfo(conninfo, **{name: found[number % len(found)] for name, found in lists.items()})


class _Attempt:
    """An attempt to connect to one server. begun: when. refusal: why the last one failed. ended: when it did."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo.encode()
        self._seconds = float(conninfo_to_dict(conninfo).get("connect_timeout") or _CONNECT_SECONDS)
        self._connection: Connection | None = None
        self.is_open = False
        self.refusal, self.ended = "", 0.0
        self.begin()

    @property
    def is_under_way(self) -> bool:
        """Return whether the server may still accept."""
        return self._connection is not None and not self.is_open

    def begin(self) -> None:
        """Ask the server."""
        self.begun = time.monotonic()
        self._connection, self._until = PGconn.connect_start(self._conninfo), self.begun + self._seconds
        self.events = select.POLLOUT

    @property
    def socket(self) -> int:
        """Return the file to wait for."""
        assert self._connection is not None
        return self._connection.socket

    def go_on(self) -> None:
        """Do what can be done without waiting."""
        connection = self._connection
        if connection is None or self.is_open:
            return
        if connection.status == psycopg.pq.ConnStatus.BAD:
            self._fail(_read_message(connection))
            return
        if not _is_ready(connection.socket, self.events):
            if time.monotonic() >= self._until:
                self._fail(_NO_ANSWER)
            return
        status = connection.connect_poll()
        if status == PollingStatus.OK:
            self.is_open = True
        elif status == PollingStatus.FAILED:
            self._fail(_read_message(connection))
        else:
            self.events = select.POLLIN if status == PollingStatus.READING else select.POLLOUT

    def take(self) -> Connection:
        """Return the open connection, which is the caller's now."""
        connection, self._connection = self._connection, None
        assert connection is not None
        return connection

    def close(self) -> None:
        """End what is under way."""
        if self._connection is not None:
            self._connection.finish()
        self._connection = None

    def _fail(self, message: str) -> None:
        self.refusal, self.ended = message, time.monotonic()
        self.close()


def _wait(attempts: list[_Attempt], seconds: float) -> None:
    poll = select.poll()
    for attempt in attempts:
        poll.register(attempt.socket, attempt.events)
    poll.poll(seconds * 1000)


def _is_ready(socket: int, events: int) -> bool:
    poll = select.poll()
    poll.register(socket, events)
    return bool(poll.poll(0))


def _read_message(connection: Connection) -> str:
    return " ".join(connection.get_error_message().split())


def require_alive(connection: Connection, conninfo: str) -> None:
    """End a connection whose server accepts no other one any more. Raises OperationalError.

    What the network tells (the limits of complete_conninfo) does not tell that of a machine whose kernel goes on.
    """
    server = {"host": connection.host, "hostaddr": connection.hostaddr, "port": connection.port}
    named = {name: value.decode() for name, value in server.items() if value}
    attempt = _Attempt(make_conninfo(conninfo, **named, target_session_attrs="any"))
    while attempt.is_under_way:
        _wait([attempt], _PAUSE)
        attempt.go_on()
    attempt.close()
    if attempt.refusal == _NO_ANSWER:
        connection.finish()
        raise psycopg.OperationalError(_NO_ANSWER)
