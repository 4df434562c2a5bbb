"""Amounts as Stripe writes them: whole numbers of the smallest unit that it knows of a currency.

Rule: Stripe's documentation, "Supported currencies" (zero-decimal, three-decimal, special cases).
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

__all__ = ["in_units", "of_units"]

_WHOLE: Final = frozenset(  # units are the currency's own
    ("BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF", "XOF", "XPF")
)
_THOUSANDTHS: Final = frozenset(("BHD", "JOD", "KWD", "OMR", "TND"))
_CENTS: Final = 2  # decimals of all others; of ISK and UGX, which have no cents, too
_STEPS: Final = {**dict.fromkeys(_THOUSANDTHS, 10), "ISK": 100, "UGX": 100}  # units that an amount is a multiple of


def in_units(amount: Decimal, currency: str) -> int | None:
    """Return an amount in units, None where the currency has nothing so small. currency: its code, in capitals."""
    units = amount.scaleb(_decimals(currency))
    if units != units.to_integral_value() or units % _STEPS.get(currency, 1):
        return None
    return int(units)


def of_units(units: Any, currency: str) -> Decimal | None:
    """Return the amount of a number of units, None where it is no number. currency: its code, in capitals."""
    if not isinstance(units, int) or isinstance(units, bool):
        return None
    return Decimal(units).scaleb(-_decimals(currency))


def _decimals(currency: str) -> int:
    return 0 if currency in _WHOLE else 3 if currency in _THOUSANDTHS else _CENTS
