"""Serialization of orders and refunds.

Whatever several orders need beside their rows is loaded once for a page. Not here: schemas (shop/orders/schema.py).
Rules: docs/rules/orders.md, 1 and 4 and docs/rules/order_totals.md, 7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any, Final

import orjson

from vetrina import __version__
from vetrina.content.terms.store import Term
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money, times
from vetrina.media.attachments import store as attachment_store
from vetrina.rest.serializer import FieldSelection, Serializer
from vetrina.shop import meta_data
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.checkout import endpoints
from vetrina.shop.orders import currency_notes, model as order_model, statuses as order_statuses
from vetrina.shop.orders.model import COUPON, FEE, LINE, SHIPPING, TAX, Order, OrderItem
from vetrina.shop.orders.schema import ORDER_FIELDS, REFUND_FIELDS
from vetrina.shop.products import cost_schema, costs, images as product_images, model as product_model
from vetrina.shop.products.model import Product
from vetrina.shop.refunds import rules as refunds
from vetrina.shop.refunds.rules import Refund
from vetrina.shop.settings import currencies, rules as settings

_TAXABLE: Final = "taxable"
_MAX_DECIMALS: Final = 12  # decimals of amounts in responses, however many are requested


class OrderView:
    """Serializes some orders. standalone_refunds: those that are serialized by themselves."""

    def __init__(
        self,
        work: UnitOfWork,
        orders: Sequence[Order],
        args: Mapping[str, Any] = {},
        standalone_refunds: Sequence[Refund] = (),
    ) -> None:
        self.work, self.orders, self.standalone_refunds = work, orders, standalone_refunds
        places = None if args.get("dp") is None else abs(args["dp"])
        self.places = settings.get_price_decimals(work) if places is None else min(int(places), _MAX_DECIMALS)
        self.include_meta = frozenset(args.get("include_meta") or ())
        self.exclude_meta = frozenset(args.get("exclude_meta") or ())

    @cached_property
    def items(self) -> dict[int, list[OrderItem]]:
        return order_model.load_items_by_owner(
            self.work, [*(one.id for one in self.orders), *(one.id for one in self.standalone_refunds)]
        )

    @cached_property
    def item_metas(self) -> dict[int, list[meta_data.MetaField]]:
        every = [item.id for items in self.items.values() for item in items]
        return meta_data.load_meta_by_owner(self.work, "order_item", every)

    @cached_property
    def metas(self) -> dict[int, list[meta_data.MetaField]]:
        return meta_data.load_meta_by_owner(self.work, "order", [one.id for one in self.orders])

    @cached_property
    def refund_metas(self) -> dict[int, list[meta_data.MetaField]]:
        return meta_data.load_meta_by_owner(self.work, "refund", [one.id for one in self.standalone_refunds])

    @cached_property
    def refunds(self) -> dict[int, list[Refund]]:
        return refunds.list_order_refunds(self.work, [one.id for one in self.orders])

    @cached_property
    def costs(self) -> cost_schema.CostsByOwner | None:
        """Return the cost prices of the items, by owner and item; None where the shop does not record them."""
        if not costs.is_cost_enabled(self.work):
            return None
        back = [refund.id for found in self.refunds.values() for refund in found]
        owners = [*(one.id for one in self.orders), *(one.id for one in self.standalone_refunds), *back]
        return costs.load_costs_by_owner(self.work, owners)

    @cached_property
    def products(self) -> dict[int, Product]:
        lines = [item for items in self.items.values() for item in items if item.kind == LINE]
        return product_model.load_cached_products(
            self.work, (id for item in lines for id in (item.product, item.variation))
        )

    @cached_property
    def images(self) -> dict[int, product_images.ProductImage]:
        return product_images.load_product_images_by_id(
            self.work, {id for one in self.products.values() for id in one.images[:1]}
        )

    @cached_property
    def terms(self) -> dict[tuple[str, str], Term]:
        """Return the terms that extra fields of lines name: the values of shared attributes."""
        names = {
            (one.key, str(one.value))
            for metas in self.item_metas.values()
            for one in metas
            if one.key.startswith(attributes.TAXONOMY_PREFIX) and one.value
        }
        return attributes.load_terms_by_slug(self.work, names) if names else {}

    @cached_property
    def labels(self) -> dict[str, str]:
        """Return the display names of the shared attributes, by taxonomy name."""
        return {one.taxonomy: one.name for one in attributes.load_attributes(self.work).values()}

    def get_label(self, item: OrderItem, key: str) -> str:
        """Return the display name of a line's extra field: an attribute's name, else the key itself."""
        if key.startswith(attributes.TAXONOMY_PREFIX):
            return self.labels.get(key, key)
        above = self.products.get(item.product)
        return next((str(one["name"]) for one in above.attributes if one["key"] == key), key) if above else key

    def list_items_of_kind(self, owner: int, kind: str) -> list[OrderItem]:
        """Return the items of one kind."""
        return [item for item in self.items[owner] if item.kind == kind]

    def format_amount(self, amount: Decimal) -> str:
        """Return an amount with the requested decimals."""
        return money.format_amount(amount, self.places)

    def format_local_time(self, moment: int | None) -> str | None:
        """Return a time in the site's zone."""
        return None if moment is None else times.format_iso(self.work.zone.to_local(moment))

    def filter_meta_data(
        self, fields: Sequence[meta_data.MetaField], hide_private: bool = True
    ) -> list[dict[str, Any]]:
        """Return the extra fields that are requested; private ones of orders are left out.

        Those of several records keep the order in which they were written, those of one are sorted by name.
        """
        several = len(self.orders) + len(self.standalone_refunds) > 1
        return [
            one
            for one in sorted(meta_data.serialize_meta(fields), key=lambda one: one["id"] if several else one["key"])
            if (not hide_private or not one["key"].startswith("_") or one["key"] in currency_notes.CURRENCY_KEYS)
            and (not self.include_meta or one["key"] in self.include_meta)
            and one["key"] not in self.exclude_meta
        ]


# -- items


def _serialize_item_meta(view: OrderView, item: OrderItem) -> list[dict[str, Any]]:
    return [
        {**one, **_build_display_members(view, item, one["key"], one["value"])}
        for one in meta_data.serialize_meta(view.item_metas[item.id])
    ]


def _build_display_members(view: OrderView, item: OrderItem, key: str, value: Any) -> dict[str, Any]:
    """Return the display name and value of an extra field; an empty value, or one that is not text, stays as it is."""
    if value == "" or not isinstance(value, str):
        return {"display_key": key, "display_value": value}
    found = view.terms.get((key, value))
    return {"display_key": view.get_label(item, key), "display_value": found.name if found else value}


def _serialize_taxes(view: OrderView, item: OrderItem) -> list[dict[str, Any]]:
    return [
        {
            "id": rate,
            "total": view.format_amount(tax),
            "subtotal": view.format_amount(item.subtotal_taxes.get(rate, money.ZERO)) if item.kind == LINE else "",
        }
        for rate, tax in item.taxes.items()
    ]


def _serialize_line(view: OrderView, item: OrderItem) -> dict[str, Any]:
    sold = view.products.get(item.sellable_id) or view.products.get(item.product)
    above = view.products.get(item.product) if item.variation else None
    return {
        "id": item.id,
        "name": item.name,
        # A deleted product has no id.
        "product_id": item.product if item.product in view.products else 0,
        "variation_id": item.variation if item.variation in view.products else 0,
        "quantity": item.quantity,
        "tax_class": item.tax_class,
        "subtotal": view.format_amount(item.subtotal),
        "subtotal_tax": view.format_amount(item.subtotal_tax),
        "total": view.format_amount(item.total),
        "total_tax": view.format_amount(item.total_tax),
        "taxes": _serialize_taxes(view, item),
        "meta_data": _serialize_item_meta(view, item),
        "sku": (sold.sku or (above.sku if above is not None else "")) if sold is not None else None,
        "global_unique_id": sold.global_unique_id if sold is not None else None,
        "price": _compute_piece_price(item),
        "image": _serialize_line_image(view, sold, above),
        "parent_name": above.name if above is not None else None,
        **cost_schema.serialize_line_cost(view.costs, item),
    }


def _compute_piece_price(item: OrderItem) -> float | int:
    """Return the price of one piece: the interface has an unrounded JSON number here."""
    if not item.quantity:
        return 0
    price = float(item.total) / item.quantity
    return int(price) if price.is_integer() else price


def _serialize_line_image(view: OrderView, sold: Product | None, above: Product | None) -> dict[str, Any]:
    if sold is None:
        return {"id": 0, "src": ""}
    own = next((id for one in (sold, above) if one is not None for id in one.images[:1]), 0)
    found = view.images.get(own)
    if found is None:
        # The interface has a number where a variation could have its product's image, else a text.
        return {"id": "" if above is None else 0, "src": ""}
    return {
        "id": own if above is not None and own not in sold.images else str(own),
        "src": attachment_store.build_file_url(view.work, found[1].file),
    }


def _serialize_shipping(view: OrderView, item: OrderItem) -> dict[str, Any]:
    return {
        "id": item.id,
        "method_title": item.name,
        "method_id": item.code,
        "instance_id": item.details.get("instance_id", ""),
        "total": view.format_amount(item.total),
        "total_tax": view.format_amount(item.total_tax),
        "taxes": _serialize_taxes(view, item),
        # Every shipping method could be taxed; whether it was is in its taxes.
        "tax_status": _TAXABLE,
        "meta_data": _serialize_item_meta(view, item),
    }


def _serialize_fee(view: OrderView, item: OrderItem) -> dict[str, Any]:
    return {
        "id": item.id,
        "name": item.name,
        "tax_class": item.tax_class,
        "tax_status": item.tax_status,
        "amount": "",
        "total": view.format_amount(item.total),
        "total_tax": view.format_amount(item.total_tax),
        "taxes": _serialize_taxes(view, item),
        "meta_data": _serialize_item_meta(view, item),
    }


def _serialize_tax(view: OrderView, item: OrderItem) -> dict[str, Any]:
    return {
        "id": item.id,
        "rate_code": item.code,
        "rate_id": item.reference,
        "label": item.details.get("label", ""),
        "compound": bool(item.details.get("compound")),
        "tax_total": view.format_amount(item.total),
        "shipping_tax_total": view.format_amount(item.total_tax),
        "rate_percent": _parse_number(item.details.get("percent", "0")),
        "meta_data": _serialize_item_meta(view, item),
    }


def _serialize_coupon(view: OrderView, item: OrderItem) -> dict[str, Any]:
    amount = _parse_number(item.details.get("amount", "0"))
    kind = item.details.get("kind", "")
    free = [True] if item.details.get("free_shipping") else []
    value = orjson.dumps([item.reference, item.code, None if kind == "fixed_cart" else kind, amount, *free]).decode()
    info = {"id": item.id, "key": "coupon_info", "value": value, "display_key": "coupon_info", "display_value": value}
    return {
        "id": item.id,
        "code": item.code,
        "discount": money.format_plain_amount(item.total),
        "discount_tax": money.format_plain_amount(item.total_tax),
        "meta_data": [info, *_serialize_item_meta(view, item)],
        "discount_type": kind,
        "nominal_amount": amount,
        "free_shipping": bool(item.details.get("free_shipping")),
    }


def _parse_number(written: str) -> float | int:
    value = float(written)
    return int(value) if value.is_integer() else value


_ITEM_SERIALIZERS: Final = {
    "line_items": (LINE, _serialize_line),
    "tax_lines": (TAX, _serialize_tax),
    "shipping_lines": (SHIPPING, _serialize_shipping),
    "fee_lines": (FEE, _serialize_fee),
    "coupon_lines": (COUPON, _serialize_coupon),
}


def _build_items_getter(name: str) -> Any:
    kind, show = _ITEM_SERIALIZERS[name]
    return lambda one, view: [show(view, item) for item in view.list_items_of_kind(one.id, kind)]


# -- orders


def _build_payment_url(order: Order, view: OrderView) -> str:
    return endpoints.build_payment_url(view.work, order)


def _is_editable(order: Order) -> bool:
    meaning = order_statuses.STATUSES_BY_SLUG.get(order.status)
    return order.status == "auto-draft" or (meaning is not None and meaning.editable)


def _needs_processing(order: Order, view: OrderView) -> bool:
    sold = [view.products.get(item.sellable_id) for item in view.list_items_of_kind(order.id, LINE)]
    return any(goods is not None and not (goods.virtual and goods.downloadable) for goods in sold)


def _serialize_refunds(order: Order, view: OrderView) -> list[dict[str, Any]]:
    return [
        {
            "id": refund.id,
            "reason": refund.reason,
            "total": view.format_amount(-refund.amount) if refund.amount else "-0.00",
        }
        # Newest first; refunds of the same second in the order of their ids.
        for refund in sorted(view.refunds[order.id], key=lambda refund: (-refund.created, refund.id))
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
    **{name: lambda one, view, own=own: view.format_amount(getattr(one, own)) for name, own in _AMOUNTS.items()},
    **{name: lambda one, view, own=own: view.format_local_time(getattr(one, own)) for name, own in _DATES.items()},
    **{
        f"{name}_gmt": lambda one, view, own=own: (
            None if getattr(one, own) is None else times.format_iso(getattr(one, own))
        )
        for name, own in _DATES.items()
    },
    **{name: _build_items_getter(name) for name in _ITEM_SERIALIZERS},
    "version": lambda one, view: __version__,
    "number": lambda one, view: one.shown_number,
    "meta_data": lambda one, view: view.filter_meta_data(view.metas[one.id]),
    "refunds": _serialize_refunds,
    "payment_url": _build_payment_url,
    "is_editable": lambda one, view: _is_editable(one),
    "needs_payment": lambda one, view: order_statuses.needs_payment(one.status, one.total),
    "needs_processing": _needs_processing,
    "currency_symbol": lambda one, view: currencies.get_currency_symbol(one.currency),
}


class _CostSerializer(Serializer):
    """Serializes orders and refunds with what their goods cost, where the shop tracks that."""

    def serialize(self, record: Any, view: Any, context: str, wanted: FieldSelection | None = None) -> dict[str, Any]:
        body = super().serialize(record, view, context, wanted)
        if view.costs is None:
            return body
        owners = (record.id, *(refund.id for refund in view.refunds.get(record.id, ())))
        return body | cost_schema.serialize_order_cost(view.costs, owners, wanted)


ORDER_SERIALIZER: Final = _CostSerializer(ORDER_FIELDS, _GETTERS)
REFUND_SERIALIZER: Final = _CostSerializer(
    REFUND_FIELDS,
    {
        "id": lambda one, view: one.id,
        "parent_id": lambda one, view: one.order,
        "date_created": lambda one, view: view.format_local_time(one.created),
        "date_created_gmt": lambda one, view: times.format_iso(one.created),
        "amount": lambda one, view: view.format_amount(one.amount),
        "reason": lambda one, view: one.reason,
        "refunded_by": lambda one, view: one.refunded_by,
        "refunded_payment": lambda one, view: one.refunded_payment,
        "meta_data": lambda one, view: view.filter_meta_data(view.refund_metas[one.id], hide_private=False),
        **{name: _build_items_getter(name) for name in ("line_items", "shipping_lines", "tax_lines", "fee_lines")},
    },
)
