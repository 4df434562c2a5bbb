"""Orders: list, read, create, change, remove, batch; their statuses.

Not here: refunds and notes (shop/orders/part_routes.py), members and arguments (shop/orders/schema.py), how one is
shown (shop/orders/views.py). Rules: facts, "Orders"; the recordings of orders.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.folding import fold
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Integer, Object
from vetrina.rest.list_limits import refuse_many
from vetrina.rest.paging import page_headers, start_of
from vetrina.rest.response_fields import texts
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Choice, choice
from vetrina.shop import list_arguments
from vetrina.shop.batch_routes import batch_route
from vetrina.shop.coupons.rules import CouponRefused
from vetrina.shop.orders import (
    coupons as order_coupons,
)
from vetrina.shop.orders import (
    lines as order_lines,
)
from vetrina.shop.orders import (
    listing as order_listing,
)
from vetrina.shop.orders import (
    model as order_model,
)
from vetrina.shop.orders import (
    rules as orders,
)
from vetrina.shop.orders import (
    statuses as order_statuses,
)
from vetrina.shop.orders import (
    totals as order_totals,
)
from vetrina.shop.orders.link_views import ORDERS, order_links
from vetrina.shop.orders.listing import OrderQuery
from vetrina.shop.orders.model import Order, OrderUnknown
from vetrina.shop.orders.schema import decimals, order_filters, order_writes
from vetrina.shop.orders.views import ORDER_SHAPE, View
from vetrina.shop.permissions import creating, of_known, viewing
from vetrina.shop.products import cost_schema

__all__ = ["query_of", "routes"]

_ITEM: Final = f"{ORDERS}/{{id}}"
_ITEM_ERRORS: Final = (
    order_lines.NeedsProduct, order_lines.InvalidItem, order_lines.InvalidShipping, order_lines.InvalidFee,
    orders.InvalidCustomer, order_coupons.CouponIdReadonly, CouponRefused,
    order_totals.AmountTooLarge,
)  # fmt: skip


class NoSuchOrder(OrderUnknown):
    """An order that somebody wants to change is not there."""

    status = 400


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of orders."""
    id = {"id": Integer("Number of the order.")}
    writes = order_writes()
    create = Route(WRITE, ORDERS, _created, writes, creating, _schema, errors=_ITEM_ERRORS)
    change = Route(CHANGE, _ITEM, _changed, {**id, **writes}, _may_edit, _schema, errors=(NoSuchOrder, *_ITEM_ERRORS))
    remove = Route(
        REMOVE, _ITEM, _removed, {**id, "force": list_arguments.force()}, _may_remove, _schema,
        errors=(OrderUnknown, orders.AlreadyTrashed),
    )  # fmt: skip
    create, change, remove = cost_schema.showing((create, change, remove), _schema, cost_schema.OF_ORDER)
    read = {**id, "context": list_arguments.context(), "dp": decimals()}
    every = (
        Route(READ, ORDERS, _listed, order_filters(), viewing, _schema, answers="many"),
        create,
        Route(
            READ,
            f"{ORDERS}/statuses",
            _statuses,
            {},
            viewing,
            answers=Array(items=Object(properties=texts("slug", "name"))),
        ),
        Route(READ, _ITEM, _read, read, _may_read, _schema, errors=(OrderUnknown,)),
        change,
        remove,
        batch_route(f"{ORDERS}/batch", create=create, update=change, delete=remove),
    )
    return cost_schema.showing(every, _schema, cost_schema.OF_ORDER)


def _schema() -> dict[str, Any]:
    return ORDER_SHAPE.schema("shop_order")


# -- rights: an order that is not there is told by the handler, to whoever asks


def _exists(call: Call) -> bool:
    id = call.args.get("id")
    return isinstance(id, int) and order_model.by_id(call.work, id) is not None


_may_read, _may_edit, _may_remove = of_known(_exists)


# -- handlers


def query_of(call: Call) -> OrderQuery:
    """Return what a list of orders asks for. Raises InvalidParam for more words than a filter may join."""
    args = call.args
    words = tuple(dict.fromkeys(fold(args.get("search") or "").split()))
    refuse_many("search", len(words), call.work.frame.profile.limits.filter_terms)
    return OrderQuery(
        statuses=_wanted(args.get("status") or []),
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
        start=start_of(args),
        after=list_arguments.instant(call, "after"),
        before=list_arguments.instant(call, "before"),
        modified_after=list_arguments.instant(call, "modified_after"),
        modified_before=list_arguments.instant(call, "modified_before"),
    )


def _wanted(words: list[str]) -> tuple[str, ...]:
    """Return the statuses that a filter names; none of them for all but the trash."""
    if not words or order_statuses.ANY in words:
        return ()
    return tuple(dict.fromkeys(words))


def _listed(call: Call) -> Result:
    query = query_of(call)
    found, total = order_listing.listed_page(call.work, query)
    view = View(call.work, found, call.args)
    wanted = choice(call.request.raw("_fields"))
    body = [
        {
            **_members(one, view, call.args.get("context") or "view", wanted),
            "_links": order_links(call.work, one),
        }
        for one in found
    ]
    headers, links = page_headers(
        call, list_arguments.total_told(total, found, call.args, by_page=True), query.limit, call.args["page"]
    )
    return Result(body, headers=headers, links=links)


def _read(call: Call) -> Result:
    return _item(call, order_model.existing(call.work, call.args["id"]))


def _item(call: Call, one: Order, status: int = 200) -> Result:
    context = call.args.get("context") or "edit"
    body = _members(one, View(call.work, [one], call.args), context, choice(call.request.raw("_fields")))
    return Result(body, status, rels=order_links(call.work, one), keeps_links=True)


def _members(one: Order, view: View, context: str, wanted: Choice | None) -> dict[str, Any]:
    out = ORDER_SHAPE.members(one, view, context, wanted)
    if view.costs is None:
        return out
    owners = (one.id, *(refund.id for refund in view.refunds[one.id]))
    return out | cost_schema.of_order(view.costs, owners, wanted)


def _created(call: Call) -> Result:
    made = orders.create(call.work, call.args)
    if made.refusal is not None:
        # The draft stays on purpose: its number is in the answer.
        made.refusal.data["new_draft_order_id"] = made.order.id
        return Result(made.refusal.body(), made.refusal.answer_status)
    result = _item(call, made.order, 201)
    result.headers["Location"] = call.work.api(f"{ORDERS}/{made.order.id}")
    return result


def _changed(call: Call) -> Result:
    id = call.args.get("id")
    old = order_model.by_id(call.work, id) if isinstance(id, int) else None
    if old is None:
        raise NoSuchOrder(id=id)
    return _item(call, orders.change(call.work, old, call.args))


def _removed(call: Call) -> Result:
    work: Work = call.work
    old = order_model.existing(work, call.args["id"])
    result = _item(call, old)
    if call.args.get("force"):
        orders.remove(work, old)
    else:
        orders.trash(work, old)
    return result


def _statuses(call: Call) -> Result:
    """List the statuses that an order may have."""
    return Result([{"slug": slug, "name": name} for slug, name in order_statuses.NAMES.items()])
