"""What belongs to an order: its refunds and its notes, and the refunds of all orders.

Not here: orders themselves (orders.py). Rules: facts, "Notes" and "Refunds"; the recordings of orders.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.declare.call import Call, Result
from vetrina.declare.fields import EDIT, VIEW, Boolean, Field, Integer, String
from vetrina.declare.listing import page_headers, start_of
from vetrina.declare.present import Shape, choice
from vetrina.declare.route import READ, REMOVE, WRITE, Route
from vetrina.domain.shop import order, order_notes, refund_list, refunds
from vetrina.domain.shop.order_notes import Note
from vetrina.domain.shop.refunds import Refund
from vetrina.domain.work import Frame, Work
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError

from . import access, arguments
from .order_schema import decimals, refund_filters, refund_writes
from .order_view import ORDERS, REFUND_SHAPE, View, refund_links

__all__ = ["notes", "routes"]

_ALL: Final = "/shop/v3/refunds"
_REFUNDS: Final = f"{ORDERS}/{{order_id}}/refunds"
_NOTES: Final = f"{ORDERS}/{{order_id}}/notes"
_BOTH: Final = (VIEW, EDIT)


class OrderOfPartUnknown(ApiError):
    """No order has the number."""

    status, code = 404, "shop_rest_invalid_order_id"
    message = "There is no order with the number {id}."


class NoTrash(ApiError):
    status, code = 501, "shop_rest_trash_not_supported"
    message = "There is no trash for this; send `force` as true to remove it for good."


_NOTE: dict[str, Field] = {
    "id": Integer("Number of the note.", context=_BOTH, readonly=True),
    "author": String("Who wrote it.", context=_BOTH, readonly=True),
    "date_created": String("When, in the site's time.", context=_BOTH, readonly=True),
    "date_created_gmt": String("When, in GMT.", context=_BOTH, readonly=True),
    "note": String("What it says.", context=_BOTH),
    "customer_note": Boolean("Whether the customer may read it.", default=False, context=_BOTH),
}
_NOTE_SHAPE: Final = Shape(
    _NOTE,
    {
        "id": lambda note, work: note.id,
        "author": lambda note, work: note.author,
        "date_created": lambda note, work: times.iso(work.zone.to_local(note.created)),
        "date_created_gmt": lambda note, work: times.iso(note.created),
        "note": lambda note, work: note.note,
        "customer_note": lambda note, work: note.for_customer,
    },
)


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of refunds."""
    of = {"order_id": Integer("Number of the order.")}
    one = {**of, "id": Integer("Number of the refund.")}
    listing = refund_filters()
    unknown = (OrderOfPartUnknown, refunds.RefundUnknown)
    return (
        Route(READ, _REFUNDS, _refunds, {**of, **listing}, access.viewing, _schema, errors=unknown[:1], answers="many"),
        Route(
            WRITE, _REFUNDS, _refunded, {**of, **refund_writes(), "dp": decimals()}, access.creating, _schema,
            errors=(OrderOfPartUnknown, refunds.InvalidRefund, refunds.CannotRefund),
        ),
        Route(
            READ, f"{_REFUNDS}/{{id}}", _refund, {**one, "context": arguments.context(), "dp": decimals()},
            access.viewing, _schema, errors=unknown,
        ),
        Route(
            REMOVE, f"{_REFUNDS}/{{id}}", _refund_removed, {**one, "force": arguments.force()}, access.deleting,
            _schema, errors=unknown,
        ),
        Route(READ, _ALL, _all_refunds, listing, access.viewing, _schema, answers="many"),
    )  # fmt: skip


def notes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of notes."""
    of = {"order_id": Integer("Number of the order.")}
    one = {**of, "id": Integer("Number of the note.")}
    kinds = String("Which notes.", default="any", enum=("any", "customer", "internal"), null="keep")
    writes = {
        "note": String("What it says.", required=True),
        "customer_note": Boolean("Whether the customer may read it.", default=False, null="keep"),
        "added_by_user": Boolean("Whether the caller is named as its author.", default=False, null="keep"),
    }
    unknown = (OrderOfPartUnknown, order_notes.NoteUnknown)
    return (
        Route(
            READ, _NOTES, _notes, {**of, "context": arguments.context(), "type": kinds}, access.viewing, _note_schema,
            errors=unknown[:1], answers="many",
        ),
        Route(WRITE, _NOTES, _noted, {**of, **writes}, access.creating, _note_schema, errors=unknown[:1]),
        Route(
            READ, f"{_NOTES}/{{id}}", _note, {**one, "context": arguments.context()}, access.viewing, _note_schema,
            errors=unknown,
        ),
        Route(
            REMOVE, f"{_NOTES}/{{id}}", _note_removed, {**one, "force": arguments.force(trash=False)}, access.deleting,
            _note_schema, errors=(*unknown, NoTrash),
        ),
    )  # fmt: skip


def _schema() -> dict[str, Any]:
    return REFUND_SHAPE.schema("shop_order_refund")


def _note_schema() -> dict[str, Any]:
    return _NOTE_SHAPE.schema("order_note")


def _order(call: Call) -> order.Order:
    found = order.by_id(call.work, call.args["order_id"])
    if found is None:
        raise OrderOfPartUnknown(id=call.args["order_id"])
    return found


# -- refunds


def _body(call: Call, one: Refund, *, whole: bool) -> dict[str, Any]:
    view = View(call.work, (), call.args, [one])
    body = REFUND_SHAPE.members(one, view, call.args.get("context") or "view", choice(call.request.raw("_fields")))
    if "order_id" in call.args:
        body.pop("parent_id", None)
    return {**body, "_links": refund_links(call.work, one)} if whole else body


def _refunds(call: Call) -> Result:
    """List the refunds of an order."""
    return _listed(call, (_order(call).id,))


def _all_refunds(call: Call) -> Result:
    """List the refunds of all orders."""
    return _listed(call, tuple(call.args.get("parent") or ()))


def _listed(call: Call, orders: tuple[int, ...]) -> Result:
    args, work = call.args, call.work
    size, page = args["per_page"], args["page"]
    # A refund is never changed: what bounds its last change bounds when it was made.
    later = [at for name in ("after", "modified_after") if (at := arguments.instant(call, name)) is not None]
    earlier = [at for name in ("before", "modified_before") if (at := arguments.instant(call, name)) is not None]
    query = refund_list.RefundQuery(
        parents=orders, parents_excluded=tuple(args.get("parent_exclude") or ()),
        include=tuple(args.get("include") or ()), exclude=tuple(args.get("exclude") or ()),
        search=args.get("search") or "", orderby=args["orderby"], descending=args["order"] == "desc", limit=size,
        start=start_of(args), after=max(later, default=None),
        before=min(earlier, default=None),
    )  # fmt: skip
    found, total = refund_list.listed_page(work, query)
    headers, links = page_headers(call, total, size, page)
    return Result([_body(call, one, whole=True) for one in found], headers=headers, links=links)


def _existing(call: Call) -> Refund:
    """Return the refund that a call names; one of another order is none of this one."""
    found = refunds.existing(call.work, call.args["id"])
    if found.order != call.args["order_id"]:
        _order(call)
        raise refunds.RefundUnknown(id=found.id)
    return found


def _refund(call: Call) -> Result:
    return _shown(call, _existing(call))


def _refunded(call: Call) -> Result:
    """Refund an order, in whole or by line; what it gives back to the stock is said with it."""
    made = refunds.create(call.work, _order(call), call.args)
    # As the interface writes it: the hole of the route stands where the number of the order would.
    location = call.work.api(f"{ORDERS}/(?P<order_id>[\\d]+)/refunds/{made.id}")
    return Result(_body(call, made, whole=False), 201, {"Location": location}, refund_links(call.work, made))


def _refund_removed(call: Call) -> Result:
    one = _existing(call)
    result = _shown(call, one)
    refunds.remove(call.work, one)
    return result


def _shown(call: Call, one: Refund) -> Result:
    return Result(_body(call, one, whole=False), rels=refund_links(call.work, one))


# -- notes


def _note_links(work: Work, note: Note) -> dict[str, Any]:
    above = work.api(f"{ORDERS}/{note.order}")
    return {
        "self": [{"href": f"{above}/notes/{note.id}", "targetHints": {"allow": ["GET", "DELETE"]}}],
        "collection": [{"href": f"{above}/notes"}],
        "up": [{"href": above}],
    }


def _note_body(call: Call, note: Note) -> dict[str, Any]:
    context = call.args.get("context") or "view"
    return _NOTE_SHAPE.members(note, call.work, context, choice(call.request.raw("_fields")))


def _notes(call: Call) -> Result:
    wanted = call.args["type"]
    found = order_notes.of_order(call.work, _order(call).id)
    kept = [note for note in found if wanted == "any" or note.for_customer == (wanted == "customer")]
    return Result([{**_note_body(call, note), "_links": _note_links(call.work, note)} for note in kept])


def _noted(call: Call) -> Result:
    """Add a note to an order, for the customer or for the shop alone."""
    work: Work = call.work
    author = work.user.login if call.args.get("added_by_user") else order_notes.SHOP
    note = order_notes.add(
        work, _order(call).id, call.args["note"], author=author, for_customer=bool(call.args.get("customer_note"))
    )
    location = work.api(f"{ORDERS}/{note.order}/notes/{note.id}")
    return Result(_note_body(call, note), 201, {"Location": location}, _note_links(work, note))


def _note(call: Call) -> Result:
    note = order_notes.existing(call.work, _order(call).id, call.args["id"])
    return Result(_note_body(call, note), rels=_note_links(call.work, note))


def _note_removed(call: Call) -> Result:
    note = order_notes.existing(call.work, _order(call).id, call.args["id"])
    if not call.args.get("force"):
        raise NoTrash
    result = _note_body(call, note)
    order_notes.remove(call.work, note)
    return Result(result, rels=_note_links(call.work, note))
