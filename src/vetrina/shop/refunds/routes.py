"""Routes of refunds: those of an order, and the refunds of all orders.

Not here: the rules (shop/refunds/rules.py), schemas (shop/orders/schema.py), serialization (shop/orders/responses.py).
Rules: docs/rules/refunds.md, 1, 2 and 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.error_statuses import build_error_result
from vetrina.rest.fields import VIEW, Integer
from vetrina.rest.paging import compute_page_offset
from vetrina.rest.resource import Links, ListPage, Operation
from vetrina.rest.route import READ, REMOVE, Route
from vetrina.rest.serializer import build_link
from vetrina.shop import list_arguments, permissions as shop_permissions
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders.responses import REFUND_SERIALIZER
from vetrina.shop.orders.schema import (
    ORDERS_PATH,
    build_decimals_argument,
    build_refund_filters,
    build_refund_write_arguments,
)
from vetrina.shop.orders.views import OrderView
from vetrina.shop.payments import jobs as payment_jobs, order_payments as payments
from vetrina.shop.payments.gateway_contract import PaymentOutcome
from vetrina.shop.products import cost_schema
from vetrina.shop.refunds import gateway_refunds, listing as refund_listing, rules as refunds
from vetrina.shop.refunds.rules import Refund
from vetrina.shop.resource import ShopResource

_ORDER_ID: Final = {"order_id": Integer("Number of the order.")}


class RefundOrderNotFound(ApiError):
    """No order has the id."""

    failure, code = Failure.NOT_FOUND, "shop_rest_invalid_order_id"
    message = "There is no order with the number {id}."


def _get_order(call: Call) -> order_model.Order:
    found = order_model.find_order(call.work, call.args["order_id"])
    if found is None:
        raise RefundOrderNotFound(id=call.args["order_id"])
    return found


def _load_refund_view(call: Call, found: Sequence[Refund]) -> OrderView:
    # Refunds return all their extra fields, whichever a list asks for.
    return OrderView(call.work, (), {"dp": call.args.get("dp")}, found)


def _remove_parent(call: Call, found: Sequence[Refund], bodies: Sequence[dict[str, Any]]) -> None:
    """Leave out the order where the path names it."""
    if "order_id" in call.args:
        for body in bodies:
            body.pop("parent_id", None)


def _build_refund_links(call: Call, refund: Refund) -> Links:
    above = call.work.api(f"{ORDERS_PATH}/{refund.order}")
    return {
        "self": [{"href": f"{above}/refunds/{refund.id}", "targetHints": {"allow": [*READ, *REMOVE]}}],
        "collection": [build_link(f"{above}/refunds")],
        "up": [build_link(above)],
    }


def _build_refund_location(call: Call, refund: Refund) -> str:
    # The interface has the route's parameter pattern in place of the order id.
    return str(call.work.api(f"{ORDERS_PATH}/(?P<order_id>[\\d]+)/refunds/{refund.id}"))


def _list_order_refunds(call: Call) -> ListPage[Refund]:
    return _list_refunds(call, (call.args["order_id"],))


def _list_all_refunds(call: Call) -> Result:
    """List the refunds of all orders; those of one order have a list of their own."""
    return _REFUNDS.build_list_result(call, _list_refunds(call, ()))


def _list_refunds(call: Call, orders: tuple[int, ...]) -> ListPage[Refund]:
    args = call.args
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
        search=args.get("search") or "", orderby=args["orderby"], descending=args["order"] == "desc",
        limit=args["per_page"], offset=compute_page_offset(args), after=max(later, default=None),
        before=min(earlier, default=None),
    )  # fmt: skip
    found, total = refund_listing.list_refunds(call.work, query)
    return ListPage(found, list_arguments.compute_reported_total(total, found, args, by_page=True))


def _get_refund(call: Call) -> Refund:
    """Return the refund that a call names, if it belongs to the order."""
    found = refunds.get_refund(call.work, call.args["id"])
    if found.order != call.args["order_id"]:
        _get_order(call)
        raise refunds.RefundNotFound(id=found.id)
    return found


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


def _create_refund(call: Call) -> Refund | Result:
    reply: _GatewayRefundReply | None = call.prepared
    if reply is not None:
        return _settle_gateway_refund(call, reply)
    return refunds.create_refund(call.work, _get_order(call), call.args)


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


def _delete_refund(call: Call, old: Refund) -> None:
    refunds.delete_refund(call.work, old)


def _add_gateway(route: Route) -> Route:
    return route.replace(prepare=_prepare_refund)


_UNKNOWN_REFUND: Final = (RefundOrderNotFound, refunds.RefundNotFound)
_REFUNDS: Final = ShopResource(
    title="shop_order_refund",
    path=f"{ORDERS_PATH}/{{order_id}}/refunds",
    above=_ORDER_ID,
    key={**_ORDER_ID, "id": Integer("Number of the refund.")},
    serializer=REFUND_SERIALIZER,
    load_view=_load_refund_view,
    finish=_remove_parent,
    build_links=_build_refund_links,
    build_item_url=_build_refund_location,
    find=_get_refund,
    list=Operation(
        _list_order_refunds, shop_permissions.require_view_permission, build_refund_filters(),
        summary="List the refunds of an order.",
    ),
    create=Operation(
        _create_refund, shop_permissions.require_create_permission,
        {**build_refund_write_arguments(), "dp": build_decimals_argument()},
        (RefundOrderNotFound, refunds.InvalidRefund, refunds.CannotRefund, gateway_refunds.RefundUnderWay),
        summary="Refund an order, in whole or by line; the request says whether pieces are restocked.",
        adapt=_add_gateway,
    ),
    read=Operation(
        _get_refund, shop_permissions.require_view_permission, {"dp": build_decimals_argument()}, _UNKNOWN_REFUND
    ),
    delete=Operation(_delete_refund, shop_permissions.require_delete_permission, errors=_UNKNOWN_REFUND),
    response_fields=cost_schema.ORDER_COST_FIELDS,
    written_context=VIEW,
    build_batch_route=None,
)  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of refunds."""
    list_route = Route(
        READ, "/shop/v3/refunds", _list_all_refunds, build_refund_filters(), shop_permissions.require_view_permission,
        _REFUNDS.build_schema, answers="many", response_fields=_REFUNDS.response_fields,
    )  # fmt: skip
    return (*_REFUNDS.build_routes(), list_route)
