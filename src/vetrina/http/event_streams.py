"""Answers that go on: server-sent events of a route whose answers have a cursor (rest/call.py, EventPage).

A stream is the same request asked again whenever the change log has moved: the caller is signed in again, in a
transaction that ends with the answer, so no stream holds one, nor a thread. One task of a process looks at the log for
all its streams. Rules: docs/rules/cache_tags.md, 4; the HTML standard, "Server-sent events". Why so:
docs/decisions/event_streams.md.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import EventPage

_LOG = logging.getLogger("vetrina.events")
Headers = list[tuple[bytes, bytes]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

EVENT_STREAM_HEADERS: Final[Headers] = [
    (b"content-type", b"text/event-stream; charset=UTF-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # proxies that collect answers would hold events back
    (b"x-content-type-options", b"nosniff"),
    (b"x-robots-tag", b"noindex"),
]
_LOOK_INTERVAL: Final = 0.2  # seconds between two looks at the change log
_WAKE_INTERVAL: Final = 1.0  # seconds after which every stream looks whether it is to end
_FAULT_INTERVAL: Final = 5.0  # seconds until the log is looked at again after a fault
_HEARTBEAT: Final = 10.0  # seconds without an event, after which a comment is sent and the caller checked
_SEND_TIMEOUT: Final = 10.0  # seconds that a client may take to accept an event
_MAX_BYTES: Final = 16 << 20  # of one stream; what a client does not read is kept by the server
_RETRY: Final = (1000, 3000)  # milliseconds that clients wait before they connect again, so that not all come at once
_RETRY_AFTER: Final = "10"  # seconds


class TooManyEventStreams(ApiError):
    """An address, an account or this process has as many event streams open as it may."""

    failures = (Failure.TOO_MANY, Failure.UNAVAILABLE)
    code = "rest_too_many_streams"
    message = "{most} event streams of {whom} are open already; close one, or ask for pages instead."

    def __init__(self, most: int, whom: str, failure: Failure) -> None:
        super().__init__(most=most, whom=whom)
        self.failure = failure
        self.headers["Retry-After"] = _RETRY_AFTER


@dataclass(frozen=True)
class EventStreamLimits:
    """total: streams of a process. per_caller: of one address or account in it. seconds: that a stream may last."""

    total: int
    per_caller: int
    seconds: int


@dataclass(frozen=True)
class EventAnswer:
    """A page of events as it is sent. events: JSON, each on one line. caller: the id of the account that it is for."""

    page: EventPage
    events: list[bytes]
    caller: int


# Answers what came after a cursor; None where the caller may not hear any more.
AskAgain = Callable[[int], Awaitable[EventAnswer | None]]


class EventStreams:
    """The open streams of a process.

    read_position: returns the number of the latest change; it may wait for the database. is_stopping: whether the
    server is about to stop, so that clients should go to another process.
    """

    def __init__(
        self, limits: EventStreamLimits, read_position: Callable[[], int], is_stopping: Callable[[], bool]
    ) -> None:
        self._limits, self._is_stopping = limits, is_stopping
        self._position = _PositionWatch(read_position)
        self._open: Counter[str] = Counter()
        self._generation = 0

    def open(self, caller: str, first: EventAnswer, ask_again: AskAgain) -> EventStream:
        """Return a stream that begins with an answer; caller: the address or account. Raises TooManyEventStreams."""
        if self._open[caller] >= self._limits.per_caller:
            raise TooManyEventStreams(self._limits.per_caller, caller, Failure.TOO_MANY)
        if self._open.total() >= self._limits.total:
            raise TooManyEventStreams(self._limits.total, "this server", Failure.UNAVAILABLE)
        return EventStream(self, caller, first, ask_again)

    def end_all(self) -> None:
        """End the streams that are open now; from any thread."""
        self._generation += 1

    def count(self) -> int:
        """Return how many streams are open."""
        return self._open.total()

    def close(self) -> None:
        """Wait for the look at the log that is under way, and release its thread."""
        self._position.close()

    @asynccontextmanager
    async def _counted(self, caller: str) -> AsyncIterator[Callable[[], bool]]:
        """Count a stream in the block, which gets a function that says whether the stream is to end."""
        generation, end = self._generation, time.monotonic() + self._limits.seconds * random.uniform(0.9, 1)
        self._open[caller] += 1
        try:
            with self._position.watched():
                yield lambda: self._is_stopping() or self._generation != generation or time.monotonic() > end
        finally:
            self._open[caller] -= 1
            if not self._open[caller]:
                del self._open[caller]


class EventStream:
    """One stream; made by EventStreams."""

    def __init__(self, streams: EventStreams, caller: str, first: EventAnswer, ask_again: AskAgain) -> None:
        self._streams, self._caller, self._first, self._ask_again = streams, caller, first, ask_again
        self._sent = 0

    async def run(self, headers: Headers, receive: Receive, send: Send) -> None:
        """Send events until the client leaves, is too slow or may not hear any more, or the stream is old enough."""
        left = asyncio.ensure_future(_wait_until_left(receive))
        try:
            async with self._streams._counted(self._caller) as must_end:
                await send({"type": "http.response.start", "status": 200, "headers": headers})
                start = b"retry: %d\nid: %d\n\n" % (random.randint(*_RETRY), self._first.page.start)
                await self._send(send, start)
                await self._send_answers(send, lambda: must_end() or left.done())
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(send({"type": "http.response.body", "body": b""}), _SEND_TIMEOUT)
        except TimeoutError:
            _LOG.info("an event stream of %s was closed: it is not read", self._caller)
        finally:
            left.cancel()

    async def _send_answers(self, send: Send, must_end: Callable[[], bool]) -> None:
        answer: EventAnswer | None = self._first
        while answer is not None and answer.caller == self._first.caller and not must_end():
            page = answer.page
            await self._send(send, _format_events(page, answer.events))
            if self._sent > _MAX_BYTES:
                return
            if not page.more:
                moved = await self._streams._position.wait_beyond(page.next, _HEARTBEAT, must_end)
                if must_end():
                    return
                if not moved:
                    await self._send(send, b":\n\n")
            answer = await self._ask_again(page.next)

    async def _send(self, send: Send, content: bytes) -> None:
        """Send a part of the body. Raises TimeoutError for a client that does not read."""
        if content:
            self._sent += len(content)
            message = {"type": "http.response.body", "body": content, "more_body": True}
            await asyncio.wait_for(send(message), _SEND_TIMEOUT)


class _PositionWatch:
    """How far the change log is, looked at in a thread of its own while anybody waits for it."""

    def __init__(self, read: Callable[[], int]) -> None:
        self._read, self._position, self._watchers = read, 0, 0
        self._pool: ThreadPoolExecutor | None = None
        self._task: asyncio.Task[None] | None = None
        self._moved: asyncio.Event | None = None

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Have the log looked at during the block."""
        self._watchers += 1
        if self._task is None or self._task.done():
            self._pool = self._pool or ThreadPoolExecutor(1, thread_name_prefix="changes")
            self._moved = asyncio.Event()
            self._task = asyncio.ensure_future(self._look(self._pool))
        try:
            yield
        finally:
            self._watchers -= 1
            if not self._watchers and self._task is not None:
                self._task.cancel()
                self._task = None

    async def wait_beyond(self, position: int, timeout: float, must_end: Callable[[], bool]) -> bool:
        """Wait until the log is beyond a position, and return whether it is; at most so many seconds."""
        end = time.monotonic() + timeout
        while self._position <= position and not must_end() and time.monotonic() < end:
            assert self._moved is not None, "it is watched"
            await self._moved.wait()
        return self._position > position

    async def _look(self, pool: ThreadPoolExecutor) -> None:
        woken = 0.0
        while True:
            before, pause = self._position, _LOOK_INTERVAL
            try:
                # After the end it only wakes streams that are still open, which then find that they are to end.
                if self._pool is pool:
                    self._position = await asyncio.get_running_loop().run_in_executor(pool, self._read)
            except Exception:
                # Those who wait go on waiting: the database is busy or away.
                _LOG.warning("the change log cannot be read", exc_info=True)
                pause = _FAULT_INTERVAL
            if self._position != before or time.monotonic() - woken > _WAKE_INTERVAL:
                woken = time.monotonic()
                moved, self._moved = self._moved, asyncio.Event()
                assert moved is not None, "it is watched"
                moved.set()
            await asyncio.sleep(pause)

    def close(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True)


def _format_events(page: EventPage, events: Iterable[bytes]) -> bytes:
    """Return events as they are sent; where there are none, the cursor alone, which clients keep."""
    parts = [
        b"event: %s\nid: %d\ndata: %s\n\n" % (page.name.encode(), id, event)
        for id, event in zip(page.ids, events, strict=True)
    ]
    if page.next > (page.ids[-1] if page.ids else page.start):
        parts.append(b"id: %d\n\n" % page.next)
    return b"".join(parts)


async def _wait_until_left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
