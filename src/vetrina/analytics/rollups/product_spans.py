"""Sums by product over a span, combined from kept months, marked products, and kept days of the months at its ends.

Only for the statuses that count by the shop's setting, without any other filter: kept months contain those. Whatever is
kept, the figures equal the full computation (a property test compares them). Not here: counting from rows
(analytics/rollups/product_months.py), rows of kept months (analytics/rollups/product_store.py), when months are kept
(analytics/rollups/jobs.py). Rules: docs/rules/analytics_measures.md, 9.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, Final, NamedTuple

import orjson

from vetrina.analytics.facts.reportable_orders import OrderDate, get_excluded_statuses
from vetrina.analytics.facts.rows import compute_month
from vetrina.analytics.reports.conditions import StatusFilter
from vetrina.analytics.reports.intervals import IntervalKind, ReportSpan, compute_interval_key, get_week_start
from vetrina.analytics.reports.measures import compute_segment_row
from vetrina.analytics.rollups import periods, product_days, product_months, product_store, segment_days, segment_texts
from vetrina.analytics.rollups.id_sets import count_union
from vetrina.analytics.rollups.periods import (
    GOODS,
    MONTH,
    PARTS,
    SECONDS,
    SOLD,
    YEAR,
    compute_whole_months,
    list_gaps,
)
from vetrina.analytics.rollups.product_months import ProductMonths, ProductRow
from vetrina.core.unit_of_work import UnitOfWork

_SIZE: Final = len(product_months.SUMS) + 1  # members of a row before its customers
_MOST_COUNTED: Final = 4  # days of a span by day that are counted; of more, one statement counts all
_MOST_MARKED: Final = 100  # products of a month; where more are marked, counting the whole month costs no more

ProductRows = dict[Any, ProductRow]  # by `get_row_key`
_COUNTED: Final[dict[str, Callable[..., ProductMonths]]] = {
    SOLD: product_months.sum_sold,
    GOODS: product_months.sum_goods,
    PARTS: product_months.sum_order_parts,
}


class DividedSpan(NamedTuple):
    """How a span is put together. kept: months whose rows are kept; marks: their marked products, by month.

    counted: the rest of it, as the local times of its ends.
    """

    kept: list[int]
    marks: dict[int, set[int]]
    counted: list[tuple[int, int]]


def sum_sold_products(work: UnitOfWork, statuses: StatusFilter, span: ReportSpan) -> ProductRows | None:
    """Return the sales of each product: id, quantity, net, orders, the local time of the latest line.

    None where other statuses are requested than those that count.
    """
    if not is_default_filter(work, statuses):
        return None
    divided = divide_span(work, SOLD, "created", span)
    unmarked = [month for month in divided.kept if month not in divided.marks]
    out = product_store.sum_sold(work, unmarked) if unmarked else {}
    for _, rows in iterate_months(work, SOLD, "created", divided._replace(kept=list(divided.marks))):
        for row in rows:
            id, items, net, orders, newest = row
            one = out.get(id)
            if one is None:
                out[id] = row
            else:
                out[id] = [id, one[1] + items, one[2] + net, one[3] + orders, max(one[4], newest)]
    return out


def build_measure_texts(
    work: UnitOfWork,
    statuses: StatusFilter,
    dates: OrderDate,
    kind: IntervalKind | None,
    span: ReportSpan,
    keys: Iterable[int],
) -> list[dict[int, str]] | None:
    """Return the measures of products as JSON: of each requested interval, or of the whole span without a kind.

    keys: of the intervals, one for the whole span. None by the hour, where too much of the span is not kept, and where
    other statuses are requested than those that count.
    """
    if kind == "hour" or not is_default_filter(work, statuses):
        return None
    first, last = compute_whole_months(span)
    if kind in ("day", "week") or last < first:
        days = _list_days(work, dates, span)
        if days is None or kind in ("day", "week"):
            return None if days is None else _build_daily_texts(work, kind, days, list(keys))
    if kind == "month":
        return _build_monthly_texts(work, dates, span, list(keys))
    wanted = list(keys)
    year = _find_year(span) if kind is None else None
    whole = None if year is None else _find_year_texts(work, dates, year)
    if whole is not None:
        return [whole]
    groups: list[list[ProductRow]] = [[] for _ in wanted]
    place = {key: at for at, key in enumerate(wanted)}
    for month, rows in iterate_months(work, PARTS, dates, divide_span(work, PARTS, dates, span)):
        at = 0 if kind is None else place.get(compute_interval_key(kind, compute_month_span(month).after), -1)
        if at >= 0:
            groups[at] += rows
    return [join_measures(group) for group in groups]


def _list_days(work: UnitOfWork, dates: OrderDate, span: ReportSpan) -> list[tuple[int, list[ProductRow]]] | None:
    """Return the days of a span, or parts of them, with rows of products; None where too many are not kept."""
    ends = periods.find_ends(work, dates)
    if ends is None:
        return []
    # Most of a span may lie before the first order or after the last.
    low, high = (end // SECONDS for end in ends)
    span = ReportSpan(max(span.after, low * SECONDS), min(span.before, (high + 1) * SECONDS - 1))
    first, last = compute_whole_days(*span)
    kept = segment_days.load_days(work, dates, first, last) if first <= last else {}
    uncovered = [
        (max(day * SECONDS, after), min((day + 1) * SECONDS - 1, before))
        for after, before in list_uncovered(kept, *span)
        for day in range(after // SECONDS, min(before // SECONDS, after // SECONDS + _MOST_COUNTED) + 1)
    ]
    if len(uncovered) > _MOST_COUNTED:
        return None
    out = list(kept.items())
    for after, before in uncovered:
        counted = _count_rows(work, PARTS, dates, after, before)
        out += ((after // SECONDS, list(rows.values())) for rows in counted.values())
    return out


def _build_daily_texts(
    work: UnitOfWork, kind: IntervalKind | None, days: Iterable[tuple[int, list[ProductRow]]], keys: list[int]
) -> list[dict[int, str]]:
    start = get_week_start(work) if kind == "week" else 0
    groups: dict[int, list[ProductRow]] = {key: [] for key in keys}
    for day, rows in days:
        key = compute_interval_key("week" if kind == "week" else "day", day * SECONDS, start)
        if key in groups:
            groups[key] += rows
    return [join_measures(group) for group in groups.values()]


def _build_monthly_texts(work: UnitOfWork, dates: OrderDate, span: ReportSpan, keys: list[int]) -> list[dict[int, str]]:
    first, last = compute_whole_months(span)
    whole = [key for key in keys if first <= key <= last]
    low, high = (min(whole), max(whole)) if whole else (1, 0)
    kept = dict(segment_texts.iterate_month_texts(work, dates, low, high))
    stale = product_store.list_marked_products(work, dates, low, high)
    out = []
    for key in keys:
        month = compute_month_span(key)
        after, before = max(month.after, span.after), min(month.before, span.before)
        found, marks = kept.get(key) if first <= key <= last else None, stale.get(key, set())
        if found is None or len(marks) > _MOST_MARKED:
            out.append(
                join_measures(row for _, part in _iterate_counted(work, PARTS, dates, after, before) for row in part)
            )
            continue
        for id in marks:
            found.pop(id, None)
        if marks:
            rows = product_months.sum_order_parts(work, dates, after, before, marks).get(key, {})
            found.update((id, encode_measures(row)) for id, row in rows.items())
        out.append(found)
    return out


def _find_year(span: ReportSpan) -> int | None:
    """Return the year that a span covers exactly, None otherwise."""
    year = periods.compute_unit(YEAR, span.after)
    return year if span == _compute_year_span(year) else None


def _find_year_texts(work: UnitOfWork, dates: OrderDate, year: int) -> dict[int, str] | None:
    """Return the measures of products over a year; None where it is not kept, or too much of it is marked."""
    found = segment_texts.find_year_texts(work, dates, year)
    if found is None:
        return None
    stale = product_store.list_marked_products(work, dates, year * 12, year * 12 + 11)
    marks: set[int] = set().union(*stale.values())
    return None if len(marks) > _MOST_MARKED else recount_year_texts(work, dates, year, found, marks)


def recount_year_texts(
    work: UnitOfWork, dates: OrderDate, year: int, found: dict[int, str], marks: set[int]
) -> dict[int, str]:
    """Return the measures of a kept year with marked products counted from their rows."""
    for id in marks:
        found.pop(id, None)
    if marks:
        months = product_months.sum_order_parts(work, dates, *_compute_year_span(year), marks)
        found |= join_measures(row for rows in months.values() for row in rows.values())
    return found


def build_year_texts(work: UnitOfWork, dates: OrderDate, year: int) -> dict[int, str]:
    """Return the measures of products over a year, from its months, kept or not."""
    divided = divide_span(work, PARTS, dates, _compute_year_span(year))
    return join_measures(row for _, rows in iterate_months(work, PARTS, dates, divided) for row in rows)


def encode_measures(row: ProductRow) -> str:
    """Return the measures of a row of `sum_order_parts` as JSON."""
    return _encode_sums((*row[1:_SIZE], count_union(row[_SIZE : _SIZE + 1]), count_union(row[_SIZE + 1 :])))


def join_measures(rows: Iterable[ProductRow]) -> dict[int, str]:
    """Return the measures of products as JSON, each of all of its rows together."""
    joined: dict[int, list[ProductRow]] = {}
    for row in rows:
        joined.setdefault(row[0], []).append(row)
    out = {}
    for id, some in joined.items():
        columns = list(zip(*some, strict=True))
        sums = map(sum, columns[1:_SIZE])
        out[id] = _encode_sums((*sums, count_union(columns[_SIZE]), count_union(columns[_SIZE + 1])))
    return out


def _encode_sums(sums: tuple[int, ...]) -> str:
    return orjson.dumps(compute_segment_row(sums)).decode()


def compute_product_month(
    work: UnitOfWork, kind: str, dates: OrderDate, month: int, products: Iterable[int] | None = None
) -> ProductRows:
    """Return the rows of a month from the orders' rows.

    kind: SOLD, GOODS or PARTS. products: only these, None for all.
    """
    return _COUNTED[kind](work, dates, *compute_month_span(month), products).get(month, {})


def get_row_key(kind: str, row: ProductRow) -> Any:
    """Return what a row is of, within its month: a product, or of GOODS a product and a variation."""
    return (row[0], row[1]) if kind == GOODS else row[0]


def divide_span(work: UnitOfWork, kind: str, dates: OrderDate, span: ReportSpan) -> DividedSpan:
    """Return how a span is put together."""
    first, last = compute_whole_months(span)
    if first > last:
        # In one month, or in two of which each is counted alone, as in a report by month.
        middle = compute_month_span(first).after
        parts = [(span.after, middle - 1), (middle, span.before)] if span.after < middle <= span.before else [span]
        return DividedSpan([], {}, [(after, before) for after, before in parts])
    marks = product_store.list_marked_products(work, dates, first, last)
    kept = [
        month for month in periods.list_units(work, kind, dates, first, last)
        if len(marks.get(month, ())) <= _MOST_MARKED
    ]  # fmt: skip
    counted = [
        *(
            (compute_month_span(low).after, compute_month_span(high).before)
            for low, high in list_gaps(kept, first, last)
        ),
        (span.after, compute_month_span(first).after - 1),
        (compute_month_span(last).before + 1, span.before),
    ]
    return DividedSpan(
        kept,
        {month: marks[month] for month in kept if month in marks},
        [(after, before) for after, before in counted if after <= before],
    )


def iterate_months(
    work: UnitOfWork, kind: str, dates: OrderDate, divided: DividedSpan, products: Collection[int] | None = None
) -> Iterator[tuple[int, list[ProductRow]]]:
    """Yield months with rows of products; a month may occur several times, with partial rows of a product.

    products: only these, None for all.
    """
    for month in divided.kept:
        rows = product_store.list_product_month(work, kind, dates, month, products)
        marks = divided.marks.get(month, set())
        if products is not None:
            marks = marks.intersection(products)
        if marks:
            rows = [row for row in rows if row[0] not in marks]
            rows += compute_product_month(work, kind, dates, month, marks).values()
        yield month, rows
    for after, before in divided.counted:
        yield from _iterate_counted(work, kind, dates, after, before, products)


def _iterate_counted(
    work: UnitOfWork, kind: str, dates: OrderDate, after: int, before: int, products: Collection[int] | None = None
) -> Iterator[tuple[int, list[ProductRow]]]:
    """Yield what is not in kept months: kept days, and what is counted from the orders' rows."""
    days: dict[int, list[ProductRow]] = {}
    first, last = compute_whole_days(after, before)
    if first <= last:
        if kind == PARTS:
            days = segment_days.load_days(work, dates, first, last, products)
        else:
            days = product_days.load_days(work, kind, first, last, products)
    for day, kept in days.items():
        yield compute_month(day * SECONDS), kept
    for low, high in list_uncovered(days, after, before):
        for month, counted in _count_rows(work, kind, dates, low, high, products).items():
            yield month, list(counted.values())


def compute_whole_days(after: int, before: int) -> tuple[int, int]:
    """Return the first and the last day that lies whole between two local times, both inclusive."""
    return -(-after // SECONDS), (before + 1) // SECONDS - 1


def list_uncovered(days: Collection[int], after: int, before: int) -> list[tuple[int, int]]:
    """Return the parts between two local times, as those of their ends, that lie in none of some whole days."""
    out, begin = [], after
    for day in sorted(days):
        out.append((begin, day * SECONDS - 1))
        begin = (day + 1) * SECONDS
    return [(low, high) for low, high in (*out, (begin, before)) if low <= high]


def _count_rows(
    work: UnitOfWork, kind: str, dates: OrderDate, after: int, before: int, products: Collection[int] | None = None
) -> ProductMonths:
    """Return rows from the orders' rows; a report asks for the same ones by interval and for its totals."""
    key = f"rollup {kind} {dates} {after} {before} {None if products is None else sorted(products)}"
    found: ProductMonths | None = None if work.tx.writes else work.lookups.get(key)
    if found is None:
        found = work.lookups[key] = _COUNTED[kind](work, dates, after, before, products)
    return found


def compute_month_span(month: int) -> ReportSpan:
    """Return the span of a month."""
    return ReportSpan(periods.compute_unit_start(MONTH, month), periods.compute_unit_start(MONTH, month + 1) - 1)


def _compute_year_span(year: int) -> ReportSpan:
    return ReportSpan(periods.compute_unit_start(YEAR, year), periods.compute_unit_start(YEAR, year + 1) - 1)


def is_default_filter(work: UnitOfWork, statuses: StatusFilter) -> bool:
    """Return whether the requested statuses are exactly those that the kept sums by product contain."""
    return statuses == StatusFilter(None, frozenset(get_excluded_statuses(work)))
