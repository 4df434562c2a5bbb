"""What products came to over a span, put together from kept months, from marked products, and from the ends.

Only for the statuses that count by the shop's setting, and where no other filter is set: what is kept is made of those.
Whatever is kept, the figures are those of the full computation (a property test compares them). Not here: counting from
rows (analytics/rollups/product_months.py), when months are kept (analytics/rollups/jobs.py). Rules: facts, "Segments".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

import orjson

from vetrina.analytics.facts.reportable_orders import Dates, excluded
from vetrina.analytics.reports.conditions import Statuses
from vetrina.analytics.reports.definitions import segment_row
from vetrina.analytics.reports.intervals import Kind, Span, key_of
from vetrina.analytics.rollups import product_months
from vetrina.analytics.rollups import store as rollup_store
from vetrina.analytics.rollups.product_months import Months, Row
from vetrina.analytics.rollups.store import MONTH, YEAR, gaps, whole_months
from vetrina.core.unit_of_work import Work

__all__ = ["COUNTED", "Rows", "computed", "computed_year", "renewed", "renewed_year", "sold", "texts", "told",
           "year_text"]  # fmt: skip

_SIZE: Final = len(product_months.SUMS) + 1  # the members of a row before its customers
_FEW: Final = 50  # where marked products are one in so many or more, counting the whole month is not dearer

Rows = dict[int, Row]  # by product
Count = Callable[..., Months]
COUNTED: Final[dict[str, Count]] = {"sold": product_months.sold, "parts": product_months.parts}


def sold(work: Work, statuses: Statuses, span: Span) -> dict[int, Row] | None:
    """Return what was sold of each product: number, pieces, net, orders, the local time of the newest line.

    None where the span has no whole month, or other statuses are asked for than count.
    """
    first, last = whole_months(span)
    if last < first or not _is_usual(work, statuses):
        return None
    out: dict[int, Row] = {}
    for _, found in _parts_of(work, "sold", "created", span):
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


def told(
    work: Work, statuses: Statuses, dates: Dates, kind: Kind | None, span: Span, keys: Iterable[int]
) -> list[dict[int, str]] | None:
    """Return the measures of products as JSON: of each interval that is asked for, of the whole span without a kind.

    keys: of the intervals, one for the whole span. None where intervals are shorter than months, the span has no whole
    one, or other statuses are asked for than count.
    """
    first, last = whole_months(span)
    if kind in ("hour", "day", "week") or last < first or not _is_usual(work, statuses):
        return None
    if kind == "month":
        return _by_month(work, dates, span, list(keys))
    wanted = list(keys)
    year = _is_year(span) if kind is None else None
    whole = None if year is None else _of_year(work, dates, year)
    if whole is not None:
        return [whole]
    groups: list[dict[int, list[Row]]] = [{} for _ in wanted]
    place = {key: at for at, key in enumerate(wanted)}
    for month, found in _parts_of(work, "parts", dates, span):
        at = 0 if kind is None else place.get(key_of(kind, _begin(month)), -1)
        if at >= 0:
            for row in found:
                groups[at].setdefault(row[0], []).append(row)
    return [{id: _written(_joined(rows)) for id, rows in group.items()} for group in groups]


def _by_month(work: Work, dates: Dates, span: Span, keys: list[int]) -> list[dict[int, str]]:
    first, last = whole_months(span)
    whole = [key for key in keys if first <= key <= last]
    low, high = (min(whole), max(whole)) if whole else (1, 0)
    lines = {unit: text for unit, text in rollup_store.kept(work, "segments", dates, low, high) if unit in set(whole)}
    stale = rollup_store.marked(work, dates, low, high)
    out = []
    for key in keys:
        after, before = max(_begin(key), span.after), min(_begin(key + 1) - 1, span.before)
        found = _lines_of(lines[key]) if key in lines else {}
        few = stale.get(key, set())
        marks: set[int] | None = few
        if key not in lines or len(few) * _FEW > len(found):
            found, marks = {}, None
        rows = product_months.parts(work, dates, after, before, marks).get(key, {}) if marks != set() else {}
        for id in marks or ():
            found.pop(id, None)
        found.update((id, _written(row)) for id, row in rows.items())
        out.append(found)
    return out


def _is_year(span: Span) -> int | None:
    """Return the year that a span is, None where it is none."""
    year = rollup_store.number_of(YEAR, span.after)
    ends = rollup_store.begin(YEAR, year), rollup_store.begin(YEAR, year + 1) - 1
    return year if (span.after, span.before) == ends else None


def _of_year(work: Work, dates: Dates, year: int) -> dict[int, str] | None:
    """Return the measures of products over a year; None where it is not kept, or too much of it is marked."""
    text = rollup_store.text_of(work, YEAR, dates, year)
    if text is None:
        return None
    found = _lines_of(text)
    stale = rollup_store.marked(work, dates, year * 12, year * 12 + 11)
    marks: set[int] = set().union(*stale.values())
    if len(marks) * _FEW > len(found):
        return None
    for id in marks:
        found.pop(id, None)
    if marks:
        begin, end = rollup_store.begin(YEAR, year), rollup_store.begin(YEAR, year + 1) - 1
        found.update(_whole_lines(product_months.parts(work, dates, begin, end, marks).values()))
    return found


def _whole_lines(months: Iterable[Rows]) -> dict[int, str]:
    rows: dict[int, list[Row]] = {}
    for month in months:
        for id, row in month.items():
            rows.setdefault(id, []).append(row)
    return {id: _written(_joined(some)) for id, some in rows.items()}


def year_text(work: Work, dates: Dates, year: int) -> str:
    """Return what is kept of a year, by its months."""
    span = Span(rollup_store.begin(YEAR, year), rollup_store.begin(YEAR, year + 1) - 1)
    parts = _parts_of(work, "parts", dates, span)
    return _text(_whole_lines({row[0]: row for row in rows} for _, rows in parts))


def computed_year(work: Work, dates: Dates, year: int) -> str:
    """Return the same by the rows themselves."""
    return _text(_whole_lines(computed(work, "parts", dates, range(year * 12, year * 12 + 12)).values()))


def renewed_year(work: Work, dates: Dates, year: int, text: str, marks: Iterable[int]) -> str:
    """Return what is kept of a year with marked products counted anew."""
    found, gone = _lines_of(text), set(marks)
    for id in gone:
        found.pop(id, None)
    begin, end = rollup_store.begin(YEAR, year), rollup_store.begin(YEAR, year + 1) - 1
    return _text(found | _whole_lines(product_months.parts(work, dates, begin, end, gone).values()))


def _text(lines: Mapping[int, str]) -> str:
    return "\n".join(f"{id} {lines[id]}" for id in sorted(lines))


def texts(kind: str, rows: Rows) -> dict[str, str]:
    """Return what is kept of a month: by kind, for the measures of segments are kept beside their sums."""
    out = {kind: rollup_store.said({"products": [rows[id] for id in sorted(rows)]} if rows else {})}
    if kind == "parts":
        out["segments"] = _text({id: _written(row) for id, row in rows.items()})
    return out


def renewed(work: Work, kind: str, dates: Dates, month: int, text: str, marks: Iterable[int]) -> Rows:
    """Return the rows of a month that is kept, with those of marked products counted anew."""
    gone = set(marks)
    rows = {row[0]: row for row in _rows_of(text) if row[0] not in gone}
    return rows | COUNTED[kind](work, dates, _begin(month), _begin(month + 1) - 1, gone).get(month, {})


def _lines_of(text: str) -> dict[int, str]:
    """Return the measures of products that are kept of a month, each as JSON."""
    out = {}
    for line in text.split("\n") if text else ():
        id, _, said = line.partition(" ")
        out[int(id)] = said
    return out


def _rows_of(text: str) -> list[Row]:
    """Return the rows that are kept of a month."""
    found: list[Row] = orjson.loads(text).get("products", [])
    return found


def _written(row: Row) -> str:
    """Return the measures of a row of `parts` as JSON."""
    return orjson.dumps(segment_row((*row[1:_SIZE], len(row[_SIZE]), len(row[_SIZE + 1])))).decode()


def _joined(rows: list[Row]) -> Row:
    """Return the row of several months."""
    if len(rows) == 1:
        return rows[0]
    columns = list(zip(*rows, strict=True))
    sums = [sum(column) for column in columns[1:_SIZE]]
    return [rows[0][0], *sums, set().union(*columns[_SIZE]), set().union(*columns[_SIZE + 1])]


def computed(work: Work, kind: str, dates: Dates, months: Iterable[int]) -> Months:
    """Return what months come to by the rows themselves; those without rows are missing."""
    out: Months = {}
    for month in months:
        out |= COUNTED[kind](work, dates, _begin(month), _begin(month + 1) - 1)
    return out


def _parts_of(work: Work, kind: str, dates: Dates, span: Span) -> Iterator[tuple[int, Iterable[Row]]]:
    """Yield months with rows of products; a month comes several times, and no row of a product says it whole."""
    first, last = whole_months(span)
    count = COUNTED[kind]
    held = set()
    if first <= last:
        stale = rollup_store.marked(work, dates, first, last)
        for month, text in rollup_store.kept(work, kind, dates, first, last):
            rows, marks = _rows_of(text), stale.get(month)
            if marks is None:
                held.add(month)
                yield month, rows
            elif len(marks) * _FEW <= len(rows):
                held.add(month)
                yield month, [row for row in rows if row[0] not in marks]
                yield from _counted(count(work, dates, _begin(month), _begin(month + 1) - 1, marks))
        for low, high in gaps(held, first, last):
            yield from _counted(count(work, dates, _begin(low), _begin(high + 1) - 1))
    for after, before in (
        [(span.after, _begin(first) - 1), (_begin(last + 1), span.before)] if first <= last else [span]
    ):
        if after <= before:
            yield from _counted(count(work, dates, after, before))


def _counted(found: Months) -> Iterator[tuple[int, Iterable[Row]]]:
    return ((month, rows.values()) for month, rows in found.items())


def _begin(month: int) -> int:
    return rollup_store.begin(MONTH, month)


def _is_usual(work: Work, statuses: Statuses) -> bool:
    """Say whether exactly those statuses are asked for that the sums by product are made of."""
    return statuses == Statuses(None, frozenset(excluded(work)))
