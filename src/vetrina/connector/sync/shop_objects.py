"""Orders, coupons, tax rates and attributes of products as the service sees them, loaded many at a time.

Not here: products (connector/sync/objects.py, connector/sync/product_rows.py). Amounts are decimal text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import orjson
from sqlalchemy import Table, select

from vetrina.backends.database import Row, Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.catalogue import product_attribute, shop_meta
from vetrina.backends.tables.orders import coupon, order_item, shop_order, shop_refund
from vetrina.backends.tables.taxes_shipping import tax_rate
from vetrina.connector.sync.objects import Objects, many, stamp
from vetrina.connector.sync.product_rows import money_text
from vetrina.core.unit_of_work import Work

__all__ = ["ITEM_COLUMNS", "attributes", "coupons", "item_meta", "meta_of_items", "orders", "tax_rates"]

_ORDERS = Statement(
    select(
        shop_order.c.id, shop_order.c.parent, shop_order.c.status, shop_order.c.currency, shop_order.c.customer,
        shop_order.c.created, shop_order.c.modified, shop_order.c.paid, shop_order.c.completed, shop_order.c.total,
        shop_order.c.total_tax, shop_order.c.order_key, shop_order.c.payment_method, shop_order.c.billing,
        shop_order.c.shipping_address,
    ).where(Among(shop_order.c.id, "ids"))
)  # fmt: skip
ITEM_COLUMNS: Final = (
    order_item.c.owner, order_item.c.id, order_item.c.name, order_item.c.kind, order_item.c.product,
    order_item.c.variation, order_item.c.quantity, order_item.c.tax_class, order_item.c.subtotal,
    order_item.c.subtotal_tax, order_item.c.total, order_item.c.total_tax, order_item.c.code,
)  # fmt: skip
_LINES = Statement(
    select(*ITEM_COLUMNS).where(Among(order_item.c.owner, "ids")).order_by(order_item.c.owner, order_item.c.id)
)
_META = Statement(
    select(shop_meta.c.owner, shop_meta.c.name, shop_meta.c.value)
    .where(shop_meta.c.kind == "order_item", Among(shop_meta.c.owner, "ids"))
    .order_by(shop_meta.c.owner, shop_meta.c.id)
)
_REFUNDS = Statement(
    select(shop_refund.c.order, shop_refund.c.id, shop_refund.c.amount, shop_refund.c.reason, shop_refund.c.created)
    .where(Among(shop_refund.c.order, "ids"))
    .order_by(shop_refund.c.order, shop_refund.c.id)
)
_AMOUNTS: Final = {coupon: frozenset(("amount", "minimum", "maximum"))}
_WHOLE = {
    table: Statement(select(*table.c).where(Among(table.c.id, "ids")))
    for table in (coupon, tax_rate, product_attribute)
}


def meta_of_items(work: Work, ids: Sequence[int]) -> dict[int, list[tuple[str, str]]]:
    """Return the extra fields of parts of orders, by the part."""
    out: dict[int, list[tuple[str, str]]] = {}
    for owner, name, value in many(work, _META, ids):
        kept = orjson.loads(value)
        out.setdefault(owner, []).append((name, kept if isinstance(kept, str) else orjson.dumps(kept).decode()))
    return out


def item_meta(row: Row, extra: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return what a part of an order (a row of ITEM_COLUMNS) says of itself as names and values."""
    kind = row[3]
    own: list[tuple[str, Any]] = []
    if kind == "line":
        own = [("_product_id", row[4]), ("_variation_id", row[5]), ("_qty", row[6]), ("_tax_class", row[7]),
               ("_line_subtotal", money_text(row[8])), ("_line_subtotal_tax", money_text(row[9]))]  # fmt: skip
    elif row[12]:
        own = [("code", row[12])]
    own += [("_line_total", money_text(row[10])), ("_line_tax", money_text(row[11]))]
    return [(name, str(value)) for name, value in own] + list(extra)


def orders(work: Work, ids: Sequence[int]) -> Objects:
    """Return orders with their parts and refunds."""
    lines: dict[int, list[dict[str, Any]]] = {}
    rows = many(work, _LINES, ids)
    extra = meta_of_items(work, [row[1] for row in rows])
    for row in rows:
        one = {
            "order_item_id": row[1], "order_item_name": row[2], "order_item_type": row[3],
            "meta": item_meta(row, extra.get(row[1], ())),
        }  # fmt: skip
        lines.setdefault(row[0], []).append(one)
    refunds: dict[int, list[dict[str, Any]]] = {}
    for order, id, amount, reason, created in many(work, _REFUNDS, ids):
        refunds.setdefault(order, []).append(
            {"id": id, "amount": money_text(amount), "reason": reason, "date_created_gmt": stamp(created)}
        )
    return {
        str(row[0]): {
            "id": row[0], "parent_order_id": row[1], "status": row[2], "type": "shop_order", "currency": row[3],
            "customer_id": row[4], "date_created_gmt": stamp(row[5]), "date_updated_gmt": stamp(row[6]),
            "date_paid_gmt": stamp(row[7]), "date_completed_gmt": stamp(row[8]), "total_amount": money_text(row[9]),
            "tax_amount": money_text(row[10]), "order_key": row[11], "payment_method": row[12],
            "addresses": {"billing": orjson.loads(row[13]), "shipping": orjson.loads(row[14])},
            "items": lines.get(row[0], []), "refunds": refunds.get(row[0], []), "__o": 1,
        }
        for row in many(work, _ORDERS, ids)
    }  # fmt: skip


def coupons(work: Work, ids: Sequence[int]) -> Objects:
    """Return coupons."""
    return _rows(work, coupon, ids)


def tax_rates(work: Work, ids: Sequence[int]) -> Objects:
    """Return rates of taxes."""
    return _rows(work, tax_rate, ids)


def attributes(work: Work, ids: Sequence[int]) -> Objects:
    """Return attributes of products."""
    return _rows(work, product_attribute, ids)


def _rows(work: Work, table: Table, ids: Sequence[int]) -> Objects:
    names, amounts = [str(column.name) for column in table.c], _AMOUNTS.get(table, frozenset())
    found = work.tx.all(_WHOLE[table], ids=listed(ids)) if ids else []
    return {
        str(row[0]): {
            **{name: money_text(value) if name in amounts else value for name, value in zip(names, row, strict=True)},
            "__o": 1,
        }
        for row in found
    }  # fmt: skip
