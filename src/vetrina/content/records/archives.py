"""Date archives: the years, months, weeks and days that have published posts, with their counts.

Not here: how archives are rendered (content/blocks/list_blocks.py, content/blocks/calendar_block.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from sqlalchemy import BigInteger, ColumnElement, bindparam, func, literal_column, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.records import record
from vetrina.core.unit_of_work import UnitOfWork

_DAY_SECONDS: Final = 86_400
_BEFORE_1970: Final = 719_162  # days from year 1 to 1970, so that the dividend is never negative
# A literal, not a bound value: the database must see the same expression in SELECT and GROUP BY.
_DAY_NUMBER: Final[ColumnElement[int]] = literal_column(
    f"(date + {_BEFORE_1970 * _DAY_SECONDS}) / {_DAY_SECONDS}", BigInteger
)
_OF_POSTS: Final = (
    record.c.type == "post",
    record.c.status == "publish",
    record.c.language == bindparam("language"),
)
_DAYS = Statement(select(_DAY_NUMBER, func.count()).where(*_OF_POSTS).group_by(_DAY_NUMBER).order_by(_DAY_NUMBER))
_DAYS_BETWEEN = Statement(
    select(_DAY_NUMBER, func.count())
    .where(*_OF_POSTS, record.c.date >= bindparam("first"), record.c.date < bindparam("end"))
    .group_by(_DAY_NUMBER)
)
_LAST_BEFORE = Statement(select(func.max(record.c.date)).where(*_OF_POSTS, record.c.date < bindparam("at")))
_FIRST_FROM = Statement(select(func.min(record.c.date)).where(*_OF_POSTS, record.c.date >= bindparam("at")))


@dataclass(slots=True)
class ArchivePeriod:
    """A period with posts. first, last: its first and last day, as local seconds at midnight."""

    kind: str
    year: int
    month: int
    week: int
    first: int
    last: int
    count: int


_PeriodKey = Callable[[date], tuple[int, ...]]
_KEYS: Final[Mapping[str, _PeriodKey]] = {
    "yearly": lambda day: (day.year,),
    "monthly": lambda day: (day.year, day.month),
    "weekly": lambda day: (day.toordinal(),),
    "daily": lambda day: (day.toordinal(),),
}


def list_archive_periods(work: UnitOfWork, kind: str) -> list[ArchivePeriod]:
    """Return the periods that have published posts, newest first; kind: yearly, monthly, weekly or daily."""
    work.uses("post")
    key, start = _KEYS[kind], int(work.option("start_of_week")) % 7
    found: dict[tuple[int, ...], ArchivePeriod] = {}
    for number, count in work.tx.all(_DAYS, language=work.language):
        day = date.fromordinal(int(number) + 1)
        if kind == "weekly":
            day -= timedelta(days=(day.isoweekday() - start) % 7)
        known = found.get(key(day))
        if known is None:
            known = found[key(day)] = _build_period(kind, day)
        known.count += count
    return list(reversed(found.values()))


def compute_week_start(work: UnitOfWork, year: int, week: int) -> date:
    """Return the first day of a week, numbered as in `list_archive_periods`. Raises ValueError for an unknown week."""
    earliest = date.fromisocalendar(year, week, 1) - timedelta(days=3)
    return earliest + timedelta(days=(int(work.option("start_of_week")) - earliest.isoweekday()) % 7)


def count_posts_by_day(work: UnitOfWork, year: int, month: int) -> dict[int, int]:
    """Return the number of posts per day of a month, by day of the month; days without posts are left out."""
    work.uses("post")
    first, end = _date_to_seconds(date(year, month, 1)), _date_to_seconds(_compute_next_month(date(year, month, 1)))
    rows = work.tx.all(_DAYS_BETWEEN, language=work.language, first=first, end=end)
    return {date.fromordinal(int(number) + 1).day: count for number, count in rows}


def find_adjacent_days(work: UnitOfWork, year: int, month: int) -> tuple[date | None, date | None]:
    """Return the days of the last post before a month and of the first one after it."""
    work.uses("post")
    this = date(year, month, 1)
    before = work.tx.value(_LAST_BEFORE, language=work.language, at=_date_to_seconds(this))
    after = work.tx.value(_FIRST_FROM, language=work.language, at=_date_to_seconds(_compute_next_month(this)))
    return _seconds_to_date(before), _seconds_to_date(after)


def _build_period(kind: str, day: date) -> ArchivePeriod:
    first = last = day
    if kind == "weekly":
        last = first + timedelta(days=6)
    # A week belongs to the year that has most of its days, whatever weekday it starts on.
    year, week = (day + timedelta(days=3 if kind == "weekly" else 0)).isocalendar()[:2]
    return ArchivePeriod(
        kind,
        year if kind == "weekly" else day.year,
        day.month,
        week,
        _date_to_seconds(first),
        _date_to_seconds(last),
        count=0,
    )


def _compute_next_month(first: date) -> date:
    return (first + timedelta(days=32)).replace(day=1)


def _date_to_seconds(day: date) -> int:
    return (day.toordinal() - 1 - _BEFORE_1970) * _DAY_SECONDS


def _seconds_to_date(local: int | None) -> date | None:
    return None if local is None else date.fromordinal(local // _DAY_SECONDS + _BEFORE_1970 + 1)
