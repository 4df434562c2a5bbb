"""Whether the server lives, and whether it is ready: for whoever starts it, watches it or sends it requests.

Live: the process answers. Ready: every part that it needs answers too, and it is not about to stop. What failed is
named by its part alone; why, the log says. Not here: which parts there are (handed in), under which address it is asked
(http/ops_endpoints.py).
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping
from typing import Final

__all__ = ["Health"]

_LOG = logging.getLogger("vetrina.health")
_FRESH: Final = 1.0  # seconds that a look is good for, however many ask
_PATIENCE: Final = 3.0  # seconds that a part may take


class Health:
    """The parts of a site.

    parts: by name, what looks at one and raises when it fails. stopping: whether the server is about to stop.
    """

    def __init__(self, parts: Mapping[str, Callable[[], object]], stopping: Callable[[], bool]) -> None:
        self._parts = [_Part(name, look) for name, look in parts.items()]
        self._stopping = stopping
        self._looked_at = -_FRESH
        self._look: asyncio.Future[None] | None = None

    def live(self) -> tuple[int, dict[str, object]]:
        """Return status and answer: that there is one is all that it says."""
        return 200, {"status": "live"}

    async def ready(self) -> tuple[int, dict[str, object]]:
        """Return status and answer; who asks while somebody looks gets what that one finds."""
        if self._stopping():
            return 503, {"status": "stopping"}
        if self._look is None and time.monotonic() - self._looked_at > _FRESH:
            self._look = asyncio.ensure_future(self._looking())
        if self._look is not None:
            await asyncio.shield(self._look)
        found = {part.name: part.state for part in self._parts}
        ready = all(state == "ok" for state in found.values())
        return (200 if ready else 503), {"status": "ready" if ready else "not ready", "parts": found}

    async def _looking(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            asked = [part.asked(loop) for part in self._parts]
            _, late = await asyncio.wait(asked, timeout=_PATIENCE)
            for part, answered in zip(self._parts, asked, strict=True):
                if answered in late:
                    part.state = "does not answer"
        finally:
            self._looked_at, self._look = time.monotonic(), None


class _Part:
    """A part and the thread that looks at it: one that hangs holds up no other, nor the end of the process."""

    def __init__(self, name: str, look: Callable[[], object]) -> None:
        self.name, self.state, self._look = name, "unknown", look
        self._asked: queue.SimpleQueue[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._pending: asyncio.Future[None] | None = None

    def asked(self, loop: asyncio.AbstractEventLoop) -> asyncio.Future[None]:
        """Return what is done when the part was looked at: once more, or the look that still goes on."""
        if self._pending is not None and not self._pending.done() and self._pending.get_loop() is loop:
            return self._pending
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name=f"health of {self.name}", daemon=True)
            self._thread.start()
        future: asyncio.Future[None] = loop.create_future()
        self._pending = future
        self._asked.put((loop, future))
        return future

    def _run(self) -> None:
        while True:
            loop, future = self._asked.get()
            try:
                self._look()
                state = "ok"
            except Exception as error:
                state = "failed"
                if self.state != state:
                    _LOG.warning("not ready: %s: %s: %s", self.name, type(error).__name__, error)
            self.state = state
            if not loop.is_closed():
                loop.call_soon_threadsafe(_done, future)


def _done(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
