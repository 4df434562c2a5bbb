"""Notes to the shop's managers: what happened that a person should know, until they have dealt with it.

Written for the first order, a webhook that was disabled because its deliveries failed, and a rebuild of the reports in
the background. Not here: order notes (shop/orders/notes.py). Rules: docs/rules/analytics_exports.md, 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, func, select, update

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.statement_cache import InList, StatementCache, build_upsert, encode_list
from vetrina.backends.tables.analytics import admin_note as table
from vetrina.backends.tables.orders import shop_order
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.webhooks.failure_limit import MAX_FAILURES
from vetrina.core.webhooks.model import DISABLED, WEBHOOK_KIND
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.webhooks import rules as webhooks

STATUSES: Final = ("pending", "actioned", "unactioned", "snoozed", "sent")
TYPES: Final = ("error", "warning", "update", "info", "marketing", "survey", "email")
ORDERS: Final = {"note_id": "id", "date": "created", "type": "type", "title": "title", "status": "status"}
_KIND: Final = "admin_note"
_SOURCE: Final = "shop-admin"
_SHAPES: Final = StatementCache(128)


class AdminNoteNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_note_invalid_id"
    message = "There is no note with this number."


class AdminNoteAction(msgspec.Struct, frozen=True):
    """An action that a note offers. url: the page it leads to; status: the note's status afterwards."""

    id: int
    name: str
    label: str
    url: str
    status: str = "actioned"


class AdminNote(msgspec.Struct, frozen=True):
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
    actions: tuple[AdminNoteAction, ...]
    deleted: bool
    read: bool


_COLUMNS: Final = AdminNote.__struct_fields__
_REWRITTEN_COLUMNS: Final = ("title", "content", "status", "created", "actions", "deleted", "read")
_PUT = Statement(
    build_upsert(
        table, ("name", "subject"), {name: bindparam(name) for name in _COLUMNS},
        {name: bindparam(name) for name in _REWRITTEN_COLUMNS},
    )
)  # fmt: skip
_BY_ID = Statement(select(*(table.c[name] for name in _COLUMNS)).where(table.c.id == bindparam("id")))
_FIND_ID = Statement(
    select(table.c.id).where(table.c.name == bindparam("name"), table.c.subject == bindparam("subject"))
)
_CHANGE = Statement(
    update(table)
    .where(table.c.id == bindparam("id_"))
    .values({name: bindparam(name) for name in ("status", "reminder", "deleted", "read")})
)
_TWO_ORDERS = Statement(select(shop_order.c.id).limit(2))


def list_admin_notes(
    work: UnitOfWork, *, types: Sequence[str] = (), statuses: Sequence[str] = (), sources: Sequence[str] = (),
    orderby: str = "date", order: str = "desc", page: int = 1, per_page: int = 10,
) -> tuple[list[AdminNote], int]:  # fmt: skip
    """Return a page of the notes that are not deleted, and the total; orderby: a member of ORDERS."""
    work.uses(_KIND)
    filters = {"type": types, "status": statuses, "source": sources}
    bound = {name: encode_list(given) for name, given in filters.items() if given}
    where = [table.c.deleted == 0, *(InList(table.c[name], name) for name in bound)]
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
    return [_row_to_note(row) for row in rows], int(work.tx.value(count, **bound) or 0)


def get_admin_note(work: UnitOfWork, id: int) -> AdminNote:
    """Return a note, deleted or not. Raises AdminNoteNotFound."""
    work.uses(_KIND)
    row = work.tx.first(_BY_ID, id=id)
    if row is None:
        raise AdminNoteNotFound
    return _row_to_note(row)


def update_admin_note(work: UnitOfWork, id: int, given: Mapping[str, Any]) -> AdminNote:
    """Change status, reminder, deleted or read of a note; deleted False restores it. Raises AdminNoteNotFound."""
    old = get_admin_note(work, id)
    new = msgspec.structs.replace(old, **given)
    work.tx.run(_CHANGE, id_=id, status=new.status, reminder=new.reminder, deleted=int(new.deleted), read=int(new.read))
    work.note(_KIND, id, "changed")
    return new


def apply_note_action(work: UnitOfWork, id: int, action: int) -> AdminNote:
    """Run an action of a note, which sets the note's status. Raises AdminNoteNotFound for either id."""
    chosen = next((one for one in get_admin_note(work, id).actions if one.id == action), None)
    if chosen is None:
        raise AdminNoteNotFound
    return update_admin_note(work, id, {"status": chosen.status, "read": True})


def delete_admin_notes(work: UnitOfWork, statuses: Sequence[str] = ()) -> list[AdminNote]:
    """Delete all notes, or those of some statuses, and return them."""
    out = []
    while found := list_admin_notes(work, statuses=statuses, per_page=100)[0]:
        out += [update_admin_note(work, one.id, {"deleted": True}) for one in found]
    return out


def write_admin_note(
    work: UnitOfWork,
    name: str,
    type: str,
    title: str,
    content: str,
    *,
    subject: int = 0,
    actions: Iterable[AdminNoteAction] = (),
) -> None:
    """Write a note; an existing one of the same name and subject is renewed.

    name: the kind of event; subject: id of the object concerned.
    """
    values = {
        "name": name, "subject": subject, "type": type, "title": title, "content": content, "status": "unactioned",
        "source": _SOURCE, "created": work.now, "reminder": None, "snoozable": 0, "deleted": 0, "read": 0,
        "actions": orjson.dumps([msgspec.to_builtins(one) for one in actions]).decode(),
    }  # fmt: skip
    known = work.tx.value(_FIND_ID, name=name, subject=subject)
    id = known or allocate_id(work.tx, _KIND)
    work.tx.run(_PUT, id=id, **values)
    work.note(_KIND, id, "changed" if known else "created")


def note_transaction_events(work: UnitOfWork) -> None:
    """Write notes about what a transaction did."""
    for kind, item, action in list(work.changes):
        if kind == "order" and action == "created":
            _note_first_order(work, int(item))
        elif kind == WEBHOOK_KIND and action == "changed":
            _note_disabled_webhook(work, int(item))


def _note_first_order(work: UnitOfWork, id: int) -> None:
    if len(work.tx.all(_TWO_ORDERS)) != 1 or work.tx.value(_FIND_ID, name="first-order", subject=0):
        return
    write_admin_note(
        work,
        "first-order",
        "info",
        "Your first order",
        "Somebody bought in your shop for the first time. See what to send and where.",
        actions=(
            AdminNoteAction(1, "view-order", "View the order", f"admin.php?page=shop-orders&action=edit&id={id}"),
        ),
    )


def _note_disabled_webhook(work: UnitOfWork, id: int) -> None:
    found = webhooks.find_webhook(work, id)
    if found is None or found.status != DISABLED or found.failures < MAX_FAILURES:
        return
    write_admin_note(
        work, "webhook-disabled", "warning", "A webhook was switched off",
        f"Too many deliveries of {found.name or found.topic} failed one after the other. "
        "See what its address answers, then switch it on again.",
        subject=id,
        actions=(AdminNoteAction(1, "view-webhook", "View the webhook",
                        f"admin.php?page=shop-settings&tab=advanced&section=webhooks&edit-webhook={id}"),),
    )  # fmt: skip


def _row_to_note(row: Sequence[Any]) -> AdminNote:
    known = dict(zip(_COLUMNS, row, strict=True))
    for name in ("snoozable", "deleted", "read"):
        known[name] = bool(known[name])
    known["actions"] = tuple(msgspec.convert(one, AdminNoteAction) for one in orjson.loads(known["actions"]))
    return AdminNote(**known)
