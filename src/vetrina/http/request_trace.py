"""What is recorded of a request: its id, a log line, and what the metrics count.

Every request has an id: the one that it was sent with (`X-Request-Id`) or a new one; it is in the response, and the
log has it with errors. Log lines and metrics cost nothing where they are disabled. Format of lines: http/log_lines.py;
metrics: http/metrics.py.
"""

from __future__ import annotations

import itertools
import logging
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from vetrina.http.metrics import RequestMetrics
from vetrina.http.rate_limiter import RateLimitExceeded, RateLimitStatus
from vetrina.kernel.read_consistency import ReadConsistency

_LOG = logging.getLogger("vetrina.request")

Scope = dict[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]

_ID: Final = re.compile(rb"[A-Za-z0-9._~:+/=@-]{1,128}")
# Values in a URL whose name sounds like a secret; masking one too many does no harm.
_SECRET_VALUE: Final = re.compile(
    r"((?:^|[?&;])[^=&;]*(?:secret|passw|pwd|token|signature|nonce|key|auth|cookie|credential|session)[^=&;]*=)[^&;]*",
    re.IGNORECASE,
)
_MAX_LENGTH: Final = 2048  # characters of a URL in a log line


class RequestIds:
    """Gives each request of this process its id."""

    def __init__(self) -> None:
        self._start, self._numbers = secrets.token_hex(5).encode(), itertools.count(1)

    def get_id(self, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
        """Return the id that a request was sent with where it is valid, otherwise a new one."""
        for name, value in headers:
            if name == b"x-request-id" and _ID.fullmatch(value):
                return value
        return b"%s%06x" % (self._start, next(self._numbers))


class RequestTrace:
    """What is known of a request while it is answered.

    id: under which it is logged. route: the template of its route, or a word for what else answers. caller: the id of
    the account, 0 for none. parts: requests that it counts as. rate_status: under the rate limits; whom: of what.
    in_thread: whether it is answered in a thread. answered: when an answer that goes on began, None for others.
    consistency: how it reads from replicas of the database, None where the site has none; origin: of the site.
    """

    # Class attributes: defaults that most requests keep cost them nothing.
    status = 0
    size = 0
    route = "(none)"
    caller = 0
    from_cache = False
    parts = 1
    in_thread = False
    rate_status: RateLimitStatus | None = None
    whom = ""
    answered: float | None = None
    consistency: ReadConsistency | None = None
    origin = ""

    def __init__(self, id: bytes) -> None:
        self.id = id

    def set_rate_status(self, standing: RateLimitStatus | None, whom: str) -> None:
        """Record the rate limit state of an address or a key; the scarcer of the two is reported."""
        if standing is None:
            return
        if self.rate_status is None or standing.wait or standing.remaining < self.rate_status.remaining:
            self.rate_status, self.whom = standing, whom

    def take_time(self) -> None:
        """Record that the answer begins now, and goes on as long as its client likes."""
        self.answered = time.perf_counter()

    @property
    def refused(self) -> bool:
        """Return whether the request exceeded a rate limit."""
        return self.rate_status is not None and self.rate_status.wait > 0

    def check_rate(self) -> None:
        """Raise RateLimitExceeded when the request exceeded a rate limit."""
        if self.rate_status is not None and self.rate_status.wait:
            raise RateLimitExceeded(self.rate_status.limit, self.whom, self.rate_status.wait)

    def log_failure(self, error: BaseException) -> str:
        """Log an internal error and return the id that is in the response."""
        id = self.id.decode()
        _LOG.error("fault %s", id, exc_info=error)
        return id


class RequestObserver:
    """Counts requests and logs them, for a site that wants either.

    metrics: None for no counting. lines: whether each request is logged.
    """

    def __init__(self, metrics: RequestMetrics | None, lines: bool) -> None:
        self._metrics, self._log_enabled = metrics, lines

    async def observe(
        self, scope: Scope, trace: RequestTrace, send: Send, remote: str, answer: Callable[[Send], Awaitable[None]]
    ) -> None:
        """Have a request answered, and record it afterwards; remote: the client's address."""

        async def counted(message: dict[str, Any]) -> None:
            if "status" in message:
                trace.status = message["status"]
            else:
                trace.size += len(message.get("body", b""))
            await send(message)

        if self._metrics is not None:
            self._metrics.count_start()
        start = time.perf_counter()
        try:
            await answer(counted)
        finally:
            took = (trace.answered or time.perf_counter()) - start
            if self._metrics is not None:
                self._metrics.count_end(
                    scope["method"], trace.route, trace.status, took, trace.from_cache, trace.refused
                )
            if self._log_enabled:
                self._log_request(scope, trace, remote, took)

    def _log_request(self, scope: Scope, trace: RequestTrace, remote: str, took: float) -> None:
        path = scope.get("raw_path") or scope["path"].encode("utf-8", "replace")
        fields = {
            "id": trace.id.decode(),
            "method": scope["method"],
            "route": trace.route,
            "path": mask_url(path.decode("latin-1"), scope["query_string"].decode("latin-1")),
            "status": trace.status,
            "ms": round(took * 1000, 2),
            "bytes": trace.size,
            "user": trace.caller,
            "remote": remote,
            "kept": trace.from_cache,
        }
        _LOG.info("request", extra={"told": fields})


def is_request_log_enabled() -> bool:
    """Return whether this process logs requests (http/log_lines.py)."""
    return _LOG.isEnabledFor(logging.INFO)


def mask_url(path: str, query: str) -> str:
    """Return a URL as it may be logged, without credentials."""
    return (path + "?" + _SECRET_VALUE.sub(r"\1***", query) if query else path)[:_MAX_LENGTH]
