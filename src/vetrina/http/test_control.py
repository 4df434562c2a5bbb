"""Control of a test server over HTTP: reset its data, set its clock, run its jobs.

It stands in front of the application, at paths that no other site has, and requires a key. What is reset: asgi.py,
backends/site_snapshot.py. Guide: docs/testing.md.
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
from vetrina.kernel.errors import ApiError, Failure, NoRoute
from vetrina.kernel.fake_clock import AdjustableClock
from vetrina.kernel.keys import is_equal_secret
from vetrina.rest.error_statuses import STATUSES, serialize_error

CONTROL_ROOT: Final = "/_stand-in/"
_MAX_BODY_BYTES: Final = 4096  # of a body
_IDLE_TIMEOUT: Final = 10.0  # seconds that running requests may take to end before a reset
_CLOCK_MEMBERS: Final = frozenset({"now", "forward", "frozen"})

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class WrongControlKey(ApiError):
    """The key of the control is missing or wrong."""

    failure, code = Failure.UNAUTHENTICATED, "stand_in_wrong_key"
    message = "Send the key of the stand-in, which it was started with: Authorization: Bearer KEY."


class InvalidClockSetting(ApiError):
    """The new time of the clock is invalid."""

    code = "stand_in_wrong_clock"
    message = '{why} Write {{"now": "2030-01-31T09:00:00Z"}} or {{"forward": 3600}}, and "frozen": true to stop it.'


class RequestsStillRunning(ApiError):
    """Running requests did not end in time."""

    failure, code = Failure.UNAVAILABLE, "stand_in_busy"
    message = "{count} request(s) at hand did not end within {seconds} s; end them, then send this again."


class ControllableSite(Protocol):
    """The site that is controlled (asgi.py)."""

    def pause_background(self) -> None:
        """Stop background work; a running job is finished."""

    def resume_background(self) -> None:
        """Continue background work."""

    def restore_start(self) -> None:
        """Restore the start state of what is stored, and drop all caches. Nothing else runs meanwhile."""

    def save_start(self) -> None:
        """Make the current data the start state. Nothing else runs meanwhile."""

    def run_due_jobs(self) -> int:
        """Run the jobs that are due and return how many."""


class ControlledApplication:
    """An application behind its control.

    key: required of clients that control it. clock: of the controlled site.
    """

    def __init__(
        self, application: Application, controlled: ControllableSite, clock: AdjustableClock, key: str
    ) -> None:
        self._application, self._controlled, self._clock, self._key = application, controlled, clock, key
        self._in_flight = 0
        self._open = asyncio.Event()
        self._open.set()
        self._ended = asyncio.Event()
        self._command_lock = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
        elif scope["path"].startswith(CONTROL_ROOT):
            status, body = await self._answer_control(scope, receive)
            content = orjson.dumps(body)
            headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": content})
        else:
            await self._open.wait()
            self._in_flight += 1
            try:
                await self._application(scope, receive, send)
            finally:
                self._in_flight -= 1
                self._ended.set()

    async def _answer_control(self, scope: Scope, receive: Receive) -> tuple[int, Mapping[str, Any]]:
        try:
            self._require_key(scope)
            body = await _read_body(receive)
            async with self._command_lock:
                return 200, await self._run_command(scope["method"], scope["path"].removeprefix(CONTROL_ROOT), body)
        except ApiError as error:
            return STATUSES[error.failure], serialize_error(error)

    def _require_key(self, scope: Scope) -> None:
        given = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")
        if not is_equal_secret(given, f"Bearer {self._key}"):
            raise WrongControlKey

    async def _run_command(self, method: str, name: str, body: bytes) -> Mapping[str, Any]:
        started = time.perf_counter()
        match method, name:
            case "POST", "reset":
                async with self._pause_site():
                    await asyncio.to_thread(self._controlled.restore_start)
                    self._clock.release()
            case "PUT", "start":
                async with self._pause_site():
                    await asyncio.to_thread(self._controlled.save_start)
            case "POST", "jobs":
                return {"done": await asyncio.to_thread(self._controlled.run_due_jobs)}
            case "GET", "clock":
                return self._serialize_clock()
            case "PUT", "clock":
                self._set_clock(body)
                await asyncio.to_thread(self._controlled.run_due_jobs)
                return self._serialize_clock()
            case "DELETE", "clock":
                self._clock.release()
                return self._serialize_clock()
            case _:
                raise NoRoute(method=method, path=CONTROL_ROOT + name)
        return {"milliseconds": round(1000 * (time.perf_counter() - started), 1)}

    @asynccontextmanager
    async def _pause_site(self) -> AsyncIterator[None]:
        """Block all other access to the stored data. Raises RequestsStillRunning."""
        # Background work first: a job may send this site a request, and wait for the response.
        await asyncio.to_thread(self._controlled.pause_background)
        self._open.clear()
        try:
            await self._wait_until_idle()
            yield
        finally:
            self._controlled.resume_background()
            self._open.set()

    async def _wait_until_idle(self) -> None:
        """Wait until no request is running. Raises RequestsStillRunning."""
        try:
            async with asyncio.timeout(_IDLE_TIMEOUT):
                while self._in_flight:
                    self._ended.clear()
                    await self._ended.wait()
        except TimeoutError:
            raise RequestsStillRunning(count=self._in_flight, seconds=round(_IDLE_TIMEOUT)) from None

    def _set_clock(self, body: bytes) -> None:
        """Set the clock as a body says. Raises InvalidClockSetting."""
        try:
            wanted = orjson.loads(body)
        except orjson.JSONDecodeError:
            raise InvalidClockSetting(why="The body is no JSON.") from None
        if not isinstance(wanted, dict) or not wanted.keys() <= _CLOCK_MEMBERS or not wanted:
            raise InvalidClockSetting(why="The body has other members than now, forward and frozen, or none.")
        frozen, forward = wanted.get("frozen", self._clock.frozen), wanted.get("forward", 0)
        if type(frozen) is not bool:
            raise InvalidClockSetting(why="frozen is neither true nor false.")
        if type(forward) is not int:
            raise InvalidClockSetting(why="forward is no whole number of seconds.")
        instant = (_parse_instant(wanted["now"]) if "now" in wanted else self._clock.now()) + forward
        if not 0 <= instant <= times.LAST_SECOND:
            raise InvalidClockSetting(why="This lies outside the years 1970 to 9999.")
        self._clock.set(instant, frozen)

    def _serialize_clock(self) -> Mapping[str, Any]:
        now = datetime.fromtimestamp(self._clock.now(), UTC).isoformat().replace("+00:00", "Z")
        return {"now": now, "frozen": self._clock.frozen}


def _parse_instant(text: object) -> int:
    """Return the seconds since 1970 of an ISO date and time with its offset. Raises InvalidClockSetting."""
    try:
        time_value = datetime.fromisoformat(str(text))
    except ValueError:
        raise InvalidClockSetting(why="now is no date and time.") from None
    if time_value.tzinfo is None:
        raise InvalidClockSetting(why="now has no offset from GMT.")
    return int(time_value.timestamp())


async def _read_body(receive: Receive) -> bytes:
    """Return the body of a request to the control. Raises InvalidClockSetting for one that is too long."""
    content: bytes = b""
    while len(content) <= _MAX_BODY_BYTES:
        message = await receive()
        content += message.get("body", b"")
        if not message.get("more_body"):
            return content
    raise InvalidClockSetting(why="The body is too long.")
