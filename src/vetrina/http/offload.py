"""Where a request runs: in the event loop, or in a thread where others would have to wait for it.

Requests known to take long go to a thread at once. The rest start in the loop with an allowance
(kernel/render_budget.py); a request that uses it up, or would have to wait for another writer, is rolled back and run
again in a thread. Nothing of it was committed by then, so running it twice has the effect of once. Where other writers
are often in the way, writes go to a thread before anything was done for them.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from vetrina.http import durable_responses
from vetrina.http.durable_responses import OpenGroupCommit
from vetrina.kernel.errors import ApiError, Failure, InlineBudgetExceeded, OtherWriterActive
from vetrina.kernel.render_budget import InlineAllowance

T = TypeVar("T")
StartAllowance = Callable[[], InlineAllowance | None]

_MAX_INLINE_SECONDS: Final = 0.03  # seconds of processor time that a request may take in the loop
_BATCH_TURN_SECONDS: Final = 1.0  # for which a batch waits for others of its process; one of them may take long
_MAX_THREADED_WRITES: Final = 32  # after a write that found another writer, before the loop is tried again


class ServerStopping(ApiError):
    """The server runs nothing any more; it stops only when the clients of its requests are gone."""

    failure, code = Failure.UNAVAILABLE, "server_stopping"
    message = "The server is stopping and did not come to the end of this request. Send it again."


class RequestExecutor:
    """Runs work in the loop or in a thread.

    threads: how many may run at once. characters: of markup that a request may process in the loop.
    """

    def __init__(self, threads: int, characters: int, open_group_commit: OpenGroupCommit) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="slow")
        self._batch_turn = threading.Lock()
        self._characters, self._open_group_commit = characters, open_group_commit
        self._writer_wait = WriterContention()
        self._is_closed = False

    async def run_in_thread(self, function: Callable[..., T], *args: Any) -> T:
        """Run a call in a thread. Raises ServerStopping."""
        if self._is_closed:
            raise ServerStopping
        return await asyncio.get_running_loop().run_in_executor(self._pool, function, *args)

    async def run_batch(self, function: Callable[[], T]) -> T:
        """Run a call that writes much in a thread, if possible when no other one runs. Raises ServerStopping.

        They take their turn as writers anyway; what several do before and after it would only delay the one who writes.
        """
        return await self.run_in_thread(self._run_in_turn, function)

    def _run_in_turn(self, function: Callable[[], T]) -> T:
        has_turn = self._batch_turn.acquire(timeout=_BATCH_TURN_SECONDS)
        try:
            return function()
        finally:
            if has_turn:
                self._batch_turn.release()

    async def run_inline(self, function: Callable[[StartAllowance], T], writes: bool = False) -> tuple[T, bool]:
        """Run a call in the loop, or in a thread; also return whether it was the latter. Raises ServerStopping.

        function: calls its argument when it begins what can be rolled back, which returns its allowance in the loop.
        writes: whether it takes its turn among the writers.
        """
        if writes and self._writer_wait.is_likely():
            return await self.run_in_thread(function, _start_unlimited), True
        again = False
        with self._open_group_commit() as commits:
            try:
                done = function(self._start_allowance)
            except InlineBudgetExceeded as error:
                again = True
                if isinstance(error, OtherWriterActive):
                    self._writer_wait.note_wait()
        if writes and not again:
            self._writer_wait.note_turn()
        if again:
            done = await self.run_in_thread(function, _start_unlimited)
        if commits.made:
            try:
                await durable_responses.end_shared_commit(commits)
            except InlineBudgetExceeded:
                return await self.run_in_thread(function, _start_unlimited), True
            await durable_responses.wait_for_commits(commits)
        return done, again

    def is_large(self, size: int) -> bool:
        """Return whether a body of this size is not to be decoded in the loop."""
        return size > self._characters

    def close(self) -> None:
        """Finish running calls; no other one begins."""
        self._is_closed = True
        self._pool.shutdown(wait=True)

    def _start_allowance(self) -> InlineAllowance:
        return InlineAllowance(self._characters, _MAX_INLINE_SECONDS)


class WriterContention:
    """How likely a write is to find another writer, by those that were tried in the loop.

    Each that found one in a row doubles how many of the next ones are not tried.
    """

    def __init__(self) -> None:
        self._step = self._left = 0

    def is_likely(self) -> bool:
        """Return whether the next write had better not be tried."""
        if not self._left:
            return False
        self._left -= 1
        return True

    def note_wait(self) -> None:
        """Note that a write would have had to wait."""
        self._step = min(max(1, self._step * 2), _MAX_THREADED_WRITES)
        self._left = self._step

    def note_turn(self) -> None:
        """Note that a write had its turn at once."""
        self._step = 0


def _start_unlimited() -> None:
    return None
