"""Sums by product over a span, combined from stored months, marked products, and the partial months at its ends.

Only for the statuses that count by the shop's setting, without any other filter: stored months contain those. Whatever
is stored, the figures equal the full computation (a property test compares them). Not here: counting from rows
(analytics/rollups/product_months.py), when months are stored (analytics/rollups/jobs.py). Rules:
docs/rules/analytics_measures.md, 9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

import orjson

from vetrina.analytics.facts.reportable_orders import OrderDate, get_excluded_statuses
from vetrina.analytics.reports.conditions import StatusFilter
from vetrina.analytics.reports.definitions import compute_segment_row
from vetrina.analytics.reports.intervals import IntervalKind, ReportSpan, compute_interval_key
from vetrina.analytics.rollups import product_months, store as rollup_store
from vetrina.analytics.rollups.product_months import ProductMonths, ProductRow
from vetrina.analytics.rollups.store import MONTH, YEAR, compute_whole_months, list_gaps
from vetrina.core.unit_of_work import UnitOfWork

_SIZE: Final = len(product_months.SUMS) + 1  # members of a row before its customers
_FEW: Final = 50  # where at least one product in so many is marked, counting the whole month costs no more

ProductRows = dict[int, ProductRow]  # by product
CountMonths = Callable[..., ProductMonths]
COUNTED: Final[dict[str, CountMonths]] = {
    "sold": product_months.sum_sold_by_month,
    "parts": product_months.sum_order_parts,
}


def sum_sold_products(work: UnitOfWork, statuses: StatusFilter, span: ReportSpan) -> dict[int, ProductRow] | None:
    """Return the sales of each product: id, quantity, net, orders, the local time of the latest line.

    None where the span has no whole month, or where other statuses are requested than those that count.
    """
    first, last = compute_whole_months(span)
    if last < first or not _is_default_filter(work, statuses):
        return None
    out: dict[int, ProductRow] = {}
    for _, found in _iterate_month_rows(work, "sold", "created", span):
        for id, items, net, orders, newest in found:
            one = out.get(id)
            if one is None:
                out[id] = [id, items, net, orders, newest]
            else:
                one[1] += items
                one[2] += net
                one[3] += orders
                one[4] = max(one[4], newest)
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

    keys: of the intervals, one for the whole span. None where intervals are shorter than months, the span has no whole
    month, or other statuses are requested than those that count.
    """
    first, last = compute_whole_months(span)
    if kind in ("hour", "day", "week") or last < first or not _is_default_filter(work, statuses):
        return None
    if kind == "month":
        return _build_monthly_texts(work, dates, span, list(keys))
    wanted = list(keys)
    year = _find_year(span) if kind is None else None
    whole = None if year is None else _find_year_texts(work, dates, year)
    if whole is not None:
        return [whole]
    groups: list[dict[int, list[ProductRow]]] = [{} for _ in wanted]
    place = {key: at for at, key in enumerate(wanted)}
    for month, found in _iterate_month_rows(work, "parts", dates, span):
        at = 0 if kind is None else place.get(compute_interval_key(kind, _compute_month_start(month)), -1)
        if at >= 0:
            for row in found:
                groups[at].setdefault(row[0], []).append(row)
    return [{id: _encode_measures(_join_rows(rows)) for id, rows in group.items()} for group in groups]


def _build_monthly_texts(work: UnitOfWork, dates: OrderDate, span: ReportSpan, keys: list[int]) -> list[dict[int, str]]:
    first, last = compute_whole_months(span)
    whole = [key for key in keys if first <= key <= last]
    low, high = (min(whole), max(whole)) if whole else (1, 0)
    lines = {
        unit: text
        for unit, text in rollup_store.iterate_rollups(work, "segments", dates, low, high)
        if unit in set(whole)
    }
    stale = rollup_store.list_marked_products(work, dates, low, high)
    out = []
    for key in keys:
        after, before = max(_compute_month_start(key), span.after), min(_compute_month_start(key + 1) - 1, span.before)
        found = _parse_lines(lines[key]) if key in lines else {}
        few = stale.get(key, set())
        marks: set[int] | None = few
        if key not in lines or len(few) * _FEW > len(found):
            found, marks = {}, None
        rows = product_months.sum_order_parts(work, dates, after, before, marks).get(key, {}) if marks != set() else {}
        for id in marks or ():
            found.pop(id, None)
        found.update((id, _encode_measures(row)) for id, row in rows.items())
        out.append(found)
    return out


def _find_year(span: ReportSpan) -> int | None:
    """Return the year that a span covers exactly, None otherwise."""
    year = rollup_store.compute_unit(YEAR, span.after)
    ends = rollup_store.compute_unit_start(YEAR, year), rollup_store.compute_unit_start(YEAR, year + 1) - 1
    return year if (span.after, span.before) == ends else None


def _find_year_texts(work: UnitOfWork, dates: OrderDate, year: int) -> dict[int, str] | None:
    """Return the measures of products over a year; None where it is not stored, or too much of it is marked."""
    text = rollup_store.find_rollup(work, YEAR, dates, year)
    if text is None:
        return None
    found = _parse_lines(text)
    stale = rollup_store.list_marked_products(work, dates, year * 12, year * 12 + 11)
    marks: set[int] = set().union(*stale.values())
    if len(marks) * _FEW > len(found):
        return None
    for id in marks:
        found.pop(id, None)
    if marks:
        begin, end = rollup_store.compute_unit_start(YEAR, year), rollup_store.compute_unit_start(YEAR, year + 1) - 1
        found.update(_encode_months(product_months.sum_order_parts(work, dates, begin, end, marks).values()))
    return found


def _encode_months(months: Iterable[ProductRows]) -> dict[int, str]:
    rows: dict[int, list[ProductRow]] = {}
    for month in months:
        for id, row in month.items():
            rows.setdefault(id, []).append(row)
    return {id: _encode_measures(_join_rows(some)) for id, some in rows.items()}


def build_year_text(work: UnitOfWork, dates: OrderDate, year: int) -> str:
    """Return the stored form of a year, from its months."""
    span = ReportSpan(rollup_store.compute_unit_start(YEAR, year), rollup_store.compute_unit_start(YEAR, year + 1) - 1)
    parts = _iterate_month_rows(work, "parts", dates, span)
    return _format_lines(_encode_months({row[0]: row for row in rows} for _, rows in parts))


def compute_year_text(work: UnitOfWork, dates: OrderDate, year: int) -> str:
    """Return the same from the rows themselves."""
    return _format_lines(
        _encode_months(compute_months(work, "parts", dates, range(year * 12, year * 12 + 12)).values())
    )


def recompute_year_text(work: UnitOfWork, dates: OrderDate, year: int, text: str, marks: Iterable[int]) -> str:
    """Return the stored form of a year with marked products recounted."""
    found, marked = _parse_lines(text), set(marks)
    for id in marked:
        found.pop(id, None)
    begin, end = rollup_store.compute_unit_start(YEAR, year), rollup_store.compute_unit_start(YEAR, year + 1) - 1
    return _format_lines(
        found | _encode_months(product_months.sum_order_parts(work, dates, begin, end, marked).values())
    )


def _format_lines(lines: Mapping[int, str]) -> str:
    return "\n".join(f"{id} {lines[id]}" for id in sorted(lines))


def encode_month_rows(kind: str, rows: ProductRows) -> dict[str, str]:
    """Return the stored form of a month by kind: the measures of segments are stored beside their sums."""
    out = {kind: rollup_store.encode_unit({"products": [rows[id] for id in sorted(rows)]} if rows else {})}
    if kind == "parts":
        out["segments"] = _format_lines({id: _encode_measures(row) for id, row in rows.items()})
    return out


def recompute_month_rows(
    work: UnitOfWork, kind: str, dates: OrderDate, month: int, text: str, marks: Iterable[int]
) -> ProductRows:
    """Return the rows of a stored month with marked products recounted."""
    marked = set(marks)
    rows = {row[0]: row for row in _parse_rows(text) if row[0] not in marked}
    return rows | COUNTED[kind](
        work, dates, _compute_month_start(month), _compute_month_start(month + 1) - 1, marked
    ).get(month, {})


def _parse_lines(text: str) -> dict[int, str]:
    """Return the measures of products of a stored month, each as JSON."""
    out = {}
    for line in text.split("\n") if text else ():
        id, _, measures = line.partition(" ")
        out[int(id)] = measures
    return out


def _parse_rows(text: str) -> list[ProductRow]:
    """Return the rows of a stored month."""
    found: list[ProductRow] = orjson.loads(text).get("products", [])
    return found


def _encode_measures(row: ProductRow) -> str:
    """Return the measures of a row of `sum_order_parts` as JSON."""
    return orjson.dumps(compute_segment_row((*row[1:_SIZE], len(row[_SIZE]), len(row[_SIZE + 1])))).decode()


def _join_rows(rows: list[ProductRow]) -> ProductRow:
    """Return the combined row of several months."""
    if len(rows) == 1:
        return rows[0]
    columns = list(zip(*rows, strict=True))
    sums = [sum(column) for column in columns[1:_SIZE]]
    return [rows[0][0], *sums, set().union(*columns[_SIZE]), set().union(*columns[_SIZE + 1])]


def compute_months(work: UnitOfWork, kind: str, dates: OrderDate, months: Iterable[int]) -> ProductMonths:
    """Return the sums of months from the rows themselves; months without rows are missing."""
    out: ProductMonths = {}
    for month in months:
        out |= COUNTED[kind](work, dates, _compute_month_start(month), _compute_month_start(month + 1) - 1)
    return out


def _iterate_month_rows(
    work: UnitOfWork, kind: str, dates: OrderDate, span: ReportSpan
) -> Iterator[tuple[int, Iterable[ProductRow]]]:
    """Yield months with rows of products; a month may occur several times, with partial rows of a product."""
    first, last = compute_whole_months(span)
    count = COUNTED[kind]
    held = set()
    if first <= last:
        stale = rollup_store.list_marked_products(work, dates, first, last)
        for month, text in rollup_store.iterate_rollups(work, kind, dates, first, last):
            rows, marks = _parse_rows(text), stale.get(month)
            if marks is None:
                held.add(month)
                yield month, rows
            elif len(marks) * _FEW <= len(rows):
                held.add(month)
                yield month, [row for row in rows if row[0] not in marks]
                yield from _iterate_counted_rows(
                    count(work, dates, _compute_month_start(month), _compute_month_start(month + 1) - 1, marks)
                )
        for low, high in list_gaps(held, first, last):
            yield from _iterate_counted_rows(
                count(work, dates, _compute_month_start(low), _compute_month_start(high + 1) - 1)
            )
    for after, before in (
        [(span.after, _compute_month_start(first) - 1), (_compute_month_start(last + 1), span.before)]
        if first <= last
        else [span]
    ):
        if after <= before:
            yield from _iterate_counted_rows(count(work, dates, after, before))


def _iterate_counted_rows(months: ProductMonths) -> Iterator[tuple[int, Iterable[ProductRow]]]:
    return ((month, rows.values()) for month, rows in months.items())


def _compute_month_start(month: int) -> int:
    return rollup_store.compute_unit_start(MONTH, month)


def _is_default_filter(work: UnitOfWork, statuses: StatusFilter) -> bool:
    """Return whether the requested statuses are exactly those that the stored sums by product contain."""
    return statuses == StatusFilter(None, frozenset(get_excluded_statuses(work)))
