"""Sales of some products over a span, added up from what is kept of each variation.

What is kept counts a refund as an order of its own, which the report on products does not: those are few, and are
looked up. Not here: how a span is put together (analytics/rollups/goods_spans.py). Rules:
docs/rules/analytics_measures.md, 6.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import bindparam, exists, func, select, text

from vetrina.analytics.facts.reportable_orders import get_excluded_statuses
from vetrina.analytics.reports.conditions import GoodsFilter
from vetrina.analytics.reports.intervals import IntervalKind, ReportSpan, compute_interval_key
from vetrina.analytics.rollups import goods_spans
from vetrina.analytics.rollups.goods_spans import GoodsTotal
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, UnindexedColumn, encode_list
from vetrina.backends.tables.analytics import fact_line
from vetrina.core.unit_of_work import UnitOfWork

_l, _other = fact_line.c, fact_line.alias("other")
# Orders and refunds all of whose chosen lines take something back; the index of those lines has no other.
_RETURNED: Final = Statement(
    select(func.min(_l.created))
    .where(
        text("fact_line.gross < 0"), _l.created >= bindparam("after"), _l.created <= bindparam("before"),
        ~InList(_l.status, "excluded"), InList(UnindexedColumn(_l.product), "products"),
        ~exists().where(_other.c.order == _l.order, _other.c.gross >= 0, InList(_other.c.product, "products")),
    )
    .group_by(_l.order)
)  # fmt: skip


def sum_chosen_goods(
    work: UnitOfWork, goods: GoodsFilter, kind: IntervalKind | None, span: ReportSpan, start: int, total: int
) -> dict[int, dict[str, int]] | None:
    """Return the sums of the report on products by interval; by `total` where kind is None.

    start: the first day of the week. None by the hour, and where other statuses are requested than those that count.
    """
    if kind == "hour":
        return None
    daily = kind in ("day", "week")
    parts = goods_spans.list_goods(work, goods.statuses, span, daily=daily, products=goods.products)
    if parts is None:
        return None

    def compute_key(local: int) -> int:
        return total if kind is None else compute_interval_key(kind, local, start)

    totals: dict[int, GoodsTotal] = {}
    for begin, rows in parts:
        if rows:
            totals.setdefault(compute_key(begin), GoodsTotal()).add_part(rows)
    out = {key: one.to_line_sums() for key, one in totals.items()}
    bound: dict[str, Any] = {"after": span.after, "before": span.before, "products": encode_list(goods.products)}
    for (created,) in work.tx.all(_RETURNED, excluded=encode_list(get_excluded_statuses(work)), **bound):
        out[compute_key(created)]["orders"] -= 1
    return out
