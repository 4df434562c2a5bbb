"""The one HTTP client for every outgoing request of this server.

URLs come from users, so none is trusted: a name is resolved once, every IP address it has must be public, and the
connection goes to a checked address, never to the name again. Each redirect is checked again. Bytes, seconds and
redirects are bounded. Nothing of this server is sent along: no credentials, no cookies, no proxy from the environment.
Which IP addresses are public: backends/public_addresses.py. How URLs are parsed: backends/http_client_urls.py.
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

from vetrina.backends.http_client_urls import (
    ALLOWED_PORTS,
    DEFAULT_PORTS,
    OutboundAddressRefused,
    OutboundError,
    OutboundTarget,
    parse_target,
)
from vetrina.backends.kept_connections import KeptConnections
from vetrina.backends.socket_deadlines import CHUNK, TimedSocket, run_with_deadline

from .public_addresses import is_public_address

HostResolver = Callable[[str, int], Sequence[str]]
AddressDialer = Callable[[str, int, float], socket.socket]

_REDIRECT_STATUSES: Final = frozenset((301, 302, 303, 307, 308))
_HEADER_NAME: Final = re.compile(r"[A-Za-z0-9-]+", re.ASCII)
_CONTROL_CHARACTERS: Final = re.compile(r"[\0-\x08\x0a-\x1f\x7f]")


class NoOutboundResponse(OutboundError):
    """The other server cannot be reached, is too slow, or does not speak HTTP."""


class OutboundResponseTooLarge(OutboundError):
    """The response is larger than the limit."""


@dataclass(frozen=True, slots=True)
class OutboundResponse:
    """The response of another server.

    url: the URL that responded, after all redirects. headers: names in lower case, the last value of each name;
    several `Link` headers are one list.
    cut: whether the body was truncated at the limit.
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
        """Return the body as text, decoded with the charset from its header."""
        named = re.search(r"charset=\"?([\w.:-]+)", self.headers.get("content-type", ""), re.ASCII | re.IGNORECASE)
        try:
            return self.body.decode(named[1] if named else "utf-8", "replace")
        except LookupError:
            return self.body.decode("utf-8", "replace")


class OutboundClient:
    """Sends requests to other servers.

    seconds: timeout of a whole call, redirects included. most_bytes: limit of a response body. redirects: how many are
    followed. agent: the User-Agent. ports: the allowed ports; None for all.
    keep_open: whether connections stay open for further GETs to the same server; each was opened to a checked address.
    resolve: (host, port) -> its IP addresses. dial: (address, port, seconds) -> a connection. tls: the TLS context.
    """

    def __init__(
        self,
        *,
        seconds: float = 5.0,
        most_bytes: int = 2 << 20,
        redirects: int = 3,
        agent: str = "Vetrina",
        ports: frozenset[int] | None = ALLOWED_PORTS,
        keep_open: bool = False,
        resolve: HostResolver | None = None,
        dial: AddressDialer | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.seconds, self.most_bytes, self.redirects = seconds, most_bytes, redirects
        self._agent, self._ports = agent, ports
        self._resolve, self._dial, self._tls = resolve or _resolve_host, dial or _dial_address, tls
        self._named: frozenset[tuple[str, str, int]] = frozenset()
        self._kept = KeptConnections() if keep_open else None

    def with_allowed_servers(
        self, *urls: str, seconds: float | None = None, most_bytes: int | None = None
    ) -> OutboundClient:
        """Return a client that may also call these servers, on any port and in any network.

        urls: as the operator configured them; never a user's. Raises OutboundAddressRefused if one cannot be parsed.
        """
        other = copy.copy(self)
        named = [parse_target(url, None) for url in urls]
        other._named = self._named | {(one.scheme, one.host, one.port) for one in named}
        # A connection to a server that only the other may call is no way for this one.
        other._kept = None if self._kept is None else KeptConnections()
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
    ) -> OutboundResponse:
        """Return the response to GET, after redirects.

        cut: whether a body beyond the limit is truncated; otherwise it is an error.
        Raises OutboundAddressRefused, NoOutboundResponse, OutboundResponseTooLarge.
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
    ) -> OutboundResponse:
        """Return the response to a request; redirects are followed for GET and HEAD only.

        headers: request headers; only `Accept` of them is sent to the target of a redirect.
        Raises OutboundAddressRefused, NoOutboundResponse, OutboundResponseTooLarge.
        """
        limit = self.most_bytes if most_bytes is None else most_bytes
        deadline = time.monotonic() + (self.seconds if seconds is None else seconds)
        sent = dict(headers or {})
        target = self._check_target(url)
        for _ in range(self.redirects + 1):
            reply = self._request_once(method, target, body, sent, limit, deadline, cut)
            location = reply.headers.get("location")
            if reply.status not in _REDIRECT_STATUSES or not location or method not in ("GET", "HEAD"):
                return reply
            found = self._check_target(urljoin(target.url, location))
            if (found.scheme, found.host, found.port) != (target.scheme, target.host, target.port):
                sent = {name: value for name, value in sent.items() if name.lower() == "accept"}
            target = found
        raise NoOutboundResponse(f"{url} redirects more than {self.redirects} times")

    def can_reach(self, url: str) -> bool:
        """Return whether a URL leads to a known host of the public internet; no request is sent."""
        try:
            self._resolve_target(self._check_target(url), time.monotonic() + self.seconds)
        except OutboundError:
            return False
        return True

    def _check_target(self, url: str) -> OutboundTarget:
        """Parse a URL that may be requested. Raises OutboundAddressRefused."""
        target = parse_target(url, None)
        return target if self._is_allowed_server(target) else parse_target(url, self._ports)

    def _is_allowed_server(self, target: OutboundTarget) -> bool:
        return (target.scheme, target.host, target.port) in self._named

    def _request_once(
        self,
        method: str,
        target: OutboundTarget,
        body: bytes,
        headers: Mapping[str, str],
        limit: int,
        deadline: float,
        cut: bool,
    ) -> OutboundResponse:
        """Return the response of one server, redirects unfollowed."""
        if method == "GET" and self._kept is not None and (kept := self._kept.take(target)) is not None:
            kept.renew(deadline)
            try:
                return self._request_over(kept, method, target, body, headers, limit, cut)
            except NoOutboundResponse as error:
                # The other server may have closed it just before.
                if not isinstance(error.__cause__, (ConnectionError, http.client.BadStatusLine)):
                    raise
        to = self._connect(target, deadline)
        return self._request_over(to, method, target, body, headers, limit, cut)

    def _request_over(
        self,
        to: TimedSocket,
        method: str,
        target: OutboundTarget,
        body: bytes,
        headers: Mapping[str, str],
        limit: int,
        cut: bool,
    ) -> OutboundResponse:
        """Return the response of one server over an open connection, which is kept open or closed then."""
        connection = _PreopenedConnection(target, to)
        keep = False
        try:
            connection.putrequest(method, target.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self._build_headers(target, method, body, headers).items():
                connection.putheader(name, value)
            connection.endheaders(body or None)
            with connection.getresponse() as response:
                response_headers = {name.lower(): value.strip() for name, value in response.getheaders()}
                if links := response.headers.get_all("link"):
                    response_headers["link"] = ", ".join(links)
                if response_headers.get("content-encoding", "identity").lower() not in ("identity", ""):
                    raise NoOutboundResponse(f"{target.host} answers in an encoding that was not asked for")
                content, more = (b"", False) if method == "HEAD" else _read_body(response, limit, cut)
                is_read = response.isclosed() or response.length == 0
                keep = self._kept is not None and method == "GET" and is_read and not response.will_close
                return OutboundResponse(response.status, target.url, response_headers, content, more)
        except OutboundResponseTooLarge:
            raise OutboundResponseTooLarge(f"{target.host} answers more than {limit} bytes") from None
        except TimeoutError:
            raise NoOutboundResponse(f"{target.host} did not answer in time") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise NoOutboundResponse(f"{target.host} does not answer: {str(error) or type(error).__name__}") from error
        finally:
            connection.close()
            if keep and self._kept is not None:
                self._kept.give(target, to)
            else:
                to.end()

    def _build_headers(
        self, target: OutboundTarget, method: str, body: bytes, given: Mapping[str, str]
    ) -> dict[str, str]:
        host = f"[{target.host}]" if ":" in target.host else target.host
        if target.port != DEFAULT_PORTS[target.scheme]:
            host += f":{target.port}"
        own = {
            "Host": host,
            "User-Agent": self._agent,
            "Accept": "*/*",
            "Accept-Encoding": "identity",
            "Connection": "close" if self._kept is None or method != "GET" else "keep-alive",
        }
        if body or method in ("POST", "PUT", "PATCH"):
            own["Content-Length"] = str(len(body))
        for name, value in given.items():
            if not _HEADER_NAME.fullmatch(name) or _CONTROL_CHARACTERS.search(value):
                raise OutboundAddressRefused(f"the header {name!r} cannot be sent")
            own = {known: kept for known, kept in own.items() if known.lower() != name.lower()} | {name: value}
        return own

    def _resolve_target(self, target: OutboundTarget, deadline: float) -> list[str]:
        """Return the IP addresses of a host, all of them public. Raises OutboundAddressRefused, NoOutboundResponse."""
        try:
            found = run_with_deadline(deadline - time.monotonic(), lambda: self._resolve(target.host, target.port))
            addresses = list(dict.fromkeys(found))
        except TimeoutError:
            raise NoOutboundResponse(f"nobody knew {target.host} in time") from None
        except (OSError, UnicodeError) as error:
            raise NoOutboundResponse(f"{target.host} is not a known host: {error}") from None
        # One private address among public ones is how DNS rebinding reaches the network behind this server.
        if not addresses or not (
            self._is_allowed_server(target) or all(is_public_address(address) for address in addresses)
        ):
            raise OutboundAddressRefused(f"{target.host} is not a host of the public internet")
        return addresses

    def _connect(self, target: OutboundTarget, deadline: float) -> TimedSocket:
        """Connect to a checked address. Raises OutboundAddressRefused, NoOutboundResponse."""
        addresses = self._resolve_target(target, deadline)
        failure: Exception | None = None
        for at, address in enumerate(addresses):
            left = deadline - time.monotonic()
            if left <= 0:
                break
            # An address family that has no route from here must not use up the time of the other.
            share = left if at == len(addresses) - 1 else left / 2
            try:
                plain = self._dial(address, target.port, share)
                return TimedSocket(self._wrap_in_tls(plain, target, deadline), deadline)
            except OSError as error:
                failure = error
        raise NoOutboundResponse(f"{target.host} cannot be reached: {failure or 'no time left'}") from failure

    def _wrap_in_tls(self, plain: socket.socket, target: OutboundTarget, deadline: float) -> socket.socket:
        if target.scheme != "https":
            return plain
        context = self._tls or _build_tls_context()
        try:
            plain.settimeout(max(0.01, deadline - time.monotonic()))
            return context.wrap_socket(plain, server_hostname=target.host)
        except BaseException:
            plain.close()
            raise


class _PreopenedConnection(http.client.HTTPConnection):
    """HTTP over an existing connection; it never opens one of its own."""

    auto_open = 0

    def __init__(self, target: OutboundTarget, to: TimedSocket) -> None:
        super().__init__(target.host, target.port)
        self.sock: Any = to


def _read_body(response: http.client.HTTPResponse, limit: int, cut: bool) -> tuple[bytes, bool]:
    """Return the body up to the limit, and whether there was more. Raises OutboundResponseTooLarge."""
    if not cut and (response.length or 0) > limit:
        raise OutboundResponseTooLarge
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
        raise OutboundResponseTooLarge
    if size <= limit and response.length:
        raise http.client.IncompleteRead(content, response.length)
    return content[:limit], size > limit


def _resolve_host(host: str, port: int) -> list[str]:
    """Return the IP addresses of a host from the system's resolver."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return [str(entry[4][0]) for entry in found]


def _dial_address(address: str, port: int, seconds: float) -> socket.socket:
    return socket.create_connection((address, port), timeout=seconds)


@cache
def _build_tls_context() -> ssl.SSLContext:
    return ssl.create_default_context()
