"""The kept sums of orders over days and months, by status, as rows of their tables.

Not here: what they are made of and added up to (analytics/rollups/order_sums.py), how an order changes its day
(analytics/rollups/updates.py), which periods are kept (analytics/rollups/periods.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import and_, bindparam, delete, select

from vetrina.analytics.reports.measures import KEPT_LINE_SUMS, ORDER_SUMS
from vetrina.analytics.rollups import periods
from vetrina.analytics.rollups.periods import DAY
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, build_upsert, encode_list
from vetrina.backends.tables.rollups import rollup_orders as table, rollup_repeat
from vetrina.core.unit_of_work import UnitOfWork

ORDER_SUM_NAMES: Final = tuple(name for name in ORDER_SUMS if name != "customers")
SUM_NAMES: Final = (*ORDER_SUM_NAMES, *KEPT_LINE_SUMS)
NO_LINE_SUMS: Final = (0,) * len(KEPT_LINE_SUMS)
MEMBERS: Final = ("customer", "coupon", "product", "variation")  # what sets of ids are kept of
# Reports on lines go by this date alone: by the others neither the sums of lines are kept, nor sets of these.
LINE_DATE: Final = "created"
LINE_MEMBERS: Final = ("variation",)

_ALL_MEMBERS: Final = encode_list(MEMBERS)

Repeat = tuple[str, str, int]  # status, member, id


@dataclass(slots=True)
class StatusSums:
    """The orders of one status over a period. sums: by SUM_NAMES. sets: of ids by MEMBERS, packed."""

    sums: list[int]
    sets: list[bytes]


@dataclass(slots=True)
class OrderPeriod:
    """The orders of a day or a month. statuses: sums by status. repeats: of a day, how many rows have an id.

    An id that a single row has is not among the repeats; neither are those of a month, which is not updated.
    """

    statuses: dict[str, StatusSums]
    repeats: dict[Repeat, int]


_KEY: Final = ("kind", "dates", "unit", "status")
_VALUES: Final = (*SUM_NAMES, "customer_ids", "coupon_ids", "product_ids", "variation_ids")
_COUNT: Final = len(SUM_NAMES)
_columns = tuple(table.c[name] for name in _VALUES)
_of_kind = and_(table.c.kind == bindparam("kind"), table.c.dates == bindparam("dates"))
_SUMS = Statement(
    select(table.c.unit, table.c.status, *_columns).where(
        _of_kind, table.c.unit >= bindparam("first"), table.c.unit <= bindparam("last")
    )
)
_DAYS = Statement(
    select(table.c.dates, table.c.unit, table.c.status, *_columns).where(
        table.c.kind == DAY, InList(table.c.dates, "every_date"), InList(table.c.unit, "days"),
        InList(table.c.status, "statuses"),
    )
)  # fmt: skip
_SAVE = Statement(
    build_upsert(
        table, _KEY, {name: bindparam(name) for name in (*_KEY, *_VALUES)}, {name: bindparam(name) for name in _VALUES}
    )
)
_DELETE_STATUS = Statement(
    delete(table).where(_of_kind, table.c.unit == bindparam("unit"), table.c.status == bindparam("status"))
)
_DELETE = Statement(delete(table).where(_of_kind, table.c.unit == bindparam("unit")))
_r = rollup_repeat.c
_REPEATS = Statement(
    select(_r.status, _r.member, _r.id, _r.times).where(_r.dates == bindparam("dates"), _r.day == bindparam("day"))
)
_SOME_REPEATS = Statement(
    select(rollup_repeat).where(
        InList(_r.dates, "every_date"), InList(_r.day, "days"), InList(_r.status, "statuses"),
        InList(_r.member, "members"), InList(_r.id, "ids"),
    )
)  # fmt: skip
_of_repeat = and_(
    _r.dates == bindparam("dates"), _r.day == bindparam("day"), _r.status == bindparam("status"),
    _r.member == bindparam("member"), _r.id == bindparam("id"),
)  # fmt: skip
_SAVE_REPEAT = Statement(
    build_upsert(
        rollup_repeat, ("dates", "day", "status", "member", "id"),
        {column.name: bindparam(column.name) for column in _r}, {"times": bindparam("times")},
    )
)  # fmt: skip
_DELETE_REPEAT = Statement(delete(rollup_repeat).where(_of_repeat))
_DELETE_REPEATS = Statement(delete(rollup_repeat).where(_r.dates == bindparam("dates"), _r.day == bindparam("day")))


def iterate_status_sums(
    work: UnitOfWork, kind: str, dates: str, first: int, last: int
) -> Iterator[tuple[int, str, StatusSums]]:
    """Yield the kept sums of days or months: unit, status, sums."""
    for unit, status, *values in work.tx.all(_SUMS, kind=kind, dates=dates, first=first, last=last):
        yield unit, status, StatusSums(values[:_COUNT], values[_COUNT:])


def load_order_period(work: UnitOfWork, kind: str, dates: str, unit: int) -> OrderPeriod:
    """Return what is kept of a day or a month."""
    statuses = {status: sums for _, status, sums in iterate_status_sums(work, kind, dates, unit, unit)}
    rows = work.tx.all(_REPEATS, dates=dates, day=unit) if kind == DAY else ()
    return OrderPeriod(statuses, {(status, member, id): times for status, member, id, times in rows})


def list_days(
    work: UnitOfWork, days: Iterable[tuple[str, int]], statuses: Iterable[str], ids: Iterable[int]
) -> dict[tuple[str, int], OrderPeriod]:
    """Return days that are kept, by date and day, with their sums of some statuses and their repeats of some ids."""
    out = {day: OrderPeriod({}, {}) for day in days}
    bound = {
        "every_date": encode_list({dates for dates, _ in out}), "days": encode_list({day for _, day in out}),
        "statuses": encode_list(statuses), "members": _ALL_MEMBERS,
    }  # fmt: skip
    for dates, day, status, *values in work.tx.all(_DAYS, **bound):
        if (dates, day) in out:
            out[dates, day].statuses[status] = StatusSums(values[:_COUNT], values[_COUNT:])
    for dates, day, status, member, id, times in work.tx.all(_SOME_REPEATS, **bound, ids=encode_list(ids)):
        if (dates, day) in out:
            out[dates, day].repeats[status, member, id] = times
    return out


def save_order_period(work: UnitOfWork, kind: str, dates: str, unit: int, period: OrderPeriod) -> None:
    """Keep a day or a month; nothing is kept of it yet."""
    work.tx.load(
        table,
        [(kind, dates, unit, status, *one.sums, *one.sets) for status, one in period.statuses.items()],
    )
    work.tx.load(rollup_repeat, [(dates, unit, *key, times) for key, times in period.repeats.items()])
    periods.add_period(work, kind, dates, unit)


def write_day_changes(
    work: UnitOfWork,
    dates: str,
    day: int,
    statuses: Mapping[str, StatusSums | None],
    repeats: Mapping[Repeat, int | None],
) -> None:
    """Change rows of a kept day; None: the row goes."""
    for status, one in statuses.items():
        key = {"kind": DAY, "dates": dates, "unit": day, "status": status}
        if one is None:
            work.tx.run(_DELETE_STATUS, **key)
        else:
            work.tx.run(_SAVE, **key, **dict(zip(_VALUES, (*one.sums, *one.sets), strict=True)))
    for (status, member, id), times in repeats.items():
        values: dict[str, Any] = {"dates": dates, "day": day, "status": status, "member": member, "id": id}
        if times is None:
            work.tx.run(_DELETE_REPEAT, **values)
        else:
            work.tx.run(_SAVE_REPEAT, **values, times=times)


def delete_order_period(work: UnitOfWork, kind: str, dates: str, unit: int) -> None:
    """Forget a day or a month."""
    periods.forget_period(work, kind, dates, unit)
    work.tx.run(_DELETE, kind=kind, dates=dates, unit=unit)
    if kind == DAY:
        work.tx.run(_DELETE_REPEATS, dates=dates, day=unit)
