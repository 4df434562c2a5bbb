"""An order as the visitor who placed it sees it. Rules: docs/rules/checkout.md, 6."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer
from vetrina.shop import meta_data
from vetrina.shop.cart import lines as cart_lines
from vetrina.shop.orders import model as order_model, statuses as order_statuses, visitor_orders
from vetrina.shop.orders.model import (
    BILLING_FIELDS,
    COUPON,
    FEE,
    LINE,
    SHIPPING,
    SHIPPING_FIELDS,
    TAX,
    Order,
    OrderItem,
)
from vetrina.shop.orders.visitor_orders import InvalidVisitorOrder, WrongBillingEmail
from vetrina.shop.refunds import rules as refunds
from vetrina.shop.storefront import cart_views
from vetrina.shop.storefront.amount_views import MoneySerializer
from vetrina.shop.storefront.cart_views import serialize_address
from vetrina.shop.storefront.line_views import LineItemView
from vetrina.shop.storefront.product_arguments import build_context_argument

_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the order.", readonly=True),
    "status": String("Status of the order.", readonly=True),
    "items": Array("Its lines.", items=Object(properties=cart_views.LINE_FIELDS), readonly=True),
    "coupons": cart_views.CART_FIELDS["coupons"],
    "fees": cart_views.CART_FIELDS["fees"],
    "totals": cart_views.CART_FIELDS["totals"],
    "shipping_address": cart_views.CART_FIELDS["shipping_address"],
    "billing_address": cart_views.CART_FIELDS["billing_address"],
    "needs_payment": Boolean("Whether it waits for a payment.", readonly=True),
    "needs_shipping": Boolean("Whether anything is to be sent.", readonly=True),
    "payment_requirements": cart_views.CART_FIELDS["payment_requirements"],
    "errors": cart_views.CART_FIELDS["errors"],
}
_SERIALIZER: Final = Serializer(_FIELDS, {})


def build_routes(base: str) -> tuple[Route, ...]:
    """Return the route of an order; base: path of the namespace."""
    args: dict[str, Field] = {
        "id": Integer("Number of the order."),
        "key": String("Key of the order.", null="keep"),
        "billing_email": String("Mail address of the order.", null="keep"),
        "context": build_context_argument(),
    }
    return (
        Route(
            READ, f"{base}/order/{{id}}", _read_order, args, _require_order_open_permission,
            schema=lambda: _SERIALIZER.schema("order"), errors=(InvalidVisitorOrder, WrongBillingEmail), answers="one",
        ),
    )  # fmt: skip


def _require_order_open_permission(call: Call) -> None:
    """The customer of the order, and anyone with its key and billing mail address."""
    args = call.args
    call.work.mark_time_dependent()
    call.lookups["order"] = visitor_orders.get_visitor_order(
        call.work, args.get("id") or 0, str(args.get("key") or ""), str(args.get("billing_email") or "")
    )


def _read_order(call: Call) -> Result:
    """Read an order; a visitor proves to be its customer by key and mail address."""
    return Result(_serialize_order(call.work, call.lookups["order"]))


def _serialize_order(work: UnitOfWork, order: Order) -> dict[str, Any]:
    amounts = MoneySerializer(work, order.currency)
    items = order_model.load_items_by_owner(work, (order.id,))[order.id]
    lines = [item for item in items if item.kind == LINE]
    meaning = order_statuses.STATUSES_BY_SLUG.get(order.status)
    goods = cart_lines.load_sellables(work, [item.sellable_id for item in lines if item.sellable_id])
    return {
        "id": order.id,
        "status": order.status,
        "items": _serialize_lines(work, order, lines, goods, amounts),
        "coupons": [
            {
                "code": item.code,
                "discount_type": item.details.get("kind", ""),
                "totals": amounts.serialize_amounts(total_discount=item.total, total_discount_tax=item.total_tax),
            }
            for item in items
            if item.kind == COUPON
        ],
        "fees": [
            {
                "id": item.id,
                "name": item.name,
                "totals": amounts.serialize_amounts(total=item.total, total_tax=item.total_tax),
            }
            for item in items
            if item.kind == FEE
        ],
        "totals": _serialize_totals(work, order, items, amounts),
        "shipping_address": serialize_address(order.shipping_address, SHIPPING_FIELDS),
        "billing_address": serialize_address(order.billing, BILLING_FIELDS),
        "needs_payment": meaning is not None and meaning.payable and order.total > 0,
        "needs_shipping": any(item.kind == SHIPPING for item in items),
        "payment_requirements": ["products"],
        "errors": [],
    }


def _serialize_lines(
    work: UnitOfWork, order: Order, lines: list[OrderItem], goods: Any, amounts: MoneySerializer
) -> list[dict[str, Any]]:
    view = LineItemView(work, goods.values(), amounts)
    metas = meta_data.load_meta_by_owner(work, "order_item", [item.id for item in lines])
    out = []
    for item in lines:
        found = goods.get(item.sellable_id)
        chosen = {meta.key: str(meta.value) for meta in metas.get(item.id, ()) if not meta.key.startswith("_")}
        attributes = found.root.attributes if found is not None else ()
        choices = {attribute["key"]: chosen[attribute["key"]] for attribute in attributes if attribute["key"] in chosen}
        about = view.serialize_line(found, choices) if found is not None else _serialize_missing_goods(item, amounts)
        out.append(
            {
                "key": order.order_key,
                "id": item.id,
                "quantity": item.quantity,
                "quantity_limits": {
                    "minimum": item.quantity, "maximum": item.quantity, "multiple_of": 1, "editable": False,
                },
                **about,
                "name": item.name if found is None else about["name"],
                "show_backorder_badge": False,
                "totals": amounts.serialize_amounts(
                    line_subtotal=item.subtotal, line_subtotal_tax=item.subtotal_tax, line_total=item.total,
                    line_total_tax=item.total_tax,
                ),
            }
        )  # fmt: skip
    return out


def _serialize_missing_goods(item: OrderItem, amounts: MoneySerializer) -> dict[str, Any]:
    """Return the line members of a product that the shop has deleted."""
    price = item.subtotal / item.quantity if item.quantity else money.ZERO
    return {
        "name": item.name, "short_description": "", "description": "", "sku": "", "low_stock_remaining": None,
        "backorders_allowed": False, "sold_individually": False, "permalink": "", "images": [], "variation": [],
        "item_data": [],
        "prices": {
            **amounts.serialize_amounts(price=price, regular_price=price, sale_price=price, price_range=None),
            "raw_prices": amounts.serialize_raw_prices(price, price, price),
        },
        "catalog_visibility": "hidden",
    }  # fmt: skip


def _serialize_totals(
    work: UnitOfWork, order: Order, items: list[OrderItem], amounts: MoneySerializer
) -> dict[str, Any]:
    def sum_of(kind: str, member: str) -> Decimal:
        return sum((getattr(item, member) for item in items if item.kind == kind), money.ZERO)

    return amounts.serialize_amounts(
        subtotal=sum_of(LINE, "subtotal"), total_discount=order.discount, total_shipping=order.shipping,
        total_fees=sum_of(FEE, "total"), total_tax=order.total_tax,
        total_refund=refunds.sum_refunds(refunds.list_order_refunds(work, (order.id,))[order.id]),
        total_price=order.total, total_items=sum_of(LINE, "total"), total_items_tax=sum_of(LINE, "total_tax"),
        total_fees_tax=sum_of(FEE, "total_tax"), total_discount_tax=order.discount_tax,
        total_shipping_tax=order.shipping_tax,
        tax_lines=[
            {
                "name": str(item.details.get("label") or "Tax"),
                "price": amounts.format_minor_units(item.total + item.total_tax),
                "rate": f"{money.format_plain_amount(Decimal(str(item.details.get('percent') or 0)))}%",
            }
            for item in items
            if item.kind == TAX
        ],
    )  # fmt: skip
