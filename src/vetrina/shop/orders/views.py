"""How an order and a refund are shown: where each member of an answer comes from.

What several orders need beside their rows is asked once for a whole page. Not here: the members themselves
(shop/orders/schema.py). Rules: facts, "Orders"; the recordings of orders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any, Final

import orjson

from vetrina import __version__
from vetrina.content.terms.store import Term
from vetrina.core.unit_of_work import Work
from vetrina.kernel import money, times
from vetrina.media.attachments import store as attachment_store
from vetrina.rest.serializer import Shape
from vetrina.shop import meta_data
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.checkout import endpoints
from vetrina.shop.orders import currency_notes
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders import statuses as order_statuses
from vetrina.shop.orders.model import COUPON, FEE, LINE, SHIPPING, TAX, Item, Order
from vetrina.shop.orders.schema import ORDER, REFUND
from vetrina.shop.products import cost_schema, costs
from vetrina.shop.products import images as product_images
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import Product
from vetrina.shop.refunds import rules as refunds
from vetrina.shop.refunds.rules import Refund
from vetrina.shop.settings import currencies
from vetrina.shop.settings import rules as settings

__all__ = ["ORDER_SHAPE", "REFUND_SHAPE", "View"]

_TAXABLE: Final = "taxable"
_MOST_PLACES: Final = 12  # decimals that are shown, however many are asked for


class View:
    """What showing some orders needs to know beside them. refunds: those that are shown by themselves."""

    def __init__(
        self, work: Work, orders: Sequence[Order], asked: Mapping[str, Any] = {}, shown: Sequence[Refund] = ()
    ) -> None:
        self.work, self.orders, self.shown = work, orders, shown
        places = None if asked.get("dp") is None else abs(asked["dp"])
        self.places = settings.decimals(work) if places is None else min(int(places), _MOST_PLACES)
        self.include_meta = frozenset(asked.get("include_meta") or ())
        self.exclude_meta = frozenset(asked.get("exclude_meta") or ())

    @cached_property
    def items(self) -> dict[int, list[Item]]:
        return order_model.items_of(self.work, [*(one.id for one in self.orders), *(one.id for one in self.shown)])

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
    def costs(self) -> cost_schema.Costs | None:
        """Return what the items cost the shop, by owner and item; None where it does without."""
        if not costs.is_on(self.work):
            return None
        back = [refund.id for found in self.refunds.values() for refund in found]
        owners = [*(one.id for one in self.orders), *(one.id for one in self.shown), *back]
        return costs.of_owners(self.work, owners)

    @cached_property
    def products(self) -> dict[int, Product]:
        lines = [item for items in self.items.values() for item in items if item.kind == LINE]
        return product_model.known(self.work, (id for item in lines for id in (item.product, item.variation)))

    @cached_property
    def images(self) -> dict[int, product_images.Image]:
        return product_images.by_ids(self.work, {id for one in self.products.values() for id in one.images[:1]})

    @cached_property
    def terms(self) -> dict[tuple[str, str], Term]:
        """Return the terms that extra fields of lines name: the values of shared attributes."""
        told = {
            (one.key, str(one.value))
            for metas in self.item_metas.values()
            for one in metas
            if one.key.startswith(attributes.PREFIX) and one.value
        }
        return attributes.terms_by_slug(self.work, told) if told else {}

    @cached_property
    def labels(self) -> dict[str, str]:
        """Return what people call the shared attributes, by the name of their taxonomy."""
        return {one.taxonomy: one.name for one in attributes.known(self.work).values()}

    def label(self, item: Item, key: str) -> str:
        """Return what people call an extra field of a line: an attribute by its name, everything else as it is."""
        if key.startswith(attributes.PREFIX):
            return self.labels.get(key, key)
        above = self.products.get(item.product)
        return next((str(one["name"]) for one in above.attributes if one["key"] == key), key) if above else key

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
        """Return those extra fields that are asked for; private ones of orders are nobody's business.

        Those of several records stand in the order in which they were written, those of one by their names.
        """
        several = len(self.orders) + len(self.shown) > 1
        return [
            one
            for one in sorted(meta_data.shown(fields), key=lambda one: one["id"] if several else one["key"])
            if (not hide_private or not one["key"].startswith("_") or one["key"] in currency_notes.NAMES)
            and (not self.include_meta or one["key"] in self.include_meta)
            and one["key"] not in self.exclude_meta
        ]


# -- items


def _item_meta(view: View, item: Item) -> list[dict[str, Any]]:
    return [
        {**one, **_display(view, item, one["key"], one["value"])} for one in meta_data.shown(view.item_metas[item.id])
    ]


def _display(view: View, item: Item, key: str, value: Any) -> dict[str, Any]:
    """Return an extra field as people read it; one that says nothing stays as it is."""
    if value == "" or not isinstance(value, str):
        return {"display_key": key, "display_value": value}
    found = view.terms.get((key, value))
    return {"display_key": view.label(item, key), "display_value": found.name if found else value}


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
        # What was removed for good has no number any more.
        "product_id": item.product if item.product in view.products else 0,
        "variation_id": item.variation if item.variation in view.products else 0,
        "quantity": item.quantity,
        "tax_class": item.tax_class,
        "subtotal": view.amount(item.subtotal),
        "subtotal_tax": view.amount(item.subtotal_tax),
        "total": view.amount(item.total),
        "total_tax": view.amount(item.total_tax),
        "taxes": _taxes(view, item),
        "meta_data": _item_meta(view, item),
        "sku": (sold.sku or (above.sku if above is not None else "")) if sold is not None else None,
        "global_unique_id": sold.global_unique_id if sold is not None else None,
        "price": _piece(item),
        "image": _image(view, sold, above),
        "parent_name": above.name if above is not None else None,
        **cost_schema.of_line(view.costs, item),
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
        # As the interface writes it: a number where a variation could have its product's image, else a text.
        return {"id": "" if above is None else 0, "src": ""}
    return {
        "id": own if above is not None and own not in sold.images else str(own),
        "src": attachment_store.url(view.work, found[1].file),
    }


def _shipping(view: View, item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "method_title": item.name,
        "method_id": item.code,
        "instance_id": item.details.get("instance_id", ""),
        "total": view.amount(item.total),
        "total_tax": view.amount(item.total_tax),
        "taxes": _taxes(view, item),
        # Every way of shipping could be taxed; whether it was, its taxes say.
        "tax_status": _TAXABLE,
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
    free = [True] if item.details.get("free_shipping") else []
    told = orjson.dumps([item.reference, item.code, None if kind == "fixed_cart" else kind, amount, *free]).decode()
    info = {"id": item.id, "key": "coupon_info", "value": told, "display_key": "coupon_info", "display_value": told}
    return {
        "id": item.id,
        "code": item.code,
        "discount": money.plain(item.total),
        "discount_tax": money.plain(item.total_tax),
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


def _payment_url(one: Order, view: View) -> str:
    return endpoints.payment_address(view.work, one)


def _editable(one: Order) -> bool:
    meaning = order_statuses.BY_SLUG.get(one.status)
    return one.status == "auto-draft" or (meaning is not None and meaning.editable)


def _needs_processing(one: Order, view: View) -> bool:
    sold = [view.products.get(item.goods) for item in view.of_kind(one.id, LINE)]
    return any(goods is not None and not (goods.virtual and goods.downloadable) for goods in sold)


def _refunds(one: Order, view: View) -> list[dict[str, Any]]:
    return [
        {"id": refund.id, "reason": refund.reason, "total": view.amount(-refund.amount) if refund.amount else "-0.00"}
        # The newest first, and those of one second as they came.
        for refund in sorted(view.refunds[one.id], key=lambda refund: (-refund.created, refund.id))
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
    "needs_payment": lambda one, view: order_statuses.needs_payment(one.status, one.total),
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
