"""Orders: list, read, create, change, remove, batch; their statuses.

Not here: refunds and notes (shop/orders/part_routes.py), arguments and schemas (shop/orders/schema.py), serialization
(shop/orders/views.py). Rules: docs/rules/orders.md, 1 and 3.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext
from vetrina.kernel.errors import Failure
from vetrina.kernel.folding import fold_text
from vetrina.rest.call import Result
from vetrina.rest.error_statuses import build_error_result
from vetrina.rest.fields import Array, Integer, Object
from vetrina.rest.list_limits import check_filter_terms
from vetrina.rest.paging import build_page_headers, compute_page_offset
from vetrina.rest.response_fields import build_text_fields
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import FieldSelection, parse_field_selection
from vetrina.shop import list_arguments
from vetrina.shop.batch_routes import build_batch_route
from vetrina.shop.coupons.rules import CouponRefused
from vetrina.shop.orders import (
    coupons as order_coupons,
    lines as order_lines,
    listing as order_listing,
    model as order_model,
    rules as orders,
    statuses as order_statuses,
    totals as order_totals,
)
from vetrina.shop.orders.link_views import ORDERS_PATH, build_order_links
from vetrina.shop.orders.listing import OrderQuery
from vetrina.shop.orders.model import Order, OrderNotFound
from vetrina.shop.orders.schema import build_decimals_argument, build_order_filters, build_order_write_arguments
from vetrina.shop.orders.views import ORDER_SERIALIZER, OrderView
from vetrina.shop.permissions import build_item_permissions, require_create_permission, require_view_permission
from vetrina.shop.products import cost_schema

__all__ = ["build_order_query", "build_routes"]

_ITEM: Final = f"{ORDERS_PATH}/{{id}}"
_ITEM_ERRORS: Final = (
    order_lines.LineNeedsProduct,
    order_lines.InvalidOrderItem,
    order_lines.InvalidShippingLine,
    order_lines.InvalidFeeLine,
    orders.InvalidOrderCustomer,
    order_coupons.CouponIdReadonly,
    CouponRefused,
    order_totals.OrderAmountTooLarge,
)


class OrderToUpdateNotFound(OrderNotFound):
    """The order to change does not exist."""

    failure = Failure.INVALID


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of orders."""
    id = {"id": Integer("Number of the order.")}
    writes = build_order_write_arguments()
    create = Route(
        WRITE, ORDERS_PATH, _create_order, writes, require_create_permission, _build_order_schema, errors=_ITEM_ERRORS
    )
    change = Route(
        CHANGE,
        _ITEM,
        _update_order,
        {**id, **writes},
        _require_order_edit_permission,
        _build_order_schema,
        errors=(OrderToUpdateNotFound, *_ITEM_ERRORS),
    )
    remove = Route(
        REMOVE,
        _ITEM,
        _delete_order,
        {**id, "force": list_arguments.build_force_argument()},
        _require_order_delete_permission,
        _build_order_schema,
        errors=(OrderNotFound, orders.OrderAlreadyTrashed),
    )
    create, change, remove = cost_schema.add_response_fields(
        (create, change, remove), _build_order_schema, cost_schema.ORDER_COST_FIELDS
    )
    read = {**id, "context": list_arguments.build_context_argument(), "dp": build_decimals_argument()}
    every = (
        Route(
            READ,
            ORDERS_PATH,
            _list_orders,
            build_order_filters(),
            require_view_permission,
            _build_order_schema,
            answers="many",
        ),
        create,
        Route(
            READ,
            f"{ORDERS_PATH}/statuses",
            _list_statuses,
            {},
            require_view_permission,
            answers=Array(items=Object(properties=build_text_fields("slug", "name"))),
        ),
        Route(
            READ, _ITEM, _read_order, read, _require_order_view_permission, _build_order_schema, errors=(OrderNotFound,)
        ),
        change,
        remove,
        build_batch_route(f"{ORDERS_PATH}/batch", create=create, update=change, delete=remove),
    )
    return cost_schema.add_response_fields(every, _build_order_schema, cost_schema.ORDER_COST_FIELDS)


def _build_order_schema() -> dict[str, Any]:
    return ORDER_SERIALIZER.schema("shop_order")


# -- permissions: a missing order is reported by the handler, to every caller


def _has_order(call: Call) -> bool:
    id = call.args.get("id")
    return isinstance(id, int) and order_model.find_order(call.work, id) is not None


_require_order_view_permission, _require_order_edit_permission, _require_order_delete_permission = (
    build_item_permissions(_has_order)
)


# -- handlers


def build_order_query(call: Call) -> OrderQuery:
    """Return the query of an order list. Raises InvalidParam for more words than a filter may join."""
    args = call.args
    words = tuple(dict.fromkeys(fold_text(args.get("search") or "").split()))
    check_filter_terms("search", len(words), call.work.frame.profile.limits.filter_terms)
    return OrderQuery(
        statuses=_parse_statuses(args.get("status") or []),
        include=tuple(args.get("include") or ()),
        exclude=tuple(args.get("exclude") or ()),
        parents=tuple(args.get("parent") or ()),
        parents_excluded=tuple(args.get("parent_exclude") or ()),
        customer=args.get("customer"),
        product=args.get("product") or 0,
        created_via=tuple(args.get("created_via") or ()),
        number=args.get("number") or "",
        words=words,
        phrase=(args.get("search") or "").strip(),
        orderby=args["orderby"],
        descending=args["order"] == "desc",
        limit=args["per_page"],
        offset=compute_page_offset(args),
        after=list_arguments.parse_utc_timestamp(call, "after"),
        before=list_arguments.parse_utc_timestamp(call, "before"),
        modified_after=list_arguments.parse_utc_timestamp(call, "modified_after"),
        modified_before=list_arguments.parse_utc_timestamp(call, "modified_before"),
    )


def _parse_statuses(words: list[str]) -> tuple[str, ...]:
    """Return the statuses that a filter names; empty for all but the trash."""
    if not words or order_statuses.ANY in words:
        return ()
    return tuple(dict.fromkeys(words))


def _list_orders(call: Call) -> Result:
    query = build_order_query(call)
    found, total = order_listing.list_orders(call.work, query)
    view = OrderView(call.work, found, call.args)
    wanted = parse_field_selection(call.request.raw("_fields"))
    body = [
        {
            **_serialize_order(one, view, call.args.get("context") or "view", wanted),
            "_links": build_order_links(call.work, one),
        }
        for one in found
    ]
    headers, links = build_page_headers(
        call,
        list_arguments.compute_reported_total(total, found, call.args, by_page=True),
        query.limit,
        call.args["page"],
    )
    return Result(body, headers=headers, links=links)


def _read_order(call: Call) -> Result:
    return _build_order_result(call, order_model.get_order(call.work, call.args["id"]))


def _build_order_result(call: Call, order: Order, status: int = 200) -> Result:
    context = call.args.get("context") or "edit"
    body = _serialize_order(
        order, OrderView(call.work, [order], call.args), context, parse_field_selection(call.request.raw("_fields"))
    )
    return Result(body, status, rels=build_order_links(call.work, order), keeps_links=True)


def _serialize_order(order: Order, view: OrderView, context: str, wanted: FieldSelection | None) -> dict[str, Any]:
    out = ORDER_SERIALIZER.serialize(order, view, context, wanted)
    if view.costs is None:
        return out
    owners = (order.id, *(refund.id for refund in view.refunds[order.id]))
    return out | cost_schema.serialize_order_cost(view.costs, owners, wanted)


def _create_order(call: Call) -> Result:
    made = orders.create_order(call.work, call.args)
    if made.refusal is not None:
        # The draft is kept on purpose: the response has its id.
        made.refusal.data["new_draft_order_id"] = made.order.id
        return build_error_result(made.refusal)
    result = _build_order_result(call, made.order, 201)
    result.headers["Location"] = call.work.api(f"{ORDERS_PATH}/{made.order.id}")
    return result


def _update_order(call: Call) -> Result:
    id = call.args.get("id")
    old = order_model.find_order(call.work, id) if isinstance(id, int) else None
    if old is None:
        raise OrderToUpdateNotFound(id=id)
    return _build_order_result(call, orders.update_order(call.work, old, call.args))


def _delete_order(call: Call) -> Result:
    work = call.work
    old = order_model.get_order(work, call.args["id"])
    result = _build_order_result(call, old)
    if call.args.get("force"):
        orders.delete_order(work, old)
    else:
        orders.trash_order(work, old)
    return result


def _list_statuses(call: Call) -> Result:
    """List the statuses that an order may have."""
    return Result([{"slug": slug, "name": name} for slug, name in order_statuses.STATUS_NAMES.items()])
