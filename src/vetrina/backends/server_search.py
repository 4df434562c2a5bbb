"""Opens connections to whichever of a database's servers accepts them, and says which one does not answer any more.

A URL may name several servers, of which one takes writes and the others follow it (libpq's list of hosts). They are
asked all at once and again until one accepts: so one that does not answer keeps nobody from the others, and a follower
that is promoted is found within a moment. Who uses connections: backends/postgres_connections.py.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterable, Iterator
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import PGconn, PollingStatus
from psycopg.pq.abc import PGconn as Connection

_PAUSE: Final = 0.2  # seconds before a server that refused is asked again
_CONNECT_SECONDS: Final = 3.0  # for which a server may take to accept
_SUCCESSION_SECONDS: Final = 0.5  # for which a silent server may take to accept, where another one takes writes
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
    """Return a connection to the first server that accepts it.

    Each is asked once, and again for so many seconds, and while another one has not answered. Raises OperationalError,
    with what each of them said.
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
            _wait(waiting)
            for server in servers:
                server.begin_again()
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

    def __init__(self, conninfo: str, seconds: float = 0.0) -> None:
        self._conninfo = conninfo.encode()
        self._seconds = seconds or float(conninfo_to_dict(conninfo).get("connect_timeout") or _CONNECT_SECONDS)
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

    def begin_again(self) -> None:
        """Ask the server again, if it refused a moment ago."""
        if self._connection is None and time.monotonic() >= self.ended + _PAUSE:
            self.begin()

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


def _wait(attempts: Iterable[_Attempt], *sockets: int) -> None:
    """Wait until something can be done about an attempt or read from a socket, or a server may be asked again."""
    poll = select.poll()
    for attempt in attempts:
        poll.register(attempt.socket, attempt.events)
    for one in sockets:
        poll.register(one, select.POLLIN)
    poll.poll(_PAUSE * 1000)


def _is_ready(socket: int, events: int) -> bool:
    poll = select.poll()
    poll.register(socket, events)
    return bool(poll.poll(0))


def _read_message(connection: Connection) -> str:
    return " ".join(connection.get_error_message().split())


def require_alive(connection: Connection, conninfo: str) -> None:
    """Return when a silent server has said something or accepts another connection; else end the one that it has.

    It is given up when it does neither for as long as it may confirm nothing (`tcp_user_timeout`), or when another one
    takes writes: the network does not tell that of a machine whose kernel goes on. Raises OperationalError.
    """
    own = _Attempt(_name_server(connection, conninfo), _read_loss_seconds(conninfo))
    others = [_Attempt(one) for one in split_servers(conninfo)] if _has_one_primary(conninfo) else []
    try:
        while True:
            for attempt in (own, *others):
                attempt.go_on()
            if not own.is_under_way or _is_ready(connection.socket, select.POLLIN):
                break
            if time.monotonic() >= own.begun + _SUCCESSION_SECONDS and any(other.is_open for other in others):
                own.refusal = _NO_ANSWER
                break
            _wait((one for one in (own, *others) if one.is_under_way), connection.socket)
            for other in others:
                other.begin_again()
    finally:
        for attempt in (own, *others):
            attempt.close()
    if own.refusal == _NO_ANSWER:
        connection.finish()
        raise psycopg.OperationalError(_NO_ANSWER)


def _name_server(connection: Connection, conninfo: str) -> str:
    """Return the URL of the server of a connection alone."""
    server = {"host": connection.host, "hostaddr": connection.hostaddr, "port": connection.port}
    named = {name: value.decode() for name, value in server.items() if value}
    return make_conninfo(conninfo, **named, target_session_attrs="any")


def _read_loss_seconds(conninfo: str) -> float:
    """Return for how long a server may confirm nothing."""
    given = int(conninfo_to_dict(conninfo).get("tcp_user_timeout") or 0)
    return (given or _LOSS["tcp_user_timeout"]) / 1000


def _has_one_primary(conninfo: str) -> bool:
    """Return whether several servers are named, of which only the one is meant that takes writes."""
    return is_list(conninfo) and conninfo_to_dict(conninfo).get("target_session_attrs") in ("read-write", "primary")
