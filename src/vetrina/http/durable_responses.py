"""A response waits until its commits are on disk; the event loop serves others meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final, Protocol


class DeferredCommits(Protocol):
    """The commits of one request that are not flushed to disk yet (backends/group_commit.py)."""

    made: bool

    @property
    def sharers(self) -> int: ...

    def end_shared(self) -> None: ...

    @property
    def quick(self) -> bool: ...

    def keep(self) -> None: ...

    def keep_soon(self, then: Callable[[OSError | None], None], /) -> None: ...


OpenGroupCommit = Callable[[], AbstractContextManager[DeferredCommits]]


_QUIET_TURNS: Final = 3  # of the loop: one for a request to come, one for it to begin, one for its body
_BUSY_SECONDS: Final = 0.005  # of a turn that has brought no other one; writers elsewhere wait meanwhile


async def end_shared_commit(commits: DeferredCommits) -> None:
    """Make the commit that a request shares, when no other one has joined for some turns of the loop, or a long one.

    Raises InlineBudgetExceeded where nothing was kept, so that the request is to be run again.
    """
    try:
        quiet, sharers = 0, commits.sharers
        while sharers and quiet < _QUIET_TURNS:
            begun = time.monotonic()
            await asyncio.sleep(0)
            if sharers != commits.sharers:
                quiet, sharers = 0, commits.sharers
            else:
                quiet += 1 if time.monotonic() - begun < _BUSY_SECONDS else _QUIET_TURNS
    finally:
        # Also for a client that is gone: the others wait for it.
        commits.end_shared()


async def wait_for_commits(commits: DeferredCommits) -> None:
    """Return when all commits are on disk. Raises OSError when that is not certain."""
    if commits.quick:
        commits.keep()
        return
    loop = asyncio.get_running_loop()
    future: asyncio.Future[None] = loop.create_future()

    def resolve(fault: OSError | None) -> None:
        if future.done():  # the server stopped waiting
            return
        if fault is None:
            future.set_result(None)
        else:
            future.set_exception(fault)

    def on_committed(fault: OSError | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(resolve, fault)

    commits.keep_soon(on_committed)
    await future
