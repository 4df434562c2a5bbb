"""All who bought something in a span: pages of them by what they bought, and averages.

Their sums come from kept days and months (analytics/rollups/customer_sums.py), so that the orders of a year are not
read. Not here: customers who meet other conditions, and customers of all time (analytics/reports/customers.py). Rules:
docs/rules/analytics_reports.md, 10, 11 and 12.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import compress, repeat
from operator import le, mul
from typing import Final

from sqlalchemy import bindparam, case, func, select

from vetrina.analytics.facts.reportable_orders import get_excluded_statuses
from vetrina.analytics.reports.customer_bounds import MeasureBound, list_within
from vetrina.analytics.reports.intervals import ReportSpan
from vetrina.analytics.rollups import customer_sums
from vetrina.analytics.rollups.customer_lanes import CustomerBlock
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, UnindexedColumn, encode_list
from vetrina.backends.tables.analytics import fact_customer, fact_order
from vetrina.core.unit_of_work import UnitOfWork

MEASURES: Final = ("orders_count", "total_spend", "avg_order_value")  # equal values are sorted by id
_FEW: Final = 1000  # of a page and those before it, which are found without sorting all
_MILLION: Final = 1_000_000
_o = fact_order.c
_GONE = Statement(select(fact_customer.c.id).where(fact_customer.c.gone.is_not(None)))
_SUMS = Statement(
    select(
        _o.customer, func.sum(case((_o.parent == 0, 1), else_=0)), func.sum(_o.total),
        func.max(case((_o.parent == 0, _o.created))),
    )
    .where(
        InList(_o.customer, "ids"), UnindexedColumn(_o.created) >= bindparam("after"),
        UnindexedColumn(_o.created) <= bindparam("before"), ~InList(_o.status, "excluded"),
    )
    .group_by(_o.customer)
)  # fmt: skip

BuyerSums = tuple[int, int, int | None]  # orders, spend in millionths, the local time of the last order


@dataclass(frozen=True, slots=True)
class CustomerAverages:
    """The number of customers, and averages over those who bought something; amounts in the currency's unit."""

    count: int
    orders: float
    spend: float
    order_value: float


def list_blocks(work: UnitOfWork, span: ReportSpan, chosen: Collection[int] | None = None) -> list[CustomerBlock]:
    """Return all who have orders or refunds that were made in a span, without deleted accounts.

    chosen: only these customers, None for all.
    """
    gone = _list_gone(work)
    return [block.leave_out(gone) for block in customer_sums.sum_by_customer(work, span).iterate_blocks(chosen)]


def find_best_buyers(work: UnitOfWork, span: ReportSpan, most: int) -> tuple[list[CustomerBlock], int] | None:
    """Return those who spent most in a span, `most` or more, and how many bought; None of too many.

    Without deleted accounts. The others are not looked at one by one.
    """
    if most > _FEW:
        return None
    return customer_sums.sum_by_customer(work, span).find_highest_spends(most, _list_gone(work))


def _list_gone(work: UnitOfWork) -> set[int]:
    return {row[0] for row in work.tx.all(_GONE)}


def choose_within(blocks: list[CustomerBlock], bounds: Sequence[MeasureBound]) -> list[CustomerBlock]:
    """Return blocks with the customers who are within some bounds alone."""
    return [block.choose(list_within(bounds, block)) for block in blocks] if bounds else blocks


def rank_buyers(blocks: Sequence[CustomerBlock], orderby: str, falling: bool, start: int, limit: int) -> list[int]:
    """Return the ids of a page by one of MEASURES; who bought nothing stands below who paid nothing."""
    most, sign = start + limit, -1 if falling else 1
    best: list[tuple[float, int, int]] = []
    for block in blocks:
        keys = _list_keys(block, orderby, sign)
        found: Iterable[tuple[float, int, int]] = zip(keys, block.orders, block.ids, strict=True)
        if len(best) == most or most < len(keys):
            edge = best[-1][0] if len(best) == most else _find_edge(keys, most)
            found = compress(found, map(le, keys, repeat(edge)))
        best = sorted([*best, *((key, sign * (orders > 0), id) for key, orders, id in found)])[:most]
    return [id for _, _, id in best[start:]]


def _find_edge(keys: Sequence[float], most: int) -> float:
    """Return the last of the first keys in their order."""
    return sorted(keys)[most - 1] if most > _FEW else nsmallest(most, keys)[-1]


def _list_keys(block: CustomerBlock, orderby: str, sign: int) -> list[float]:
    """Return what the customers of a block are sorted by; the same of any block, whatever the unit of its amounts."""
    if orderby == "orders_count":
        return list(map(mul, block.orders, repeat(sign)))
    spends = list(map(mul, block.spends, repeat(sign * block.unit)))
    if orderby == "total_spend":
        return spends
    return [spend / count if count else 0 for spend, count in zip(spends, block.orders, strict=True)]


def load_buyer_sums(work: UnitOfWork, span: ReportSpan, ids: Sequence[int]) -> dict[int, BuyerSums]:
    """Return what some customers bought in a span."""
    rows = work.tx.all(
        _SUMS, ids=encode_list(ids), after=span.after, before=span.before,
        excluded=encode_list(get_excluded_statuses(work)),
    )  # fmt: skip
    return {id: (int(orders or 0), int(spend or 0), last) for id, orders, spend, last in rows}


def average_buyers(blocks: Sequence[CustomerBlock]) -> CustomerAverages:
    """Return the averages over all who bought something; those with refunds alone are counted."""
    total = sum(len(block.ids) for block in blocks)
    orders = sum(sum(block.orders) for block in blocks)
    buyers = sum(len(block.ids) - block.orders.count(0) for block in blocks)
    if not buyers:
        return CustomerAverages(total, 0, 0, 0)
    # Who made as many orders is added up together, so that the sum is the same in any order.
    by_orders: Counter[int] = Counter()
    for block in blocks:
        sums: defaultdict[int, int] = defaultdict(int)
        for count, spend in zip(block.orders, block.spends, strict=True):
            sums[count] += spend
        by_orders.update({count: spend * block.unit for count, spend in sums.items() if count})
    spent = by_orders.total()
    each = math.fsum(spend / count for count, spend in by_orders.items())
    return CustomerAverages(total, orders / buyers, spent / _MILLION / buyers, each / _MILLION / buyers)
