"""Bounds of what customers bought: filters on their orders, their spend and its average.

The same bounds as conditions of a statement, and over kept sums of customers. Rules: docs/rules/analytics_reports.md,
11: a single bound is exclusive, two are inclusive; customers without purchases are outside every bound on money.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby, repeat
from operator import and_, ge, gt, le, lt, mul, truediv
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, bindparam, case, cast, sql
from sqlalchemy.types import Float

from vetrina.analytics.rollups.customer_lanes import CustomerBlock

_MILLION: Final = 1_000_000
_SCALES: Final = {"orders_count": 1, "total_spend": _MILLION, "avg_order_value": _MILLION}


class MeasureBound(NamedTuple):
    """One bound. measure: a key of _SCALES. name: of its bound value. value: amounts in millionths."""

    measure: str
    name: str
    is_within: Callable[[Any, Any], Any]
    value: Any


def parse_bounds(args: Mapping[str, Any]) -> list[MeasureBound]:
    """Return the bounds of a request: `<measure>_min`, `<measure>_max` and `<measure>_between`."""
    out: list[MeasureBound] = []
    for name, scale in _SCALES.items():
        low, high, between = (args.get(f"{name}_{side}") for side in ("min", "max", "between"))
        if between:
            first, last = sorted(between)
            out.append(MeasureBound(name, f"{name}_from", ge, first * scale))
            out.append(MeasureBound(name, f"{name}_to", le, last * scale))
        if low is not None:
            out.append(MeasureBound(name, f"{name}_min", gt if high is None else ge, low * scale))
        if high is not None:
            out.append(MeasureBound(name, f"{name}_max", lt if low is None else le, high * scale))
    return out


def build_bound_conditions(
    bounds: Iterable[MeasureBound], orders: ColumnElement[Any], spend: ColumnElement[Any]
) -> list[ColumnElement[bool]]:
    """Return the conditions of bounds on columns; each bound is bound by its name."""
    columns = {"orders_count": orders, "total_spend": spend, "avg_order_value": cast(spend, Float) / orders}
    out: list[ColumnElement[bool]] = []
    for measure, some in groupby(bounds, lambda one: one.measure):
        within = sql.and_(*(one.is_within(columns[measure], bindparam(one.name)) for one in some))
        # Customers without purchases have no average, and must not cause a division by zero.
        out.append(within if measure == "orders_count" else case((orders > 0, within), else_=orders < 0))
    return out


def list_within(bounds: Iterable[MeasureBound], block: CustomerBlock) -> list[bool]:
    """Return of each customer of a block whether they are within all bounds."""
    stays = [True] * len(block.ids)
    for measure, _, is_within, value in bounds:
        values: Iterable[Any] = block.orders
        if measure != "orders_count":
            stays = list(map(and_, stays, map(bool, block.orders)))
            values = map(mul, block.spends, repeat(block.unit))
        if measure == "avg_order_value":
            values = map(truediv, values, map(max, block.orders, repeat(1)))
        stays = list(map(and_, stays, map(is_within, values, repeat(value))))
    return stays
