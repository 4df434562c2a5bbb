"""How an order and a refund are shown: where each member of an answer comes from.

What several orders need beside their rows is asked once for a whole page. Not here: the members themselves
(order_schema.py). Rules: facts, "Orders"; the recordings of orders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any, Final

import orjson

from vetrina import __version__
from vetrina.declare.present import Shape
from vetrina.domain.media import attachments
from vetrina.domain.shop import (
    currencies,
    meta_data,
    order,
    order_statuses,
    product,
    product_images,
    refunds,
    settings,
)
from vetrina.domain.shop.order import COUPON, FEE, LINE, SHIPPING, TAX, Item, Order
from vetrina.domain.shop.product import Product
from vetrina.domain.shop.refunds import Refund
from vetrina.domain.work import Work
from vetrina.kernel import money, times

from .order_schema import ORDER, REFUND

__all__ = ["ORDER_SHAPE", "REFUND_SHAPE", "View", "order_links", "refund_links"]

ORDERS: Final = "/shop/v3/orders"
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]


class View:
    """What showing some orders needs to know beside them. refunds: those that are shown by themselves."""

    def __init__(
        self, work: Work, orders: Sequence[Order], asked: Mapping[str, Any] = {}, shown: Sequence[Refund] = ()
    ) -> None:
        self.work, self.orders, self.shown = work, orders, shown
        places = asked.get("dp")
        self.places = settings.decimals(work) if places is None else min(int(places), 8)
        self.include_meta = frozenset(asked.get("include_meta") or ())
        self.exclude_meta = frozenset(asked.get("exclude_meta") or ())
        self.hides_private = bool(asked.get("order_item_display_meta"))

    @cached_property
    def items(self) -> dict[int, list[Item]]:
        return order.items_of(self.work, [*(one.id for one in self.orders), *(one.id for one in self.shown)])

    @cached_property
    def item_metas(self) -> dict[int, list[meta_data.Meta]]:
        every = [item.id for items in self.items.values() for item in items]
        return meta_data.of_owners(self.work, "order_item", every)

    @cached_property
    def metas(self) -> dict[int, list[meta_data.Meta]]:
        return meta_data.of_owners(self.work, "order", [one.id for one in self.orders])

    @cached_property
    def refund_metas(self) -> dict[int, list[meta_data.Meta]]:
        return meta_data.of_owners(self.work, "refund", [one.id for one in self.shown])

    @cached_property
    def refunds(self) -> dict[int, list[Refund]]:
        return refunds.of_orders(self.work, [one.id for one in self.orders])

    @cached_property
    def products(self) -> dict[int, Product]:
        lines = [item for items in self.items.values() for item in items if item.kind == LINE]
        return product.known(self.work, (id for item in lines for id in (item.product, item.variation)))

    @cached_property
    def images(self) -> dict[int, product_images.Image]:
        return product_images.by_ids(self.work, {id for one in self.products.values() for id in one.images[:1]})

    def of_kind(self, owner: int, kind: str) -> list[Item]:
        """Return the items of one kind."""
        return [item for item in self.items[owner] if item.kind == kind]

    def amount(self, amount: Decimal) -> str:
        """Return an amount as it is asked for."""
        return money.text(amount, self.places)

    def local(self, moment: int | None) -> str | None:
        """Return a moment in the site's time."""
        return None if moment is None else times.iso(self.work.zone.to_local(moment))

    def kept(self, fields: Sequence[meta_data.Meta], hide_private: bool = True) -> list[dict[str, Any]]:
        """Return those extra fields that are asked for; private ones of orders are nobody's business."""
        return [
            one
            for one in meta_data.shown(fields, hide_private)
            if (not self.include_meta or one["key"] in self.include_meta) and one["key"] not in self.exclude_meta
        ]


# -- items


def _item_meta(view: View, item: Item) -> list[dict[str, Any]]:
    return [
        {**one, "display_key": one["key"], "display_value": one["value"]}
        for one in meta_data.shown(view.item_metas[item.id], view.hides_private)
    ]


def _taxes(view: View, item: Item) -> list[dict[str, Any]]:
    return [
        {
            "id": rate,
            "total": view.amount(tax),
            "subtotal": view.amount(item.subtotal_taxes.get(rate, money.ZERO)) if item.kind == LINE else "",
        }
        for rate, tax in item.taxes.items()
    ]


def _line(view: View, item: Item) -> dict[str, Any]:
    sold = view.products.get(item.goods) or view.products.get(item.product)
    above = view.products.get(item.product) if item.variation else None
    return {
        "id": item.id,
        "name": item.name,
        "product_id": item.product,
        "variation_id": item.variation,
        "quantity": item.quantity,
        "tax_class": item.tax_class,
        "subtotal": view.amount(item.subtotal),
        "subtotal_tax": view.amount(item.subtotal_tax),
        "total": view.amount(item.total),
        "total_tax": view.amount(item.total_tax),
        "taxes": _taxes(view, item),
        "meta_data": _item_meta(view, item),
        "sku": sold.sku if sold is not None else None,
        "global_unique_id": sold.global_unique_id if sold is not None else None,
        "price": _piece(item),
        "image": _image(view, sold, above),
        "parent_name": above.name if above is not None else None,
    }


def _piece(item: Item) -> float | int:
    """Return what one piece costs: the interface shows a number here, unrounded."""
    if not item.quantity:
        return 0
    price = float(item.total) / item.quantity
    return int(price) if price.is_integer() else price


def _image(view: View, sold: Product | None, above: Product | None) -> dict[str, Any]:
    if sold is None:
        return {"id": 0, "src": ""}
    own = next((id for one in (sold, above) if one is not None for id in one.images[:1]), 0)
    found = view.images.get(own)
    if found is None:
        return {"id": "", "src": ""}
    return {"id": str(own), "src": attachments.url(view.work, found[1].file)}


def _shipping(view: View, item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "method_title": item.name,
        "method_id": item.code,
        "instance_id": item.details.get("instance_id", ""),
        "total": view.amount(item.total),
        "total_tax": view.amount(item.total_tax),
        "taxes": _taxes(view, item),
        "tax_status": item.tax_status,
        "meta_data": _item_meta(view, item),
    }


def _fee(view: View, item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "name": item.name,
        "tax_class": item.tax_class,
        "tax_status": item.tax_status,
        "amount": "",
        "total": view.amount(item.total),
        "total_tax": view.amount(item.total_tax),
        "taxes": _taxes(view, item),
        "meta_data": _item_meta(view, item),
    }


def _tax(view: View, item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "rate_code": item.code,
        "rate_id": item.reference,
        "label": item.details.get("label", ""),
        "compound": bool(item.details.get("compound")),
        "tax_total": view.amount(item.total),
        "shipping_tax_total": view.amount(item.total_tax),
        "rate_percent": _number(item.details.get("percent", "0")),
        "meta_data": _item_meta(view, item),
    }


def _coupon(view: View, item: Item) -> dict[str, Any]:
    amount = _number(item.details.get("amount", "0"))
    kind = item.details.get("kind", "")
    told = orjson.dumps([item.reference, item.code, None if kind == "fixed_cart" else kind, amount]).decode()
    info = {"id": item.id, "key": "coupon_info", "value": told, "display_key": "coupon_info", "display_value": told}
    return {
        "id": item.id,
        "code": item.code,
        "discount": money.plain(money.rounded(item.total, view.places)),
        "discount_tax": money.plain(money.rounded(item.total_tax, view.places)),
        "meta_data": [info, *_item_meta(view, item)],
        "discount_type": kind,
        "nominal_amount": amount,
        "free_shipping": bool(item.details.get("free_shipping")),
    }


def _number(written: str) -> float | int:
    value = float(written)
    return int(value) if value.is_integer() else value


_SHOWN: Final = {
    "line_items": (LINE, _line),
    "tax_lines": (TAX, _tax),
    "shipping_lines": (SHIPPING, _shipping),
    "fee_lines": (FEE, _fee),
    "coupon_lines": (COUPON, _coupon),
}


def _listing(name: str) -> Any:
    kind, show = _SHOWN[name]
    return lambda one, view: [show(view, item) for item in view.of_kind(one.id, kind)]


# -- orders


def _payable(one: Order) -> bool:
    meaning = order_statuses.BY_SLUG.get(one.status)
    return meaning is not None and meaning.payable and one.total > 0


def _payment_url(one: Order, view: View) -> str:
    return f"{view.work.home()}/checkout/order-pay/{one.id}/?pay_for_order=true&key={one.order_key}"


def _editable(one: Order) -> bool:
    meaning = order_statuses.BY_SLUG.get(one.status)
    return one.status == "auto-draft" or (meaning is not None and meaning.editable)


def _needs_processing(one: Order, view: View) -> bool:
    sold = [view.products.get(item.goods) for item in view.of_kind(one.id, LINE)]
    return any(goods is not None and not (goods.virtual and goods.downloadable) for goods in sold)


def _refunds(one: Order, view: View) -> list[dict[str, Any]]:
    return [
        {"id": refund.id, "reason": refund.reason, "total": view.amount(-refund.amount) if refund.amount else "-0.00"}
        for refund in view.refunds[one.id]
    ]


_AMOUNTS: Final = {
    "discount_total": "discount", "discount_tax": "discount_tax", "shipping_total": "shipping",
    "shipping_tax": "shipping_tax", "cart_tax": "cart_tax", "total": "total", "total_tax": "total_tax",
}  # fmt: skip
_PLAIN: Final = {
    "id": "id", "parent_id": "parent", "status": "status", "currency": "currency", "customer_id": "customer",
    "prices_include_tax": "prices_include_tax", "order_key": "order_key", "billing": "billing",
    "shipping": "shipping_address", "payment_method": "payment_method", "transaction_id": "transaction_id",
    "payment_method_title": "payment_method_title", "customer_ip_address": "customer_ip",
    "customer_user_agent": "customer_agent", "created_via": "created_via", "customer_note": "customer_note",
    "cart_hash": "cart_hash",
}  # fmt: skip
_DATES: Final = {
    "date_created": "created", "date_modified": "modified", "date_completed": "completed", "date_paid": "paid",
}  # fmt: skip

_GETTERS: Final[dict[str, Any]] = {
    **{name: lambda one, view, own=own: getattr(one, own) for name, own in _PLAIN.items()},
    **{name: lambda one, view, own=own: view.amount(getattr(one, own)) for name, own in _AMOUNTS.items()},
    **{name: lambda one, view, own=own: view.local(getattr(one, own)) for name, own in _DATES.items()},
    **{
        f"{name}_gmt": lambda one, view, own=own: None if getattr(one, own) is None else times.iso(getattr(one, own))
        for name, own in _DATES.items()
    },
    **{name: _listing(name) for name in _SHOWN},
    "version": lambda one, view: __version__,
    "number": lambda one, view: str(one.id),
    "meta_data": lambda one, view: view.kept(view.metas[one.id]),
    "refunds": _refunds,
    "payment_url": _payment_url,
    "is_editable": lambda one, view: _editable(one),
    "needs_payment": lambda one, view: _payable(one),
    "needs_processing": _needs_processing,
    "currency_symbol": lambda one, view: currencies.symbol(one.currency),
}
ORDER_SHAPE: Final = Shape(ORDER, _GETTERS)

REFUND_SHAPE: Final = Shape(
    REFUND,
    {
        "id": lambda one, view: one.id,
        "parent_id": lambda one, view: one.order,
        "date_created": lambda one, view: view.local(one.created),
        "date_created_gmt": lambda one, view: times.iso(one.created),
        "amount": lambda one, view: view.amount(one.amount),
        "reason": lambda one, view: one.reason,
        "refunded_by": lambda one, view: one.refunded_by,
        "refunded_payment": lambda one, view: one.refunded_payment,
        "meta_data": lambda one, view: view.kept(view.refund_metas[one.id], hide_private=False),
        **{name: _listing(name) for name in ("line_items", "shipping_lines", "tax_lines", "fee_lines")},
    },
)


def order_links(work: Work, one: Order) -> dict[str, Any]:
    """Return the links of an order."""
    own = work.api(f"{ORDERS}/{one.id}")
    links: dict[str, Any] = {
        "self": [{"href": own, "targetHints": {"allow": _METHODS}}],
        "collection": [{"href": work.api(ORDERS)}],
        "email_templates": [{"embeddable": True, "href": f"{own}/actions/email_templates"}],
    }
    if one.customer:
        links["customer"] = [{"href": work.api(f"/shop/v3/customers/{one.customer}")}]
    if one.parent:
        links["up"] = [{"href": work.api(f"{ORDERS}/{one.parent}")}]
    return links


def refund_links(work: Work, one: Refund) -> dict[str, Any]:
    """Return the links of a refund."""
    above = work.api(f"{ORDERS}/{one.order}")
    return {
        "self": [{"href": f"{above}/refunds/{one.id}", "targetHints": {"allow": ["GET", "DELETE"]}}],
        "collection": [{"href": f"{above}/refunds"}],
        "up": [{"href": above}],
    }
