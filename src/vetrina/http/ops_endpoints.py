"""The addresses for whoever runs the server, outside the roots of the interface: health, readiness, metrics.

They stand in front of everything else by their exact path, count under no limit and have no line in the log. A page of
the site with the same name is reached with a stroke at the end, as its links are written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address
from typing import Any, Final

import orjson

from vetrina.http.health import Health
from vetrina.http.metrics import Metrics
from vetrina.http.responses import Headers
from vetrina.kernel.errors import ApiError

__all__ = ["LEAST_TOKEN", "LOCAL", "METRICS", "Operators"]

LOCAL: Final = "local"  # who may read the metrics: callers on this machine
LEAST_TOKEN: Final = 16  # letters of a token
METRICS: Final = "/metrics"
_FORWARDED: Final = frozenset({b"forwarded", b"x-forwarded-for", b"x-real-ip", b"via"})
_ALWAYS: Final[Headers] = [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]

Scope = dict[str, Any]
Answered = tuple[int, Headers, bytes]
Answering = Callable[[Scope], Awaitable[Answered | None]]
Proves = Callable[[Scope, str, str], bool]


class Operators:
    """What is answered besides the site.

    health: beneath `path`; an empty path: nowhere. metrics: read by `readers`: LOCAL, or whoever sends that token.
    proves: (scope, text, token) → whether the text is the token; raises ApiError where guesses must wait.
    paths: those that are this room's.
    """

    def __init__(self, health: Health, path: str, metrics: Metrics | None, readers: str, proves: Proves) -> None:
        self._health, self._metrics, self._token, self._proves = health, metrics, readers, proves
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="metrics")
        self._answers: dict[str, Answering] = {}
        if path := path.rstrip("/"):
            self._answers |= {f"{path}/live": self._live, f"{path}/ready": self._ready}
        self.paths = self._answers.keys()
        if metrics is not None:
            self._answers[METRICS] = self._read_here if readers == LOCAL else self._read_with_token

    async def answer(self, scope: Scope) -> Answered | None:
        """Answer a request to one of the paths, None where the site may answer this caller."""
        found = self._answers[scope["path"]]
        if scope["method"] not in ("GET", "HEAD"):
            return 405, [(b"allow", b"GET, HEAD"), (b"content-length", b"0")], b""
        answered = await found(scope)
        return (*answered[:2], b"") if answered is not None and scope["method"] == "HEAD" else answered

    def close(self) -> None:
        """Let no further page be made."""
        self._reader.shutdown(wait=False)

    async def _live(self, scope: Scope) -> Answered:
        return _json(*self._health.live())

    async def _ready(self, scope: Scope) -> Answered:
        return _json(*await self._health.ready())

    async def _read_here(self, scope: Scope) -> Answered | None:
        """Answer callers of this machine; for all others there is nothing here."""
        # What a proxy of this machine hands on comes from it, and is somebody else's.
        host = (scope.get("client") or ("", 0))[0]
        if not _is_here(host) or any(name in _FORWARDED for name, _ in scope["headers"]):
            return None
        return await self._page(scope)

    async def _read_with_token(self, scope: Scope) -> Answered:
        sent = dict(scope["headers"]).get(b"authorization", b"")
        scheme, _, token = sent.partition(b" ")
        if scheme.lower() == b"bearer":
            loop, given = asyncio.get_running_loop(), token.strip().decode(errors="surrogateescape")
            try:
                # Guesses are counted in the database, which may be a server that does not answer.
                if await loop.run_in_executor(self._reader, self._proves, scope, given, self._token):
                    return await self._page(scope)
            except ApiError as error:
                text = f"{error.text}\n".encode()
                headers = [(name.lower().encode(), str(value).encode()) for name, value in error.headers.items()]
                return error.answer_status, [*headers, *_text("text/plain", text)], text
        text = b"This page is read with its token.\n"
        return 401, [(b"www-authenticate", b'Bearer realm="metrics"'), *_text("text/plain", text)], text

    async def _page(self, scope: Scope) -> Answered:
        assert self._metrics is not None
        accept = dict(scope["headers"]).get(b"accept", b"").decode("latin-1")
        # The figures of the site come from its database, which may be a server that does not answer.
        loop = asyncio.get_running_loop()
        kind, text = await loop.run_in_executor(self._reader, self._metrics.page, accept)
        return 200, _text(kind, text), text


def _json(status: int, body: dict[str, object]) -> Answered:
    content = orjson.dumps(body)
    return status, _text("application/json", content), content


def _text(kind: str, content: bytes) -> Headers:
    return [(b"content-type", kind.encode()), (b"content-length", str(len(content)).encode()), *_ALWAYS]


def _is_here(host: str) -> bool:
    try:
        address = ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback
