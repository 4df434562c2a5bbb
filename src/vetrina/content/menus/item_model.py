"""A menu item: its record, and what it stores besides.

Not here: what it shows of its original (content/menus/item_originals.py), how it is written
(content/menus/item_rules.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
import orjson
from sqlalchemy import select

from vetrina.backends.database import Row, Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.records import menu_item as table
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import UnitOfWork

CUSTOM_KIND: Final = "custom"  # the kind of an item with a URL of its own


class MenuItem(msgspec.Struct, frozen=True):
    """One item: its record, whose title, excerpt and content are title, attribute title and description.

    kind: custom, post_type, taxonomy or post_type_archive. object, object_id: type and id of the original.
    parent: id of the item above, 0 for none. url: its own URL, empty where it follows an original.
    """

    record: Record
    kind: str
    object: str
    object_id: int
    parent: int
    url: str
    target: str
    classes: list[str]
    xfn: list[str]


_BY_RECORDS = Statement(select(table).where(InList(table.c.record, "records")))


def load_menu_items(work: UnitOfWork, records: Sequence[Record]) -> dict[int, MenuItem]:
    """Return the items of these records, by id."""
    known = {one.id: one for one in records}
    rows = work.tx.all(_BY_RECORDS, records=encode_list(known)) if known else []
    return {row[0]: _row_to_menu_item(known[row[0]], row) for row in rows}


def _row_to_menu_item(of: Record, row: Row) -> MenuItem:
    members = [of, *row[1:-2], orjson.loads(row[-2]), orjson.loads(row[-1])]
    return MenuItem(*members)
