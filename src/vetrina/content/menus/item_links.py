"""Which items of menus point to a record or a term, and their end with it.

Not here: what else an item is (content/menus/item_rules.py). Rules: facts, "Menu items": an item goes when its original
goes for good, not when that goes to the trash.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.core import menu_item as table
from vetrina.content.records import model as record_model
from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import Work

__all__ = ["ITEM", "drop", "drop_items_of"]

ITEM: Final = "nav_menu_item"

_OF_ORIGINAL = Statement(
    select(table.c.record).where(table.c.kind == bindparam("kind"), table.c.object_id == bindparam("object_id"))
)


def drop_items_of(work: Work, kind: str, id: int) -> None:
    """Remove the items that point to a record (`post_type`) or a term (`taxonomy`)."""
    for (item,) in work.tx.all(_OF_ORIGINAL, kind=kind, object_id=id):
        drop(work, item)


def drop(work: Work, item: int) -> None:
    """Remove one item."""
    old = record_model.by_id(work.tx, item)
    if old is None:
        return
    held = term_store.of_records(work.tx, [item]).get(item, [])
    record_model.erase(work.tx, old)
    term_store.recount(work, [term.id for term in held])
    work.note(ITEM, item, "removed")
