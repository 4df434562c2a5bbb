"""What is seen of a request: its id, a line of the log, and what the metrics count.

A request has an id whoever looks: the one that it was sent with (`X-Request-Id`) or a new one; its answer says it, and
the log names a fault by it. The line and the counting cost nothing where they are not wanted.
Not here: how lines are written (http/log_lines.py), what is counted (http/metrics.py).
"""

from __future__ import annotations

import itertools
import logging
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from vetrina.http.metrics import Metrics
from vetrina.http.rate_limiter import Standing, TooManyRequests

__all__ = ["Ids", "Observer", "Seen", "lines_wanted", "masked"]

_LOG = logging.getLogger("vetrina.request")

Scope = dict[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]

_ID: Final = re.compile(rb"[A-Za-z0-9._~:+/=@-]{1,128}")
# Of what is in an address, whatever sounds like a secret; a value too many that is hidden does no harm.
_SECRET: Final = re.compile(
    r"((?:^|[?&;])[^=&;]*(?:secret|passw|pwd|token|signature|nonce|key|auth|cookie|credential|session)[^=&;]*=)[^&;]*",
    re.IGNORECASE,
)
_LONGEST: Final = 2048  # letters of an address in a line


class Ids:
    """Gives each request of this process its id."""

    def __init__(self) -> None:
        self._start, self._numbers = secrets.token_hex(5).encode(), itertools.count(1)

    def of(self, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
        """Return the id that a request was sent with where it is a short word, a new one otherwise."""
        for name, value in headers:
            if name == b"x-request-id" and _ID.fullmatch(value):
                return value
        return b"%s%06x" % (self._start, next(self._numbers))


class Seen:
    """What is known of a request while it is answered.

    id: its name in the log. route: the template of its route, or a word for what else answers. caller: the number of
    the account that asks, 0 for nobody. parts: requests that it counts as. standing: under the limits of rate.
    aside: whether it is answered in a thread.
    """

    # What most requests leave as it is costs them nothing here.
    status = 0
    size = 0
    route = "(none)"
    caller = 0
    kept = False
    parts = 1
    aside = False
    standing: Standing | None = None
    whom = ""

    def __init__(self, id: bytes) -> None:
        self.id = id

    def stands(self, standing: Standing | None, whom: str) -> None:
        """Take how an address or a key stands; of two the scarcer is told."""
        if standing is None:
            return
        if self.standing is None or standing.wait or standing.remaining < self.standing.remaining:
            self.standing, self.whom = standing, whom

    @property
    def refused(self) -> bool:
        """Say whether the request came too soon."""
        return self.standing is not None and self.standing.wait > 0

    def admit(self) -> None:
        """Raise TooManyRequests when the request came too soon."""
        if self.standing is not None and self.standing.wait:
            raise TooManyRequests(self.standing.limit, self.whom, self.standing.wait)

    def failed(self, error: BaseException) -> str:
        """Log a fault of ours and return the id that the answer shows."""
        id = self.id.decode()
        _LOG.error("fault %s", id, exc_info=error)
        return id


class Observer:
    """Counts requests and writes their lines, for a site that wants either.

    metrics: what counts, None for nothing. lines: whether each request gets a line.
    """

    def __init__(self, metrics: Metrics | None, lines: bool) -> None:
        self._metrics, self._lines = metrics, lines

    async def watch(
        self, scope: Scope, seen: Seen, send: Send, remote: str, answer: Callable[[Send], Awaitable[None]]
    ) -> None:
        """Let a request be answered, and tell of it afterwards; remote: the caller's address."""

        async def counted(message: dict[str, Any]) -> None:
            if "status" in message:
                seen.status = message["status"]
            else:
                seen.size += len(message.get("body", b""))
            await send(message)

        if self._metrics is not None:
            self._metrics.began()
        start = time.perf_counter()
        try:
            await answer(counted)
        finally:
            took = time.perf_counter() - start
            if self._metrics is not None:
                self._metrics.ended(scope["method"], seen.route, seen.status, took, seen.kept, seen.refused)
            if self._lines:
                self._line(scope, seen, remote, took)

    def _line(self, scope: Scope, seen: Seen, remote: str, took: float) -> None:
        path = scope.get("raw_path") or scope["path"].encode("utf-8", "replace")
        told = {
            "id": seen.id.decode(),
            "method": scope["method"],
            "route": seen.route,
            "path": masked(path.decode("latin-1"), scope["query_string"].decode("latin-1")),
            "status": seen.status,
            "ms": round(took * 1000, 2),
            "bytes": seen.size,
            "user": seen.caller,
            "remote": remote,
            "kept": seen.kept,
        }
        _LOG.info("request", extra={"told": told})


def lines_wanted() -> bool:
    """Say whether the log of this process takes lines of requests (http/log_lines.py)."""
    return _LOG.isEnabledFor(logging.INFO)


def masked(path: str, query: str) -> str:
    """Return an address as a log may have it: nothing in it signs anybody in."""
    return (path + "?" + _SECRET.sub(r"\1***", query) if query else path)[:_LONGEST]
