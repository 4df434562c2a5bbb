"""What an order or a cart comes to: the taxes of its lines, and its figures made of lines, fees and shipping.

The one place where totals are made. What is in: arithmetic on values alone. Not here: prices (shop/products/prices.py),
which rates hold (shop/taxes/rules.py), what coupons take off (shop/coupons/discounts.py), how an order is kept
(orders.py). Rules: facts, "Totals" and "Tax".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Final

import msgspec

from vetrina.kernel import money
from vetrina.shop.taxes.rules import Rate, upon, within

__all__ = ["Charge", "Figures", "Line", "Rules", "Taxes", "figures", "line_of", "net_price", "split"]

Taxes = Mapping[int, Decimal]
"""What each tax rate, by its number, comes to."""

_NONE: Final[Taxes] = {}
_EXACT: Final = 6


class Rules(msgspec.Struct, frozen=True):
    """How a shop counts. places: decimals of the currency. at_subtotal: taxes are rounded at the end, not a line.
    inclusive: prices are entered with their tax. half_down: half a cent of tax goes down. sequential: a coupon works
    on what the one before left."""

    places: int = 2
    at_subtotal: bool = False
    inclusive: bool = False
    half_down: bool = False
    sequential: bool = False

    @property
    def half(self) -> str:
        """Return what becomes of half a cent of tax."""
        return money.HALF_DOWN if self.half_down else money.HALF_UP

    def amount(self, amount: Decimal) -> Decimal:
        """Return an amount in whole cents."""
        return money.rounded(amount, self.places)

    def item(self, amount: Decimal) -> Decimal:
        """Return what a line costs as lines are added up: in whole cents, unless the shop rounds at the end."""
        return amount if self.at_subtotal else self.amount(amount)

    def tax(self, amount: Decimal) -> Decimal:
        """Return a tax in whole cents."""
        return money.rounded(amount, self.places, self.half)

    def each(self, taxes: Taxes) -> dict[int, Decimal]:
        """Return the taxes of one line as they are added up: in whole cents, unless the shop rounds at the end."""
        return dict(taxes) if self.at_subtotal else {id: self.tax(tax) for id, tax in taxes.items()}

    def sum(self, taxes: Taxes) -> Decimal:
        """Return what the taxes of one line come to."""
        return sum(self.each(taxes).values(), money.ZERO)


class Line(msgspec.Struct, frozen=True):
    """Goods of an order: what they cost before and after discounts without tax, and the taxes of both, unrounded."""

    subtotal: Decimal
    total: Decimal
    subtotal_taxes: Taxes
    taxes: Taxes


class Charge(msgspec.Struct, frozen=True):
    """A fee or a way of shipping: what it costs without tax, which may be below nothing, and its taxes."""

    total: Decimal
    taxes: Taxes


class Figures(msgspec.Struct, frozen=True):
    """What an order comes to. taxes, shipping_taxes: by rate, of goods and fees, and of shipping."""

    discount: Decimal
    discount_tax: Decimal
    shipping: Decimal
    shipping_tax: Decimal
    cart_tax: Decimal
    total: Decimal
    total_tax: Decimal
    taxes: Taxes
    shipping_taxes: Taxes


def line_of(subtotal: Decimal, total: Decimal, rates: Sequence[Rate]) -> Line:
    """Return a line with its taxes."""
    return Line(subtotal, total, upon(subtotal, rates), upon(total, rates))


def net_price(price: Decimal, base_rates: Sequence[Rate], rules: Rules) -> Decimal:
    """Return a price without tax, to six decimals; base_rates: what holds at the shop's own place, which prices that
    include tax were entered with."""
    if not rules.inclusive:
        return price
    return money.rounded(price - sum(within(price, base_rates).values(), money.ZERO), _EXACT)


def split(discount: Decimal, rates: Sequence[Rate], rules: Rules) -> tuple[Decimal, Decimal]:
    """Return how much of a discount is price and how much is tax.

    discount: in what the customer sees, with tax where prices include it.
    """
    if rules.inclusive:
        tax = sum(within(discount, rates).values(), money.ZERO)
        return discount - tax, tax
    return discount, sum(upon(discount, rates).values(), money.ZERO)


def figures(lines: Iterable[Line], fees: Iterable[Charge], shipping: Iterable[Charge], rules: Rules) -> Figures:
    """Return what an order comes to."""
    lines, fees, shipping = tuple(lines), tuple(fees), tuple(shipping)
    before = sum((rules.item(line.subtotal) for line in lines), money.ZERO)
    goods = sum((rules.item(line.total) for line in lines), money.ZERO)
    extra = sum((fee.total for fee in fees), money.ZERO)
    sent = sum((rules.amount(one.total) for one in shipping), money.ZERO)
    taxes = _by_rate([*(rules.each(line.taxes) for line in lines), *(rules.each(fee.taxes) for fee in fees)])
    shipping_taxes = _by_rate([rules.each(one.taxes) for one in shipping])
    cart_tax, shipping_tax = sum(taxes.values(), money.ZERO), sum(shipping_taxes.values(), money.ZERO)
    # What coupons save is worked out of the exact taxes, whatever is shown of them a line.
    saved = sum((_whole(line.subtotal_taxes) - _whole(line.taxes) for line in lines), money.ZERO)
    return Figures(
        discount=rules.amount(before - goods),
        discount_tax=rules.tax(saved),
        shipping=sent,
        shipping_tax=shipping_tax,
        cart_tax=cart_tax,
        total=rules.amount(goods + extra + sent + cart_tax + shipping_tax),
        total_tax=rules.amount(cart_tax + shipping_tax),
        taxes=taxes,
        shipping_taxes=shipping_taxes,
    )


def _whole(taxes: Taxes) -> Decimal:
    return sum(taxes.values(), money.ZERO)


def _by_rate(taxes: Iterable[Taxes]) -> Taxes:
    out: dict[int, Decimal] = {}
    for one in taxes:
        for id, tax in one.items():
            out[id] = out.get(id, money.ZERO) + tax
    return out or _NONE
