"""The threads of requests that decode images: they may wait for memory, so they have none of the others' threads.

A request waits with its files on disk. So many wait at most; later ones are refused before their bodies are read.
Not here: the memory itself (backends/decoding_memory.py). Rules: RFC 6585 (429), RFC 9110 (Retry-After).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from vetrina.kernel.errors import TooManyImages

__all__ = ["DecodingPool"]

T = TypeVar("T")
_MOST_WAITING: Final = 32  # requests, those at work included
_WAIT: Final = 10  # seconds after which a place should be free


class DecodingPool:
    """Runs what decodes images, and refuses it when too much of it waits. threads: how many run at once."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="images")
        self._waiting = 0

    def check(self) -> None:
        """Raise TooManyImages when no further request may wait."""
        if self._waiting >= _MOST_WAITING:
            raise TooManyImages(self._waiting, _WAIT)

    async def run(self, call: Callable[..., T], *args: Any) -> T:
        """Run a call in a thread. Raises TooManyImages."""
        self.check()
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, call, *args)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Finish what runs and waits."""
        self._pool.shutdown(wait=True)
