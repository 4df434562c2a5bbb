"""Which tax rates hold at a place, and what they make of an amount.

What is in: the choice of rates and the arithmetic, on values alone. Not here: rates as they are kept and changed
(shop/taxes/rates.py), what is taxed in an order (shop/taxes/line_totals.py).
Rules: facts, "Tax": one rate of each priority, the most local one, the first that was made among equals; rates of
several priorities add up; a compound one is taken of the price with the taxes before it. Figures of a rate keep six
decimals.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Final

import msgspec

from vetrina.kernel import money

__all__ = ["Formula", "Place", "Rate", "matches_postcode", "rate_code", "rates_at", "upon", "within"]

_HUNDRED: Final = Decimal(100)
_EXACT: Final = 6
_RANGE: Final = "..."
_DIGITS = re.compile(r"0*(\d*)", re.ASCII)


class Place(msgspec.Struct, frozen=True):
    """Where something is sold: codes of country and state, postcode and city as an address has them."""

    country: str
    state: str = ""
    postcode: str = ""
    city: str = ""


class Rate(msgspec.Struct, frozen=True):
    """A tax rate. Empty country, state, postcodes, cities: everywhere. percent: 22 for 22 %. tax_class: a slug, empty
    for the standard one. order: among rates of one priority."""

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


Formula = Callable[[Decimal, Sequence[Rate]], dict[int, Decimal]]
"""What each rate, by number, comes to of an amount: `upon` or `within`."""


def rates_at(rates: Iterable[Rate], place: Place, tax_class: str) -> tuple[Rate, ...]:
    """Return the rates of a class that hold at a place, one of each priority, in the order of priorities."""
    if not place.country:
        return ()
    holding = [rate for rate in rates if rate.tax_class == tax_class and _holds(rate, place)]
    chosen: dict[int, Rate] = {}
    for rate in sorted(holding, key=lambda rate: _closeness(rate, place)):
        chosen.setdefault(rate.priority, rate)
    return tuple(chosen[priority] for priority in sorted(chosen))


def upon(amount: Decimal, rates: Sequence[Rate]) -> dict[int, Decimal]:
    """Return what each rate, by number, puts on an amount that has no tax in it."""
    out: dict[int, Decimal] = {}
    for rate in rates:
        if not rate.compound:
            out[rate.id] = amount * rate.percent / _HUNDRED
    before = sum(out.values(), money.ZERO)
    for rate in rates:
        if rate.compound:
            out[rate.id] = (amount + before) * rate.percent / _HUNDRED
            before += out[rate.id]
    return _exact(out)


def within(amount: Decimal, rates: Sequence[Rate]) -> dict[int, Decimal]:
    """Return what each rate, by number, has in an amount that its tax is part of; compound ones come off first."""
    out: dict[int, Decimal] = {}
    rest = amount
    for rate in reversed([rate for rate in rates if rate.compound]):
        out[rate.id] = rest - rest / (1 + rate.percent / _HUNDRED)
        rest -= out[rate.id]
    plain = [rate for rate in rates if not rate.compound]
    net = rest / (1 + sum((rate.percent for rate in plain), money.ZERO) / _HUNDRED)
    for rate in plain:
        out[rate.id] = net * rate.percent / _HUNDRED
    return _exact({rate.id: out[rate.id] for rate in rates})


def rate_code(rate: Rate) -> str:
    """Return what an order calls a rate: `IT-MI-IVA-1`."""
    parts = (rate.country, rate.state, rate.name or "TAX", str(rate.priority))
    return "-".join(part for part in parts if part).upper()


def matches_postcode(pattern: str, postcode: str) -> bool:
    """Say whether a postcode is one that a rate or a shipping zone names.

    pattern: a postcode, one with `*` for anything, or a range as `10000...10099`, which compares numbers where both
    ends and the postcode are made of digits, else texts.
    """
    pattern, postcode = _postcode(pattern), _postcode(postcode)
    first, dots, last = pattern.partition(_RANGE)
    if dots:
        numbers = [_DIGITS.fullmatch(one) for one in (first, postcode, last)]
        if first and last and postcode and all(numbers):
            low, here, high = ((len(one[1]), one[1]) for one in numbers if one)
            return low <= here <= high
        return first <= postcode <= last
    if "*" in pattern:
        return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), postcode) is not None
    return pattern == postcode


def _holds(rate: Rate, place: Place) -> bool:
    if rate.country and rate.country != place.country.upper():
        return False
    if rate.state and rate.state != place.state.upper():
        return False
    if rate.postcodes and not any(matches_postcode(one, place.postcode) for one in rate.postcodes):
        return False
    return not rate.cities or place.city.strip().upper() in rate.cities


def _closeness(rate: Rate, place: Place) -> tuple[bool, bool, int, int]:
    """Return a key that puts the most local rate first.

    Within a state those that name postcodes or cities are the more local the more of them they name for this place, as
    the interface counts it: postcodes that match, times places that the rate names beside them.
    """
    matching = sum(matches_postcode(one, place.postcode) for one in rate.postcodes)
    if rate.postcodes and rate.cities:
        named = matching
    else:
        named = (matching or bool(rate.cities)) * (len(rate.postcodes) + len(rate.cities))
    return (not rate.country, not rate.state, -named, rate.id)


def _postcode(written: str) -> str:
    return written.replace(" ", "").replace("-", "").upper()


def _exact(amounts: Mapping[int, Decimal]) -> dict[int, Decimal]:
    return {id: money.rounded(amount, _EXACT) for id, amount in amounts.items()}
