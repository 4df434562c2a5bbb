"""An order as the visitor sees it who placed it. Rules: facts, "Visitors' interface"; the recordings."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Shape
from vetrina.shop import meta_data
from vetrina.shop.cart import lines as cart_lines
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders import statuses as order_statuses
from vetrina.shop.orders import visitor_orders
from vetrina.shop.orders.model import BILLING, COUPON, FEE, LINE, SHIPPING, SHIPPING_ADDRESS, TAX, Item, Order
from vetrina.shop.orders.visitor_orders import InvalidOrder, WrongAddress
from vetrina.shop.refunds import rules as refunds
from vetrina.shop.storefront import cart_views
from vetrina.shop.storefront.amount_views import Amounts
from vetrina.shop.storefront.cart_views import address
from vetrina.shop.storefront.line_views import GoodsView
from vetrina.shop.storefront.product_arguments import context

__all__ = ["routes"]

_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the order.", readonly=True),
    "status": String("Status of the order.", readonly=True),
    "items": Array("Its lines.", items=Object(properties=cart_views.LINE), readonly=True),
    "coupons": cart_views.FIELDS["coupons"],
    "fees": cart_views.FIELDS["fees"],
    "totals": cart_views.FIELDS["totals"],
    "shipping_address": cart_views.FIELDS["shipping_address"],
    "billing_address": cart_views.FIELDS["billing_address"],
    "needs_payment": Boolean("Whether it waits for a payment.", readonly=True),
    "needs_shipping": Boolean("Whether anything is to be sent.", readonly=True),
    "payment_requirements": cart_views.FIELDS["payment_requirements"],
    "errors": cart_views.FIELDS["errors"],
}
_SHAPE: Final = Shape(_FIELDS, {})


def routes(base: str) -> tuple[Route, ...]:
    """Return the route of an order; base: the address of the namespace."""
    args: dict[str, Field] = {
        "id": Integer("Number of the order."),
        "key": String("Key of the order.", null="keep"),
        "billing_email": String("Mail address of the order.", null="keep"),
        "context": context(),
    }
    return (
        Route(READ, f"{base}/order/{{id}}", _read, args, _may_open, schema=lambda: _SHAPE.schema("order"),
              errors=(InvalidOrder, WrongAddress), answers="one"),
    )  # fmt: skip


def _may_open(call: Call) -> None:
    """The customer of the order, and whoever knows its key and the mail address that it was billed to."""
    args = call.args
    call.work.passes()
    call.kept["order"] = visitor_orders.opened(
        call.work, args.get("id") or 0, str(args.get("key") or ""), str(args.get("billing_email") or "")
    )


def _read(call: Call) -> Result:
    """Read an order; a visitor proves to be its customer by key and mail address."""
    return Result(_shown(call.work, call.kept["order"]))


def _shown(work: Work, one: Order) -> dict[str, Any]:
    amounts = Amounts(work, one.currency)
    items = order_model.items_of(work, (one.id,))[one.id]
    lines = [item for item in items if item.kind == LINE]
    meaning = order_statuses.BY_SLUG.get(one.status)
    goods = cart_lines.goods_of(work, [item.goods for item in lines if item.goods])
    return {
        "id": one.id,
        "status": one.status,
        "items": _lines(work, one, lines, goods, amounts),
        "coupons": [
            {
                "code": item.code,
                "discount_type": item.details.get("kind", ""),
                "totals": amounts.group(total_discount=item.total, total_discount_tax=item.total_tax),
            }
            for item in items
            if item.kind == COUPON
        ],
        "fees": [
            {"id": item.id, "name": item.name, "totals": amounts.group(total=item.total, total_tax=item.total_tax)}
            for item in items
            if item.kind == FEE
        ],
        "totals": _totals(work, one, items, amounts),
        "shipping_address": address(one.shipping_address, SHIPPING_ADDRESS),
        "billing_address": address(one.billing, BILLING),
        "needs_payment": meaning is not None and meaning.payable and one.total > 0,
        "needs_shipping": any(item.kind == SHIPPING for item in items),
        "payment_requirements": ["products"],
        "errors": [],
    }


def _lines(work: Work, one: Order, lines: list[Item], goods: Any, amounts: Amounts) -> list[dict[str, Any]]:
    view = GoodsView(work, goods.values(), amounts)
    metas = meta_data.of_owners(work, "order_item", [item.id for item in lines])
    out = []
    for item in lines:
        found = goods.get(item.goods)
        chosen = {meta.key: str(meta.value) for meta in metas.get(item.id, ()) if not meta.key.startswith("_")}
        kept = found.root.attributes if found is not None else ()
        choices = {kept_one["key"]: chosen[kept_one["key"]] for kept_one in kept if kept_one["key"] in chosen}
        about = view.members(found, choices) if found is not None else _gone(item, amounts)
        out.append(
            {
                "key": one.order_key,
                "id": item.id,
                "quantity": item.quantity,
                "quantity_limits": {
                    "minimum": item.quantity, "maximum": item.quantity, "multiple_of": 1, "editable": False,
                },
                **about,
                "name": item.name if found is None else about["name"],
                "show_backorder_badge": False,
                "totals": amounts.group(
                    line_subtotal=item.subtotal, line_subtotal_tax=item.subtotal_tax, line_total=item.total,
                    line_total_tax=item.total_tax,
                ),
            }
        )  # fmt: skip
    return out


def _gone(item: Item, amounts: Amounts) -> dict[str, Any]:
    """Return what is still known of goods that the shop has no more."""
    price = item.subtotal / item.quantity if item.quantity else money.ZERO
    return {
        "name": item.name, "short_description": "", "description": "", "sku": "", "low_stock_remaining": None,
        "backorders_allowed": False, "sold_individually": False, "permalink": "", "images": [], "variation": [],
        "item_data": [],
        "prices": {
            **amounts.group(price=price, regular_price=price, sale_price=price, price_range=None),
            "raw_prices": amounts.raw(price, price, price),
        },
        "catalog_visibility": "hidden",
    }  # fmt: skip


def _totals(work: Work, one: Order, items: list[Item], amounts: Amounts) -> dict[str, Any]:
    def sum_of(kind: str, member: str) -> Decimal:
        return sum((getattr(item, member) for item in items if item.kind == kind), money.ZERO)

    return amounts.group(
        subtotal=sum_of(LINE, "subtotal"),
        total_discount=one.discount,
        total_shipping=one.shipping,
        total_fees=sum_of(FEE, "total"),
        total_tax=one.total_tax,
        total_refund=refunds.taken_back(refunds.of_orders(work, (one.id,))[one.id]),
        total_price=one.total,
        total_items=sum_of(LINE, "total"),
        total_items_tax=sum_of(LINE, "total_tax"),
        total_fees_tax=sum_of(FEE, "total_tax"),
        total_discount_tax=one.discount_tax,
        total_shipping_tax=one.shipping_tax,
        tax_lines=[
            {
                "name": str(item.details.get("label") or "Tax"),
                "price": amounts.minor(item.total + item.total_tax),
                "rate": f"{money.plain(Decimal(str(item.details.get('percent') or 0)))}%",
            }
            for item in items
            if item.kind == TAX
        ],
    )
