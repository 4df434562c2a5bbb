"""Computed values of the site, compared with their last state: a difference is logged as a change, and so synced.

Constants are compared at most once an hour and functions once a minute, when the queue is read. Not here: the values
(connector/sync/named_objects.py), their items (connector/sync/change_items.py). Rules: docs/rules/connector_sync.md, 6.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any, Final

import orjson

from vetrina.connector import stored_values
from vetrina.connector.sync import named_objects
from vetrina.core.unit_of_work import UnitOfWork

CONSTANT, FUNCTION = "constant", "callable"  # kinds of the change log

_NAME: Final = "sync_sums_"
# Kind → its values, and the seconds between two comparisons.
_LOOKS: Final[dict[str, tuple[Callable[[UnitOfWork], dict[str, Any]], int]]] = {
    CONSTANT: (named_objects.build_constants, 3600), FUNCTION: (named_objects.compute_functions, 60),
}  # fmt: skip


def save_checksums(work: UnitOfWork) -> None:
    """Store the current checksums, when a queue starts."""
    for kind, (read, _) in _LOOKS.items():
        stored_values.save_value(work, _NAME + kind, {"at": work.now, "sums": _compute_checksums(read(work))})


def note_changes(work: UnitOfWork) -> None:
    """Log values that have changed, if the last comparison is long enough ago."""
    for kind, (read, seconds) in _LOOKS.items():
        stored = stored_values.get_value(work, _NAME + kind)
        if stored is None or work.now - stored["at"] < seconds:
            continue
        sums = _compute_checksums(read(work))
        for name in sums:
            if sums[name] != stored["sums"].get(name):
                work.note(kind, name, "changed")
        stored_values.save_value(work, _NAME + kind, {"at": work.now, "sums": sums})


def forget_checksums(work: UnitOfWork) -> None:
    """Delete the stored checksums."""
    stored_values.delete_values(work, *(_NAME + kind for kind in _LOOKS))


def _compute_checksums(values: dict[str, Any]) -> dict[str, int]:
    return {name: zlib.crc32(orjson.dumps(value)) for name, value in values.items()}
