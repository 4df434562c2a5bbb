"""Refunds and notes of an order, and the refunds of all orders.

Not here: orders themselves (shop/orders/routes.py). Rules: docs/rules/orders.md, 5 and docs/rules/refunds.md, 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.kernel import money, times
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.error_statuses import build_error_result
from vetrina.rest.fields import EDIT, VIEW, Boolean, Field, Integer, String
from vetrina.rest.paging import build_page_headers, compute_page_offset
from vetrina.rest.route import READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Serializer, parse_field_selection
from vetrina.shop import list_arguments, permissions as shop_permissions
from vetrina.shop.orders import model as order_model, notes as order_notes
from vetrina.shop.orders.link_views import ORDERS_PATH, build_refund_links
from vetrina.shop.orders.notes import OrderNote
from vetrina.shop.orders.schema import build_decimals_argument, build_refund_filters, build_refund_write_arguments
from vetrina.shop.orders.views import REFUND_SERIALIZER, OrderView
from vetrina.shop.payments import jobs as payment_jobs, rules as payments
from vetrina.shop.payments.gateway_contract import PaymentOutcome
from vetrina.shop.products import cost_schema
from vetrina.shop.refunds import gateway_refunds, listing as refund_listing, rules as refunds
from vetrina.shop.refunds.rules import Refund

__all__ = ["build_note_routes", "build_routes"]

_ALL_REFUNDS: Final = "/shop/v3/refunds"
_REFUNDS: Final = f"{ORDERS_PATH}/{{order_id}}/refunds"
_NOTES: Final = f"{ORDERS_PATH}/{{order_id}}/notes"
_BOTH: Final = (VIEW, EDIT)


class RefundOrderNotFound(ApiError):
    """No order has the id."""

    failure, code = Failure.NOT_FOUND, "shop_rest_invalid_order_id"
    message = "There is no order with the number {id}."


class OrderNoteTrashUnsupported(ApiError):
    failure, code = Failure.NOT_IMPLEMENTED, "shop_rest_trash_not_supported"
    message = "There is no trash for this; send `force` as true to remove it for good."


_NOTE_FIELDS: dict[str, Field] = {
    "id": Integer("Number of the note.", context=_BOTH, readonly=True),
    "author": String("Who wrote it.", context=_BOTH, readonly=True),
    "date_created": String("When, in the site's time.", context=_BOTH, readonly=True),
    "date_created_gmt": String("When, in GMT.", context=_BOTH, readonly=True),
    "note": String("What it says.", context=_BOTH),
    "customer_note": Boolean("Whether the customer may read it.", default=False, context=_BOTH),
}
_NOTE_SERIALIZER: Final = Serializer(
    _NOTE_FIELDS,
    {
        "id": lambda note, work: note.id,
        "author": lambda note, work: note.author,
        "date_created": lambda note, work: times.format_iso(work.zone.to_local(note.created)),
        "date_created_gmt": lambda note, work: times.format_iso(note.created),
        "note": lambda note, work: note.note,
        "customer_note": lambda note, work: note.for_customer,
    },
)


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of refunds."""
    of = {"order_id": Integer("Number of the order.")}
    one = {**of, "id": Integer("Number of the refund.")}
    listing = build_refund_filters()
    unknown = (RefundOrderNotFound, refunds.RefundNotFound)
    every = (
        Route(
            READ,
            _REFUNDS,
            _list_order_refunds,
            {**of, **listing},
            shop_permissions.require_view_permission,
            _build_refund_schema,
            answers="many",
        ),
        Route(
            WRITE,
            _REFUNDS,
            _create_refund,
            {**of, **build_refund_write_arguments(), "dp": build_decimals_argument()},
            shop_permissions.require_create_permission,
            _build_refund_schema,
            errors=(RefundOrderNotFound, refunds.InvalidRefund, refunds.CannotRefund, gateway_refunds.RefundUnderWay),
            prepare=_prepare_refund,
        ),
        Route(
            READ,
            f"{_REFUNDS}/{{id}}",
            _read_refund,
            {**one, "context": list_arguments.build_context_argument(), "dp": build_decimals_argument()},
            shop_permissions.require_view_permission,
            _build_refund_schema,
            errors=unknown,
        ),
        Route(
            REMOVE,
            f"{_REFUNDS}/{{id}}",
            _delete_refund,
            {**one, "force": list_arguments.build_force_argument()},
            shop_permissions.require_delete_permission,
            _build_refund_schema,
            errors=unknown,
        ),
        Route(
            READ,
            _ALL_REFUNDS,
            _list_all_refunds,
            listing,
            shop_permissions.require_view_permission,
            _build_refund_schema,
            answers="many",
        ),
    )
    return cost_schema.add_response_fields(every, _build_refund_schema, cost_schema.ORDER_COST_FIELDS)


def build_note_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of notes."""
    of = {"order_id": Integer("Number of the order.")}
    one = {**of, "id": Integer("Number of the note.")}
    kinds = String("Which notes.", default="any", enum=("any", "customer", "internal"), null="keep")
    writes = {
        "note": String("What it says.", required=True),
        "customer_note": Boolean("Whether the customer may read it.", default=False, null="keep"),
        "added_by_user": Boolean("Whether the caller is named as its author.", default=False, null="keep"),
    }
    unknown = (order_model.OrderNotFound, order_notes.OrderNoteNotFound)
    return (
        Route(
            READ,
            _NOTES,
            _list_notes,
            {**of, "context": list_arguments.build_context_argument(), "type": kinds},
            shop_permissions.require_view_permission,
            _build_note_schema,
            errors=unknown[:1],
            answers="many",
        ),
        Route(
            WRITE,
            _NOTES,
            _create_note,
            {**of, **writes},
            shop_permissions.require_create_permission,
            _build_note_schema,
            errors=unknown[:1],
        ),
        Route(
            READ,
            f"{_NOTES}/{{id}}",
            _read_note,
            {**one, "context": list_arguments.build_context_argument()},
            shop_permissions.require_view_permission,
            _build_note_schema,
            errors=unknown,
        ),
        Route(
            REMOVE,
            f"{_NOTES}/{{id}}",
            _delete_note,
            {**one, "force": list_arguments.build_force_argument(trash=False)},
            shop_permissions.require_delete_permission,
            _build_note_schema,
            errors=(*unknown, OrderNoteTrashUnsupported),
        ),
    )


def _build_refund_schema() -> dict[str, Any]:
    return REFUND_SERIALIZER.schema("shop_order_refund")


def _build_note_schema() -> dict[str, Any]:
    return _NOTE_SERIALIZER.schema("order_note")


def _get_order(call: Call) -> order_model.Order:
    found = order_model.find_order(call.work, call.args["order_id"])
    if found is None:
        raise RefundOrderNotFound(id=call.args["order_id"])
    return found


# -- refunds


def _serialize_refunds(call: Call, found: Sequence[Refund]) -> list[dict[str, Any]]:
    # Refunds return all their extra fields, whichever a list asks for.
    view = OrderView(call.work, (), {"dp": call.args.get("dp")}, found)
    context, wanted = call.args.get("context") or "view", parse_field_selection(call.request.raw("_fields"))
    bodies = [
        REFUND_SERIALIZER.serialize(one, view, context, wanted)
        | cost_schema.serialize_order_cost(view.costs, (one.id,), wanted)
        for one in found
    ]
    if "order_id" in call.args:
        for body in bodies:
            body.pop("parent_id", None)
    return bodies


def _list_order_refunds(call: Call) -> Result:
    """List the refunds of an order."""
    return _list_refunds(call, (call.args["order_id"],))


def _list_all_refunds(call: Call) -> Result:
    """List the refunds of all orders; those of one order have a list of their own."""
    return _list_refunds(call, ())


def _list_refunds(call: Call, orders: tuple[int, ...]) -> Result:
    args, work = call.args, call.work
    size, page = args["per_page"], args["page"]
    # A refund is never changed: filters by its last change apply to its creation.
    later = [
        at for name in ("after", "modified_after") if (at := list_arguments.parse_utc_timestamp(call, name)) is not None
    ]
    earlier = [
        at
        for name in ("before", "modified_before")
        if (at := list_arguments.parse_utc_timestamp(call, name)) is not None
    ]
    query = refund_listing.RefundQuery(
        parents=orders, parents_excluded=tuple(args.get("parent_exclude") or ()),
        include=tuple(args.get("include") or ()), exclude=tuple(args.get("exclude") or ()),
        search=args.get("search") or "", orderby=args["orderby"], descending=args["order"] == "desc", limit=size,
        offset=compute_page_offset(args), after=max(later, default=None),
        before=min(earlier, default=None),
    )  # fmt: skip
    found, total = refund_listing.list_refunds(work, query)
    reported_total = list_arguments.compute_reported_total(total, found, args, by_page=True)
    headers, links = build_page_headers(call, reported_total, size, page)
    bodies = zip(_serialize_refunds(call, found), found, strict=True)
    return Result(
        [{**body, "_links": build_refund_links(work, one)} for body, one in bodies], headers=headers, links=links
    )


def _get_refund(call: Call) -> Refund:
    """Return the refund that a call names, if it belongs to the order."""
    found = refunds.get_refund(call.work, call.args["id"])
    if found.order != call.args["order_id"]:
        _get_order(call)
        raise refunds.RefundNotFound(id=found.id)
    return found


def _read_refund(call: Call) -> Result:
    return _build_refund_result(call, _get_refund(call))


def _prepare_refund(call: Call) -> AbstractContextManager[_GatewayRefundReply | None] | None:
    """Refund by the gateway that took the money, where that is requested and possible."""
    found = order_model.find_order(call.work, call.args["order_id"])
    if (
        found is None
        or not gateway_refunds.is_gateway_refund_wanted(call.args)
        or not gateway_refunds.is_gateway_refund_possible(call.work, found)
    ):
        return None
    if call.request.inner:
        raise refunds.CannotRefund(why="A gateway gives this money back: send this request by itself, not in a batch.")
    return _ask_gateway(call)


@dataclass(slots=True)
class _GatewayRefundReply:
    """A gateway's reply about a refund. outcome: None where it is unknown."""

    attempt: int
    outcome: PaymentOutcome | None


@contextmanager
def _ask_gateway(call: Call) -> Iterator[_GatewayRefundReply | None]:
    request = call.request
    if not isinstance(request.steps, _GatewayRefundReply):
        assert call.open is not None
        with call.open(False) as work:
            attempt = gateway_refunds.begin_refund(work, _get_order(replace(call, work=work)), call.args)
        if attempt is not None:
            with call.open(True) as work:
                ask = payment_jobs.build_attempt_call(work, attempt.id)
            request.steps = _GatewayRefundReply(attempt.id, payments.run_gateway_call(ask))
    yield request.steps


def _create_refund(call: Call) -> Result:
    """Refund an order, in whole or by line; the request says whether pieces are restocked."""
    reply: _GatewayRefundReply | None = call.prepared
    if reply is not None:
        made = _settle_gateway_refund(call, reply)
        if isinstance(made, Result):
            return made
    else:
        made = refunds.create_refund(call.work, _get_order(call), call.args)
    # The interface has the route's parameter pattern in place of the order id.
    location = call.work.api(f"{ORDERS_PATH}/(?P<order_id>[\\d]+)/refunds/{made.id}")
    return Result(
        _serialize_refunds(call, (made,))[0], 201, {"Location": location}, build_refund_links(call.work, made)
    )


def _settle_gateway_refund(call: Call, reply: _GatewayRefundReply) -> Refund | Result:
    """Return the refund that a gateway paid, or the response where there is none; the gateway's reply is stored."""
    settled = gateway_refunds.settle_refund(call.work, reply.attempt, reply.outcome)
    attempt, made = settled if settled is not None else (None, None)
    if made is not None:
        return made
    error: ApiError
    if attempt is not None and attempt.is_open:
        error = gateway_refunds.RefundUnderWay(amount=money.format_amount(attempt.amount, 2))
    elif attempt is not None and attempt.message:
        error = refunds.CannotRefund(why=f"The gateway gave nothing back: {attempt.message}")
    else:
        error = refunds.CannotRefund(why="The gateway gave nothing back; the notes of the order say why.")
    return build_error_result(error)


def _delete_refund(call: Call) -> Result:
    one = _get_refund(call)
    result = _build_refund_result(call, one)
    refunds.delete_refund(call.work, one)
    return result


def _build_refund_result(call: Call, refund: Refund) -> Result:
    return Result(_serialize_refunds(call, (refund,))[0], rels=build_refund_links(call.work, refund), keeps_links=True)


# -- notes


def _get_order_id(call: Call) -> int:
    """Return the id of the order whose notes are meant. Raises OrderNotFound."""
    return order_model.get_order(call.work, call.args["order_id"]).id


def _build_note_links(work: UnitOfWork, note: OrderNote) -> dict[str, Any]:
    above = work.api(f"{ORDERS_PATH}/{note.order}")
    return {
        "self": [{"href": f"{above}/notes/{note.id}", "targetHints": {"allow": ["GET", "DELETE"]}}],
        "collection": [{"href": f"{above}/notes"}],
        "up": [{"href": above}],
    }


def _serialize_note(call: Call, note: OrderNote) -> dict[str, Any]:
    context = call.args.get("context") or "view"
    return _NOTE_SERIALIZER.serialize(note, call.work, context, parse_field_selection(call.request.raw("_fields")))


def _list_notes(call: Call) -> Result:
    wanted = call.args["type"]
    found = order_notes.list_order_notes(call.work, _get_order_id(call))
    notes = [note for note in found if wanted == "any" or note.for_customer == (wanted == "customer")]
    return Result([{**_serialize_note(call, note), "_links": _build_note_links(call.work, note)} for note in notes])


def _create_note(call: Call) -> Result:
    """Add a note to an order, for the customer or for the shop alone."""
    work = call.work
    author = work.user.login if call.args.get("added_by_user") else order_notes.SHOP_AUTHOR
    note = order_notes.create_order_note(
        work, _get_order_id(call), call.args["note"], author=author, for_customer=bool(call.args.get("customer_note"))
    )
    location = work.api(f"{ORDERS_PATH}/{note.order}/notes/{note.id}")
    return Result(_serialize_note(call, note), 201, {"Location": location}, _build_note_links(work, note))


def _read_note(call: Call) -> Result:
    note = order_notes.get_order_note(call.work, _get_order_id(call), call.args["id"])
    return Result(_serialize_note(call, note), rels=_build_note_links(call.work, note), keeps_links=True)


def _delete_note(call: Call) -> Result:
    note = order_notes.get_order_note(call.work, _get_order_id(call), call.args["id"])
    if not call.args.get("force"):
        raise OrderNoteTrashUnsupported
    result = _serialize_note(call, note)
    order_notes.delete_order_note(call.work, note)
    return Result(result, rels=_build_note_links(call.work, note), keeps_links=True)
