"""The control of a stand-in, asked over HTTP, and the clock that it sets."""

from __future__ import annotations

import http.client
import json
from datetime import UTC, datetime, timedelta
from typing import Any, Final

__all__ = ["Clock", "Control", "ControlError"]

_ROOT: Final = "/_stand-in/"
_PATIENCE: Final = 60.0  # seconds


class ControlError(Exception):
    """The stand-in did not do what it was told; the message says why."""


class Control:
    """The way to the control. key: what it was started with."""

    def __init__(self, host: str, port: int, key: str) -> None:
        self._host, self._port = host, port
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def ask(self, method: str, name: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return what the control answers. Raises ControlError."""
        content = json.dumps(body) if body is not None else None
        # A connection for each call: one that was kept between two tests may have been closed meanwhile.
        connection = http.client.HTTPConnection(self._host, self._port, timeout=_PATIENCE)
        try:
            connection.request(method, _ROOT + name, content, self._headers)
            answer = connection.getresponse()
            told: dict[str, Any] = json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ControlError(f"the stand-in does not answer: {error!r}") from error
        finally:
            connection.close()
        if answer.status != 200:
            raise ControlError(str(told.get("message", told)))
        return told


class Clock:
    """The clock of a stand-in. Jobs that become due when it is put forward are done when the call returns."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def now(self) -> datetime:
        """Return what the site takes for the present."""
        return datetime.fromisoformat(self._control.ask("GET", "clock")["now"])

    def set(self, moment: datetime, *, frozen: bool = False) -> None:
        """Put the clock to a moment, from which it goes on unless it is frozen. Raises ValueError without a zone."""
        if moment.tzinfo is None:
            raise ValueError(f"{moment!r} has no time zone; say which: moment.replace(tzinfo=UTC)")
        self._control.ask("PUT", "clock", {"now": moment.astimezone(UTC).isoformat(), "frozen": frozen})

    def freeze(self, moment: datetime | None = None) -> None:
        """Stop the clock, at a moment or where it stands."""
        if moment is not None:
            self.set(moment, frozen=True)
        else:
            self._control.ask("PUT", "clock", {"frozen": True})

    def travel(self, by: timedelta | float) -> None:
        """Put the clock forward, or back; by: a span, or seconds. A frozen clock stays so."""
        seconds = by.total_seconds() if isinstance(by, timedelta) else by
        self._control.ask("PUT", "clock", {"forward": round(seconds)})

    def release(self) -> None:
        """Follow the machine's clock again."""
        self._control.ask("DELETE", "clock")
