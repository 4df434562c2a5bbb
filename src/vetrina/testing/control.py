"""The control of a test server over HTTP, and its clock."""

from __future__ import annotations

import http.client
import json
from datetime import UTC, datetime, timedelta
from typing import Any, Final

__all__ = ["ServerClock", "ServerControl", "ServerControlError"]

_ROOT: Final = "/_stand-in/"
_TIMEOUT_SECONDS: Final = 60.0  # seconds


class ServerControlError(Exception):
    """The test server refused or failed a control request; the message says why."""


class ServerControl:
    """The control of a test server. key: the one it was started with."""

    def __init__(self, host: str, port: int, key: str) -> None:
        self._host, self._port = host, port
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def ask(self, method: str, name: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a control request and return the response. Raises ServerControlError."""
        content = json.dumps(body) if body is not None else None
        # A connection for each call: one kept between two tests may have been closed meanwhile.
        connection = http.client.HTTPConnection(self._host, self._port, timeout=_TIMEOUT_SECONDS)
        try:
            connection.request(method, _ROOT + name, content, self._headers)
            answer = connection.getresponse()
            reply: dict[str, Any] = json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ServerControlError(f"the stand-in does not answer: {error!r}") from error
        finally:
            connection.close()
        if answer.status != 200:
            raise ServerControlError(str(reply.get("message", reply)))
        return reply


class ServerClock:
    """The clock of a test server. Jobs that become due when it is advanced are done when the call returns."""

    def __init__(self, control: ServerControl) -> None:
        self._control = control

    def now(self) -> datetime:
        """Return the site's current time."""
        return datetime.fromisoformat(self._control.ask("GET", "clock")["now"])

    def set(self, moment: datetime, *, frozen: bool = False) -> None:
        """Set the clock to a time, from which it runs on unless frozen. Raises ValueError without a time zone."""
        if moment.tzinfo is None:
            raise ValueError(f"{moment!r} has no time zone; say which: moment.replace(tzinfo=UTC)")
        self._control.ask("PUT", "clock", {"now": moment.astimezone(UTC).isoformat(), "frozen": frozen})

    def freeze(self, moment: datetime | None = None) -> None:
        """Stop the clock, at a given time or where it is."""
        if moment is not None:
            self.set(moment, frozen=True)
        else:
            self._control.ask("PUT", "clock", {"frozen": True})

    def travel(self, by: timedelta | float) -> None:
        """Move the clock forward, or back; by: a duration, or seconds. A frozen clock stays frozen."""
        seconds = by.total_seconds() if isinstance(by, timedelta) else by
        self._control.ask("PUT", "clock", {"forward": round(seconds)})

    def release(self) -> None:
        """Return to the machine's clock."""
        self._control.ask("DELETE", "clock")
