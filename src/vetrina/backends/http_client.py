"""The one HTTP client: whatever this server asks of another goes through here.

Users name the addresses, so none is trusted: a name is resolved once, every address that it has must be public, and the
connection goes to an address that was checked, never to the name again. Each redirect is checked anew. Bytes, seconds
and redirects are bounded. Nothing of this server goes along: no credentials, no cookies, no proxy of the environment.
Not here: which addresses are public (backends/public_addresses.py), how one is read (backends/http_client_urls.py),
deadlines (backends/socket_deadlines.py), what is done with an answer.
"""

from __future__ import annotations

import copy
import http.client
import re
import socket
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final
from urllib.parse import urljoin

from vetrina.backends.http_client_urls import PORTS, STANDARD, AddressRefused, OutboundError, Target, checked_address
from vetrina.backends.socket_deadlines import CHUNK, TimedSocket, within

from .public_addresses import is_public

__all__ = ["AddressRefused", "NoAnswer", "Outbound", "OutboundError", "Reply", "Target", "TooLarge", "checked_address"]

Resolve = Callable[[str, int], Sequence[str]]
Dial = Callable[[str, int, float], socket.socket]

_REDIRECTS: Final = frozenset((301, 302, 303, 307, 308))
_HEADER_NAME: Final = re.compile(r"[A-Za-z0-9-]+", re.ASCII)
_BREAKS: Final = re.compile(r"[\0-\x08\x0a-\x1f\x7f]")


class NoAnswer(OutboundError):
    """The other server cannot be reached, or does not answer in time, or not in HTTP."""


class TooLarge(OutboundError):
    """The answer has more bytes than were asked for."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What another server answered.

    url: the address that answered, after all redirects. headers: names in lower case, the last of each name.
    cut: whether the body was cut at the limit.
    """

    status: int
    url: str
    headers: Mapping[str, str]
    body: bytes
    cut: bool = False

    @property
    def kind(self) -> str:
        """The media type, in lower case and without parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def text(self) -> str:
        """Return the body as text, by the charset that its header names."""
        named = re.search(r"charset=\"?([\w.:-]+)", self.headers.get("content-type", ""), re.ASCII | re.IGNORECASE)
        try:
            return self.body.decode(named[1] if named else "utf-8", "replace")
        except LookupError:
            return self.body.decode("utf-8", "replace")


class Outbound:
    """Asks other servers.

    seconds: for a whole call, redirects included. most_bytes: of an answer's body. redirects: how many are followed.
    agent: the User-Agent. ports: those that may be asked; None for all.
    resolve: (host, port) -> its addresses. dial: (address, port, seconds) -> a connection. tls: how others are trusted.
    """

    def __init__(
        self,
        *,
        seconds: float = 5.0,
        most_bytes: int = 2 << 20,
        redirects: int = 3,
        agent: str = "Vetrina",
        ports: frozenset[int] | None = PORTS,
        resolve: Resolve | None = None,
        dial: Dial | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.seconds, self.most_bytes, self.redirects = seconds, most_bytes, redirects
        self._agent, self._ports = agent, ports
        self._resolve, self._dial, self._tls = resolve or _addresses, dial or _connection, tls
        self._named: frozenset[tuple[str, str, int]] = frozenset()

    def allowing(self, *urls: str, seconds: float | None = None, most_bytes: int | None = None) -> Outbound:
        """Return a client that also asks these servers, whatever their port and wherever their network.

        urls: as the operator wrote them; never what a user names. Raises AddressRefused when one cannot be read.
        """
        other = copy.copy(self)
        named = [checked_address(url, None) for url in urls]
        other._named = self._named | {(one.scheme, one.host, one.port) for one in named}
        other.seconds = self.seconds if seconds is None else seconds
        other.most_bytes = self.most_bytes if most_bytes is None else most_bytes
        return other

    def get(
        self,
        url: str,
        *,
        accept: str = "*/*",
        most_bytes: int | None = None,
        seconds: float | None = None,
        cut: bool = False,
    ) -> Reply:
        """Return what GET answers, after redirects.

        cut: whether a body beyond the limit is cut there; else it is an error.
        Raises AddressRefused, NoAnswer, TooLarge.
        """
        return self.ask("GET", url, headers={"Accept": accept}, most_bytes=most_bytes, seconds=seconds, cut=cut)

    def ask(
        self,
        method: str,
        url: str,
        *,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        most_bytes: int | None = None,
        seconds: float | None = None,
        cut: bool = False,
    ) -> Reply:
        """Return what another server answers; redirects are followed for GET and HEAD only.

        headers: sent along, to a server that a redirect names only `Accept` of them.
        Raises AddressRefused, NoAnswer, TooLarge.
        """
        limit = self.most_bytes if most_bytes is None else most_bytes
        deadline = time.monotonic() + (self.seconds if seconds is None else seconds)
        sent = dict(headers or {})
        target = self._checked(url)
        for _ in range(self.redirects + 1):
            reply = self._once(method, target, body, sent, limit, deadline, cut)
            place = reply.headers.get("location")
            if reply.status not in _REDIRECTS or not place or method not in ("GET", "HEAD"):
                return reply
            found = self._checked(urljoin(target.url, place))
            if (found.scheme, found.host, found.port) != (target.scheme, target.host, target.port):
                sent = {name: value for name, value in sent.items() if name.lower() == "accept"}
            target = found
        raise NoAnswer(f"{url} redirects more than {self.redirects} times")

    def reaches(self, url: str) -> bool:
        """Say whether an address leads to a known host of the public internet; nothing is asked of it."""
        try:
            self._found(self._checked(url), time.monotonic() + self.seconds)
        except OutboundError:
            return False
        return True

    def _checked(self, url: str) -> Target:
        """Return an address that may be asked, taken apart. Raises AddressRefused."""
        target = checked_address(url, None)
        return target if self._is_named(target) else checked_address(url, self._ports)

    def _is_named(self, target: Target) -> bool:
        return (target.scheme, target.host, target.port) in self._named

    def _once(
        self,
        method: str,
        target: Target,
        body: bytes,
        headers: Mapping[str, str],
        limit: int,
        deadline: float,
        cut: bool,
    ) -> Reply:
        """Return the answer of one server, redirects as they are."""
        to = self._connect(target, deadline)
        connection = _Connection(target, to)
        try:
            connection.putrequest(method, target.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self._headers(target, method, body, headers).items():
                connection.putheader(name, value)
            connection.endheaders(body or None)
            with connection.getresponse() as response:
                named = {name.lower(): value.strip() for name, value in response.getheaders()}
                if named.get("content-encoding", "identity").lower() not in ("identity", ""):
                    raise NoAnswer(f"{target.host} answers in an encoding that was not asked for")
                content, more = (b"", False) if method == "HEAD" else _read(response, limit, cut)
                return Reply(response.status, target.url, named, content, more)
        except TooLarge:
            raise TooLarge(f"{target.host} answers more than {limit} bytes") from None
        except TimeoutError:
            raise NoAnswer(f"{target.host} did not answer in time") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise NoAnswer(f"{target.host} does not answer: {str(error) or type(error).__name__}") from error
        finally:
            connection.close()
            to.end()

    def _headers(self, target: Target, method: str, body: bytes, given: Mapping[str, str]) -> dict[str, str]:
        host = f"[{target.host}]" if ":" in target.host else target.host
        if target.port != STANDARD[target.scheme]:
            host += f":{target.port}"
        own = {
            "Host": host,
            "User-Agent": self._agent,
            "Accept": "*/*",
            "Accept-Encoding": "identity",
            "Connection": "close",
        }
        if body or method in ("POST", "PUT", "PATCH"):
            own["Content-Length"] = str(len(body))
        for name, value in given.items():
            if not _HEADER_NAME.fullmatch(name) or _BREAKS.search(value):
                raise AddressRefused(f"the header {name!r} cannot be sent")
            own = {known: kept for known, kept in own.items() if known.lower() != name.lower()} | {name: value}
        return own

    def _found(self, target: Target, deadline: float) -> list[str]:
        """Return the addresses of a host, all of them public. Raises AddressRefused, NoAnswer."""
        try:
            found = within(deadline - time.monotonic(), lambda: self._resolve(target.host, target.port))
            addresses = list(dict.fromkeys(found))
        except TimeoutError:
            raise NoAnswer(f"nobody knew {target.host} in time") from None
        except (OSError, UnicodeError) as error:
            raise NoAnswer(f"{target.host} is not a known host: {error}") from None
        # One inner address among public ones is how a name is turned against the network behind this server.
        if not addresses or not (self._is_named(target) or all(is_public(address) for address in addresses)):
            raise AddressRefused(f"{target.host} is not a host of the public internet")
        return addresses

    def _connect(self, target: Target, deadline: float) -> TimedSocket:
        """Return a connection to an address that was checked. Raises AddressRefused, NoAnswer."""
        addresses = self._found(target, deadline)
        failure: Exception | None = None
        for at, address in enumerate(addresses):
            left = deadline - time.monotonic()
            if left <= 0:
                break
            # A family that goes nowhere from here must not use up the time of the others.
            share = left if at == len(addresses) - 1 else left / 2
            try:
                plain = self._dial(address, target.port, share)
                return TimedSocket(self._secured(plain, target, deadline), deadline)
            except OSError as error:
                failure = error
        raise NoAnswer(f"{target.host} cannot be reached: {failure or 'no time left'}") from failure

    def _secured(self, plain: socket.socket, target: Target, deadline: float) -> socket.socket:
        if target.scheme != "https":
            return plain
        context = self._tls or _trust()
        try:
            plain.settimeout(max(0.01, deadline - time.monotonic()))
            return context.wrap_socket(plain, server_hostname=target.host)
        except BaseException:
            plain.close()
            raise


class _Connection(http.client.HTTPConnection):
    """HTTP over a connection that exists already; it never makes one of its own."""

    auto_open = 0

    def __init__(self, target: Target, to: TimedSocket) -> None:
        super().__init__(target.host, target.port)
        self.sock: Any = to


def _read(response: http.client.HTTPResponse, limit: int, cut: bool) -> tuple[bytes, bool]:
    """Return the body up to the limit, and whether there was more. Raises TooLarge."""
    if not cut and (response.length or 0) > limit:
        raise TooLarge
    parts: list[bytes] = []
    size = 0
    while size <= limit:
        part = response.read1(min(CHUNK, limit + 1 - size))
        if not part:
            break
        parts.append(part)
        size += len(part)
    content = b"".join(parts)
    if size > limit and not cut:
        raise TooLarge
    if size <= limit and response.length:
        raise http.client.IncompleteRead(content, response.length)
    return content[:limit], size > limit


def _addresses(host: str, port: int) -> list[str]:
    """Return the addresses of a host by the system's resolver."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return [str(entry[4][0]) for entry in found]


def _connection(address: str, port: int, seconds: float) -> socket.socket:
    return socket.create_connection((address, port), timeout=seconds)


@cache
def _trust() -> ssl.SSLContext:
    return ssl.create_default_context()
