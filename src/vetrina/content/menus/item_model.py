"""An item of a menu as the domain knows it: its record, and what it says beside that.

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
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.core import menu_item as table
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import Work

__all__ = ["CUSTOM", "MenuItem", "of_records"]

CUSTOM: Final = "custom"  # the kind of an item with an address of its own


class MenuItem(msgspec.Struct, frozen=True):
    """One item: its record, whose title, excerpt and content are title, attribute title and description.

    kind: custom, post_type, taxonomy or post_type_archive. object, object_id: the type and number of the original.
    parent: the item above, 0 for none. url: its own address, empty where it follows an original.
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


_BY_RECORDS = Statement(select(table).where(Among(table.c.record, "records")))


def of_records(work: Work, records: Sequence[Record]) -> dict[int, MenuItem]:
    """Return the items whose records these are, by number."""
    known = {one.id: one for one in records}
    rows = work.tx.all(_BY_RECORDS, records=listed(known)) if known else []
    return {row[0]: _item(known[row[0]], row) for row in rows}


def _item(of: Record, row: Row) -> MenuItem:
    members = [of, *row[1:-2], orjson.loads(row[-2]), orjson.loads(row[-1])]
    return MenuItem(*members)
