"""Choice of the tax rates at a location, and their arithmetic: what is put on a price, and taken out of one with tax.

Works on plain values alone. Not here: storage of rates (shop/taxes/rate_store.py), rounding (shop/taxes/rounding.py),
which items of an order are taxed (shop/orders/totals.py). Rules: docs/rules/order_totals.md, 6 and docs/rules/taxes.md,
4 and 5: one rate of each priority, the most local one, the oldest among equals; rates of several priorities add up; a
compound rate applies to the price with the taxes before it; shipping has its own choice of rates. Taxes of a rate keep
six decimals.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Final

import msgspec

from vetrina.kernel import money
from vetrina.shop.taxes.rounding import PricingRules

_HUNDRED: Final = Decimal(100)
_TAX_DECIMALS: Final = 6
_NET_PRICE_DECIMALS: Final = 6
_RANGE_SEPARATOR: Final = "..."
_DIGITS_PATTERN = re.compile(r"0*(\d*)", re.ASCII)


class TaxLocation(msgspec.Struct, frozen=True):
    """Location of a sale: codes of country and state, postcode and city as an address has them."""

    country: str
    state: str = ""
    postcode: str = ""
    city: str = ""


class EffectiveTaxRate(msgspec.Struct, frozen=True):
    """A tax rate as computing needs it.

    Empty country, state, postcodes, cities: everywhere. percent: 22 for 22 %. order: among rates of one priority.
    tax_class: a slug, empty for the standard one.
    """

    id: int
    percent: Decimal
    name: str = ""
    country: str = ""
    state: str = ""
    postcodes: tuple[str, ...] = ()
    cities: tuple[str, ...] = ()
    priority: int = 1
    compound: bool = False
    shipping: bool = True
    order: int = 0
    tax_class: str = ""


TaxFormula = Callable[[Decimal, Sequence[EffectiveTaxRate]], dict[int, Decimal]]
"""Taxes of an amount by rate id: `compute_added_taxes` or `compute_included_taxes`."""


def select_effective_rates(
    rates: Iterable[EffectiveTaxRate], place: TaxLocation, tax_class: str
) -> tuple[EffectiveTaxRate, ...]:
    """Return the rates of a class that apply at a location, one of each priority, in the order of priorities."""
    if not place.country:
        return ()
    holding = [rate for rate in rates if rate.tax_class == tax_class and _is_rate_applicable(rate, place)]
    chosen: dict[int, EffectiveTaxRate] = {}
    for rate in sorted(holding, key=lambda rate: _compute_closeness_key(rate, place)):
        chosen.setdefault(rate.priority, rate)
    return tuple(chosen[priority] for priority in sorted(chosen))


def select_shipping_rates(
    rates: Iterable[EffectiveTaxRate], place: TaxLocation, tax_class: str
) -> tuple[EffectiveTaxRate, ...]:
    """Return the rates of a class that apply to shipping at a location: those that say they do."""
    return tuple(rate for rate in select_effective_rates(rates, place, tax_class) if rate.shipping)


def compute_added_taxes(amount: Decimal, rates: Sequence[EffectiveTaxRate]) -> dict[int, Decimal]:
    """Return the tax of each rate, by id, on an amount without tax."""
    out: dict[int, Decimal] = {}
    for rate in rates:
        if not rate.compound:
            out[rate.id] = amount * rate.percent / _HUNDRED
    before = sum(out.values(), money.ZERO)
    for rate in rates:
        if rate.compound:
            out[rate.id] = (amount + before) * rate.percent / _HUNDRED
            before += out[rate.id]
    return _round_tax_amounts(out)


def compute_included_taxes(amount: Decimal, rates: Sequence[EffectiveTaxRate]) -> dict[int, Decimal]:
    """Return the tax of each rate, by id, within an amount that includes tax; compound rates come off first."""
    out: dict[int, Decimal] = {}
    rest = amount
    for rate in reversed([rate for rate in rates if rate.compound]):
        out[rate.id] = rest - rest / (1 + rate.percent / _HUNDRED)
        rest -= out[rate.id]
    plain = [rate for rate in rates if not rate.compound]
    net = rest / (1 + sum((rate.percent for rate in plain), money.ZERO) / _HUNDRED)
    for rate in plain:
        out[rate.id] = net * rate.percent / _HUNDRED
    return _round_tax_amounts({rate.id: out[rate.id] for rate in rates})


def compute_net_price(price: Decimal, base_rates: Sequence[EffectiveTaxRate], rules: PricingRules) -> Decimal:
    """Return a price without tax, to six decimals.

    base_rates: the rates at the shop's own location, which prices that include tax were entered with.
    """
    if not rules.inclusive:
        return price
    return money.round_amount(
        price - sum(compute_included_taxes(price, base_rates).values(), money.ZERO), _NET_PRICE_DECIMALS
    )


def format_rate_code(rate: EffectiveTaxRate) -> str:
    """Return the code of a rate in orders: `IT-MI-IVA-1`."""
    parts = (rate.country, rate.state, rate.name or "TAX", str(rate.priority))
    return "-".join(part for part in parts if part).upper()


def is_postcode_match(pattern: str, postcode: str) -> bool:
    """Return whether a postcode matches the pattern of a tax rate or a shipping zone.

    pattern: a postcode, one with `*` for anything, or a range as `10000...10099`, which compares numbers where both
    ends and the postcode are made of digits, else texts.
    """
    pattern, postcode = _normalize_postcode(pattern), _normalize_postcode(postcode)
    first, dots, last = pattern.partition(_RANGE_SEPARATOR)
    if dots:
        numbers = [_DIGITS_PATTERN.fullmatch(one) for one in (first, postcode, last)]
        if first and last and postcode and all(numbers):
            low, here, high = ((len(one[1]), one[1]) for one in numbers if one)
            return low <= here <= high
        return first <= postcode <= last
    if "*" in pattern:
        return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), postcode) is not None
    return pattern == postcode


def _is_rate_applicable(rate: EffectiveTaxRate, place: TaxLocation) -> bool:
    if rate.country and rate.country != place.country.upper():
        return False
    if rate.state and rate.state != place.state.upper():
        return False
    if rate.postcodes and not any(is_postcode_match(one, place.postcode) for one in rate.postcodes):
        return False
    return not rate.cities or place.city.strip().upper() in rate.cities


def _compute_closeness_key(rate: EffectiveTaxRate, place: TaxLocation) -> tuple[bool, bool, int, int]:
    """Return the sort key that puts the most local rate first.

    Within a state a rate with postcodes or cities is more local the more of them match, counted as the interface
    counts: matching postcodes times the places that the rate names beside them.
    """
    matching = sum(is_postcode_match(one, place.postcode) for one in rate.postcodes)
    if rate.postcodes and rate.cities:
        named = matching
    else:
        named = (matching or bool(rate.cities)) * (len(rate.postcodes) + len(rate.cities))
    return (not rate.country, not rate.state, -named, rate.id)


def _normalize_postcode(written: str) -> str:
    return written.replace(" ", "").replace("-", "").upper()


def _round_tax_amounts(amounts: Mapping[int, Decimal]) -> dict[int, Decimal]:
    return {id: money.round_amount(amount, _TAX_DECIMALS) for id, amount in amounts.items()}
