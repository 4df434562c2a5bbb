"""The intervals of a report: which ones a span has, their labels, and which one a row belongs to.

Local times throughout, as seconds in the site's zone; a row's interval is arithmetic that the database does as well.
Rules: docs/rules/analytics_rows.md, 8; docs/rules/analytics_measures.md, 4 and 5: the first begins with the span and
the last ends with it; the hour that the clocks skip is missing, the hour that comes twice is listed once and counted
twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal, NamedTuple

from sqlalchemy import BigInteger, ColumnElement, Table, literal_column

from vetrina.analytics.facts.reportable_orders import OrderDate
from vetrina.analytics.facts.rows import compute_month
from vetrina.backends.tables.analytics import fact_order
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.times import TimeZone

IntervalKind = Literal["hour", "day", "week", "month", "quarter", "year"]
KINDS: Final[tuple[IntervalKind, ...]] = ("hour", "day", "week", "month", "quarter", "year")
_HOUR: Final = 3600
_DAY: Final = 86_400
_WEEK: Final = 604_800
_FROM: Final = 62_135_596_800  # seconds from 0001-01-01, a Monday, to 1970: makes every local time non-negative
FIRST_DAY: Final = _FROM // _DAY  # the key of the day 1970-01-01
_MONTHS: Final = {"month": 1, "quarter": 3, "year": 12}
_DEFAULT: Final = 7 * _DAY
_MOST: Final = 100_000  # eleven years by the hour; ten thousand years of hours would keep a server busy for minutes


class TooManyIntervals(ApiError):
    failure, code = Failure.INVALID, "shop_analytics_too_many_intervals"
    message = "Between `after` and `before` are more than {most} intervals of one {kind}; take longer ones."


class ReportSpan(NamedTuple):
    """The period of a report: local times, both ends inclusive."""

    after: int
    before: int


@dataclass(frozen=True, slots=True)
class ReportInterval:
    """One interval. key: the value that rows are grouped by. start, end: local times, both inclusive."""

    key: int
    label: str
    start: int
    end: int


def parse_span(work: UnitOfWork, after: str | None, before: str | None) -> ReportSpan:
    """Return the span of two date texts; the last seven days up to now without them."""
    last = _parse_local_time(work, before) if before else work.local_now
    return ReportSpan(_parse_local_time(work, after) if after else work.local_now - _DEFAULT, last)


def _parse_local_time(work: UnitOfWork, text: str) -> int:
    try:
        parsed = times.parse_date_time(text)
    except times.DateTimeOutOfRange:
        return work.zone.parse_nearest(text)[0]
    return parsed.local_seconds if parsed.offset is None else work.zone.parse_nearest(text)[0]


def get_week_start(work: UnitOfWork) -> int:
    """Return the first day of the week, 0 for Monday."""
    return (int(work.option("start_of_week")) + 6) % 7


def compute_interval_key(kind: IntervalKind, local: int, start: int = 0) -> int:
    """Return the key of the interval that contains a local time. start: the first day of the week, 0 for Monday."""
    if kind in _MONTHS:
        return compute_month(local) // _MONTHS[kind]
    if kind == "week":
        return (local + _FROM + (-start % 7) * _DAY) // _WEEK
    return (local + _FROM) // (_HOUR if kind == "hour" else _DAY)


def build_key_expression(kind: IntervalKind, table: Table, dates: OrderDate, start: int = 0) -> ColumnElement[int]:
    """Return the same key as an expression over a fact table."""
    local, month = table.c[dates], table.c[f"{dates}_month"]
    if kind in _MONTHS:
        return month // _build_literal(_MONTHS[kind])
    if kind == "week":
        return (local + _build_literal(_FROM + (-start % 7) * _DAY)) // _build_literal(_WEEK)
    return (local + _build_literal(_FROM)) // _build_literal(_HOUR if kind == "hour" else _DAY)


def build_month_expression(dates: OrderDate) -> ColumnElement[int]:
    """Return the month index of an order as an expression."""
    column: ColumnElement[int] = fact_order.c[f"{dates}_month"]
    return column


def _build_literal(value: int) -> ColumnElement[int]:
    """Return an integer as a literal of the statement: in GROUP BY, bound values would count as different."""
    return literal_column(str(value), BigInteger)


def list_interval_keys(
    kind: IntervalKind, span: ReportSpan, zone: TimeZone, start: int = 0
) -> tuple[Sequence[int], int]:
    """Return the keys of the intervals of a span in chronological order, and how many the interface counts.

    start: the first day of the week, 0 for Monday. Raises TooManyIntervals.
    """
    if span.before < span.after:
        return (), 0
    keys = range(compute_interval_key(kind, span.after, start), compute_interval_key(kind, span.before, start) + 1)
    if len(keys) > _MOST:
        raise TooManyIntervals(kind=kind, most=_MOST, data={"params": {"interval": kind}})
    if kind != "hour":
        return keys, len(keys)
    skipped, twice = _find_changed_hours(keys, span, zone)
    return [key for key in keys if key not in skipped] if skipped else keys, len(keys) - len(skipped) + twice


def _find_changed_hours(keys: range, span: ReportSpan, zone: TimeZone) -> tuple[set[int], int]:
    """Return the hours of a span that the clocks skip, and how many occur twice."""
    skipped: set[int] = set()
    twice = 0
    day = _DAY // _HOUR
    for first in range(keys[0], keys[-1] + 1, day):
        # Where the days around these hours have the same offset from GMT, none is skipped or occurs twice.
        begin = first * _HOUR - _FROM
        if len({zone.offset(begin + at * _DAY) for at in (-1, 0, 1, 2)}) == 1:
            continue
        for key in range(first, min(first + day, keys[-1] + 1)):
            local = max(key * _HOUR - _FROM, span.after)
            gmt = zone.to_gmt(local)
            if zone.to_local(gmt) != local:
                skipped.add(key)
            else:
                twice += zone.to_local(gmt - _HOUR) == local
    return skipped, twice


def build_interval(kind: IntervalKind, key: int, span: ReportSpan, start: int = 0) -> ReportInterval:
    """Return one interval of a span by its key."""
    begin = max(_compute_start(kind, key, start), span.after)
    end = min(_compute_start(kind, key + 1, start) - 1, span.before)
    return ReportInterval(key, _format_label(kind, key, begin, start), begin, end)


def _compute_start(kind: IntervalKind, key: int, start: int) -> int:
    if kind in _MONTHS:
        year, month = divmod(key * _MONTHS[kind], 12)
        return _compute_month_start(year, month + 1)
    if kind == "week":
        return key * _WEEK - _FROM - (-start % 7) * _DAY
    return key * (_HOUR if kind == "hour" else _DAY) - _FROM


def _compute_month_start(year: int, month: int) -> int:
    if year > 9999:
        return times.parse_date_time("9999-12-31T23:59:59").local_seconds + 1
    return (date(max(year, 1), month, 1).toordinal() - 719_163) * _DAY


def _format_label(kind: IntervalKind, key: int, begin: int, start: int) -> str:
    written = times.format_iso(begin)
    match kind:
        case "hour":
            return f"{written[:10]} {written[11:13]}"
        case "day":
            return written[:10]
        case "month":
            return written[:7]
        case "quarter":
            return f"{written[:4]}-{key % 4 + 1}"
        case "year":
            return written[:4]
    day = date.fromisoformat(written[:10])
    if start == 0:
        year, week, _ = day.isocalendar()
        return f"{year:04d}-{week:02d}"
    first = date(day.year, 1, 1)
    number = (day.timetuple().tm_yday + (first.weekday() - start) % 7 - 1) // 7 + 1
    return f"{day.year:04d}-{number:02d}"
