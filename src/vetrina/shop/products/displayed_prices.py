"""Prices as a shop shows them: with tax or without, whichever way they were entered.

Where nobody's address is known, the shop's own place says which rates hold. Not here: how an amount is written
(shop/products/price_markup.py), what an order is charged (shop/taxes/line_totals.py). Rules: facts, "Tax"; the settings
of the group `tax`.
"""

from __future__ import annotations

import html
from decimal import Decimal
from typing import Final

from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.shop.orders import lines as order_lines
from vetrina.shop.products.model import Product
from vetrina.shop.products.price_markup import PriceFormat, of_shop, product_markup
from vetrina.shop.settings import rules as settings
from vetrina.shop.taxes import rates as tax_rates
from vetrina.shop.taxes import rules as taxes
from vetrina.shop.taxes.rules import Place, Rate

__all__ = ["ShownPrices"]

_TAXABLE: Final = "taxable"


class ShownPrices:
    """How a shop shows the prices of its products; asks for settings and rates once."""

    def __init__(self, work: Work, place: Place | None = None) -> None:
        """place: where the customer is, whose rates hold for what is shown with tax; None: where the shop is."""
        self._work = work
        self._rules = order_lines.rules_of(work)
        self._base = order_lines.shop_place(work)
        self._place = place or self._base
        self._taxed = settings.is_on(work, "shop_calc_taxes")
        self._entered_with_tax = settings.is_on(work, "shop_prices_include_tax")
        self._shown_with_tax = settings.shop_option(work, "shop_tax_display_shop") == "incl"
        self._rates: dict[tuple[str, Place], tuple[Rate, ...]] = {}
        self.format: PriceFormat = of_shop(work)

    def markup(self, one: Product, tax_class: str) -> str:
        """Return what a product costs, as HTML; tax_class: its own, or that of the product above it."""
        if not self._taxed:
            return product_markup(one, self.format)
        taxable = one.tax_status == _TAXABLE
        turned = taxable and self._entered_with_tax != self._shown_with_tax

        def shown(amount: Decimal) -> Decimal:
            return self._turned(amount, tax_class, self._shown_with_tax) if turned else amount

        said = product_markup(one, self.format, shown)
        return said + self._suffix(one, tax_class, taxable) if said else said

    def amount(self, one: Product, amount: Decimal, tax_class: str, *, in_cart: bool = False) -> Decimal:
        """Return an amount of a product as visitors see it; in_cart: as carts show it, not the shop's pages."""
        if not self._taxed or one.tax_status != _TAXABLE:
            return amount
        with_tax = self._shown_with_tax
        if in_cart:
            with_tax = settings.shop_option(self._work, "shop_tax_display_cart") == "incl"
        return self._turned(amount, tax_class, with_tax)

    def _turned(self, amount: Decimal, tax_class: str, with_tax: bool) -> Decimal:
        """Return an amount with the taxes of who looks, or without any, whichever way it was entered."""
        base = self._rates_of(tax_class, self._base)
        if not with_tax:
            if not self._entered_with_tax:
                return amount
            return amount - sum(taxes.within(amount, base).values(), money.ZERO)
        own = self._rates_of(tax_class, self._place)
        if self._entered_with_tax:
            if own == base:
                return amount
            included = taxes.within(amount, base)
            net = amount - sum(included.values(), money.ZERO)
            return self._rules.amount(amount - self._rules.sum(included) + self._rules.sum(taxes.upon(net, own)))
        return self._rules.amount(amount + self._rules.sum(taxes.upon(amount, own)))

    def _rates_of(self, tax_class: str, place: Place) -> tuple[Rate, ...]:
        if (tax_class, place) not in self._rates:
            self._rates[tax_class, place] = taxes.rates_at(tax_rates.at(self._work, place), place, tax_class)
        return self._rates[tax_class, place]

    def _suffix(self, one: Product, tax_class: str, taxable: bool) -> str:
        """Return the words that the shop puts behind a price."""
        words = html.escape(str(settings.shop_option(self._work, "shop_price_display_suffix") or ""), quote=False)
        if not words:
            return ""
        price = money.loaded(one.price_from or 0)
        for name, with_tax in (("{price_including_tax}", True), ("{price_excluding_tax}", False)):
            if name in words:
                said = self._turned(price, tax_class, with_tax) if taxable else price
                words = words.replace(name, self.format.markup(said))
        return f' <small class="shop-price-suffix">{words}</small>'
