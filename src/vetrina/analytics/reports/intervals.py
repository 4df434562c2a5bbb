"""The intervals of a report: which there are between two moments, what they are called, in which one a row falls.

Local times throughout, as seconds of the site's zone; a row's interval is arithmetic that the database does as well.
Rules: facts, "Intervals": the first begins with the span and the last ends with it; the hour that the clocks skip is
not there, the hour that comes twice is listed once and counted twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal, NamedTuple

from sqlalchemy import BigInteger, ColumnElement, Table, literal_column

from vetrina.analytics.facts.reportable_orders import Dates
from vetrina.analytics.facts.rows import month_of
from vetrina.backends.tables.analytics import fact_order
from vetrina.core.unit_of_work import Work
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError
from vetrina.kernel.times import Zone

__all__ = [
    "KINDS",
    "Interval",
    "Kind",
    "Span",
    "TooManyIntervals",
    "bucket",
    "interval_of",
    "key_of",
    "keys_of",
    "month_expression",
    "span_of",
    "week_start",
]

Kind = Literal["hour", "day", "week", "month", "quarter", "year"]
KINDS: Final[tuple[Kind, ...]] = ("hour", "day", "week", "month", "quarter", "year")
_HOUR: Final = 3600
_DAY: Final = 86_400
_WEEK: Final = 604_800
_FROM: Final = 62_135_596_800  # seconds from 0001-01-01, a Monday, to 1970: no local time is below zero with them
_MONTHS: Final = {"month": 1, "quarter": 3, "year": 12}
_DEFAULT: Final = 7 * _DAY
_MOST: Final = 100_000  # eleven years by the hour; ten thousand years of hours would keep a server busy for minutes


class TooManyIntervals(ApiError):
    status, code = 400, "shop_analytics_too_many_intervals"
    message = "Between `after` and `before` are more than {most} intervals of one {kind}; take longer ones."


class Span(NamedTuple):
    """What a report is about: local times, both ends in it."""

    after: int
    before: int


@dataclass(frozen=True, slots=True)
class Interval:
    """One interval. key: the number by which rows are grouped. start, end: local times, both ends in it."""

    key: int
    label: str
    start: int
    end: int


def span_of(work: Work, after: str | None, before: str | None) -> Span:
    """Return the span that two texts write; without them the last seven days up to now."""
    last = _local(work, before) if before else work.local_now
    return Span(_local(work, after) if after else work.local_now - _DEFAULT, last)


def _local(work: Work, written: str) -> int:
    try:
        parsed = times.parse(written)
    except times.Impossible:
        return work.zone.nearest(written)[0]
    return parsed.local_seconds if parsed.offset is None else work.zone.nearest(written)[0]


def week_start(work: Work) -> int:
    """Return the day that weeks begin with, 0 for Monday."""
    return (int(work.option("start_of_week")) + 6) % 7


def key_of(kind: Kind, local: int, start: int = 0) -> int:
    """Return the number of the interval that a local time is in. start: the first day of weeks, 0 for Monday."""
    if kind in _MONTHS:
        return month_of(local) // _MONTHS[kind]
    if kind == "week":
        return (local + _FROM + (-start % 7) * _DAY) // _WEEK
    return (local + _FROM) // (_HOUR if kind == "hour" else _DAY)


def bucket(kind: Kind, table: Table, dates: Dates, start: int = 0) -> ColumnElement[int]:
    """Return the same number as an expression over a table of facts."""
    local, month = table.c[dates], table.c[f"{dates}_month"]
    if kind in _MONTHS:
        return month // _number(_MONTHS[kind])
    if kind == "week":
        return (local + _number(_FROM + (-start % 7) * _DAY)) // _number(_WEEK)
    return (local + _number(_FROM)) // _number(_HOUR if kind == "hour" else _DAY)


def month_expression(dates: Dates) -> ColumnElement[int]:
    """Return the number of the month of an order."""
    column: ColumnElement[int] = fact_order.c[f"{dates}_month"]
    return column


def _number(value: int) -> ColumnElement[int]:
    """Return a number as part of a statement's text: it is grouped by, and bound values are told apart there."""
    return literal_column(str(value), BigInteger)


def keys_of(kind: Kind, span: Span, zone: Zone, start: int = 0) -> tuple[Sequence[int], int]:
    """Return the keys of the intervals of a span in the order of time, and how many the interface counts.

    start: the first day of weeks, 0 for Monday. Raises TooManyIntervals.
    """
    if span.before < span.after:
        return (), 0
    keys = range(key_of(kind, span.after, start), key_of(kind, span.before, start) + 1)
    if len(keys) > _MOST:
        raise TooManyIntervals(kind=kind, most=_MOST, data={"params": {"interval": kind}})
    if kind != "hour":
        return keys, len(keys)
    skipped, twice = _changed_hours(keys, span, zone)
    return [key for key in keys if key not in skipped] if skipped else keys, len(keys) - len(skipped) + twice


def _changed_hours(keys: range, span: Span, zone: Zone) -> tuple[set[int], int]:
    """Return the hours of a span that the clocks skip, and how many come twice."""
    skipped: set[int] = set()
    twice = 0
    day = _DAY // _HOUR
    for first in range(keys[0], keys[-1] + 1, day):
        # Where the days around these hours are as far ahead of GMT, none is skipped or comes twice.
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


def interval_of(kind: Kind, key: int, span: Span, start: int = 0) -> Interval:
    """Return one interval of a span by its key."""
    begin = max(_begin(kind, key, start), span.after)
    end = min(_begin(kind, key + 1, start) - 1, span.before)
    return Interval(key, _label(kind, key, begin, start), begin, end)


def _begin(kind: Kind, key: int, start: int) -> int:
    if kind in _MONTHS:
        year, month = divmod(key * _MONTHS[kind], 12)
        return _day(year, month + 1)
    if kind == "week":
        return key * _WEEK - _FROM - (-start % 7) * _DAY
    return key * (_HOUR if kind == "hour" else _DAY) - _FROM


def _day(year: int, month: int) -> int:
    if year > 9999:
        return times.parse("9999-12-31T23:59:59").local_seconds + 1
    return (date(max(year, 1), month, 1).toordinal() - 719_163) * _DAY


def _label(kind: Kind, key: int, begin: int, start: int) -> str:
    written = times.iso(begin)
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
