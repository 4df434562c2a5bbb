"""Amounts of money: exact decimals, how they are rounded, read, written and kept.

What is in: `Decimal` in and out, never a float. In the database an amount is a whole number of millionths, because the
interface shows unrounded amounts to six decimals and neither database has an exact type that both share.
Not here: which amounts there are and how they follow from each other (shop/taxes/line_totals.py), signs of currencies.
Rules: facts, "Totals" and "Tax".
"""

from __future__ import annotations

import re
from decimal import ROUND_FLOOR, ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Final

__all__ = [
    "HALF_DOWN",
    "HALF_UP",
    "LARGEST",
    "ZERO",
    "floored",
    "loaded",
    "parsed",
    "plain",
    "rounded",
    "stored",
    "text",
]

HALF_UP: Final = ROUND_HALF_UP
HALF_DOWN: Final = ROUND_HALF_DOWN

ZERO: Final = Decimal(0)
LARGEST: Final = Decimal(10) ** 12  # what a column of 64 bits holds in millionths, with room to add up
_MILLION: Final = Decimal(1_000_000)
_SIX: Final = Decimal("0.000001")
_SHORT: Final = 24  # letters of a text whose amount is kept; prices are read again and again
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_UNITS: Final = tuple(Decimal(1).scaleb(-places) for places in range(13))


def rounded(amount: Decimal, places: int, half: str = HALF_UP) -> Decimal:
    """Return an amount with some decimals; half: what becomes of a half, HALF_UP or HALF_DOWN (away from, to zero)."""
    return amount.quantize(_UNITS[places], half)


def floored(amount: Decimal) -> Decimal:
    """Return the largest whole number that is not above an amount."""
    return amount.to_integral_value(ROUND_FLOOR)


@lru_cache(maxsize=8192)
def stored(amount: Decimal) -> int:
    """Return an amount as the database keeps it: millionths, half a millionth up."""
    return int((amount * _MILLION).to_integral_value(HALF_UP))


@lru_cache(maxsize=8192)  # most amounts of an order are nothing, and prices come back
def loaded(millionths: int) -> Decimal:
    """Return an amount that the database kept."""
    return Decimal(millionths).scaleb(-6)


def text(amount: Decimal, places: int) -> str:
    """Return an amount as answers write it, with a fixed number of decimals and no sign on zero."""
    out = rounded(amount, places)
    return f"{out if out else abs(out):f}"


def plain(amount: Decimal) -> str:
    """Return an amount without the zeros at its end: `6`, `25.02`."""
    out = f"{rounded(amount, 6):f}".rstrip("0").rstrip(".")
    return "0" if out in ("", "-0") else out


def parsed(written: str) -> Decimal | None:
    """Return the amount that a text names, None where it names none or one too large to be kept.

    A number as JSON writes it, with a plus sign, a bare point and blanks around it allowed; no group separators.
    """
    return _parsed(written) if len(written) <= _SHORT else _parsed.__wrapped__(written)


@lru_cache(maxsize=4096)
def _parsed(written: str) -> Decimal | None:
    if _NUMBER.fullmatch(written.strip()) is None:
        return None
    amount = Decimal(written.strip())
    return amount.quantize(_SIX, HALF_UP).normalize() + ZERO if abs(amount) < LARGEST else None
