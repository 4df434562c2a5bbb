"""What belongs to an order: its refunds and its notes, and the refunds of all orders.

Not here: orders themselves (shop/orders/routes.py). Rules: facts, "Notes" and "Refunds"; the recordings of orders.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import money, times
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import EDIT, VIEW, Boolean, Field, Integer, String
from vetrina.rest.paging import page_headers, start_of
from vetrina.rest.route import READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Shape, choice
from vetrina.shop import list_arguments
from vetrina.shop import permissions as shop_permissions
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders import notes as order_notes
from vetrina.shop.orders.link_views import ORDERS, refund_links
from vetrina.shop.orders.notes import Note
from vetrina.shop.orders.schema import decimals, refund_filters, refund_writes
from vetrina.shop.orders.views import REFUND_SHAPE, View
from vetrina.shop.payments import jobs as payment_jobs
from vetrina.shop.payments import rules as payments
from vetrina.shop.payments.gateway_contract import Outcome
from vetrina.shop.products import cost_schema
from vetrina.shop.refunds import gateway_refunds
from vetrina.shop.refunds import listing as refund_listing
from vetrina.shop.refunds import rules as refunds
from vetrina.shop.refunds.rules import Refund

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
    every = (
        Route(READ, _REFUNDS, _refunds, {**of, **listing}, shop_permissions.viewing, _schema, answers="many"),
        Route(
            WRITE,
            _REFUNDS,
            _refunded,
            {**of, **refund_writes(), "dp": decimals()},
            shop_permissions.creating,
            _schema,
            errors=(OrderOfPartUnknown, refunds.InvalidRefund, refunds.CannotRefund, gateway_refunds.RefundUnderWay),
            prepare=_asking,
        ),
        Route(
            READ,
            f"{_REFUNDS}/{{id}}",
            _refund,
            {**one, "context": list_arguments.context(), "dp": decimals()},
            shop_permissions.viewing,
            _schema,
            errors=unknown,
        ),
        Route(
            REMOVE,
            f"{_REFUNDS}/{{id}}",
            _refund_removed,
            {**one, "force": list_arguments.force()},
            shop_permissions.deleting,
            _schema,
            errors=unknown,
        ),
        Route(READ, _ALL, _all_refunds, listing, shop_permissions.viewing, _schema, answers="many"),
    )
    return cost_schema.showing(every, _schema, cost_schema.OF_ORDER)


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
    unknown = (order_model.OrderUnknown, order_notes.NoteUnknown)
    return (
        Route(
            READ,
            _NOTES,
            _notes,
            {**of, "context": list_arguments.context(), "type": kinds},
            shop_permissions.viewing,
            _note_schema,
            errors=unknown[:1],
            answers="many",
        ),
        Route(WRITE, _NOTES, _noted, {**of, **writes}, shop_permissions.creating, _note_schema, errors=unknown[:1]),
        Route(
            READ,
            f"{_NOTES}/{{id}}",
            _note,
            {**one, "context": list_arguments.context()},
            shop_permissions.viewing,
            _note_schema,
            errors=unknown,
        ),
        Route(
            REMOVE,
            f"{_NOTES}/{{id}}",
            _note_removed,
            {**one, "force": list_arguments.force(trash=False)},
            shop_permissions.deleting,
            _note_schema,
            errors=(*unknown, NoTrash),
        ),
    )


def _schema() -> dict[str, Any]:
    return REFUND_SHAPE.schema("shop_order_refund")


def _note_schema() -> dict[str, Any]:
    return _NOTE_SHAPE.schema("order_note")


def _order(call: Call) -> order_model.Order:
    found = order_model.by_id(call.work, call.args["order_id"])
    if found is None:
        raise OrderOfPartUnknown(id=call.args["order_id"])
    return found


# -- refunds


def _bodies(call: Call, found: Sequence[Refund]) -> list[dict[str, Any]]:
    # Refunds tell all their extra fields, whichever a list asks for.
    view = View(call.work, (), {"dp": call.args.get("dp")}, found)
    context, wanted = call.args.get("context") or "view", choice(call.request.raw("_fields"))
    bodies = [
        REFUND_SHAPE.members(one, view, context, wanted) | cost_schema.of_order(view.costs, (one.id,), wanted)
        for one in found
    ]
    if "order_id" in call.args:
        for body in bodies:
            body.pop("parent_id", None)
    return bodies


def _refunds(call: Call) -> Result:
    """List the refunds of an order."""
    return _listed(call, (call.args["order_id"],))


def _all_refunds(call: Call) -> Result:
    """List the refunds of all orders; those of one order have a list of their own."""
    return _listed(call, ())


def _listed(call: Call, orders: tuple[int, ...]) -> Result:
    args, work = call.args, call.work
    size, page = args["per_page"], args["page"]
    # A refund is never changed: what bounds its last change bounds when it was made.
    later = [at for name in ("after", "modified_after") if (at := list_arguments.instant(call, name)) is not None]
    earlier = [at for name in ("before", "modified_before") if (at := list_arguments.instant(call, name)) is not None]
    query = refund_listing.RefundQuery(
        parents=orders, parents_excluded=tuple(args.get("parent_exclude") or ()),
        include=tuple(args.get("include") or ()), exclude=tuple(args.get("exclude") or ()),
        search=args.get("search") or "", orderby=args["orderby"], descending=args["order"] == "desc", limit=size,
        start=start_of(args), after=max(later, default=None),
        before=min(earlier, default=None),
    )  # fmt: skip
    found, total = refund_listing.listed_page(work, query)
    told = list_arguments.total_told(total, found, args, by_page=True)
    headers, links = page_headers(call, told, size, page)
    bodies = zip(_bodies(call, found), found, strict=True)
    return Result([{**body, "_links": refund_links(work, one)} for body, one in bodies], headers=headers, links=links)


def _existing(call: Call) -> Refund:
    """Return the refund that a call names; one of another order is none of this one."""
    found = refunds.existing(call.work, call.args["id"])
    if found.order != call.args["order_id"]:
        _order(call)
        raise refunds.RefundUnknown(id=found.id)
    return found


def _refund(call: Call) -> Result:
    return _shown(call, _existing(call))


def _asking(call: Call) -> AbstractContextManager[_Asked | None] | None:
    """Give the money back by the gateway that took it, where that is wanted and there is one."""
    found = order_model.by_id(call.work, call.args["order_id"])
    if found is None or not gateway_refunds.is_wanted(call.args) or not gateway_refunds.is_possible(call.work, found):
        return None
    if call.request.inner:
        raise refunds.CannotRefund(why="A gateway gives this money back: send this request by itself, not in a batch.")
    return _ask_outside(call)


@dataclass(slots=True)
class _Asked:
    """What a gateway said about a refund; None where nobody knows."""

    attempt: int
    outcome: Outcome | None


@contextmanager
def _ask_outside(call: Call) -> Iterator[_Asked | None]:
    request = call.request
    if not isinstance(request.steps, _Asked):
        assert call.open is not None
        with call.open(False) as work:
            attempt = gateway_refunds.begin(work, _order(replace(call, work=work)), call.args)
        if attempt is not None:
            with call.open(True) as work:
                ask = payment_jobs.call_of(work, attempt.id)
            request.steps = _Asked(attempt.id, payments.outcome_of(ask))
    yield request.steps


def _refunded(call: Call) -> Result:
    """Refund an order, in whole or by line; what it gives back to the stock is said with it."""
    asked: _Asked | None = call.prepared
    if asked is not None:
        made = _paid_back(call, asked)
        if isinstance(made, Result):
            return made
    else:
        made = refunds.create(call.work, _order(call), call.args)
    # As the interface writes it: the hole of the route stands where the number of the order would.
    location = call.work.api(f"{ORDERS}/(?P<order_id>[\\d]+)/refunds/{made.id}")
    return Result(_bodies(call, (made,))[0], 201, {"Location": location}, refund_links(call.work, made))


def _paid_back(call: Call, asked: _Asked) -> Refund | Result:
    """Return the refund that a gateway paid, or what its caller reads where there is none; what it said is kept."""
    settled = gateway_refunds.settle(call.work, asked.attempt, asked.outcome)
    attempt, made = settled if settled is not None else (None, None)
    if made is not None:
        return made
    error: ApiError
    if attempt is not None and attempt.is_open:
        error = gateway_refunds.RefundUnderWay(amount=money.text(attempt.amount, 2))
    elif attempt is not None and attempt.message:
        error = refunds.CannotRefund(why=f"The gateway gave nothing back: {attempt.message}")
    else:
        error = refunds.CannotRefund(why="The gateway gave nothing back; the notes of the order say why.")
    return Result(error.body(), error.answer_status)


def _refund_removed(call: Call) -> Result:
    one = _existing(call)
    result = _shown(call, one)
    refunds.remove(call.work, one)
    return result


def _shown(call: Call, one: Refund) -> Result:
    return Result(_bodies(call, (one,))[0], rels=refund_links(call.work, one), keeps_links=True)


# -- notes


def _noted_order(call: Call) -> int:
    """Return the number of the order whose notes are meant. Raises OrderUnknown."""
    return order_model.existing(call.work, call.args["order_id"]).id


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
    found = order_notes.of_order(call.work, _noted_order(call))
    kept = [note for note in found if wanted == "any" or note.for_customer == (wanted == "customer")]
    return Result([{**_note_body(call, note), "_links": _note_links(call.work, note)} for note in kept])


def _noted(call: Call) -> Result:
    """Add a note to an order, for the customer or for the shop alone."""
    work: Work = call.work
    author = work.user.login if call.args.get("added_by_user") else order_notes.SHOP
    note = order_notes.add(
        work, _noted_order(call), call.args["note"], author=author, for_customer=bool(call.args.get("customer_note"))
    )
    location = work.api(f"{ORDERS}/{note.order}/notes/{note.id}")
    return Result(_note_body(call, note), 201, {"Location": location}, _note_links(work, note))


def _note(call: Call) -> Result:
    note = order_notes.existing(call.work, _noted_order(call), call.args["id"])
    return Result(_note_body(call, note), rels=_note_links(call.work, note), keeps_links=True)


def _note_removed(call: Call) -> Result:
    note = order_notes.existing(call.work, _noted_order(call), call.args["id"])
    if not call.args.get("force"):
        raise NoTrash
    result = _note_body(call, note)
    order_notes.remove(call.work, note)
    return Result(result, rels=_note_links(call.work, note), keeps_links=True)
