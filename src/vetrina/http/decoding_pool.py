"""A thread pool for requests that decode images: they may wait for memory, so they get threads of their own.

A waiting request has its files on disk. The number of waiting requests is limited; further ones are refused before
their bodies are read (429 with Retry-After). The memory itself: backends/decoding_memory.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from vetrina.http.offload import ServerStopping
from vetrina.kernel.errors import TooManyImages

T = TypeVar("T")
_MAX_WAITING: Final = 32  # requests, running ones included
_RETRY_SECONDS: Final = 10  # seconds after which there should be room again


class DecodingPool:
    """Runs calls that decode images, and refuses them when too many wait. threads: how many run at once."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="images")
        self._waiting = 0
        self._is_closed = False

    def check(self) -> None:
        """Raise TooManyImages when no further request may wait."""
        if self._waiting >= _MAX_WAITING:
            raise TooManyImages(self._waiting, _RETRY_SECONDS)

    async def run(self, call: Callable[..., T], *args: Any) -> T:
        """Run a call in a thread. Raises TooManyImages, ServerStopping."""
        if self._is_closed:
            raise ServerStopping
        self.check()
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, call, *args)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Finish running and waiting calls; no other one begins."""
        self._is_closed = True
        self._pool.shutdown(wait=True)
