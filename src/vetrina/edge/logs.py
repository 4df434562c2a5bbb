"""Log lines: one line an event on standard error, by the logging of the standard library.

Not here: what is logged of a request (observe.py).
"""

from __future__ import annotations

from typing import Any

__all__ = ["LEVELS", "configuration"]

LEVELS = ("debug", "info", "warning", "error")


def configuration(level: str) -> dict[str, Any]:
    """Return what `logging.config.dictConfig` is given; level: one of LEVELS."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
        "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "line", "stream": "ext://sys.stderr"}},
        "root": {"handlers": ["lines"], "level": "WARNING"},
        "loggers": {
            "vetrina": {"level": level.upper()},
            # A line for every request costs a busy site more than it tells; a fault is logged at every level.
            "vetrina.request": {"level": "INFO" if level == "debug" else "WARNING"},
        },
    }
