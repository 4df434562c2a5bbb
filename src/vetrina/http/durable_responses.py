"""An answer waits until what it tells of is on the disk; the loop answers others meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

__all__ = ["Commits", "Gathering", "kept"]


class Commits(Protocol):
    """What was committed while a request was answered, and waits to be kept (backends/group_commit.py)."""

    made: bool

    @property
    def quick(self) -> bool: ...

    def keep(self) -> None: ...

    def keep_soon(self, then: Callable[[OSError | None], None], /) -> None: ...


Gathering = Callable[[], AbstractContextManager[Commits]]


async def kept(commits: Commits) -> None:
    """Return when all of it is on the disk. Raises OSError when that is not sure."""
    if commits.quick:
        commits.keep()
        return
    loop = asyncio.get_running_loop()
    future: asyncio.Future[None] = loop.create_future()

    def settle(fault: OSError | None) -> None:
        if future.done():  # the server stopped waiting
            return
        if fault is None:
            future.set_result(None)
        else:
            future.set_exception(fault)

    def told(fault: OSError | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, fault)

    commits.keep_soon(told)
    await future
