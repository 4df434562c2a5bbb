"""Orders: list, read, create, change, remove, batch; their statuses.

Not here: refunds (shop/refunds/routes.py), notes (shop/orders/note_routes.py), arguments and schemas
(shop/orders/schema.py), serialization (shop/orders/responses.py). Rules: docs/rules/orders.md, 1 and 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import Failure
from vetrina.kernel.folding import fold_text
from vetrina.rest.call import Result
from vetrina.rest.error_statuses import build_error_result
from vetrina.rest.fields import Array, Integer, Object
from vetrina.rest.list_limits import check_filter_terms
from vetrina.rest.paging import compute_page_offset
from vetrina.rest.preconditions import WriteGuard
from vetrina.rest.resource import Links, ListPage, Operation
from vetrina.rest.response_fields import build_text_fields
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import build_link
from vetrina.shop import list_arguments
from vetrina.shop.coupons.eligibility import CouponRefused
from vetrina.shop.orders import (
    coupons as order_coupons,
    lines as order_lines,
    listing as order_listing,
    model as order_model,
    rules as orders,
    statuses as order_statuses,
    totals as order_totals,
)
from vetrina.shop.orders.listing import OrderQuery
from vetrina.shop.orders.model import Order, OrderNotFound
from vetrina.shop.orders.responses import ORDER_SERIALIZER
from vetrina.shop.orders.schema import (
    ORDERS_PATH,
    build_decimals_argument,
    build_order_filters,
    build_order_write_arguments,
)
from vetrina.shop.orders.views import OrderView
from vetrina.shop.permissions import build_item_permissions, require_create_permission, require_view_permission
from vetrina.shop.products import cost_schema
from vetrina.shop.record_state_views import compute_order_state
from vetrina.shop.resource import ShopResource

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


def _find_order(call: Call) -> Order | None:
    id = call.args.get("id")
    return order_model.find_order(call.work, id) if isinstance(id, int) else None


def _get_order(call: Call) -> Order:
    return order_model.get_order(call.work, call.args["id"])


def _get_order_to_update(call: Call) -> Order:
    found = _find_order(call)
    if found is None:
        raise OrderToUpdateNotFound(id=call.args.get("id"))
    return found


def _load_view(call: Call, found: Sequence[Order]) -> OrderView:
    return OrderView(call.work, found, call.args)


def _build_links(call: Call, order: Order) -> Links:
    work, links = call.work, _ORDERS.build_usual_links(call, order)
    own = _ORDERS.build_url(call, order)
    links["email_templates"] = [build_link(f"{own}/actions/email_templates", embeddable=True)]
    if order.customer:
        links["customer"] = [build_link(work.api(f"/shop/v3/customers/{order.customer}"))]
    if order.parent:
        links["up"] = [build_link(work.api(f"{ORDERS_PATH}/{order.parent}"))]
    return links


def build_order_query(call: Call) -> OrderQuery:
    """Return the query of an order list. Raises InvalidParam for more words than a filter may join."""
    args = call.args
    words = tuple(dict.fromkeys(fold_text(args.get("search") or "").split()))
    check_filter_terms("search", len(words), call.work.site.profile.limits.filter_terms)
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


def _list_orders(call: Call) -> ListPage[Order]:
    found, total = order_listing.list_orders(call.work, build_order_query(call))
    return ListPage(found, list_arguments.compute_reported_total(total, found, call.args, by_page=True))


def _create_order(call: Call) -> Order | Result:
    made = orders.create_order(call.work, call.args)
    if made.refusal is not None:
        # The draft is kept on purpose: the response has its id.
        made.refusal.data["new_draft_order_id"] = made.order.id
        return build_error_result(made.refusal)
    return made.order


def _update_order(call: Call, old: Order) -> Order:
    return orders.update_order(call.work, old, call.args)


def _delete_order(call: Call, old: Order) -> None:
    if call.args.get("force"):
        orders.delete_order(call.work, old)
    else:
        orders.trash_order(call.work, old)


def _list_statuses(call: Call) -> Result:
    """List the statuses that an order may have."""
    return Result([{"slug": slug, "name": name} for slug, name in order_statuses.STATUS_NAMES.items()])


# A missing order is reported by the handler, to every caller.
_may_view, _may_edit, _may_delete = build_item_permissions(_find_order)
_WRITES: Final = build_order_write_arguments()

_ORDERS: Final = ShopResource(
    title="shop_order",
    path=ORDERS_PATH,
    key={"id": Integer("Number of the order.")},
    serializer=ORDER_SERIALIZER,
    load_view=_load_view,
    build_links=_build_links,
    find=_get_order,
    list=Operation(_list_orders, require_view_permission, build_order_filters()),
    create=Operation(_create_order, require_create_permission, _WRITES, _ITEM_ERRORS),
    read=Operation(_get_order, _may_view, {"dp": build_decimals_argument()}, (OrderNotFound,)),
    update=Operation(
        _update_order, _may_edit, _WRITES, (OrderToUpdateNotFound, *_ITEM_ERRORS), find=_get_order_to_update
    ),
    delete=Operation(_delete_order, _may_delete, errors=(OrderNotFound, orders.OrderAlreadyTrashed)),
    response_fields=cost_schema.ORDER_COST_FIELDS,
    guard=WriteGuard(compute_order_state, attrgetter("modified")),
)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of orders."""
    statuses = Route(
        READ, f"{ORDERS_PATH}/statuses", _list_statuses, {}, require_view_permission,
        answers=Array(items=Object(properties=build_text_fields("slug", "name"))),
    )  # fmt: skip
    list_route, create, *others = _ORDERS.build_routes()
    return (list_route, create, statuses, *others)
