"""The report of categories: the sales of the products directly in each.

Rules: docs/rules/analytics_reports.md, 1 and 5.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import and_, func, select

from vetrina.analytics.reports import filters as report_filters, segment_items
from vetrina.analytics.reports.conditions import ReportFilters
from vetrina.analytics.reports.intervals import ReportSpan
from vetrina.analytics.reports.item_lists import SOLD, SalesSum, build_sales_sum, build_sold_first_key, sort_items
from vetrina.analytics.reports.stats import ReportRequest, query_rows
from vetrina.analytics.rollups import goods_spans
from vetrina.analytics.rollups.goods_spans import PRODUCT, GoodsPart, GoodsTotal
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.analytics import fact_line
from vetrina.backends.tables.terms import record_term, term
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.folding import fold_text

_l = fact_line.c

_CATEGORIES_OF = Statement(
    select(record_term.c.record, term.c.id)
    .select_from(record_term.join(term, term.c.id == record_term.c.term))
    .where(InList(record_term.c.record, "ids"), term.c.taxonomy == "product_cat")
)


def list_sold_categories(
    work: UnitOfWork, span: ReportSpan, args: Mapping[str, Any], *, count_orders: bool = True
) -> list[SalesSum]:
    """Return the sales of the products directly in each category.

    args: categories, status_is, status_is_not, order, orderby (category_id, items_sold, net_revenue, orders_count,
    products_count, category). count_orders: whether their orders are needed.
    """
    work.uses("order", "product", "product_cat")
    statuses = report_filters.build_status_filter(work, {**args, "match": "all"})
    parts = goods_spans.list_goods(work, statuses, span)
    found = _sum_by_category(work, span, args) if parts is None else _total_by_category(work, parts, count_orders)
    wanted = args.get("categories") or ()
    found = [one for one in found if not wanted or one.id in wanted]
    sold = {one.id for one in found}
    found += [SalesSum(id) for id in wanted if id not in sold]
    names = segment_items.load_category_names(work)
    keys: dict[str, Callable[[SalesSum], Any]] = {
        "category_id": lambda one: one.id,
        "items_sold": build_sold_first_key(sold, lambda one: one.items),
        "net_revenue": build_sold_first_key(sold, lambda one: one.net),
        "orders_count": build_sold_first_key(sold, lambda one: one.orders),
        "products_count": build_sold_first_key(sold, lambda one: one.products),
        "category": lambda one: fold_text(names.get(one.id, "")),
    }
    return sort_items(found, keys[args.get("orderby", "category_id")], args.get("order", "desc"), lambda one: one.id)


def _total_by_category(work: UnitOfWork, parts: Sequence[GoodsPart], count_orders: bool) -> list[SalesSum]:
    """Return the sales of each category from the parts of a span."""
    held: dict[int, list[int]] = {}
    for product, category in work.tx.all(
        _CATEGORIES_OF, ids=encode_list({row[0] for _, rows in parts for row in rows})
    ):
        held.setdefault(category, []).append(product)
    totals: dict[int, GoodsTotal] = {}
    for _, rows in parts:
        of_products = goods_spans.group_rows(rows, PRODUCT)
        for category, products in held.items():
            some = [row for id in products for row in of_products.get(id, ())]
            if some:
                totals.setdefault(category, GoodsTotal()).add_part(some, count_orders=count_orders)
    return [build_sales_sum(id, one) for id, one in totals.items()]


def _sum_by_category(work: UnitOfWork, span: ReportSpan, args: Mapping[str, Any]) -> list[SalesSum]:
    """Return the sales of each category from the rows."""
    chosen, always = report_filters.build_status_conditions(work, args)
    own = ReportFilters(chosen, always)  # `match` joins nothing here: both conditions on the status hold
    sums = {**SOLD, "orders": func.count(_l.order.distinct()), "products": func.count(_l.product.distinct())}
    held = record_term.c
    source = fact_line.join(record_term, held.record == _l.product).join(
        term, and_(term.c.id == held.term, term.c.taxonomy == "product_cat")
    )
    rows = query_rows(
        work, fact_line, tuple(sums.values()), "sold categories", ReportRequest(span, own), None, span, source=source,
        by=held.term,
    )  # fmt: skip
    return [
        SalesSum(id, **{name: int(value or 0) for name, value in zip(sums, row, strict=True)})
        for _, id, *row in rows
    ]  # fmt: skip
