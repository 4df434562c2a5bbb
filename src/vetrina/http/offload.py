"""Where a request runs: in the event loop, or in a thread where others would have to wait for it.

Requests known to take long go to a thread at once. The rest start in the loop with an allowance
(kernel/render_budget.py); a request that uses it up, or would have to wait for another writer, is rolled back and run
again in a thread. Nothing of it was committed by then, so running it twice has the effect of once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from vetrina.http import durable_responses
from vetrina.http.durable_responses import OpenGroupCommit
from vetrina.kernel.errors import InlineBudgetExceeded
from vetrina.kernel.render_budget import InlineAllowance

T = TypeVar("T")
StartAllowance = Callable[[], InlineAllowance | None]

_MAX_INLINE_SECONDS: Final = 0.03  # seconds of processor time that a request may take in the loop


class RequestExecutor:
    """Runs work in the loop or in a thread.

    threads: how many may run at once. characters: of markup that a request may process in the loop.
    """

    def __init__(self, threads: int, characters: int, open_group_commit: OpenGroupCommit) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="slow")
        self._characters, self._open_group_commit = characters, open_group_commit

    async def run_in_thread(self, function: Callable[..., T], *args: Any) -> T:
        """Run a call in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, function, *args)

    async def run_inline(self, function: Callable[[StartAllowance], T]) -> tuple[T, bool]:
        """Run a call in the loop, or again in a thread; also return whether it was the latter.

        function: calls its argument when it begins what can be rolled back, which returns its allowance in the loop.
        """
        again = False
        with self._open_group_commit() as commits:
            try:
                done = function(self._start_allowance)
            except InlineBudgetExceeded:
                again = True
        if again:
            done = await self.run_in_thread(function, _start_unlimited)
        if commits.made:
            await durable_responses.wait_for_commits(commits)
        return done, again

    def is_large(self, size: int) -> bool:
        """Return whether a body of this size is not to be decoded in the loop."""
        return size > self._characters

    def close(self) -> None:
        """Finish running calls."""
        self._pool.shutdown(wait=True)

    def _start_allowance(self) -> InlineAllowance:
        return InlineAllowance(self._characters, _MAX_INLINE_SECONDS)


def _start_unlimited() -> None:
    return None
