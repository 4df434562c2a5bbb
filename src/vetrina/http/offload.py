"""Where a request is answered: in the loop, or in a thread where others would have to wait for it.

What is known to take long goes to a thread at once. The rest begins in the loop with an allowance
(kernel/render_budget.py); a request that uses it up, or that would have to wait for another writer, is undone and
begins again in a thread. Nothing of it was kept by then, so that doing it again is doing it once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from vetrina.http import durable_responses
from vetrina.http.durable_responses import Gathering
from vetrina.kernel.errors import TakesLong
from vetrina.kernel.render_budget import Inline

__all__ = ["Aside"]

T = TypeVar("T")
Begin = Callable[[], Inline | None]

_SECONDS: Final = 0.03  # of processor that a request may take of the loop


class Aside:
    """Runs work in the loop or in a thread.

    threads: how many may run at once. characters: of markup that a request may work through in the loop.
    """

    def __init__(self, threads: int, characters: int, gathering: Gathering) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="slow")
        self._characters, self._gathering = characters, gathering

    async def thread(self, do: Callable[..., T], *given: Any) -> T:
        """Do something in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, do, *given)

    async def here(self, do: Callable[[Begin], T]) -> tuple[T, bool]:
        """Do something in the loop, or again in a thread; say whether it was the latter.

        do: calls what it is given when it begins what can be undone: that is what it may take of the loop.
        """
        again = False
        with self._gathering() as gathered:
            try:
                done = do(self._begin)
            except TakesLong:
                again = True
        if again:
            done = await self.thread(do, _in_a_thread)
        if gathered.made:
            await durable_responses.kept(gathered)
        return done, again

    def large(self, size: int) -> bool:
        """Say whether a body of so many bytes is not to be read in the loop."""
        return size > self._characters

    def close(self) -> None:
        """Finish what is at hand."""
        self._pool.shutdown(wait=True)

    def _begin(self) -> Inline:
        return Inline(self._characters, _SECONDS)


def _in_a_thread() -> None:
    return None
