"""Notes on an order: what happened to it, and what those who run the shop or its customer were told.

Rules: facts, "Notes": the author is the login of who wrote it, or the shop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, delete, insert, select

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import next_number, next_numbers
from vetrina.backends.tables.orders import order_note as table
from vetrina.content.text.short_texts import allowed_text
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.shop.mail import outbox
from vetrina.shop.orders.model import by_id as order_by_id

__all__ = ["SHOP", "Note", "NoteUnknown", "add", "add_each", "existing", "of_order", "remove"]

SHOP: Final = "Shop"


class NoteUnknown(ApiError):
    """The order has no note with the number."""

    status, code = 404, "shop_rest_invalid_id"
    message = "The order has no note with the number {id}."


class Note(msgspec.Struct, frozen=True):
    """One note. created: seconds since 1970. for_customer: whether the customer may read it."""

    id: int
    order: int
    author: str
    created: int
    note: str
    for_customer: bool


_COLUMNS = tuple(table.c)
_OF = Statement(select(*_COLUMNS).where(table.c.order == bindparam("order")).order_by(table.c.id.desc()))
_ONE = Statement(select(*_COLUMNS).where(table.c.id == bindparam("id"), table.c.order == bindparam("order")))
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_REMOVE = Statement(delete(table).where(table.c.id == bindparam("id")))


def of_order(work: Work, order: int) -> list[Note]:
    """Return the notes of an order, the newest first, but those that were written together in their own order."""
    work.uses("order")
    return [_of_row(row) for row in work.tx.all(_OF, order=order)]


def existing(work: Work, order: int, id: int) -> Note:
    """Return a note of an order. Raises NoteUnknown."""
    work.uses("order")
    row = work.tx.first(_ONE, id=id, order=order)
    if row is None:
        raise NoteUnknown(id=id)
    return _of_row(row)


def add(work: Work, order: int, note: str, *, author: str = SHOP, for_customer: bool = False) -> Note:
    """Write a note."""
    words = allowed_text(work.user, note)
    made = Note(next_number(work.tx, "order_note"), order, author, work.now, words, for_customer)
    work.tx.run(_INSERT, **msgspec.structs.asdict(made))
    work.note("order", order, "changed")
    if for_customer and (of := order_by_id(work, order)) is not None:
        outbox.about_note(work, of, words)
    return made


def add_each(work: Work, order: int, notes: Sequence[str]) -> None:
    """Write notes of the shop itself, which are read in their order."""
    # Higher numbers are read first.
    ids = sorted(next_numbers(work.tx, len(notes), "order_note"), reverse=True)
    made = [Note(id, order, SHOP, work.now, note, False) for id, note in zip(ids, notes, strict=True)]
    if made:
        work.tx.run_each(_INSERT, [msgspec.structs.asdict(one) for one in made])
        work.note("order", order, "changed")


def remove(work: Work, one: Note) -> None:
    """Remove a note."""
    work.tx.run(_REMOVE, id=one.id)
    work.note("order", one.order, "changed")


def _of_row(row: Any) -> Note:
    id, order, author, created, note, for_customer = row
    return Note(id, order, author, created, note, bool(for_customer))
