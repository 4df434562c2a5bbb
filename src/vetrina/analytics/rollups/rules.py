"""Sums of orders over whole days and months, kept while no row of theirs changes.

A kept sum is what the full computation gives for its day, by status; an order that is written anew carries its days on
and forgets its months (analytics/rollups/updates.py). What is not kept is worked out when it is asked for, so that a
report is the same whatever is kept. Not here: reports that need other rows than those of a status
(analytics/reports/engine.py), sums by product (analytics/rollups/product_spans.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

import orjson
from sqlalchemy import BigInteger, ColumnElement, and_, bindparam, literal_column, select

from vetrina.analytics.facts.reportable_orders import KINDS, Dates
from vetrina.analytics.reports.conditions import Statuses
from vetrina.analytics.reports.definitions import ORDER_SUMS
from vetrina.analytics.reports.intervals import Kind, Span, key_of
from vetrina.analytics.rollups import store as rollup_store
from vetrina.analytics.rollups.id_sets import Union, packed
from vetrina.analytics.rollups.store import DAY, MONTH, Unit, gaps
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Collected
from vetrina.backends.tables.analytics import fact_coupon, fact_line, fact_order
from vetrina.core.unit_of_work import Work

__all__ = ["ADDED", "AGAIN", "SETS", "computed", "computed_month", "month_of_days", "order_sums"]

_SECONDS: Final = 86_400
_o, _l, _c = fact_order.c, fact_line.c, fact_coupon.c
ADDED: Final = tuple(name for name in ORDER_SUMS if name != "customers")
SETS: Final = ("customers", "coupons_count", "products")
AGAIN: Final = "again"  # of a day: by the name of a set, how many rows have a number of it, where more than one has
_JOINED: Final = {
    "coupons_count": (fact_order.join(fact_coupon, _c.order == _o.id), _c.coupon),
    "products": (fact_order.join(fact_line, _l.order == _o.id), _l.product),
}
_LATER: Final = {
    dates: Statement(
        select(_o.id)
        .where(_o[dates] > bindparam("after"), _o[dates] < bindparam("before"))
        .order_by(_o[dates])
        .limit(1)
    )
    for dates in KINDS
}


def _number(value: int) -> ColumnElement[int]:
    return literal_column(str(value), BigInteger)


def _by_day_and_status(dates: Dates, source: Any, *columns: ColumnElement[Any]) -> Statement:
    local = _o[dates]
    day = ((local + _number(_SECONDS * 719_162)) // _number(_SECONDS) - _number(719_162)).label("day")
    where = and_(local >= bindparam("after"), local <= bindparam("before"))
    return Statement(select(day, _o.status, *columns).select_from(source).where(where).group_by("day", _o.status))


_SUMS: Final = {
    dates: _by_day_and_status(
        dates, fact_order, *(ORDER_SUMS[name] for name in ADDED), Collected(_o.customer, once=False)
    )
    for dates in KINDS
}
_NUMBERS: Final = {
    (name, dates): _by_day_and_status(dates, source, Collected(column, once=False))
    for name, (source, column) in _JOINED.items()
    for dates in KINDS
}


def order_sums(
    work: Work, statuses: Statuses, dates: Dates, kind: Kind | None, span: Span, start: int, total: int
) -> dict[int, dict[str, int]] | None:
    """Return the sums of orders by interval, of the whole span by `total` where kind is None.

    None where the span has no whole day, or intervals are shorter than days.
    """
    first, last = _whole_days(work, dates, span)
    if kind == "hour" or last < first:
        return None
    added: dict[int, list[int]] = {}
    sets: dict[int, tuple[Union, ...]] = {}
    for begin, unit in _units(work, dates, span, first, last, kind not in ("day", "week")):
        key = total if kind is None else key_of(kind, begin, start)
        if key not in added:
            added[key], sets[key] = [0] * len(ADDED), (Union(), Union(), Union())
        for status, held in unit.items():
            if statuses.take(status):
                added[key] = [one + other for one, other in zip(added[key], held["sums"], strict=True)]
                for name, into in zip(SETS, sets[key], strict=True):
                    into.add(held[name])
    return {
        key: {
            **dict(zip(ADDED, sums, strict=True)),
            **{name: len(one) for name, one in zip(SETS, sets[key], strict=True)},
        }
        for key, sums in added.items()
        if sums[0]
    }


def _whole_days(work: Work, dates: Dates, span: Span) -> tuple[int, int]:
    """Return the first and the last day that are whole in a span; the last is before the first where none is.

    The day at its end is whole, too, when no row follows in it: it is the running day of most reports.
    """
    end = span.before // _SECONDS
    none_left = work.tx.value(_LATER[dates], after=span.before, before=(end + 1) * _SECONDS) is None
    return -(-span.after // _SECONDS), end if none_left else end - 1


def _units(work: Work, dates: Dates, span: Span, first: int, last: int, by_month: bool) -> Iterator[tuple[int, Unit]]:
    """Yield what parts of a span come to, each with the local time at which it begins. first, last: its whole days.

    Whole months where they are kept and `by_month` is true; then whole days, kept or not; and the ends.
    """
    left = [(first, last)]
    if by_month:
        low, high = rollup_store.whole_months(span)
        for month, text in rollup_store.kept(work, MONTH, dates, low, high) if low <= high else ():
            begin, end = rollup_store.begin(MONTH, month), rollup_store.begin(MONTH, month + 1)
            yield begin, orjson.loads(text)
            # Months come in order: what is left after this one is the last run of days.
            run = left.pop()
            left += [(run[0], begin // _SECONDS - 1), (end // _SECONDS, run[1])]
    for low, high in left:
        yield from _by_day(work, dates, low, high)
    for after, before in ((span.after, first * _SECONDS - 1), ((last + 1) * _SECONDS, span.before)):
        if after <= before:
            yield from _begun(_days(work, dates, after, before))


def _by_day(work: Work, dates: Dates, first: int, last: int) -> Iterator[tuple[int, Unit]]:
    held = set()
    for day, text in rollup_store.kept(work, DAY, dates, first, last) if first <= last else ():
        held.add(day)
        yield day * _SECONDS, orjson.loads(text)
    for low, high in gaps(held, first, last):
        yield from _begun(_days(work, dates, low * _SECONDS, (high + 1) * _SECONDS - 1))


def _begun(found: dict[int, Unit]) -> Iterator[tuple[int, Unit]]:
    return ((day * _SECONDS, unit) for day, unit in found.items())


def month_of_days(work: Work, dates: Dates, month: int) -> Unit:
    """Return what a month comes to by its days, kept or not."""
    first = rollup_store.begin(MONTH, month) // _SECONDS
    return _joined(
        unit for _, unit in _by_day(work, dates, first, rollup_store.begin(MONTH, month + 1) // _SECONDS - 1)
    )


def computed_month(work: Work, dates: Dates, month: int) -> Unit:
    """Return what a month comes to by the rows themselves."""
    return _joined(
        _days(work, dates, rollup_store.begin(MONTH, month), rollup_store.begin(MONTH, month + 1) - 1).values()
    )  # fmt: skip


def _joined(days: Iterable[Unit]) -> Unit:
    sums: dict[str, list[int]] = {}
    sets: dict[str, dict[str, set[int]]] = {}
    for unit in days:
        for status, held in unit.items():
            before = sums.get(status, [0] * len(ADDED))
            sums[status] = [one + other for one, other in zip(before, held["sums"], strict=True)]
            own = sets.setdefault(status, {name: set() for name in SETS})
            for name in SETS:
                own[name].update(held[name])
    return {
        status: {"sums": one, **{name: packed(sets[status][name]) for name in SETS}} for status, one in sums.items()
    }


def computed(work: Work, dates: Dates, days: Iterable[int]) -> dict[int, Unit]:
    """Return what days come to by the rows themselves; those without rows are missing."""
    out: dict[int, Unit] = {}
    for day in days:
        out |= _days(work, dates, day * _SECONDS, (day + 1) * _SECONDS - 1)
    return out


def _days(work: Work, dates: Dates, after: int, before: int) -> dict[int, Unit]:
    out: dict[int, Unit] = {}
    bound = {"after": after, "before": before}
    for day, status, *sums, customers in work.tx.all(_SUMS[dates], **bound):
        held = {"sums": [int(value or 0) for value in sums], AGAIN: {}, **{name: [] for name in SETS}}
        out.setdefault(day, {})[status] = held
        _put(held, "customers", customers)
    for name in _JOINED:
        for day, status, values in work.tx.all(_NUMBERS[name, dates], **bound):
            _put(out[day][status], name, values)
    return out


def _put(held: dict[str, Any], name: str, values: str) -> None:
    counts = Counter(orjson.loads(values))
    held[name] = sorted(counts)
    again = {str(id): count for id, count in counts.items() if count > 1}
    if again:
        held[AGAIN][name] = again
