"""What one order comes to in the tables of reports: its own row, those of its refunds, lines, coupons and taxes.

Pure: an order with its items and refunds in, rows out. Not here: when they are written (analytics/facts/rules.py).
Rules: facts, "Fact rows": amounts of a refund are below zero; the refund that leaves nothing of an order takes off what
was left of everything, whatever its own lines say. Lines are rounded as the shop counts when they are written.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from vetrina.kernel import money
from vetrina.kernel.times import Zone
from vetrina.shop.orders.model import COUPON, FEE, LINE, SHIPPING, TAX, Item, Order
from vetrina.shop.refunds.rules import Refund
from vetrina.shop.taxes.line_totals import Rules

__all__ = ["Rows", "month_of", "rows_of"]

_TAXED: Final = (LINE, FEE, SHIPPING)

Row = dict[str, Any]


@dataclass
class Rows:
    """The rows of some orders by table; a row's members are the columns of its table."""

    orders: list[Row] = field(default_factory=list)
    lines: list[Row] = field(default_factory=list)
    coupons: list[Row] = field(default_factory=list)
    taxes: list[Row] = field(default_factory=list)


def month_of(local: int) -> int:
    """Return the number of the month of a local time: twelve times the year, and the months before it."""
    # Civil calendar from the days since 1970, without building a datetime for each row of a million.
    z = local // 86_400 + 719_468
    era = z // 146_097
    day = z - era * 146_097
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    month = (5 * (day - (365 * year + year // 4 - year // 100)) + 2) // 153
    return (year + era * 400) * 12 + month + 2


def rows_of(
    of: Order,
    items: Sequence[Item],
    refunds: Iterable[Refund],
    refund_items: Mapping[int, Sequence[Item]],
    customer: int,
    zone: Zone,
    rules: Rules,
    into: Rows,
) -> None:
    """Add the rows of an order and its refunds. customer: the number in the table of customers."""
    lines = [item for item in items if item.kind == LINE]
    coupons = [item for item in items if item.kind == COUPON]
    pieces = sum(item.quantity for item in lines)
    total, tax, shipping = (money.stored(amount) for amount in (of.total, of.total_tax, of.shipping))
    net = total - tax - shipping
    discount = sum(money.stored(item.total) for item in coupons)
    created = zone.to_local(of.created)
    shared = {"status": of.status, "created": created, "created_month": month_of(created)}
    into.orders.append(
        {
            "id": of.id, "parent": 0, "customer": customer, "created_gmt": of.created, **shared,
            **_dated("paid", of.paid, zone), **_dated("completed", of.completed, zone),
            "items": pieces, "total": total, "tax": tax, "shipping": shipping, "net": net, "coupons": discount,
            "repeat": 0,
        }
    )  # fmt: skip
    shipping_tax = money.stored(of.shipping_tax)
    own = [_line(item, of.id, at, shared, pieces, shipping, shipping_tax, rules) for at, item in enumerate(lines)]
    into.lines += _counting(own)
    for at, item in enumerate(coupons):
        id = item.reference or -zlib.crc32(item.code.encode())
        into.coupons.append(
            {"order": of.id, "position": at, "coupon": id, **shared, "amount": money.stored(item.total)}
        )
    into.taxes += _taxes(items, of.id, 0, shared)
    left = {"items": pieces, "tax": tax, "shipping": shipping, "net": net}
    lines_left = {item.id: dict(row) for item, row in zip(lines, own, strict=True)}
    for refund in sorted(refunds, key=lambda one: one.id):
        _refund(of, refund, refund_items.get(refund.id, ()), customer, zone, rules, left, lines_left, into)


def _refund(
    of: Order, refund: Refund, items: Sequence[Item], customer: int, zone: Zone, rules: Rules, left: dict[str, int],
    lines_left: dict[int, Row], into: Rows,
) -> None:  # fmt: skip
    created = zone.to_local(refund.created)
    month = month_of(created)
    shared = {"status": of.status, "created": created, "created_month": month}
    lines = [item for item in items if item.kind == LINE]
    amount = money.stored(refund.amount)
    pieces = sum(item.quantity for item in lines)
    # As an order's, the sums of a refund are rounded, its parts are not.
    tax = money.stored(rules.amount(sum((item.total_tax for item in items if item.kind in _TAXED), money.ZERO)))
    shipping = money.stored(rules.amount(sum((item.total for item in items if item.kind == SHIPPING), money.ZERO)))
    net = -amount - tax - shipping
    shipping_tax = sum(money.stored(item.total_tax) for item in items if item.kind == SHIPPING)
    share = [_line(item, refund.id, at, shared, pieces, shipping, shipping_tax, rules) for at, item in enumerate(lines)]
    if refund.whole:
        pieces, tax, shipping, net = -left["items"], -left["tax"], -left["shipping"], -left["net"]
        if not lines:
            share = [
                {**row, "order": refund.id, "position": at, **shared, **{name: -row[name] for name in _LINE_SUMS}}
                for at, row in enumerate(lines_left.values())
                # Nothing was paid for a gift, or nothing of a line is left: then nothing of it comes back.
                if row["net"]
            ]
    for name, value in (("items", pieces), ("tax", tax), ("shipping", shipping), ("net", net)):
        left[name] += value
    for item, row in zip(lines, share, strict=False):
        before = lines_left.get(int(item.details.get("of", 0)))
        if before is not None:
            for name in _LINE_SUMS:
                before[name] += row[name]
    into.orders.append(
        {
            "id": refund.id, "parent": of.id, "customer": customer, "created_gmt": refund.created, **shared,
            "paid": created, "paid_month": month, "completed": created, "completed_month": month, "items": pieces,
            "total": -amount, "tax": tax, "shipping": shipping, "net": net, "coupons": 0, "repeat": None,
        }
    )  # fmt: skip
    into.lines += _counting(share)
    into.taxes += _taxes(items, refund.id, of.id, shared)


_LINE_SUMS: Final = ("quantity", "net", "tax", "shipping", "shipping_tax", "gross")


def _line(
    item: Item, order: int, at: int, shared: Row, pieces: int, shipping: int, shipping_tax: int, rules: Rules
) -> Row:
    net, tax = rules.amount(item.total), sum(item.taxes.values(), money.ZERO)
    if not rules.at_subtotal:
        # Once for all its rates, where the line itself rounds each of them.
        tax = rules.amount(tax)
    part, part_tax = (_part(whole, item.quantity, pieces) for whole in (shipping, shipping_tax))
    return {
        "order": order, "position": at, "product": item.product, "variation": item.variation, **shared,
        "quantity": item.quantity, "net": money.stored(net), "tax": money.stored(tax),
        "shipping": money.stored(part), "shipping_tax": money.stored(part_tax),
        # Parts of a millionth count until all of them are added up.
        "gross": money.stored(net + tax + part + part_tax),
    }  # fmt: skip


def _counting(lines: Iterable[Row]) -> list[Row]:
    """Return the lines that say something of goods: pieces, or money that came back for them."""
    return [row for row in lines if row["quantity"] or row["net"] < 0]


def _part(whole: int, quantity: int, pieces: int) -> Decimal:
    """Return the share of a line in an amount; whole: millionths."""
    return money.loaded(whole) / pieces * quantity if pieces and whole else money.ZERO


def _taxes(items: Iterable[Item], order: int, parent: int, shared: Row) -> list[Row]:
    out = []
    for at, item in enumerate(item for item in items if item.kind == TAX):
        tax, shipping = money.stored(item.total), money.stored(item.total_tax)
        percent = money.parsed(str(item.details.get("percent") or 0)) or money.ZERO
        out.append(
            {
                "order": order, "position": at, "rate": item.reference, "parent": parent, **shared, "order_tax": tax,
                "shipping_tax": shipping, "total": tax + shipping, "code": item.code, "percent": money.stored(percent),
            }
        )  # fmt: skip
    return out


def _dated(name: str, moment: int | None, zone: Zone) -> Row:
    local = None if moment is None else zone.to_local(moment)
    return {name: local, f"{name}_month": None if local is None else month_of(local)}
