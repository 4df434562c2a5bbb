"""Log lines: one line an event on standard error, for people or as JSON.

They come from the standard library's logging, so those of libraries are included; structlog formats them, and is
imported with the first line. What is logged of a request: http/request_trace.py.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Literal

LOG_LEVELS = ("debug", "info", "warning", "error")
LogFormat = Literal["console", "json"]
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class LogFormatter(logging.Formatter):
    """Formats log records as lines. kind: for people (`console`) or for programs (`json`)."""

    def __init__(self, kind: LogFormat = "console") -> None:
        super().__init__()
        self._kind: LogFormat = kind
        self._render: Callable[[dict[str, Any]], str] | None = None

    def format(self, record: logging.LogRecord) -> str:
        if self._render is None:
            self._render = _build_renderer(self._kind)
        at = datetime.fromtimestamp(record.created, UTC)
        fields: dict[str, Any] = {
            "time": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **getattr(record, "told", {}),
        }
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        return self._render(fields)


def _build_renderer(kind: LogFormat) -> Callable[[dict[str, Any]], str]:
    # Imported here: it takes a tenth of a second, and a process that logs nothing needs none of it.
    if kind == "json":
        import orjson
        from structlog.processors import JSONRenderer

        render = JSONRenderer(serializer=lambda fields, **_: orjson.dumps(fields, default=str).decode())
        return lambda fields: str(render(None, "", fields))
    from structlog.dev import ConsoleRenderer

    people = ConsoleRenderer(colors=sys.stderr.isatty(), timestamp_key="time", pad_event_to=0, sort_keys=False)
    # JSON escapes by itself: whatever an event quotes, it stays on its line and sends no control codes to a terminal.
    return lambda fields: people(
        None, "", {**fields, "event": _CONTROL_CHARACTERS.sub(_escape_control, fields["event"])}
    )


def _escape_control(found: re.Match[str]) -> str:
    return f"\\x{ord(found[0]):02x}"


def build_logging_config(level: str, kind: LogFormat = "console", requests: bool = False) -> dict[str, Any]:
    """Return the argument of `logging.config.dictConfig`.

    level: one of LEVELS. kind: how a line is formatted. requests: whether every request is logged at this level too.
    """
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": LogFormatter, "kind": kind}},
        "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "line", "stream": "ext://sys.stderr"}},
        "root": {"handlers": ["lines"], "level": "WARNING"},
        "loggers": {
            "vetrina": {"level": level.upper()},
            # A line for every request costs a busy site more than it is worth; faults are logged at every level.
            "vetrina.request": {"level": "INFO" if requests or level == "debug" else "WARNING"},
        },
    }
