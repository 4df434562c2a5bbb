"""Sums of whole days and months, kept while no row of theirs changes.

A kept sum is what the full computation gives for its day or month, by status; every order that is written anew forgets
those that it is in (facts.py). What is not kept is worked out when it is asked for, so that a report is the same
whatever is kept; a sweep keeps more of it. Not here: reports that need other rows than those of a status (engine.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

import orjson
from sqlalchemy import BigInteger, ColumnElement, and_, bindparam, delete, func, literal_column, select

from vetrina.backends.database import Statement
from vetrina.backends.shapes import Shapes, upsert
from vetrina.backends.tables_facts import fact_coupon, fact_line, fact_order
from vetrina.backends.tables_facts import fact_rollup as table
from vetrina.domain.work import Work

from . import product_months
from .conditions import Statuses
from .counting import Dates, excluded
from .fact_rows import month_of
from .intervals import Kind, Span, key_of
from .reports import ORDER_SUMS

__all__ = ["computed", "forget", "keep_missing", "order_sums", "parts", "said", "sold", "sweep"]

_DAY: Final = 86_400
_LAST_MONTH: Final = 120_000  # by `month_of`, that after the year 9999
_SHAPES: Final = Shapes(64)
_FEWEST: Final = 3  # whole units below which nothing is gained
_o, _l, _c = fact_order.c, fact_line.c, fact_coupon.c
_ADDED: Final = tuple(name for name in ORDER_SUMS if name != "customers")
_SETS: Final = ("customers", "coupons_count", "products")

Unit = product_months.Unit

_KEPT = Statement(
    select(table.c.unit, table.c.sums).where(
        table.c.kind == bindparam("kind"), table.c.dates == bindparam("dates"), table.c.unit >= bindparam("first"),
        table.c.unit <= bindparam("last"),
    )
)  # fmt: skip
_KEEP = Statement(
    upsert(
        table, ("kind", "dates", "unit"),
        {"kind": bindparam("kind"), "dates": bindparam("dates"), "unit": bindparam("unit"), "sums": bindparam("sums")},
        {"sums": bindparam("sums")},
    )
)  # fmt: skip
_FORGET = Statement(
    delete(table).where(
        table.c.kind == bindparam("kind"), table.c.dates == bindparam("dates"), table.c.unit == bindparam("unit")
    )
)


def said(unit: Unit) -> str:
    """Return a unit as it is kept."""
    return orjson.dumps(unit, option=orjson.OPT_SORT_KEYS).decode()


def forget(work: Work, kind: str, dates: str, unit: int) -> None:
    """Forget what is kept of a day or a month."""
    work.tx.run(_FORGET, kind=kind, dates=dates, unit=unit)


# -- orders by day


def order_sums(
    work: Work, statuses: Statuses, dates: Dates, kind: Kind | None, span: Span, start: int, total: int
) -> dict[int, dict[str, int]] | None:
    """Return the sums of orders by interval, of the whole span by `total` where kind is None.

    None where the span has too few whole days for that to be worth it, or intervals are shorter than days.
    """
    first, last = -(-span.after // _DAY), (span.before + 1) // _DAY - 1
    if kind == "hour" or last - first + 1 < _FEWEST:
        return None
    added: dict[int, list[int]] = {}
    sets: dict[int, tuple[set[int], ...]] = {}
    for day, unit in _units(work, "day", dates, first, last, span):
        key = total if kind is None else key_of(kind, day * _DAY, start)
        if key not in added:
            added[key], sets[key] = [0] * len(_ADDED), (set(), set(), set())
        for status, held in unit.items():
            if statuses.take(status):
                added[key] = [one + other for one, other in zip(added[key], held["sums"], strict=True)]
                for name, into in zip(_SETS, sets[key], strict=True):
                    into.update(held[name])
    return {
        key: {
            **dict(zip(_ADDED, sums, strict=True)),
            **{name: len(one) for name, one in zip(_SETS, sets[key], strict=True)},
        }
        for key, sums in added.items()
        if sums[0]
    }


def _units(work: Work, kind: str, dates: Dates, first: int, last: int, span: Span) -> Iterator[tuple[int, Unit]]:
    """Yield what days or months come to: those that are kept, those that are not, and the ends of the span."""
    size = _SIZES[kind]
    kept = {}
    for unit, sums in work.tx.all(_KEPT, kind=kind, dates=dates, first=first, last=last):
        kept[unit] = True
        yield unit, orjson.loads(sums)
    for low, high in _gaps(kept, first, last):
        yield from _computed(work, kind, dates, size.begin(low), size.begin(high + 1) - 1).items()
    for after, before in ((span.after, size.begin(first) - 1), (size.begin(last + 1), span.before)):
        if after <= before:
            yield from _computed(work, kind, dates, after, before).items()


def _gaps(kept: Mapping[int, Any], first: int, last: int) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for unit in range(first, last + 1):
        if unit in kept:
            continue
        if out and out[-1][1] == unit - 1:
            out[-1] = (out[-1][0], unit)
        else:
            out.append((unit, unit))
    return out


def computed(work: Work, kind: str, dates: str, units: Sequence[int]) -> dict[int, Unit]:
    """Return what days or months come to by the rows themselves; those without rows are missing."""
    size = _SIZES[kind]
    out: dict[int, Unit] = {}
    for unit in units:
        out |= _computed(work, kind, dates, size.begin(unit), size.begin(unit + 1) - 1)
    return out


def _computed(work: Work, kind: str, dates: Any, after: int, before: int) -> dict[int, Unit]:
    return _COUNTED[kind](work, dates, after, before)


def _days(work: Work, dates: Dates, after: int, before: int) -> dict[int, Unit]:
    local = _o[dates]
    day = ((local + _number(_DAY * 719_162)) // _number(_DAY) - _number(719_162)).label("day")
    where = and_(local >= bindparam("after"), local <= bindparam("before"))
    bound = {"after": after, "before": before}

    def counted() -> Any:
        sums = [ORDER_SUMS[name] for name in _ADDED]
        return select(day, _o.status, *sums).where(where).group_by("day", _o.status)

    def distinct(source: Any, column: ColumnElement[Any]) -> Callable[[], Any]:
        return lambda: select(day, _o.status, column).select_from(source).where(where).distinct()

    out: dict[int, Unit] = {}
    for at, status, *sums in work.tx.all(_SHAPES.get(("days", dates), counted), **bound):
        held = {"sums": [int(value or 0) for value in sums], **{name: [] for name in _SETS}}
        out.setdefault(at, {})[status] = held
    for name, source, column in (
        ("customers", fact_order, _o.customer),
        ("coupons_count", fact_order.join(fact_coupon, _c.order == _o.id), _c.coupon),
        ("products", fact_order.join(fact_line, _l.order == _o.id), _l.product),
    ):
        for at, status, value in work.tx.all(_SHAPES.get((name, dates), distinct(source, column)), **bound):
            out[at][status][name].append(value)
    for unit in out.values():
        for held in unit.values():
            for name in _SETS:
                held[name].sort()
    return out


# -- products by month


def sold(work: Work, statuses: Statuses, span: Span) -> dict[int, list[int]] | None:
    """Return what was sold of each product: pieces, net, orders, the local time of the newest line.

    None where the span has no whole month.
    """
    out: dict[int, list[int]] = {}
    months = _months(work, "sold", "created", span) if _is_usual(work, statuses) else None
    if months is None:
        return None
    for _, unit in months:
        for id, items, net, orders, newest in unit.get("products", ()):
            one = out.get(id)
            if one is None:
                out[id] = [items, net, orders, newest]
            else:
                one[0] += items
                one[1] += net
                one[2] += orders
                one[3] = max(one[3], newest)
    return out


def _is_usual(work: Work, statuses: Statuses) -> bool:
    """Say whether exactly those statuses are asked for that the sums by product are made of."""
    return statuses == Statuses(None, frozenset(excluded(work)))


def parts(
    work: Work, statuses: Statuses, dates: Dates, kind: Kind | None, span: Span, total: int
) -> dict[tuple[int, int], tuple[int, ...]] | None:
    """Return the sums of the segments of orders by interval and product; by `total` where kind is None.

    The sums are product_months.SUMS, then the numbers of customers and of coupons.
    None where intervals are shorter than months or the span has no whole one.
    """
    if kind in ("hour", "day", "week") or not _is_usual(work, statuses):
        return None
    key = f"parts by {dates} from {span.after} to {span.before}"
    if key not in work.memo:
        months = _months(work, "parts", dates, span)
        work.memo[key] = None if months is None else list(months)
    if work.memo[key] is None:
        return None
    size = len(product_months.SUMS) + 1
    found: dict[tuple[int, int], list[Any]] = {}
    own: set[tuple[int, int]] = set()
    for month, unit in work.memo[key]:
        interval = total if kind is None else key_of(kind, month_begin(month))
        for row in unit.get("products", ()):
            at = (interval, row[0])
            one = found.get(at)
            if one is None:
                found[at] = row
                continue
            if at not in own:
                # What is kept in the memo is not changed.
                own.add(at)
                one = found[at] = [*one[:size], set(one[size]), set(one[size + 1])]
            for index in range(1, size):
                one[index] += row[index]
            one[size].update(row[size])
            one[size + 1].update(row[size + 1])
    return {at: (*row[1:size], len(row[size]), len(row[-1])) for at, row in found.items()}


def _months(work: Work, kind: str, dates: Dates, span: Span) -> Iterator[tuple[int, Unit]] | None:
    first, last = month_of(span.after - 1) + 1, month_of(span.before + 1) - 1
    return None if last < first else _units(work, kind, dates, first, last, span)


# -- units of time


class _Size:
    """How a kind of unit lies in time."""

    def __init__(self, begin: Callable[[int], int], of: Callable[[int], int]) -> None:
        self.begin, self.of = begin, of


def month_begin(month: int) -> int:
    """Return the local time at which a month begins; the month after the year 9999 has a beginning too."""
    if month >= _LAST_MONTH:
        return (date.max.toordinal() + 1 - 719_163) * _DAY
    return (date(month // 12, month % 12 + 1, 1).toordinal() - 719_163) * _DAY


_SIZES: Final = {
    "day": _Size(lambda day: day * _DAY, lambda local: local // _DAY),
    "sold": _Size(month_begin, month_of),
    "parts": _Size(month_begin, month_of),
}
_COUNTED: Final[dict[str, Callable[[Work, Any, int, int], dict[int, Unit]]]] = {
    "day": _days,
    "sold": product_months.sold,
    "parts": product_months.parts,
}


def _number(value: int) -> ColumnElement[int]:
    return literal_column(str(value), BigInteger)


# -- keeping

_SWEPT: Final = 20  # days and months that one sweep keeps; it holds the lock that every writer needs

_ENDS: Final = {
    dates: Statement(select(func.min(_o[dates]), func.max(_o[dates]))) for dates in ("created", "paid", "completed")
}
_KEPT_UNITS = Statement(
    select(table.c.unit).where(table.c.kind == bindparam("kind"), table.c.dates == bindparam("dates"))
)


def keep_missing(work: Work, most: int = 200) -> int:
    """Keep the sums of days and months that are not kept, the newest first, and return of how many."""
    done = 0
    wanted: Iterable[tuple[str, Dates]] = (
        ("day", "paid"),
        ("sold", "created"),
        ("day", "created"),
        ("parts", "paid"),
        ("day", "completed"),
    )
    for kind, dates in wanted:
        low, high = work.tx.first(_ENDS[dates]) or (None, None)
        if low is None:
            continue
        size = _SIZES[kind]
        kept = {row[0] for row in work.tx.all(_KEPT_UNITS, kind=kind, dates=dates)}
        missing = [unit for unit in range(size.of(high), size.of(low) - 1, -1) if unit not in kept]
        for unit in missing[: most - done]:
            sums = computed(work, kind, dates, [unit]).get(unit, {})
            work.tx.run(_KEEP, kind=kind, dates=dates, unit=unit, sums=said(sums))
            done += 1
    return done


def sweep(work: Work) -> None:
    """Keep a few more sums; called every minute."""
    keep_missing(work, _SWEPT)
