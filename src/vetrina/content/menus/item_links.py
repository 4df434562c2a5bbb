"""Menu items that point to a record or a term, and their removal with it.

Not here: everything else about items (content/menus/item_rules.py). Rules: docs/rules/menus.md, 8: an item is deleted
when its original is deleted, not when that goes to the trash.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.records import menu_item as table
from vetrina.content.records import model as record_model
from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import UnitOfWork

MENU_ITEM_TYPE: Final = "nav_menu_item"

_OF_ORIGINAL = Statement(
    select(table.c.record).where(table.c.kind == bindparam("kind"), table.c.object_id == bindparam("object_id"))
)


def delete_items_of_original(work: UnitOfWork, kind: str, id: int) -> None:
    """Delete the items that point to a record (`post_type`) or a term (`taxonomy`)."""
    for (item,) in work.tx.all(_OF_ORIGINAL, kind=kind, object_id=id):
        delete_menu_item(work, item)


def delete_menu_item(work: UnitOfWork, item: int) -> None:
    """Delete one item."""
    old = record_model.find_record(work.tx, item)
    if old is None:
        return
    held = term_store.list_terms_by_record(work.tx, [item]).get(item, [])
    record_model.delete_record_row(work.tx, old)
    term_store.recount_terms(work, [term.id for term in held])
    work.note(MENU_ITEM_TYPE, item, "removed")
