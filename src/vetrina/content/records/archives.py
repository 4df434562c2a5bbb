"""When posts were published: the years, months, weeks and days that have some, and how many.

Not here: how archives look (content/blocks/list_blocks.py, content/blocks/calendar_block.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from sqlalchemy import BigInteger, ColumnElement, bindparam, func, literal_column, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.core import record
from vetrina.core.unit_of_work import Work

__all__ = ["Period", "days_of", "first_of_week", "next_moment", "periods"]

_DAY: Final = 86_400
_BEFORE_1970: Final = 719_162  # days from the year 1 to 1970, so that division never meets a number below zero
# Written out, not bound: a database that groups by it must see that it is the same each time.
_NUMBER: Final[ColumnElement[int]] = literal_column(f"(date + {_BEFORE_1970 * _DAY}) / {_DAY}", BigInteger)
_OF_POSTS: Final = (
    record.c.type == "post",
    record.c.status == "publish",
    record.c.language == bindparam("language"),
)
_DAYS = Statement(select(_NUMBER, func.count()).where(*_OF_POSTS).group_by(_NUMBER).order_by(_NUMBER))
_DAYS_BETWEEN = Statement(
    select(_NUMBER, func.count())
    .where(*_OF_POSTS, record.c.date >= bindparam("first"), record.c.date < bindparam("end"))
    .group_by(_NUMBER)
)
_LAST_BEFORE = Statement(select(func.max(record.c.date)).where(*_OF_POSTS, record.c.date < bindparam("at")))
_FIRST_FROM = Statement(select(func.min(record.c.date)).where(*_OF_POSTS, record.c.date >= bindparam("at")))


@dataclass(slots=True)
class Period:
    """A span of time with posts. first, last: its first and last day, as local seconds at their beginning."""

    kind: str
    year: int
    month: int
    week: int
    first: int
    last: int
    count: int


_Key = Callable[[date], tuple[int, ...]]
_KEYS: Final[Mapping[str, _Key]] = {
    "yearly": lambda day: (day.year,),
    "monthly": lambda day: (day.year, day.month),
    "weekly": lambda day: (day.toordinal(),),
    "daily": lambda day: (day.toordinal(),),
}


def periods(work: Work, kind: str) -> list[Period]:
    """Return the spans of time that have published posts, the newest first; kind: yearly, monthly, weekly or daily."""
    work.uses("post")
    key, start = _KEYS[kind], int(work.option("start_of_week")) % 7
    found: dict[tuple[int, ...], Period] = {}
    for number, count in work.tx.all(_DAYS, language=work.language):
        day = date.fromordinal(int(number) + 1)
        if kind == "weekly":
            day -= timedelta(days=(day.isoweekday() - start) % 7)
        known = found.get(key(day))
        if known is None:
            known = found[key(day)] = _period(kind, day)
        known.count += count
    return list(reversed(found.values()))


def first_of_week(work: Work, year: int, week: int) -> date:
    """Return the first day of a week, by the numbers that `periods` gives it. Raises ValueError for none."""
    earliest = date.fromisocalendar(year, week, 1) - timedelta(days=3)
    return earliest + timedelta(days=(int(work.option("start_of_week")) - earliest.isoweekday()) % 7)


def days_of(work: Work, year: int, month: int) -> dict[int, int]:
    """Return how many posts each day of a month has, by the day's number; days without posts are left out."""
    work.uses("post")
    first, end = _seconds(date(year, month, 1)), _seconds(_month_after(date(year, month, 1)))
    rows = work.tx.all(_DAYS_BETWEEN, language=work.language, first=first, end=end)
    return {date.fromordinal(int(number) + 1).day: count for number, count in rows}


def next_moment(work: Work, year: int, month: int) -> tuple[date | None, date | None]:
    """Return the days of the last post before a month and of the first one after it."""
    work.uses("post")
    this = date(year, month, 1)
    before = work.tx.value(_LAST_BEFORE, language=work.language, at=_seconds(this))
    after = work.tx.value(_FIRST_FROM, language=work.language, at=_seconds(_month_after(this)))
    return _day(before), _day(after)


def _period(kind: str, day: date) -> Period:
    first = last = day
    if kind == "weekly":
        last = first + timedelta(days=6)
    # A week belongs to the year in which most of it lies, whatever day it begins with.
    year, week = (day + timedelta(days=3 if kind == "weekly" else 0)).isocalendar()[:2]
    return Period(
        kind, year if kind == "weekly" else day.year, day.month, week, _seconds(first), _seconds(last), count=0
    )


def _month_after(first: date) -> date:
    return (first + timedelta(days=32)).replace(day=1)


def _seconds(day: date) -> int:
    return (day.toordinal() - 1 - _BEFORE_1970) * _DAY


def _day(local: int | None) -> date | None:
    return None if local is None else date.fromordinal(local // _DAY + _BEFORE_1970 + 1)
