"""Prices as a shop displays them: with tax or without, whichever way they were entered.

Where no customer address is known, the shop's own location determines the tax rates. Not here: formatting amounts
(shop/products/price_markup.py), what an order is charged (shop/orders/totals.py). Rules:
docs/rules/order_totals.md, 6; the settings of the group `tax`.
"""

from __future__ import annotations

import html
from decimal import Decimal
from typing import Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.shop.orders import tax_location
from vetrina.shop.products.model import Product
from vetrina.shop.products.price_markup import PriceFormat, build_shop_price_format, render_product_price
from vetrina.shop.settings import rules as settings
from vetrina.shop.taxes import rate_store as tax_rates, rules as taxes
from vetrina.shop.taxes.rounding import build_pricing_rules
from vetrina.shop.taxes.rules import EffectiveTaxRate, TaxLocation

_TAXABLE: Final = "taxable"


class DisplayPrices:
    """How a shop displays the prices of its products; loads settings and rates once."""

    def __init__(self, work: UnitOfWork, place: TaxLocation | None = None) -> None:
        """place: the customer's location, whose rates apply to prices with tax; None: the shop's."""
        self._work = work
        self._rules = build_pricing_rules(work)
        self._base = tax_location.get_shop_location(work)
        self._place = place or self._base
        self._has_taxes = settings.is_setting_on(work, "shop_calc_taxes")
        self._entered_with_tax = settings.is_setting_on(work, "shop_prices_include_tax")
        self._shown_with_tax = settings.get_shop_option(work, "shop_tax_display_shop") == "incl"
        self._rates: dict[tuple[str, TaxLocation], tuple[EffectiveTaxRate, ...]] = {}
        self.format: PriceFormat = build_shop_price_format(work)

    def markup(self, one: Product, tax_class: str) -> str:
        """Return the price of a product as HTML; tax_class: its own, or that of its parent product."""
        if not self._has_taxes:
            return render_product_price(one, self.format)
        taxable = one.tax_status == _TAXABLE
        turned = taxable and self._entered_with_tax != self._shown_with_tax

        def shown(amount: Decimal) -> Decimal:
            return self._convert_amount(amount, tax_class, self._shown_with_tax) if turned else amount

        said = render_product_price(one, self.format, shown)
        return said + self._render_suffix(one, tax_class, taxable) if said else said

    def amount(self, one: Product, amount: Decimal, tax_class: str, *, in_cart: bool = False) -> Decimal:
        """Return an amount of a product as visitors see it; in_cart: as carts display it, not the shop's pages."""
        if not self._has_taxes or one.tax_status != _TAXABLE:
            return amount
        with_tax = self._shown_with_tax
        if in_cart:
            with_tax = settings.get_shop_option(self._work, "shop_tax_display_cart") == "incl"
        return self._convert_amount(amount, tax_class, with_tax)

    def _convert_amount(self, amount: Decimal, tax_class: str, with_tax: bool) -> Decimal:
        """Return an amount with the taxes at the visitor's location, or without any, whichever way it was entered."""
        base = self._find_rates(tax_class, self._base)
        if not with_tax:
            if not self._entered_with_tax:
                return amount
            return amount - sum(taxes.compute_included_taxes(amount, base).values(), money.ZERO)
        own = self._find_rates(tax_class, self._place)
        if self._entered_with_tax:
            if own == base:
                return amount
            included = taxes.compute_included_taxes(amount, base)
            net = amount - sum(included.values(), money.ZERO)
            return self._rules.round_amount(
                amount - self._rules.sum_taxes(included) + self._rules.sum_taxes(taxes.compute_added_taxes(net, own))
            )
        return self._rules.round_amount(amount + self._rules.sum_taxes(taxes.compute_added_taxes(amount, own)))

    def _find_rates(self, tax_class: str, place: TaxLocation) -> tuple[EffectiveTaxRate, ...]:
        if (tax_class, place) not in self._rates:
            self._rates[tax_class, place] = taxes.select_effective_rates(
                tax_rates.list_tax_rates_at(self._work, place), place, tax_class
            )
        return self._rates[tax_class, place]

    def _render_suffix(self, one: Product, tax_class: str, taxable: bool) -> str:
        """Return the text that the shop appends to a price."""
        words = html.escape(str(settings.get_shop_option(self._work, "shop_price_display_suffix") or ""), quote=False)
        if not words:
            return ""
        price = money.decode_amount(one.price_from or 0)
        for name, with_tax in (("{price_including_tax}", True), ("{price_excluding_tax}", False)):
            if name in words:
                shown_price = self._convert_amount(price, tax_class, with_tax) if taxable else price
                words = words.replace(name, self.format.markup(shown_price))
        return f' <small class="shop-price-suffix">{words}</small>'
