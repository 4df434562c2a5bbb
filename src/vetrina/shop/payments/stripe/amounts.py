"""Amounts in Stripe's units: whole numbers of the smallest unit that it supports for a currency.

Rule: Stripe's documentation, "Supported currencies" (zero-decimal, three-decimal, special cases).
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

_ZERO_DECIMAL_CURRENCIES: Final = frozenset(  # units are whole currency units
    ("BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF", "XOF", "XPF")
)
_THREE_DECIMAL_CURRENCIES: Final = frozenset(("BHD", "JOD", "KWD", "OMR", "TND"))
_DEFAULT_DECIMALS: Final = 2  # decimals of all others, including ISK and UGX, which have no cents
_UNIT_STEPS: Final = {
    **dict.fromkeys(_THREE_DECIMAL_CURRENCIES, 10),
    "ISK": 100,
    "UGX": 100,
}  # an amount must be a multiple of these units


def encode_stripe_amount(amount: Decimal, currency: str) -> int | None:
    """Return an amount in units, None where it is smaller than a unit can express. currency: its code, in capitals."""
    units = amount.scaleb(_get_currency_decimals(currency))
    if units != units.to_integral_value() or units % _UNIT_STEPS.get(currency, 1):
        return None
    return int(units)


def decode_stripe_amount(units: Any, currency: str) -> Decimal | None:
    """Return the amount of some units, None where they are not a whole number. currency: its code, in capitals."""
    if not isinstance(units, int) or isinstance(units, bool):
        return None
    return Decimal(units).scaleb(-_get_currency_decimals(currency))


def _get_currency_decimals(currency: str) -> int:
    return (
        0 if currency in _ZERO_DECIMAL_CURRENCIES else 3 if currency in _THREE_DECIMAL_CURRENCIES else _DEFAULT_DECIMALS
    )
