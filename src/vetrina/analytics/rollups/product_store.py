"""The kept sums by product of months, and the products for which they do not hold any more.

An order that changes marks the products of its lines in the months that are kept: the rest holds, and the marked ones
are counted from their rows until a job has kept them again. Writers are serialized, so no mark is lost between counting
and keeping. Not here: counting (analytics/rollups/product_months.py), combining months
(analytics/rollups/product_spans.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import BigInteger, bindparam, cast, delete, func, select

from vetrina.analytics.facts.reportable_orders import OrderDate
from vetrina.analytics.rollups import periods, product_days, segment_days, segment_texts
from vetrina.analytics.rollups.periods import GOODS, PARTS, ROWS_BY_PRODUCT, SOLD
from vetrina.analytics.rollups.product_months import SUMS, ProductRow
from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, build_upsert, encode_list
from vetrina.backends.tables.rollups import ROLLUP_JOB, rollup_mark, rollup_product, rollup_sold, rollup_variation
from vetrina.core.unit_of_work import UnitOfWork

_p, _s, _v, _m = rollup_product.c, rollup_sold.c, rollup_variation.c, rollup_mark.c
_PARTS_ROWS: Final = select(_p.product, *(_p[name] for name in SUMS), _p.customer_ids, _p.coupon_ids).where(
    _p.dates == bindparam("dates"), _p.month == bindparam("month")
)
_SOLD_ROWS: Final = select(_s.product, _s.quantity, _s.net, _s.orders, _s.newest).where(_s.month == bindparam("month"))
_SOLD_SUMS = Statement(
    select(
        _s.product, *(cast(func.sum(column), BigInteger) for column in (_s.quantity, _s.net, _s.orders)),
        func.max(_s.newest),
    ).where(InList(_s.month, "months")).group_by(_s.product)
)  # fmt: skip
_GOODS_ROWS: Final = select(
    _v.product, _v.variation, _v.lines, _v.quantity, _v.net, _v.orders, _v.newest, _v.order_ids
).where(_v.month == bindparam("month"))
_READ: Final = {
    kind: (Statement(rows), Statement(rows.where(InList(rows.selected_columns.product, "products"))))
    for kind, rows in ((PARTS, _PARTS_ROWS), (SOLD, _SOLD_ROWS), (GOODS, _GOODS_ROWS))
}
_DELETE_PARTS = Statement(delete(rollup_product).where(_p.dates == bindparam("dates"), _p.month == bindparam("month")))
_DELETE_SOLD = Statement(delete(rollup_sold).where(_s.month == bindparam("month")))
_DELETE_GOODS = Statement(delete(rollup_variation).where(_v.month == bindparam("month")))
_DELETE_ALL: Final = [
    Statement(delete(table)) for table in (rollup_product, rollup_sold, rollup_variation, rollup_mark)
]
_ROW: Final[dict[str, Any]] = {name: bindparam(name) for name in ("dates", "month", "product")}
_MARK = Statement(build_upsert(rollup_mark, tuple(_ROW), _ROW, {"product": bindparam("product")}))
_MARKED = Statement(
    select(_m.month, _m.product).where(
        _m.dates == bindparam("dates"), _m.month >= bindparam("first"), _m.month <= bindparam("last")
    )
)
_MARKED_MONTHS = Statement(select(_m.dates, _m.month).distinct().order_by(_m.dates, _m.month))
_UNMARK = Statement(delete(rollup_mark).where(_m.dates == bindparam("dates"), _m.month == bindparam("month")))


def list_product_month(
    work: UnitOfWork, kind: str, dates: str, month: int, products: Iterable[int] | None = None
) -> list[ProductRow]:
    """Return the rows of a kept month, marked ones too.

    kind: SOLD, GOODS or PARTS. products: only these, None for all.
    """
    every, some = _READ[kind]
    bound: dict[str, Any] = {"month": month, "dates": dates} if kind == PARTS else {"month": month}
    if products is None:
        return list(work.tx.all(every, **bound))
    return list(work.tx.all(some, **bound, products=encode_list(products)))


def sum_sold(work: UnitOfWork, months: Sequence[int]) -> dict[int, ProductRow]:
    """Return what was sold in kept months together, by product; marked ones too."""
    if len(months) == 1:
        # A single month has one row a product, and adding up takes twice as long.
        return {row[0]: row for row in list_product_month(work, SOLD, "created", months[0])}
    return {row[0]: row for row in work.tx.all(_SOLD_SUMS, months=encode_list(months))}


def save_product_month(work: UnitOfWork, kind: str, dates: str, month: int, rows: Iterable[ProductRow]) -> None:
    """Keep the rows of a month instead of those that were; kind: SOLD, GOODS or PARTS."""
    _delete_rows(work, kind, dates, month)
    if kind == PARTS:
        work.tx.load(rollup_product, [(dates, month, *row) for row in rows])
    else:
        work.tx.load(rollup_variation if kind == GOODS else rollup_sold, [(month, *row) for row in rows])
    periods.add_period(work, kind, dates, month)


def delete_product_month(work: UnitOfWork, kind: str, dates: str, month: int) -> None:
    """Forget the rows of a month; kind: SOLD, GOODS or PARTS."""
    periods.forget_period(work, kind, dates, month)
    _delete_rows(work, kind, dates, month)


def _delete_rows(work: UnitOfWork, kind: str, dates: str, month: int) -> None:
    if kind == PARTS:
        work.tx.run(_DELETE_PARTS, dates=dates, month=month)
    else:
        work.tx.run(_DELETE_GOODS if kind == GOODS else _DELETE_SOLD, month=month)


def delete_product_rollups(work: UnitOfWork) -> None:
    """Forget all days, months and years by product: the setting for what counts has changed."""
    segment_texts.delete_all_texts(work)
    product_days.delete_all_days(work)
    segment_days.delete_all_days(work)
    periods.forget_kinds(work, ROWS_BY_PRODUCT)
    for statement in _DELETE_ALL:
        work.tx.run(statement)
    job_queue.restart_running_jobs(work.tx, ROLLUP_JOB, work.now)


# -- marks


def mark_products(work: UnitOfWork, rows: Iterable[tuple[str, int, int]]) -> None:
    """Mark products of months that are kept, or whose year is; rows: kind of date, month, product."""
    found = [{"dates": dates, "month": month, "product": product} for dates, month, product in sorted(set(rows))]
    if found:
        work.tx.run_each(_MARK, found)


def list_marked_products(work: UnitOfWork, dates: str, first: int, last: int) -> dict[int, set[int]]:
    """Return the marked products of some months, by month."""
    out: dict[int, set[int]] = {}
    for month, product in work.tx.all(_MARKED, dates=dates, first=first, last=last):
        out.setdefault(month, set()).add(product)
    return out


def list_marked_months(work: UnitOfWork) -> list[tuple[OrderDate, int]]:
    """Return the months with marked products, each with its kind of date."""
    return [(row[0], row[1]) for row in work.tx.all(_MARKED_MONTHS)]


def unmark_month(work: UnitOfWork, dates: str, month: int) -> None:
    """Remove the marks of a month: everything kept of it agrees with its rows."""
    work.tx.run(_UNMARK, dates=dates, month=month)
