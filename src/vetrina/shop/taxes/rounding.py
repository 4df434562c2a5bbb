"""Rounding of taxes and amounts: by line or at the subtotal, and half a cent of tax up or down, by the shop's settings.

Rules: docs/rules/order_totals.md, 3, 4 and 5. Not here: what rounds an amount to decimals (kernel/money.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.shop.settings import rules as settings

Taxes = Mapping[int, Decimal]
"""Amount of each tax rate, by rate id."""


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


def build_pricing_rules(work: UnitOfWork, inclusive: bool | None = None) -> PricingRules:
    """Return the shop's pricing rules; inclusive: whether prices include tax, where it is not the current setting."""
    entered_with_tax = settings.is_setting_on(work, "shop_prices_include_tax")
    return PricingRules(
        settings.get_price_decimals(work), settings.is_setting_on(work, "shop_tax_round_at_subtotal"),
        entered_with_tax if inclusive is None else inclusive, half_down=entered_with_tax,
        sequential=settings.is_setting_on(work, "shop_calc_discounts_sequentially"),
    )  # fmt: skip
