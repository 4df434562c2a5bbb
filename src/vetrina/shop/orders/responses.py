"""Serialization of orders and refunds.

Not here: their items (shop/orders/item_views.py), what is loaded for a page of them (shop/orders/views.py), schemas
(shop/orders/schema.py). Rules: docs/rules/orders.md, 1 and 4.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina import __version__
from vetrina.kernel import times
from vetrina.rest.field_selection import FieldSelection
from vetrina.rest.serializer import Serializer
from vetrina.shop.checkout import endpoints
from vetrina.shop.orders import statuses as order_statuses
from vetrina.shop.orders.item_views import ITEM_SERIALIZERS, build_items_getter
from vetrina.shop.orders.model import LINE, Order
from vetrina.shop.orders.schema import ORDER_FIELDS, REFUND_FIELDS
from vetrina.shop.orders.views import OrderView
from vetrina.shop.products import cost_schema
from vetrina.shop.settings import currencies

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
    **{name: build_items_getter(name) for name in ITEM_SERIALIZERS},
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
        **{name: build_items_getter(name) for name in ("line_items", "shipping_lines", "tax_lines", "fee_lines")},
    },
)
