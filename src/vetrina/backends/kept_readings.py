"""What a transaction that writes keeps of its readings, until it writes the tables that they are of.

Nobody else writes to a site meanwhile, so they are true for as long.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final

_MAX_KEPT: Final = 1000  # readings of a table


class KeptReadings:
    """The readings that one transaction keeps, by table and key."""

    __slots__ = ("_tables",)

    def __init__(self) -> None:
        self._tables: dict[str, dict[Hashable, Any]] = {}

    def __bool__(self) -> bool:
        return bool(self._tables)

    def keep(self, table: str, key: Hashable, value: object) -> None:
        """Keep a reading; where a table has too many, the others of it are forgotten."""
        kept = self._tables.setdefault(table, {})
        if len(kept) >= _MAX_KEPT:
            kept.clear()
        kept[key] = value

    def get(self, table: str, key: Hashable) -> Any:
        """Return a reading, None where it is not kept."""
        kept = self._tables.get(table)
        return None if kept is None else kept.get(key)

    def forget(self, table: str) -> None:
        """Forget the readings of a table that is written."""
        self._tables.pop(table, None)

    def clear(self) -> None:
        """Forget all: whatever may have changed."""
        self._tables.clear()
