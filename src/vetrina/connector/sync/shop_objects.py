"""Orders, coupons, tax rates and product attributes as the service receives them, loaded in bulk.

Not here: products (connector/sync/objects.py, connector/sync/product_rows.py). Amounts are decimal text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import orjson
from sqlalchemy import Table, select

from vetrina.backends.database import Row, Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.catalogue import product_attribute, shop_meta
from vetrina.backends.tables.orders import coupon, order_item, shop_order, shop_refund
from vetrina.backends.tables.taxes_shipping import tax_rate
from vetrina.connector.sync.objects import SyncObjects, format_timestamp, load_rows
from vetrina.connector.sync.product_rows import format_amount
from vetrina.core.unit_of_work import UnitOfWork

_ORDERS = Statement(
    select(
        shop_order.c.id, shop_order.c.parent, shop_order.c.status, shop_order.c.currency, shop_order.c.customer,
        shop_order.c.created, shop_order.c.modified, shop_order.c.paid, shop_order.c.completed, shop_order.c.total,
        shop_order.c.total_tax, shop_order.c.order_key, shop_order.c.payment_method, shop_order.c.billing,
        shop_order.c.shipping_address,
    ).where(InList(shop_order.c.id, "ids"))
)  # fmt: skip
ITEM_COLUMNS: Final = (
    order_item.c.owner, order_item.c.id, order_item.c.name, order_item.c.kind, order_item.c.product,
    order_item.c.variation, order_item.c.quantity, order_item.c.tax_class, order_item.c.subtotal,
    order_item.c.subtotal_tax, order_item.c.total, order_item.c.total_tax, order_item.c.code,
)  # fmt: skip
_LINES = Statement(
    select(*ITEM_COLUMNS).where(InList(order_item.c.owner, "ids")).order_by(order_item.c.owner, order_item.c.id)
)
_META = Statement(
    select(shop_meta.c.owner, shop_meta.c.name, shop_meta.c.value)
    .where(shop_meta.c.kind == "order_item", InList(shop_meta.c.owner, "ids"))
    .order_by(shop_meta.c.owner, shop_meta.c.id)
)
_REFUNDS = Statement(
    select(shop_refund.c.order, shop_refund.c.id, shop_refund.c.amount, shop_refund.c.reason, shop_refund.c.created)
    .where(InList(shop_refund.c.order, "ids"))
    .order_by(shop_refund.c.order, shop_refund.c.id)
)
_AMOUNTS: Final = {coupon: frozenset(("amount", "minimum", "maximum"))}
_WHOLE = {
    table: Statement(select(*table.c).where(InList(table.c.id, "ids")))
    for table in (coupon, tax_rate, product_attribute)
}


def load_item_meta(work: UnitOfWork, ids: Sequence[int]) -> dict[int, list[tuple[str, str]]]:
    """Return the meta of order items, by item id."""
    out: dict[int, list[tuple[str, str]]] = {}
    for owner, name, value in load_rows(work, _META, ids):
        decoded = orjson.loads(value)
        out.setdefault(owner, []).append(
            (name, decoded if isinstance(decoded, str) else orjson.dumps(decoded).decode())
        )
    return out


def build_item_meta(row: Row, extra: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return an order item (a row of ITEM_COLUMNS) as names and values."""
    kind = row[3]
    own: list[tuple[str, Any]] = []
    if kind == "line":
        own = [("_product_id", row[4]), ("_variation_id", row[5]), ("_qty", row[6]), ("_tax_class", row[7]),
               ("_line_subtotal", format_amount(row[8])), ("_line_subtotal_tax", format_amount(row[9]))]  # fmt: skip
    elif row[12]:
        own = [("code", row[12])]
    own += [("_line_total", format_amount(row[10])), ("_line_tax", format_amount(row[11]))]
    return [(name, str(value)) for name, value in own] + list(extra)


def load_orders(work: UnitOfWork, ids: Sequence[int]) -> SyncObjects:
    """Return orders with their items and refunds."""
    lines: dict[int, list[dict[str, Any]]] = {}
    rows = load_rows(work, _LINES, ids)
    extra = load_item_meta(work, [row[1] for row in rows])
    for row in rows:
        one = {
            "order_item_id": row[1], "order_item_name": row[2], "order_item_type": row[3],
            "meta": build_item_meta(row, extra.get(row[1], ())),
        }  # fmt: skip
        lines.setdefault(row[0], []).append(one)
    refunds: dict[int, list[dict[str, Any]]] = {}
    for order, id, amount, reason, created in load_rows(work, _REFUNDS, ids):
        refunds.setdefault(order, []).append(
            {"id": id, "amount": format_amount(amount), "reason": reason, "date_created_gmt": format_timestamp(created)}
        )
    return {
        str(row[0]): {
            "id": row[0],
            "parent_order_id": row[1],
            "status": row[2],
            "type": "shop_order",
            "currency": row[3],
            "customer_id": row[4],
            "date_created_gmt": format_timestamp(row[5]),
            "date_updated_gmt": format_timestamp(row[6]),
            "date_paid_gmt": format_timestamp(row[7]),
            "date_completed_gmt": format_timestamp(row[8]),
            "total_amount": format_amount(row[9]),
            "tax_amount": format_amount(row[10]),
            "order_key": row[11],
            "payment_method": row[12],
            "addresses": {"billing": orjson.loads(row[13]), "shipping": orjson.loads(row[14])},
            "items": lines.get(row[0], []),
            "refunds": refunds.get(row[0], []),
            "__o": 1,
        }
        for row in load_rows(work, _ORDERS, ids)
    }


def load_coupons(work: UnitOfWork, ids: Sequence[int]) -> SyncObjects:
    """Return coupons."""
    return _load_objects(work, coupon, ids)


def load_tax_rates(work: UnitOfWork, ids: Sequence[int]) -> SyncObjects:
    """Return tax rates."""
    return _load_objects(work, tax_rate, ids)


def load_attributes(work: UnitOfWork, ids: Sequence[int]) -> SyncObjects:
    """Return product attributes."""
    return _load_objects(work, product_attribute, ids)


def _load_objects(work: UnitOfWork, table: Table, ids: Sequence[int]) -> SyncObjects:
    names, amounts = [str(column.name) for column in table.c], _AMOUNTS.get(table, frozenset())
    found = work.tx.all(_WHOLE[table], ids=encode_list(ids)) if ids else []
    return {
        str(row[0]): {
            **{
                name: format_amount(value) if name in amounts else value for name, value in zip(names, row, strict=True)
            },
            "__o": 1,
        }
        for row in found
    }
