"""The same record in other languages: the members of its translation group.

Not here: how a group comes about, translation jobs (domain/mlang).
"""

from __future__ import annotations

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables import record as table
from vetrina.domain.work import Work

from .record import Record, of_row

__all__ = ["published"]

_OF_GROUP = Statement(
    select(table)
    .where(
        table.c.translations == bindparam("group"),
        table.c.type == bindparam("type"),
        table.c.status == "publish",
    )
    .order_by(table.c.id)
)


def published(work: Work, of: Record) -> dict[str, Record]:
    """Return the published members of a record's translation group by language, itself among them."""
    work.uses(of.type)
    rows = work.tx.all(_OF_GROUP, group=of.translations, type=of.type)
    found: dict[str, Record] = {}
    for row in rows:
        one = of_row(row)
        found.setdefault(one.language, one)
    return found
