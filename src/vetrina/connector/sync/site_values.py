"""What a site works out about itself, compared with what it was: a change is one of the log, and so an item of sync.

Constants are looked at once an hour, functions once a minute, when somebody asks for what waits. Not here: what they
are (connector/sync/objects.py), their items (connector/sync/items.py). Rules: facts of the connector, 13, "What is
queued".
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any, Final

import orjson

from vetrina.connector.connection import state as connection_state
from vetrina.connector.sync import named_objects
from vetrina.core.unit_of_work import Work

__all__ = ["CONSTANT", "FUNCTION", "forget", "look", "remember"]

CONSTANT, FUNCTION = "constant", "callable"  # kinds of the change log

_NAME: Final = "sync_sums_"
# Kind → what there is of it, and the seconds between two looks.
_LOOKS: Final[dict[str, tuple[Callable[[Work], dict[str, Any]], int]]] = {
    CONSTANT: (named_objects.constants, 3600), FUNCTION: (named_objects.functions, 60),
}  # fmt: skip


def remember(work: Work) -> None:
    """Keep how everything is now, when a queue begins."""
    for kind, (read, _) in _LOOKS.items():
        connection_state.put(work, _NAME + kind, {"at": work.now, "sums": _sums(read(work))})


def look(work: Work) -> None:
    """Note what has changed since the last look that is long enough ago."""
    for kind, (read, seconds) in _LOOKS.items():
        kept = connection_state.get(work, _NAME + kind)
        if kept is None or work.now - kept["at"] < seconds:
            continue
        sums = _sums(read(work))
        for name in sums:
            if sums[name] != kept["sums"].get(name):
                work.note(kind, name, "changed")
        connection_state.put(work, _NAME + kind, {"at": work.now, "sums": sums})


def forget(work: Work) -> None:
    """Forget how everything was."""
    connection_state.drop(work, *(_NAME + kind for kind in _LOOKS))


def _sums(found: dict[str, Any]) -> dict[str, int]:
    return {name: zlib.crc32(orjson.dumps(value)) for name, value in found.items()}
