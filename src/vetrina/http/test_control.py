"""The control of a stand-in over HTTP: put it back to its start, set its clock, carry out its jobs.

It stands in front of the application, at addresses that no other site has, and asks for a key. Not here: what it is
that is put back (site.py, backends/site_snapshot.py).
Guide: docs/testing.md.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, Final, Protocol

import orjson

from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, NoRoute
from vetrina.kernel.fake_clock import StandInClock
from vetrina.kernel.keys import same

__all__ = ["ROOT", "Control", "Controlled"]

ROOT: Final = "/_stand-in/"
_MOST_BYTES: Final = 4096  # of a body
_PATIENCE: Final = 10.0  # seconds that requests at hand may take to end before a reset
_MEMBERS: Final = frozenset({"now", "forward", "frozen"})

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class WrongKey(ApiError):
    """The key of the control is missing or wrong."""

    status, code = 401, "stand_in_wrong_key"
    message = "Send the key of the stand-in, which it was started with: Authorization: Bearer KEY."


class WrongClock(ApiError):
    """What the clock is to be put to cannot be read."""

    code = "stand_in_wrong_clock"
    message = '{why} Write {{"now": "2030-01-31T09:00:00Z"}} or {{"forward": 3600}}, and "frozen": true to stop it.'


class StillBusy(ApiError):
    """Requests at hand did not end in time."""

    status, code = 503, "stand_in_busy"
    message = "{count} request(s) at hand did not end within {seconds} s; end them, then send this again."


class Controlled(Protocol):
    """What is controlled (site.py)."""

    def still(self) -> None:
        """Stop what goes on in the background; the job at hand is finished."""

    def stir(self) -> None:
        """Let what goes on in the background go on."""

    def put_back(self) -> None:
        """Put what is stored back to the start, and forget all that was known of it. Nothing else is at work."""

    def keep(self) -> None:
        """Make what is stored now the start. Nothing else is at work."""

    def work_off(self) -> int:
        """Carry out the jobs that are due and return their number."""


class Control:
    """An application behind its control.

    key: who knows it may control. clock: that of the controlled.
    """

    def __init__(self, application: Application, controlled: Controlled, clock: StandInClock, key: str) -> None:
        self._application, self._controlled, self._clock, self._key = application, controlled, clock, key
        self._at_hand = 0
        self._open = asyncio.Event()
        self._open.set()
        self._ended = asyncio.Event()
        self._turn = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
        elif scope["path"].startswith(ROOT):
            status, body = await self._answer(scope, receive)
            content = orjson.dumps(body)
            headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": content})
        else:
            await self._open.wait()
            self._at_hand += 1
            try:
                await self._application(scope, receive, send)
            finally:
                self._at_hand -= 1
                self._ended.set()

    async def _answer(self, scope: Scope, receive: Receive) -> tuple[int, Mapping[str, Any]]:
        try:
            self._require_key(scope)
            body = await _body(receive)
            async with self._turn:
                return 200, await self._carried_out(scope["method"], scope["path"].removeprefix(ROOT), body)
        except ApiError as error:
            return error.answer_status, error.body()

    def _require_key(self, scope: Scope) -> None:
        given = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")
        if not same(given, f"Bearer {self._key}"):
            raise WrongKey

    async def _carried_out(self, method: str, name: str, body: bytes) -> Mapping[str, Any]:
        started = time.perf_counter()
        match method, name:
            case "POST", "reset":
                async with self._quiet():
                    await asyncio.to_thread(self._controlled.put_back)
                    self._clock.release()
            case "PUT", "start":
                async with self._quiet():
                    await asyncio.to_thread(self._controlled.keep)
            case "POST", "jobs":
                return {"done": await asyncio.to_thread(self._controlled.work_off)}
            case "GET", "clock":
                return self._told()
            case "PUT", "clock":
                self._set(body)
                await asyncio.to_thread(self._controlled.work_off)
                return self._told()
            case "DELETE", "clock":
                self._clock.release()
                return self._told()
            case _:
                raise NoRoute(method=method, path=ROOT + name)
        return {"milliseconds": round(1000 * (time.perf_counter() - started), 1)}

    @asynccontextmanager
    async def _quiet(self) -> AsyncIterator[None]:
        """Keep everything else from what is stored. Raises StillBusy."""
        # The background first: a job may ask this very site something, and wait for the answer.
        await asyncio.to_thread(self._controlled.still)
        self._open.clear()
        try:
            await self._emptied()
            yield
        finally:
            self._controlled.stir()
            self._open.set()

    async def _emptied(self) -> None:
        """Wait until no request is at hand. Raises StillBusy."""
        try:
            async with asyncio.timeout(_PATIENCE):
                while self._at_hand:
                    self._ended.clear()
                    await self._ended.wait()
        except TimeoutError:
            raise StillBusy(count=self._at_hand, seconds=round(_PATIENCE)) from None

    def _set(self, body: bytes) -> None:
        """Put the clock as a body says. Raises WrongClock."""
        try:
            wanted = orjson.loads(body)
        except orjson.JSONDecodeError:
            raise WrongClock(why="The body is no JSON.") from None
        if not isinstance(wanted, dict) or not wanted.keys() <= _MEMBERS or not wanted:
            raise WrongClock(why="The body has other members than now, forward and frozen, or none.")
        frozen, forward = wanted.get("frozen", self._clock.frozen), wanted.get("forward", 0)
        if type(frozen) is not bool:
            raise WrongClock(why="frozen is neither true nor false.")
        if type(forward) is not int:
            raise WrongClock(why="forward is no whole number of seconds.")
        instant = (_instant(wanted["now"]) if "now" in wanted else self._clock.now()) + forward
        if not 0 <= instant <= times.LAST:
            raise WrongClock(why="This lies outside the years 1970 to 9999.")
        self._clock.set(instant, frozen)

    def _told(self) -> Mapping[str, Any]:
        now = datetime.fromtimestamp(self._clock.now(), UTC).isoformat().replace("+00:00", "Z")
        return {"now": now, "frozen": self._clock.frozen}


def _instant(text: object) -> int:
    """Return the seconds since 1970 of an ISO date and time with its offset. Raises WrongClock."""
    try:
        moment = datetime.fromisoformat(str(text))
    except ValueError:
        raise WrongClock(why="now is no date and time.") from None
    if moment.tzinfo is None:
        raise WrongClock(why="now has no offset from GMT.")
    return int(moment.timestamp())


async def _body(receive: Receive) -> bytes:
    """Return the body of a request to the control. Raises WrongClock for one that nothing needs."""
    content: bytes = b""
    while len(content) <= _MOST_BYTES:
        message = await receive()
        content += message.get("body", b"")
        if not message.get("more_body"):
            return content
    raise WrongClock(why="The body is too long.")
