"""Liveness and readiness of the server, for process managers, monitoring and load balancers.

Live: the process answers. Ready: every part that it needs answers too, and it is not about to stop. A response names
the failed part only; the reason is in the log. The paths: http/ops_endpoints.py.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping
from typing import Final

_LOG = logging.getLogger("vetrina.health")
_FRESH_SECONDS: Final = 1.0  # seconds that a result is reused for, however many clients ask
_CHECK_TIMEOUT: Final = 3.0  # seconds that a part may take


class SiteHealth:
    """The health of a site's parts.

    parts: by name, a check that raises when the part fails. stopping: whether the server is about to stop. replicas:
    says of those of the database how they are; the site is ready without them.
    """

    def __init__(
        self,
        parts: Mapping[str, Callable[[], object]],
        stopping: Callable[[], bool],
        replicas: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self._replicas = replicas
        self._parts = [_HealthPart(name, look) for name, look in parts.items()]
        self._stopping = stopping
        self._checked_at = -_FRESH_SECONDS
        self._running_check: asyncio.Future[None] | None = None

    def check_liveness(self) -> tuple[int, dict[str, object]]:
        """Return status and body; the fact of an answer is all that counts."""
        return 200, {"status": "live"}

    async def check_readiness(self) -> tuple[int, dict[str, object]]:
        """Return status and body; concurrent requests share one check."""
        if self._stopping():
            return 503, {"status": "stopping"}
        if self._running_check is None and time.monotonic() - self._checked_at > _FRESH_SECONDS:
            self._running_check = asyncio.ensure_future(self._check_parts())
        if self._running_check is not None:
            await asyncio.shield(self._running_check)
        found = {part.name: part.state for part in self._parts}
        ready = all(state == "ok" for state in found.values())
        body: dict[str, object] = {"status": "ready" if ready else "not ready", "parts": found}
        if replicas := self._replicas():
            body["replicas"] = replicas
        return (200 if ready else 503), body

    async def _check_parts(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            checks = [part.request_check(loop) for part in self._parts]
            _, late = await asyncio.wait(checks, timeout=_CHECK_TIMEOUT)
            for part, answered in zip(self._parts, checks, strict=True):
                if answered in late:
                    part.state = "does not answer"
        finally:
            self._checked_at, self._running_check = time.monotonic(), None


class _HealthPart:
    """A part and the thread that checks it: one that hangs delays neither the others nor the exit of the process."""

    def __init__(self, name: str, look: Callable[[], object]) -> None:
        self.name, self.state, self._check = name, "unknown", look
        self._requests: queue.SimpleQueue[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._pending: asyncio.Future[None] | None = None

    def request_check(self, loop: asyncio.AbstractEventLoop) -> asyncio.Future[None]:
        """Return a future for a check of the part: a new one, or the one that still runs."""
        if self._pending is not None and not self._pending.done() and self._pending.get_loop() is loop:
            return self._pending
        if self._thread is None:
            self._thread = threading.Thread(target=self._run_checks, name=f"health of {self.name}", daemon=True)
            self._thread.start()
        future: asyncio.Future[None] = loop.create_future()
        self._pending = future
        self._requests.put((loop, future))
        return future

    def _run_checks(self) -> None:
        while True:
            loop, future = self._requests.get()
            try:
                self._check()
                state = "ok"
            except Exception as error:
                state = "failed"
                if self.state != state:
                    _LOG.warning("not ready: %s: %s: %s", self.name, type(error).__name__, error)
            self.state = state
            if not loop.is_closed():
                loop.call_soon_threadsafe(_complete_future, future)


def _complete_future(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
