"""Sums of orders over whole days and months, kept while no row of theirs changes.

A kept sum is what the full computation gives for its day, by status; every order that is written anew forgets the days
and months that it is in (facts.py). What is not kept is worked out when it is asked for, so that a report is
the same whatever is kept. Not here: reports that need other rows than those of a status (engine.py), sums by product
(month_sums.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import orjson
from sqlalchemy import BigInteger, ColumnElement, and_, bindparam, literal_column, select

from vetrina.backends.shapes import Collected, Shapes
from vetrina.backends.tables_facts import fact_coupon, fact_line, fact_order
from vetrina.domain.work import Work

from . import kept_sums
from .conditions import Statuses
from .counting import Dates
from .id_sets import Union, packed
from .intervals import Kind, Span, key_of
from .kept_sums import DAY, MONTH, Unit, gaps
from .reports import ORDER_SUMS

__all__ = ["computed", "computed_month", "month_of_days", "order_sums"]

_SECONDS: Final = 86_400
_SHAPES: Final = Shapes(64)
_FEWEST: Final = 3  # whole days below which nothing is gained
_o, _l, _c = fact_order.c, fact_line.c, fact_coupon.c
_ADDED: Final = tuple(name for name in ORDER_SUMS if name != "customers")
_SETS: Final = ("customers", "coupons_count", "products")


def order_sums(
    work: Work, statuses: Statuses, dates: Dates, kind: Kind | None, span: Span, start: int, total: int
) -> dict[int, dict[str, int]] | None:
    """Return the sums of orders by interval, of the whole span by `total` where kind is None.

    None where the span has too few whole days for that to be worth it, or intervals are shorter than days.
    """
    first, last = _whole_days(span)
    if kind == "hour" or last - first + 1 < _FEWEST:
        return None
    added: dict[int, list[int]] = {}
    sets: dict[int, tuple[Union, ...]] = {}
    for begin, unit in _units(work, dates, span, kind not in ("day", "week")):
        key = total if kind is None else key_of(kind, begin, start)
        if key not in added:
            added[key], sets[key] = [0] * len(_ADDED), (Union(), Union(), Union())
        for status, held in unit.items():
            if statuses.take(status):
                added[key] = [one + other for one, other in zip(added[key], held["sums"], strict=True)]
                for name, into in zip(_SETS, sets[key], strict=True):
                    into.add(held[name])
    return {
        key: {
            **dict(zip(_ADDED, sums, strict=True)),
            **{name: len(one) for name, one in zip(_SETS, sets[key], strict=True)},
        }
        for key, sums in added.items()
        if sums[0]
    }


def _whole_days(span: Span) -> tuple[int, int]:
    """Return the first and the last day that are whole in a span; the last is before the first where none is."""
    return -(-span.after // _SECONDS), (span.before + 1) // _SECONDS - 1


def _units(work: Work, dates: Dates, span: Span, by_month: bool) -> Iterator[tuple[int, Unit]]:
    """Yield what parts of a span come to, each with the local time at which it begins.

    Whole months where they are kept and `by_month` is true; then whole days, kept or not; and the ends.
    """
    first, last = _whole_days(span)
    left = [(first, last)]
    if by_month:
        low, high = kept_sums.whole_months(span)
        for month, text in kept_sums.kept(work, MONTH, dates, low, high) if low <= high else ():
            begin, end = kept_sums.begin(MONTH, month), kept_sums.begin(MONTH, month + 1)
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
    for day, text in kept_sums.kept(work, DAY, dates, first, last) if first <= last else ():
        held.add(day)
        yield day * _SECONDS, orjson.loads(text)
    for low, high in gaps(held, first, last):
        yield from _begun(_days(work, dates, low * _SECONDS, (high + 1) * _SECONDS - 1))


def _begun(found: dict[int, Unit]) -> Iterator[tuple[int, Unit]]:
    return ((day * _SECONDS, unit) for day, unit in found.items())


def month_of_days(work: Work, dates: Dates, month: int) -> Unit:
    """Return what a month comes to by its days, kept or not."""
    first = kept_sums.begin(MONTH, month) // _SECONDS
    return _joined(unit for _, unit in _by_day(work, dates, first, kept_sums.begin(MONTH, month + 1) // _SECONDS - 1))


def computed_month(work: Work, dates: Dates, month: int) -> Unit:
    """Return what a month comes to by the rows themselves."""
    return _joined(
        _days(work, dates, kept_sums.begin(MONTH, month), kept_sums.begin(MONTH, month + 1) - 1).values()
    )  # fmt: skip


def _joined(days: Iterable[Unit]) -> Unit:
    sums: dict[str, list[int]] = {}
    sets: dict[str, dict[str, set[int]]] = {}
    for unit in days:
        for status, held in unit.items():
            before = sums.get(status, [0] * len(_ADDED))
            sums[status] = [one + other for one, other in zip(before, held["sums"], strict=True)]
            own = sets.setdefault(status, {name: set() for name in _SETS})
            for name in _SETS:
                own[name].update(held[name])
    return {
        status: {"sums": one, **{name: packed(sets[status][name]) for name in _SETS}} for status, one in sums.items()
    }


def computed(work: Work, dates: Dates, days: Iterable[int]) -> dict[int, Unit]:
    """Return what days come to by the rows themselves; those without rows are missing."""
    out: dict[int, Unit] = {}
    for day in days:
        out |= _days(work, dates, day * _SECONDS, (day + 1) * _SECONDS - 1)
    return out


def _days(work: Work, dates: Dates, after: int, before: int) -> dict[int, Unit]:
    def counted() -> Any:
        sums = [ORDER_SUMS[name] for name in _ADDED]
        return _by_day_and_status(dates, fact_order, *sums, Collected(_o.customer))

    def different(source: Any, column: ColumnElement[Any]) -> Callable[[], Any]:
        return lambda: _by_day_and_status(dates, source, Collected(column))

    out: dict[int, Unit] = {}
    bound = {"after": after, "before": before}
    for day, status, *sums, customers in work.tx.all(_SHAPES.get(("days", dates), counted), **bound):
        held = {"sums": [int(value or 0) for value in sums], **{name: [] for name in _SETS}}
        out.setdefault(day, {})[status] = held | {"customers": _sorted(customers)}
    for name, source, column in (
        ("coupons_count", fact_order.join(fact_coupon, _c.order == _o.id), _c.coupon),
        ("products", fact_order.join(fact_line, _l.order == _o.id), _l.product),
    ):
        for day, status, values in work.tx.all(_SHAPES.get((name, dates), different(source, column)), **bound):
            out[day][status][name] = _sorted(values)
    return out


def _by_day_and_status(dates: Dates, source: Any, *columns: ColumnElement[Any]) -> Any:
    local = _o[dates]
    day = ((local + _number(_SECONDS * 719_162)) // _number(_SECONDS) - _number(719_162)).label("day")
    where = and_(local >= bindparam("after"), local <= bindparam("before"))
    return select(day, _o.status, *columns).select_from(source).where(where).group_by("day", _o.status)


def _sorted(ids: str) -> list[int]:
    return sorted(orjson.loads(ids))


def _number(value: int) -> ColumnElement[int]:
    return literal_column(str(value), BigInteger)
