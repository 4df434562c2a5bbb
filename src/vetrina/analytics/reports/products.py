"""The reports of products and of variations: what was sold of each.

Rules: docs/rules/analytics_reports.md, 1, 3 and 4.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any

from sqlalchemy import func, select

from vetrina.analytics.reports import filters as report_filters
from vetrina.analytics.reports.intervals import ReportSpan
from vetrina.analytics.reports.item_lists import (
    SOLD,
    SalesSum,
    build_sales_sum,
    build_sold_first_key,
    sort_items,
    sum_by_column,
)
from vetrina.analytics.rollups import goods_spans, product_spans
from vetrina.analytics.rollups.goods_spans import VARIATION
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.analytics import fact_line
from vetrina.backends.tables.catalogue import product as product_table
from vetrina.backends.tables.records import record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.folding import fold_text

_l = fact_line.c

_NAMES = Statement(
    select(record.c.id, record.c.title, product_table.c.sku)
    .select_from(record.join(product_table, product_table.c.record == record.c.id))
    .where(InList(record.c.id, "ids"))
)
_VARIATION_COUNTS = Statement(
    select(record.c.parent, func.count())
    .where(InList(record.c.parent, "ids"), record.c.type == "product_variation")
    .group_by(record.c.parent)
)


def list_sold_products(work: UnitOfWork, span: ReportSpan, args: Mapping[str, Any]) -> list[SalesSum]:
    """Return the sales of each product.

    args: products, categories, match, order, orderby (date, net_revenue, orders_count, items_sold, product_name,
    variations, sku).
    """
    work.uses("order", "product")
    own = report_filters.build_line_filters(work, args)
    statuses, goods = own.statuses, own.goods
    if goods is not None:
        statuses = goods.statuses
    kept = product_spans.sum_sold_products(work, statuses, span) if statuses is not None else None
    if kept is not None:
        found = {
            id: SalesSum(id, items, net, orders, id, 0, newest) for id, items, net, orders, newest in kept.values()
            if goods is None or id in goods.products
        }  # fmt: skip
    else:
        rows = sum_by_column(work, fact_line, SOLD, _l.product, own, span, "sold products")
        found = {id: SalesSum(id, **sums) for id, sums in rows.items()}
    requested = report_filters.select_product_ids(
        work, args.get("products"), args.get("categories"), args.get("match", "all")
    )
    every = found | {id: SalesSum(id, product=id) for id in requested or () if id not in found}
    return _sort_sales(work, list(every.values()), found, args)


def list_sold_variations(work: UnitOfWork, span: ReportSpan, args: Mapping[str, Any]) -> list[SalesSum]:
    """Return the sales of each variation; orderby: as for products, without names and variations."""
    work.uses("order", "product", "product_variation")
    own = report_filters.build_line_filters(work, args, variations=True)
    parts = goods_spans.list_goods(work, own.statuses, span)
    if parts is not None:
        totals = goods_spans.total_by(parts, VARIATION)
        found = {id: build_sales_sum(id, one) for id, one in totals.items() if id}
    else:
        # As in the report of categories, a refund counts as an order of its own.
        sums = {**SOLD, "orders": func.count(_l.order.distinct())}
        rows = sum_by_column(work, fact_line, sums, _l.variation, own, span, "sold variations")
        found = {id: SalesSum(id, **sums) for id, sums in rows.items()}
    # Unsold variations are not looked up.
    every = found | {id: SalesSum(id) for id in args.get("variations") or () if id not in found}
    return _sort_sales(work, list(every.values()), found, args)


def _sort_sales(
    work: UnitOfWork, sales: list[SalesSum], sold: Container[int], args: Mapping[str, Any]
) -> list[SalesSum]:
    orderby = args.get("orderby", "date")
    keys: dict[str, Callable[[SalesSum], Any]] = {
        "date": build_sold_first_key(sold, lambda one: one.newest),
        "net_revenue": build_sold_first_key(sold, lambda one: one.net),
        "orders_count": build_sold_first_key(sold, lambda one: one.orders),
        "items_sold": build_sold_first_key(sold, lambda one: one.items),
    }
    if orderby not in keys:
        ids = encode_list(one.id for one in sales)
        if orderby == "variations":
            counts: dict[int, int] = dict(work.tx.all(_VARIATION_COUNTS, ids=ids))
            keys[orderby] = lambda one: counts.get(one.id, 0)
        else:
            sort_keys = {id: (fold_text(title), fold_text(sku)) for id, title, sku in work.tx.all(_NAMES, ids=ids)}
            at = 1 if orderby == "sku" else 0
            keys[orderby] = lambda one: sort_keys.get(one.id, ("", ""))[at]
    return sort_items(sales, keys[orderby], args.get("order", "desc"), lambda one: one.id)
