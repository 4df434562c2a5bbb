"""The report rows of one order: its own and those of its refunds, lines, coupons and taxes.

Pure: takes an order with its items and refunds, returns rows. Not here: when they are written
(analytics/facts/updates.py). Rules: docs/rules/analytics_rows.md, 1, 2, 3, 4, 5 and 6: amounts of a refund are
negative; the refund that leaves nothing of an order takes off the remainder of everything, whatever its own lines say.
Lines are rounded as the shop rounds when they are written.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from vetrina.kernel import money
from vetrina.kernel.times import TimeZone
from vetrina.shop.orders.model import COUPON, FEE, LINE, SHIPPING, TAX, Order, OrderItem
from vetrina.shop.refunds.rules import Refund
from vetrina.shop.taxes.rounding import PricingRules

_TAXED: Final = (LINE, FEE, SHIPPING)

FactRow = dict[str, Any]


@dataclass
class FactRows:
    """The rows of some orders by table; the members of a row are the columns of its table."""

    orders: list[FactRow] = field(default_factory=list)
    lines: list[FactRow] = field(default_factory=list)
    coupons: list[FactRow] = field(default_factory=list)
    taxes: list[FactRow] = field(default_factory=list)


def compute_month(local: int) -> int:
    """Return the index of the month of a local time: twelve times the year, plus the months before it."""
    # Civil calendar from the days since 1970, without building a datetime for each row of a million.
    z = local // 86_400 + 719_468
    era = z // 146_097
    day = z - era * 146_097
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    month = (5 * (day - (365 * year + year // 4 - year // 100)) + 2) // 153
    return (year + era * 400) * 12 + month + 2


def add_order_rows(
    order: Order,
    items: Sequence[OrderItem],
    refunds: Iterable[Refund],
    refund_items: Mapping[int, Sequence[OrderItem]],
    customer: int,
    zone: TimeZone,
    rules: PricingRules,
    into: FactRows,
) -> None:
    """Add the rows of an order and its refunds. customer: id in the customer table."""
    lines = [item for item in items if item.kind == LINE]
    coupons = [item for item in items if item.kind == COUPON]
    pieces = sum(item.quantity for item in lines)
    total, tax, shipping = (money.encode_amount(amount) for amount in (order.total, order.total_tax, order.shipping))
    net = total - tax - shipping
    discount = sum(money.encode_amount(item.total) for item in coupons)
    created = zone.to_local(order.created)
    shared = {"status": order.status, "created": created, "created_month": compute_month(created)}
    into.orders.append(
        {
            "id": order.id, "parent": 0, "customer": customer, "created_gmt": order.created, **shared,
            **_build_date_columns("paid", order.paid, zone), **_build_date_columns("completed", order.completed, zone),
            "items": pieces, "total": total, "tax": tax, "shipping": shipping, "net": net, "coupons": discount,
            "repeat": 0,
        }
    )  # fmt: skip
    shipping_tax = money.encode_amount(order.shipping_tax)
    own = [
        _build_line(item, order.id, at, shared, pieces, shipping, shipping_tax, rules) for at, item in enumerate(lines)
    ]
    into.lines += _drop_empty_lines(own)
    for at, item in enumerate(coupons):
        id = item.reference or -zlib.crc32(item.code.encode())
        into.coupons.append(
            {"order": order.id, "position": at, "coupon": id, **shared, "amount": money.encode_amount(item.total)}
        )
    into.taxes += _build_tax_rows(items, order.id, 0, shared)
    left = {"items": pieces, "tax": tax, "shipping": shipping, "net": net}
    lines_left = {item.id: dict(row) for item, row in zip(lines, own, strict=True)}
    for refund in sorted(refunds, key=lambda one: one.id):
        _add_refund_rows(order, refund, refund_items.get(refund.id, ()), customer, zone, rules, left, lines_left, into)


def _add_refund_rows(
    order: Order,
    refund: Refund,
    items: Sequence[OrderItem],
    customer: int,
    zone: TimeZone,
    rules: PricingRules,
    left: dict[str, int],
    lines_left: dict[int, FactRow],
    into: FactRows,
) -> None:
    created = zone.to_local(refund.created)
    month = compute_month(created)
    shared = {"status": order.status, "created": created, "created_month": month}
    lines = [item for item in items if item.kind == LINE]
    amount = money.encode_amount(refund.amount)
    pieces = sum(item.quantity for item in lines)
    # As with an order, the sums of a refund are rounded, its parts are not.
    tax = money.encode_amount(
        rules.round_amount(sum((item.total_tax for item in items if item.kind in _TAXED), money.ZERO))
    )
    shipping = money.encode_amount(
        rules.round_amount(sum((item.total for item in items if item.kind == SHIPPING), money.ZERO))
    )
    net = -amount - tax - shipping
    shipping_tax = sum(money.encode_amount(item.total_tax) for item in items if item.kind == SHIPPING)
    share = [
        _build_line(item, refund.id, at, shared, pieces, shipping, shipping_tax, rules) for at, item in enumerate(lines)
    ]
    if refund.whole:
        pieces, tax, shipping, net = -left["items"], -left["tax"], -left["shipping"], -left["net"]
        if not lines:
            share = [
                {**row, "order": refund.id, "position": at, **shared, **{name: -row[name] for name in _LINE_SUMS}}
                for at, row in enumerate(lines_left.values())
                # Nothing was paid for a gift, or nothing of a line is left: then nothing of it is refunded.
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
            "id": refund.id, "parent": order.id, "customer": customer, "created_gmt": refund.created, **shared,
            "paid": created, "paid_month": month, "completed": created, "completed_month": month, "items": pieces,
            "total": -amount, "tax": tax, "shipping": shipping, "net": net, "coupons": 0, "repeat": None,
        }
    )  # fmt: skip
    into.lines += _drop_empty_lines(share)
    into.taxes += _build_tax_rows(items, refund.id, order.id, shared)


_LINE_SUMS: Final = ("quantity", "net", "tax", "shipping", "shipping_tax", "gross")


def _build_line(
    item: OrderItem,
    order: int,
    at: int,
    shared: FactRow,
    pieces: int,
    shipping: int,
    shipping_tax: int,
    rules: PricingRules,
) -> FactRow:
    net, tax = rules.round_amount(item.total), sum(item.taxes.values(), money.ZERO)
    if not rules.at_subtotal:
        # Once for all its rates, where the line itself rounds each of them.
        tax = rules.round_amount(tax)
    part, part_tax = (_compute_line_share(whole, item.quantity, pieces) for whole in (shipping, shipping_tax))
    return {
        "order": order, "position": at, "product": item.product, "variation": item.variation, **shared,
        "quantity": item.quantity, "net": money.encode_amount(net), "tax": money.encode_amount(tax),
        "shipping": money.encode_amount(part), "shipping_tax": money.encode_amount(part_tax),
        # Fractions of a millionth count until all of them are added up.
        "gross": money.encode_amount(net + tax + part + part_tax),
    }  # fmt: skip


def _drop_empty_lines(lines: Iterable[FactRow]) -> list[FactRow]:
    """Return the lines that have an effect on products: a quantity, or money refunded for them."""
    return [row for row in lines if row["quantity"] or row["net"] < 0]


def _compute_line_share(whole: int, quantity: int, pieces: int) -> Decimal:
    """Return the share of a line in an amount; whole: millionths."""
    return money.decode_amount(whole) / pieces * quantity if pieces and whole else money.ZERO


def _build_tax_rows(items: Iterable[OrderItem], order: int, parent: int, shared: FactRow) -> list[FactRow]:
    out = []
    for at, item in enumerate(item for item in items if item.kind == TAX):
        tax, shipping = money.encode_amount(item.total), money.encode_amount(item.total_tax)
        percent = money.parse_amount(str(item.details.get("percent") or 0)) or money.ZERO
        out.append(
            {
                "order": order,
                "position": at,
                "rate": item.reference,
                "parent": parent,
                **shared,
                "order_tax": tax,
                "shipping_tax": shipping,
                "total": tax + shipping,
                "code": item.code,
                "percent": money.encode_amount(percent),
            }
        )
    return out


def _build_date_columns(name: str, moment: int | None, zone: TimeZone) -> FactRow:
    local = None if moment is None else zone.to_local(moment)
    return {name: local, f"{name}_month": None if local is None else compute_month(local)}
