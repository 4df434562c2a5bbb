"""Amounts of money: exact decimals, how they are rounded, parsed, formatted and stored.

`Decimal` in and out, never a float. In the database an amount is a whole number of millionths, because the interface
returns unrounded amounts with six decimals and the two databases share no exact type. Rules:
docs/rules/order_totals.md, 3 to 5. Which amounts there are and how they are computed: shop/orders/totals.py.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Final

HALF_UP: Final = ROUND_HALF_UP
HALF_DOWN: Final = ROUND_HALF_DOWN

ZERO: Final = Decimal(0)
MAX_AMOUNT: Final = Decimal(10) ** 12  # what a 64-bit column holds in millionths, with room for sums
_MILLION: Final = Decimal(1_000_000)
_MILLIONTH: Final = Decimal("0.000001")
_SHORT: Final = 24  # characters of a text whose amount is cached; prices are parsed again and again
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_UNITS: Final = tuple(Decimal(1).scaleb(-places) for places in range(13))


def round_amount(amount: Decimal, places: int, half: str = HALF_UP) -> Decimal:
    """Return an amount rounded to some decimals; half: HALF_UP (away from zero) or HALF_DOWN (towards zero)."""
    return amount.quantize(_UNITS[places], half)


@lru_cache(maxsize=8192)
def encode_amount(amount: Decimal) -> int:
    """Return an amount as the database stores it: millionths, rounded half up."""
    return int((amount * _MILLION).to_integral_value(HALF_UP))


@lru_cache(maxsize=8192)  # most amounts of an order are zero, and prices recur
def decode_amount(millionths: int) -> Decimal:
    """Return an amount from its stored form."""
    return Decimal(millionths).scaleb(-6)


def format_amount(amount: Decimal, places: int) -> str:
    """Return an amount as responses write it, with a fixed number of decimals and no sign on zero."""
    out = round_amount(amount, places)
    return f"{out if out else abs(out):f}"


def format_plain_amount(amount: Decimal) -> str:
    """Return an amount without trailing zeros: `6`, `25.02`."""
    out = f"{round_amount(amount, 6):f}".rstrip("0").rstrip(".")
    return "0" if out in ("", "-0") else out


def parse_amount(written: str) -> Decimal | None:
    """Return the amount that a text says, None where it says none or one that is too large to store.

    A number as JSON writes it; a plus sign, a bare point and surrounding blanks are allowed, group separators are not.
    """
    return _parse_amount(written) if len(written) <= _SHORT else _parse_amount.__wrapped__(written)


@lru_cache(maxsize=4096)
def _parse_amount(written: str) -> Decimal | None:
    if _NUMBER.fullmatch(written.strip()) is None:
        return None
    amount = Decimal(written.strip())
    return amount.quantize(_MILLIONTH, HALF_UP).normalize() + ZERO if abs(amount) < MAX_AMOUNT else None
