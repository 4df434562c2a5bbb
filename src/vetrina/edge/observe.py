"""One event a request: a log line with its number, status and time; a fault with its trace."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from vetrina.declare.call import Request

__all__ = ["Seen", "kept", "request"]

_LOG = logging.getLogger("vetrina.request")


class Seen:
    """What is known of a request while it runs."""

    __slots__ = ("id", "status")

    def __init__(self) -> None:
        self.id = ""
        self.status = 0

    def failed(self, error: BaseException) -> None:
        """Log a fault of ours and give it a number that the answer shows."""
        self.id = uuid.uuid4().hex[:12]
        _LOG.error("fault %s", self.id, exc_info=error)


def kept(method: str, path: str, status: int) -> None:
    """Observe a request that a kept answer was good for."""
    if _LOG.isEnabledFor(logging.INFO):
        _LOG.info("%s %s %s kept", method, path, status)


@contextmanager
def request(request: Request) -> Iterator[Seen]:
    """Observe one request."""
    seen = Seen()
    if not _LOG.isEnabledFor(logging.INFO):
        yield seen
        return
    start = time.perf_counter()
    try:
        yield seen
    finally:
        took = (time.perf_counter() - start) * 1000
        _LOG.info("%s %s %s %.1f ms", request.method, request.path, seen.status, took)
