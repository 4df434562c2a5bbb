"""Endpoints for operators, outside the API roots: health, readiness, metrics.

They match by their exact path before everything else, are not rate limited and not logged. A page of the site with the
same name is reached with a trailing slash, as its links are written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address
from typing import Any, Final

import orjson

from vetrina.http.health import SiteHealth
from vetrina.http.metrics import RequestMetrics
from vetrina.http.responses import Headers
from vetrina.kernel.errors import ApiError
from vetrina.rest.error_statuses import STATUSES

LOCAL: Final = "local"  # who may read the metrics: clients on this machine
MIN_TOKEN_LENGTH: Final = 16  # characters of a token
METRICS_PATH: Final = "/metrics"
_FORWARDED_HEADERS: Final = frozenset({b"forwarded", b"x-forwarded-for", b"x-real-ip", b"via"})
_COMMON_HEADERS: Final[Headers] = [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]

Scope = dict[str, Any]
OpsResponse = tuple[int, Headers, bytes]
OpsHandler = Callable[[Scope], Awaitable[OpsResponse | None]]
TokenCheck = Callable[[Scope, str, str], bool]


class OpsEndpoints:
    """The endpoints for operators.

    health: below `path`; an empty path: nowhere. metrics: for `readers`: LOCAL, or clients that send that token.
    check_token: (scope, text, token) → whether the text is the token; raises ApiError after too many attempts.
    paths: the paths that are answered here.
    """

    def __init__(
        self, health: SiteHealth, path: str, metrics: RequestMetrics | None, readers: str, check_token: TokenCheck
    ) -> None:
        self._health, self._metrics, self._token, self._check_token = health, metrics, readers, check_token
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="metrics")
        self._handlers: dict[str, OpsHandler] = {}
        if path := path.rstrip("/"):
            self._handlers |= {f"{path}/live": self._answer_liveness, f"{path}/ready": self._answer_readiness}
        self.paths = self._handlers.keys()
        if metrics is not None:
            self._handlers[METRICS_PATH] = self._answer_local if readers == LOCAL else self._answer_with_token

    async def answer(self, scope: Scope) -> OpsResponse | None:
        """Answer a request to one of the paths, None where the site may answer this client."""
        found = self._handlers[scope["path"]]
        if scope["method"] not in ("GET", "HEAD"):
            return 405, [(b"allow", b"GET, HEAD"), (b"content-length", b"0")], b""
        answered = await found(scope)
        return (*answered[:2], b"") if answered is not None and scope["method"] == "HEAD" else answered

    def close(self) -> None:
        """Finish the page that is being rendered."""
        self._reader.shutdown(wait=True)

    async def _answer_liveness(self, scope: Scope) -> OpsResponse:
        return _build_json_response(*self._health.check_liveness())

    async def _answer_readiness(self, scope: Scope) -> OpsResponse:
        return _build_json_response(*await self._health.check_readiness())

    async def _answer_local(self, scope: Scope) -> OpsResponse | None:
        """Answer clients on this machine; for all others there is nothing here."""
        # Requests through a proxy on this machine come from it, but are somebody else's.
        host = (scope.get("client") or ("", 0))[0]
        if not _is_loopback(host) or any(name in _FORWARDED_HEADERS for name, _ in scope["headers"]):
            return None
        return await self._answer_metrics(scope)

    async def _answer_with_token(self, scope: Scope) -> OpsResponse:
        sent = dict(scope["headers"]).get(b"authorization", b"")
        scheme, _, token = sent.partition(b" ")
        if scheme.lower() == b"bearer":
            loop, given = asyncio.get_running_loop(), token.strip().decode(errors="surrogateescape")
            try:
                # Attempts are counted in the database, which may be a server that does not respond.
                if await loop.run_in_executor(self._reader, self._check_token, scope, given, self._token):
                    return await self._answer_metrics(scope)
            except ApiError as error:
                text = f"{error.text}\n".encode()
                headers = [(name.lower().encode(), str(value).encode()) for name, value in error.headers.items()]
                return STATUSES[error.failure], [*headers, *_build_headers("text/plain", text)], text
        text = b"This page is read with its token.\n"
        return 401, [(b"www-authenticate", b'Bearer realm="metrics"'), *_build_headers("text/plain", text)], text

    async def _answer_metrics(self, scope: Scope) -> OpsResponse:
        assert self._metrics is not None
        accept = dict(scope["headers"]).get(b"accept", b"").decode("latin-1")
        # The figures of the site come from its database, which may be a server that does not respond.
        loop = asyncio.get_running_loop()
        kind, text = await loop.run_in_executor(self._reader, self._metrics.render_page, accept)
        return 200, _build_headers(kind, text), text


def _build_json_response(status: int, body: dict[str, object]) -> OpsResponse:
    content = orjson.dumps(body)
    return status, _build_headers("application/json", content), content


def _build_headers(kind: str, content: bytes) -> Headers:
    return [(b"content-type", kind.encode()), (b"content-length", str(len(content)).encode()), *_COMMON_HEADERS]


def _is_loopback(host: str) -> bool:
    try:
        address = ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback
