"""The report of coupons: what each one took off. Rules: docs/rules/analytics_reports.md, 1 and 6."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func

from vetrina.analytics.reports import filters as report_filters, segment_items
from vetrina.analytics.reports.intervals import ReportSpan
from vetrina.analytics.reports.item_lists import build_sold_first_key, sort_items, sum_by_column
from vetrina.backends.tables.analytics import fact_coupon
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.folding import fold_text

_c = fact_coupon.c


@dataclass(frozen=True, slots=True)
class CouponSum:
    """The discounts of a coupon. amount: millionths."""

    id: int
    amount: int = 0
    orders: int = 0


def list_used_coupons(work: UnitOfWork, span: ReportSpan, args: Mapping[str, Any]) -> list[CouponSum]:
    """Return the discounts of each coupon.

    args: coupons, match, order, orderby (coupon_id, code, amount, orders_count).
    """
    work.uses("order", "coupon")
    sums = {"amount": func.sum(_c.amount), "orders": func.count(_c.order.distinct())}
    rows = sum_by_column(
        work, fact_coupon, sums, _c.coupon, report_filters.build_coupon_filters(work, args), span, "used coupons"
    )
    found = {id: CouponSum(id, **one) for id, one in rows.items()}
    every = found | {id: CouponSum(id) for id in args.get("coupons") or () if id not in found}
    codes = dict(segment_items.list_coupons(work))
    keys: dict[str, Callable[[CouponSum], Any]] = {
        "coupon_id": lambda one: one.id,
        "code": lambda one: fold_text(codes.get(one.id, "")),
        "amount": build_sold_first_key(found, lambda one: one.amount),
        "orders_count": build_sold_first_key(found, lambda one: one.orders),
    }
    key = keys[args.get("orderby", "coupon_id")]
    return sort_items(list(every.values()), key, args.get("order", "desc"), lambda one: one.id)
