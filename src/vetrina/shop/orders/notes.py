"""Notes on an order: events, and messages to the shop or the customer.

Rules: docs/rules/orders.md, 5: the author is the writer's login, or the shop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, select

from vetrina.backends import change_log
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id, allocate_ids
from vetrina.backends.store import FLAG, Store
from vetrina.backends.tables.orders import order_note as table
from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.mail import outbox
from vetrina.shop.orders.model import find_order as order_by_id

SHOP_AUTHOR: Final = "Shop"


class OrderNoteNotFound(ApiError):
    """The order has no note with the id."""

    failure, code = Failure.NOT_FOUND, "shop_rest_invalid_id"
    message = "The order has no note with the number {id}."


class OrderNote(msgspec.Struct, frozen=True):
    """One note. created: seconds since 1970. for_customer: whether the customer may read it."""

    id: int
    order: int
    author: str
    created: int
    note: str
    for_customer: bool


_STORE: Final = Store(table, OrderNote, {"for_customer": FLAG})
_DELETE_OF = Statement(delete(table).where(table.c.order == bindparam("order")))
_OF = Statement(select(*_STORE.columns).where(table.c.order == bindparam("order")).order_by(table.c.id.desc()))


def list_order_notes(work: UnitOfWork, order: int) -> list[OrderNote]:
    """Return the notes of an order, newest first; notes written together are in their own order."""
    work.uses("order")
    return _STORE.of_rows(work.tx.all(_OF, order=order))


def get_order_note(work: UnitOfWork, order: int, id: int) -> OrderNote:
    """Return a note of an order. Raises OrderNoteNotFound."""
    work.uses("order")
    found = _STORE.find(work.tx, id)
    if found is None or found.order != order:
        raise OrderNoteNotFound(id=id)
    return found


def create_order_note(
    work: UnitOfWork, order: int, note: str, *, author: str = SHOP_AUTHOR, for_customer: bool = False
) -> OrderNote:
    """Create a note."""
    words = sanitize_short_text(work.user, note)
    made = OrderNote(allocate_id(work.tx, "order_note"), order, author, work.now, words, for_customer)
    _STORE.insert(work.tx, made)
    work.note("order", order, "changed")
    if for_customer and (of := order_by_id(work, order)) is not None:
        outbox.enqueue_note_mail(work, of, words)
    return made


def find_order_note(work: UnitOfWork, id: int) -> OrderNote | None:
    """Return the note with an id, None where there is none."""
    work.uses("order")
    return _STORE.find(work.tx, id)


def store_order_note(work: UnitOfWork, old: OrderNote | None, new: OrderNote) -> None:
    """Store a note as it was written elsewhere; nobody is told of it. old: as it is stored, None for a new one."""
    if old is None:
        _STORE.insert(work.tx, new)
    else:
        _STORE.update(work.tx, old, new)
    # Not `work.note`: what follows from an order does not follow from its notes.
    change_log.log_change(work.tx, "order", new.order, "changed", work.now, work.user.id)


def create_order_notes(work: UnitOfWork, order: int, notes: Sequence[str]) -> None:
    """Create notes by the shop, which are read in the given order."""
    # Higher ids are listed first.
    ids = sorted(allocate_ids(work.tx, len(notes), "order_note"), reverse=True)
    made = [OrderNote(id, order, SHOP_AUTHOR, work.now, note, False) for id, note in zip(ids, notes, strict=True)]
    if made:
        _STORE.insert(work.tx, *made)
        work.note("order", order, "changed")


def delete_all_order_notes(work: UnitOfWork, order: int) -> None:
    """Delete the notes of an order."""
    work.tx.run(_DELETE_OF, order=order)
    work.note("order", order, "changed")


def delete_order_note(work: UnitOfWork, note: OrderNote) -> None:
    """Delete a note."""
    _STORE.delete(work.tx, note.id)
    work.note("order", note.order, "changed")
