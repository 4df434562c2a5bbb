"""Notes to whoever runs the shop: what happened that a person should know, until they have dealt with it.

Told of: the first order, a webhook that was switched off because its deliveries failed, reports that were rebuilt in
the background. Not here: notes of orders (shop/orders/notes.py), how notes are shown. Rules: facts, "Settings, notes,
data, mirrors".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, func, select, update

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.statement_cache import Among, Shapes, listed, upsert
from vetrina.backends.tables.analytics import admin_note as table
from vetrina.backends.tables.orders import shop_order
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.shop.webhooks import rules as webhooks

__all__ = ["ORDERS", "STATUSES", "TYPES", "Action", "Note", "NoteUnknown", "act", "change", "existing", "page",
           "remove_all", "settle", "tell"]  # fmt: skip

STATUSES: Final = ("pending", "actioned", "unactioned", "snoozed", "sent")
TYPES: Final = ("error", "warning", "update", "info", "marketing", "survey", "email")
ORDERS: Final = {"note_id": "id", "date": "created", "type": "type", "title": "title", "status": "status"}
_KIND: Final = "admin_note"
_SOURCE: Final = "shop-admin"
_SHAPES: Final = Shapes(128)


class NoteUnknown(ApiError):
    status, code = 404, "shop_note_invalid_id"
    message = "There is no note with this number."


class Action(msgspec.Struct, frozen=True):
    """What a reader of a note may do. url: where it leads; status: what becomes of the note then."""

    id: int
    name: str
    label: str
    url: str
    status: str = "actioned"


class Note(msgspec.Struct, frozen=True):
    """One note, its members in the order of the columns. created, reminder: seconds since 1970."""

    id: int
    name: str
    subject: int
    type: str
    title: str
    content: str
    status: str
    source: str
    created: int
    reminder: int | None
    snoozable: bool
    actions: tuple[Action, ...]
    deleted: bool
    read: bool


_COLUMNS: Final = Note.__struct_fields__
_AGAIN: Final = ("title", "content", "status", "created", "actions", "deleted", "read")
_PUT = Statement(
    upsert(
        table, ("name", "subject"), {name: bindparam(name) for name in _COLUMNS},
        {name: bindparam(name) for name in _AGAIN},
    )
)  # fmt: skip
_BY_ID = Statement(select(*(table.c[name] for name in _COLUMNS)).where(table.c.id == bindparam("id")))
_TOLD = Statement(select(table.c.id).where(table.c.name == bindparam("name"), table.c.subject == bindparam("subject")))
_CHANGE = Statement(
    update(table)
    .where(table.c.id == bindparam("id_"))
    .values({name: bindparam(name) for name in ("status", "reminder", "deleted", "read")})
)
_TWO_ORDERS = Statement(select(shop_order.c.id).limit(2))


def page(
    work: Work, *, types: Sequence[str] = (), statuses: Sequence[str] = (), sources: Sequence[str] = (),
    orderby: str = "date", order: str = "desc", page: int = 1, per_page: int = 10,
) -> tuple[list[Note], int]:  # fmt: skip
    """Return a page of the notes that were not deleted, and the number of all; orderby: a member of ORDERS."""
    work.uses(_KIND)
    asked = {"type": types, "status": statuses, "source": sources}
    bound = {name: listed(given) for name, given in asked.items() if given}
    where = [table.c.deleted == 0, *(Among(table.c[name], name) for name in bound)]
    shape = tuple(bound)
    count = _SHAPES.get(("count", *shape), lambda: select(func.count()).select_from(table).where(*where))
    column = table.c[ORDERS[orderby]]

    def build() -> Any:
        by = (column.desc(), table.c.id.desc()) if order == "desc" else (column, table.c.id)
        return (
            select(*(table.c[name] for name in _COLUMNS)).where(*where).order_by(*by)
            .limit(bindparam("limit")).offset(bindparam("start"))
        )  # fmt: skip

    statement = _SHAPES.get(("page", orderby, order, *shape), build)
    rows = work.tx.all(statement, limit=per_page, start=(page - 1) * per_page, **bound)
    return [_of_row(row) for row in rows], int(work.tx.value(count, **bound) or 0)


def existing(work: Work, id: int) -> Note:
    """Return a note, deleted or not. Raises NoteUnknown."""
    work.uses(_KIND)
    row = work.tx.first(_BY_ID, id=id)
    if row is None:
        raise NoteUnknown
    return _of_row(row)


def change(work: Work, id: int, given: Mapping[str, Any]) -> Note:
    """Change status, reminder, deleted or read of a note; deleted False takes a removal back. Raises NoteUnknown."""
    old = existing(work, id)
    new = msgspec.structs.replace(old, **given)
    work.tx.run(_CHANGE, id_=id, status=new.status, reminder=new.reminder, deleted=int(new.deleted), read=int(new.read))
    work.note(_KIND, id, "changed")
    return new


def act(work: Work, id: int, action: int) -> Note:
    """Do what a note offers: it gets the status that the action says. Raises NoteUnknown for either number."""
    chosen = next((one for one in existing(work, id).actions if one.id == action), None)
    if chosen is None:
        raise NoteUnknown
    return change(work, id, {"status": chosen.status, "read": True})


def remove_all(work: Work, statuses: Sequence[str] = ()) -> list[Note]:
    """Delete all notes, or those of some statuses, and return them."""
    out = []
    while found := page(work, statuses=statuses, per_page=100)[0]:
        out += [change(work, one.id, {"deleted": True}) for one in found]
    return out


def tell(
    work: Work, name: str, type: str, title: str, content: str, *, subject: int = 0, actions: Iterable[Action] = ()
) -> None:
    """Write a note; one of the same name and subject is told anew.

    name: of what happened; subject: the number of what it happened to.
    """
    values = {
        "name": name, "subject": subject, "type": type, "title": title, "content": content, "status": "unactioned",
        "source": _SOURCE, "created": work.now, "reminder": None, "snoozable": 0, "deleted": 0, "read": 0,
        "actions": orjson.dumps([msgspec.to_builtins(one) for one in actions]).decode(),
    }  # fmt: skip
    known = work.tx.value(_TOLD, name=name, subject=subject)
    id = known or next_number(work.tx, _KIND)
    work.tx.run(_PUT, id=id, **values)
    work.note(_KIND, id, "changed" if known else "created")


def settle(work: Work) -> None:
    """Tell what a transaction did."""
    for kind, item, action in list(work.noted):
        if kind == "order" and action == "created":
            _first_order(work, int(item))
        elif kind == webhooks.KIND and action == "changed":
            _webhook(work, int(item))


def _first_order(work: Work, id: int) -> None:
    if len(work.tx.all(_TWO_ORDERS)) != 1 or work.tx.value(_TOLD, name="first-order", subject=0):
        return
    tell(
        work, "first-order", "info", "Your first order",
        "Somebody bought in your shop for the first time. See what to send and where.",
        actions=(Action(1, "view-order", "View the order", f"admin.php?page=shop-orders&action=edit&id={id}"),),
    )  # fmt: skip


def _webhook(work: Work, id: int) -> None:
    found = webhooks.by_id(work, id)
    if found is None or found.status != webhooks.DISABLED or found.failures < webhooks.MOST_FAILURES:
        return
    tell(
        work, "webhook-disabled", "warning", "A webhook was switched off",
        f"Too many deliveries of {found.name or found.topic} failed one after the other. "
        "See what its address answers, then switch it on again.",
        subject=id,
        actions=(Action(1, "view-webhook", "View the webhook",
                        f"admin.php?page=shop-settings&tab=advanced&section=webhooks&edit-webhook={id}"),),
    )  # fmt: skip


def _of_row(row: Sequence[Any]) -> Note:
    known = dict(zip(_COLUMNS, row, strict=True))
    for name in ("snoozable", "deleted", "read"):
        known[name] = bool(known[name])
    known["actions"] = tuple(msgspec.convert(one, Action) for one in orjson.loads(known["actions"]))
    return Note(**known)
