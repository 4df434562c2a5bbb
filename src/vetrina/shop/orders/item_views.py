"""Serialization of the items of orders and refunds: lines, shipping, fees, taxes and coupons.

Rules: docs/rules/orders.md, 1 and 4; docs/rules/order_totals.md, 2 and 7.
"""

from __future__ import annotations

from typing import Any, Final

import orjson

from vetrina.kernel import money
from vetrina.media.attachments import store as attachment_store
from vetrina.shop import meta_data
from vetrina.shop.orders.model import COUPON, FEE, LINE, SHIPPING, TAX, OrderItem
from vetrina.shop.orders.views import OrderView
from vetrina.shop.products import cost_schema
from vetrina.shop.products.model import Product

_TAXABLE: Final = "taxable"


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


ITEM_SERIALIZERS: Final = {
    "line_items": (LINE, _serialize_line),
    "tax_lines": (TAX, _serialize_tax),
    "shipping_lines": (SHIPPING, _serialize_shipping),
    "fee_lines": (FEE, _serialize_fee),
    "coupon_lines": (COUPON, _serialize_coupon),
}


def build_items_getter(name: str) -> Any:
    """Return what serializes the items of an order or a refund that stand under a name, as `line_items`."""
    kind, show = ITEM_SERIALIZERS[name]
    return lambda one, view: [show(view, item) for item in view.list_items_of_kind(one.id, kind)]
