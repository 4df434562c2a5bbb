"""Log lines: one line an event on standard error, for people or as JSON.

The lines come from the logging of the standard library, so those of libraries are among them; structlog writes them,
and is loaded with the first line. Not here: what is logged of a request (http/request_trace.py).
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Literal

__all__ = ["LEVELS", "configuration"]

LEVELS = ("debug", "info", "warning", "error")
Format = Literal["console", "json"]
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Lines(logging.Formatter):
    """Writes events as lines. kind: for people (`console`) or for programs (`json`)."""

    def __init__(self, kind: Format = "console") -> None:
        super().__init__()
        self._kind: Format = kind
        self._written: Callable[[dict[str, Any]], str] | None = None

    def format(self, record: logging.LogRecord) -> str:
        if self._written is None:
            self._written = _writer(self._kind)
        at = datetime.fromtimestamp(record.created, UTC)
        told: dict[str, Any] = {
            "time": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **getattr(record, "told", {}),
        }
        if record.exc_info:
            told["exception"] = self.formatException(record.exc_info)
        return self._written(told)


def _writer(kind: Format) -> Callable[[dict[str, Any]], str]:
    # Loaded here: it takes a tenth of a second, and a process that has nothing to say does without.
    if kind == "json":
        import orjson
        from structlog.processors import JSONRenderer

        render = JSONRenderer(serializer=lambda told, **_: orjson.dumps(told, default=str).decode())
        return lambda told: str(render(None, "", told))
    from structlog.dev import ConsoleRenderer

    people = ConsoleRenderer(colors=sys.stderr.isatty(), timestamp_key="time", pad_event_to=0, sort_keys=False)
    # JSON does this by itself: whatever an event quotes, it stays on its line and commands no terminal.
    return lambda told: people(None, "", {**told, "event": _CONTROL.sub(_escaped, told["event"])})


def _escaped(found: re.Match[str]) -> str:
    return f"\\x{ord(found[0]):02x}"


def configuration(level: str, kind: Format = "console", requests: bool = False) -> dict[str, Any]:
    """Return what `logging.config.dictConfig` is given.

    level: one of LEVELS. kind: how a line is written. requests: whether every request has a line at this level too.
    """
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": Lines, "kind": kind}},
        "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "line", "stream": "ext://sys.stderr"}},
        "root": {"handlers": ["lines"], "level": "WARNING"},
        "loggers": {
            "vetrina": {"level": level.upper()},
            # A line for every request costs a busy site more than it tells; a fault is logged at every level.
            "vetrina.request": {"level": "INFO" if requests or level == "debug" else "WARNING"},
        },
    }
