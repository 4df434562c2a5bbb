"""The ids of a module's rows in ranges of a given length.

Rules: docs/rules/connector_tables.md, 7.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.connector.checksums.rules import LAST_ID, TABLES
from vetrina.connector.sync.modules import InvalidSyncModule
from vetrina.core.unit_of_work import UnitOfWork

_RANGED_MODULES: Final = {"comments": "comments", "posts": "posts", "terms": "terms",
                 "term_relationships": "term_relationships", "users": "users"}  # fmt: skip


def list_ranges(work: UnitOfWork, module: str, size: int, plain: bool = False) -> list[dict[str, Any]]:
    """Return the id ranges of a module in batches of `size` rows, 0 for one batch. Raises InvalidSyncModule.

    plain: return ids as numbers, in one batch.
    """
    table = TABLES.get(_RANGED_MODULES.get(module, ""))
    if table is None:
        raise InvalidSyncModule(name=module[:40])
    numbers = sorted({int(row[table.key]) for row in table.rows(work, 0, LAST_ID)})
    step = size if size > 0 else max(1, len(numbers))
    if plain:
        return [{"min": numbers[0], "max": numbers[-1]}] if numbers else []
    return [
        {"min": str(numbers[at]), "max": str(numbers[min(at + step, len(numbers)) - 1])}
        for at in range(0, len(numbers), step)
    ]
