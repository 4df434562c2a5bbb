"""Sums by product of whole months, kept like those of days (rollups.py): what was sold, and the segments of orders.

Only what counts by the shop's setting is in them; when that changes they are forgotten (facts.py).
Rules: facts, "Segments": of a product the sums of its lines, and the figures of the whole orders that hold it.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import and_, bindparam, case, func, select

from vetrina.backends.shapes import Among, Shapes, listed
from vetrina.backends.tables_facts import fact_coupon, fact_line, fact_order
from vetrina.domain.work import Work

from .counting import Dates, excluded
from .intervals import month_expression
from .reports import LINE_PARTS

__all__ = ["SUMS", "Unit", "parts", "sold"]

_SHAPES: Final = Shapes(64)
_o, _l, _c = fact_order.c, fact_line.c, fact_coupon.c

Unit = dict[str, Any]  # what the rows of a day or a month come to
# The members of a product's row in `parts`, between its number and its customers and coupons.
SUMS: Final = (*LINE_PARTS, "orders", "order_items", "order_net")


def sold(work: Work, dates: Dates, after: int, before: int) -> dict[int, Unit]:
    """Return what was sold by month and product: number, pieces, net, orders, the newest local time."""

    def build() -> Any:
        columns = (
            func.sum(_l.quantity), func.sum(_l.net), func.count(case((_l.gross >= 0, _l.order)).distinct()),
            func.max(_l.created),
        )  # fmt: skip
        return (
            select(_l.created_month, _l.product, *columns)
            .where(_l.created >= bindparam("after"), _l.created <= bindparam("before"), ~Among(_l.status, "excluded"))
            .group_by(_l.created_month, _l.product)
            .order_by(_l.created_month, _l.product)
        )

    out: dict[int, Unit] = {}
    bound = {"after": after, "before": before, "excluded": listed(excluded(work))}
    for month, *row in work.tx.all(_SHAPES.get("sold", build), **bound):
        out.setdefault(month, {"products": []})["products"].append([int(value or 0) for value in row])
    return out


def parts(work: Work, dates: Dates, after: int, before: int) -> dict[int, Unit]:
    """Return the figures of orders by month and product: number, SUMS, customers, coupons."""
    local, month = _o[dates], month_expression(dates)
    where = and_(
        local >= bindparam("after"), local <= bindparam("before"), ~Among(_o.status, "excluded")
    )  # fmt: skip
    lines = fact_order.join(fact_line, _l.order == _o.id)
    bound = {"after": after, "before": before, "excluded": listed(excluded(work))}

    def orders() -> Any:
        whole = (func.min(_o[name]) for name in ("parent", "items", "net", "customer"))
        return (
            select(month, _l.product, *LINE_PARTS.values(), *whole)
            .select_from(lines).where(where).group_by(month, _l.product, _o.id)
            .order_by(month, _l.product)
        )  # fmt: skip

    def coupons() -> Any:
        return (
            select(month, _l.product, _c.coupon)
            .select_from(lines.join(fact_coupon, _c.order == _o.id)).where(where).distinct()
            .order_by(month, _l.product, _c.coupon)
        )  # fmt: skip

    size = len(LINE_PARTS)
    found: dict[tuple[int, int], tuple[list[int], set[int], list[int]]] = {}
    for at, product, *row in work.tx.all(_SHAPES.get(("parts", dates), orders), **bound):
        key = (at, product)
        held = found.get(key)
        if held is None:
            held = found[key] = ([0] * len(SUMS), set(), [])
        sums, (parent, items, net, customer) = held[0], row[size:]
        for index in range(size):
            sums[index] += int(row[index] or 0)
        if not parent:
            sums[size] += 1
            sums[size + 1] += int(items)
            sums[size + 2] += int(net)
        held[1].add(customer)
    for at, product, coupon in work.tx.all(_SHAPES.get(("coupons", dates), coupons), **bound):
        found[at, product][2].append(coupon)
    out: dict[int, Unit] = {}
    for (at, product), (sums, customers, used) in found.items():
        row = [product, *sums, sorted(customers), used]
        out.setdefault(at, {"products": []})["products"].append(row)
    return out
