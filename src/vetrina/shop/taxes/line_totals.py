"""Totals of an order or a cart: taxes of its lines, and sums of lines, fees and shipping.

Arithmetic on plain values. Not here: what an order and a cart hand in (shop/orders/totals.py, shop/cart/totals.py),
prices (shop/products/prices.py), choice of rates (shop/taxes/rules.py), discounts of coupons
(shop/coupons/discounts.py). Rules: docs/rules/order_totals.md, 3, 4, 5 and 6 and docs/rules/coupons.md, 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Final

import msgspec

from vetrina.kernel import money
from vetrina.shop.taxes.rules import EffectiveTaxRate, compute_added_taxes, compute_included_taxes

Taxes = Mapping[int, Decimal]
"""Amount of each tax rate, by rate id."""

_NO_TAXES: Final[Taxes] = {}
_NET_PRICE_DECIMALS: Final = 6


class PricingRules(msgspec.Struct, frozen=True):
    """How a shop computes prices.

    places: decimals of the currency. at_subtotal: taxes are rounded at the end, not by line. inclusive: prices are
    entered with tax. half_down: half a cent of tax is rounded down. sequential: a coupon applies to what the one before
    left.
    """

    places: int = 2
    at_subtotal: bool = False
    inclusive: bool = False
    half_down: bool = False
    sequential: bool = False

    @property
    def tax_rounding(self) -> str:
        """Return the rounding of half a cent of tax."""
        return money.HALF_DOWN if self.half_down else money.HALF_UP

    def round_amount(self, amount: Decimal) -> Decimal:
        """Return an amount in whole cents."""
        return money.round_amount(amount, self.places)

    def round_line(self, amount: Decimal) -> Decimal:
        """Return a line's amount as it is summed: in whole cents, unless the shop rounds at the end."""
        return amount if self.at_subtotal else self.round_amount(amount)

    def round_tax(self, amount: Decimal) -> Decimal:
        """Return a tax in whole cents."""
        return money.round_amount(amount, self.places, self.tax_rounding)

    def round_taxes(self, taxes: Taxes) -> dict[int, Decimal]:
        """Return the taxes of one line as they are summed: in whole cents, unless the shop rounds at the end."""
        return dict(taxes) if self.at_subtotal else {id: self.round_tax(tax) for id, tax in taxes.items()}

    def sum_taxes(self, taxes: Taxes) -> Decimal:
        """Return the sum of the taxes of one line."""
        return sum(self.round_taxes(taxes).values(), money.ZERO)


class LineAmounts(msgspec.Struct, frozen=True):
    """A product line: amounts before and after discounts without tax, and the taxes of both, unrounded."""

    subtotal: Decimal
    total: Decimal
    subtotal_taxes: Taxes
    taxes: Taxes


class ChargeAmounts(msgspec.Struct, frozen=True):
    """A fee or a shipping item: its amount without tax, which may be negative, and its taxes."""

    total: Decimal
    taxes: Taxes


class ComputedTotals(msgspec.Struct, frozen=True):
    """Totals of an order. taxes, shipping_taxes: by rate id, of lines and fees, and of shipping."""

    discount: Decimal
    discount_tax: Decimal
    shipping: Decimal
    shipping_tax: Decimal
    cart_tax: Decimal
    total: Decimal
    total_tax: Decimal
    taxes: Taxes
    shipping_taxes: Taxes


def build_line_amounts(subtotal: Decimal, total: Decimal, rates: Sequence[EffectiveTaxRate]) -> LineAmounts:
    """Return a line with its taxes."""
    return LineAmounts(subtotal, total, compute_added_taxes(subtotal, rates), compute_added_taxes(total, rates))


def compute_net_price(price: Decimal, base_rates: Sequence[EffectiveTaxRate], rules: PricingRules) -> Decimal:
    """Return a price without tax, to six decimals.

    base_rates: the rates at the shop's own location, which prices that include tax were entered with.
    """
    if not rules.inclusive:
        return price
    return money.round_amount(
        price - sum(compute_included_taxes(price, base_rates).values(), money.ZERO), _NET_PRICE_DECIMALS
    )


def split_discount(
    discount: Decimal, rates: Sequence[EffectiveTaxRate], rules: PricingRules
) -> tuple[Decimal, Decimal]:
    """Return the net part and the tax part of a discount.

    discount: of the displayed price, with tax where prices include it.
    """
    if rules.inclusive:
        tax = sum(compute_included_taxes(discount, rates).values(), money.ZERO)
        return discount - tax, tax
    return discount, sum(compute_added_taxes(discount, rates).values(), money.ZERO)


def compute_totals(
    lines: Iterable[LineAmounts], fees: Iterable[ChargeAmounts], shipping: Iterable[ChargeAmounts], rules: PricingRules
) -> ComputedTotals:
    """Return the totals of an order."""
    lines, fees, shipping = tuple(lines), tuple(fees), tuple(shipping)
    before = sum((rules.round_line(line.subtotal) for line in lines), money.ZERO)
    goods = sum((rules.round_line(line.total) for line in lines), money.ZERO)
    extra = sum((fee.total for fee in fees), money.ZERO)
    sent = sum((rules.round_amount(one.total) for one in shipping), money.ZERO)
    taxes = _sum_taxes_by_rate(
        [*(rules.round_taxes(line.taxes) for line in lines), *(rules.round_taxes(fee.taxes) for fee in fees)]
    )
    shipping_taxes = _sum_taxes_by_rate([rules.round_taxes(one.taxes) for one in shipping])
    cart_tax, shipping_tax = sum(taxes.values(), money.ZERO), sum(shipping_taxes.values(), money.ZERO)
    # The tax of discounts is computed from exact taxes, however they are rounded by line.
    saved = sum((_sum_taxes(line.subtotal_taxes) - _sum_taxes(line.taxes) for line in lines), money.ZERO)
    return ComputedTotals(
        discount=rules.round_amount(before - goods),
        discount_tax=rules.round_tax(saved),
        shipping=sent,
        shipping_tax=shipping_tax,
        cart_tax=cart_tax,
        total=rules.round_amount(goods + extra + sent + cart_tax + shipping_tax),
        total_tax=rules.round_amount(cart_tax + shipping_tax),
        taxes=taxes,
        shipping_taxes=shipping_taxes,
    )


def _sum_taxes(taxes: Taxes) -> Decimal:
    return sum(taxes.values(), money.ZERO)


def _sum_taxes_by_rate(taxes: Iterable[Taxes]) -> Taxes:
    out: dict[int, Decimal] = {}
    for one in taxes:
        for id, tax in one.items():
            out[id] = out.get(id, money.ZERO) + tax
    return out or _NO_TAXES
