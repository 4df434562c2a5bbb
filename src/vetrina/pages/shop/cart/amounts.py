"""Amounts of the visitors' interface as people read them: `€1.234,50` for 123450 in a group with its format.

Rules: docs/rules/store_products.md, 1; docs/rules/cart_pages.md, 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MINUS = "−"


def add_amounts(*amounts: Any) -> int:
    """Return the sum of amounts in the smallest unit; what is missing counts as nothing."""
    return sum(int(one) for one in amounts if one is not None)


def format_amount(minor: Any, group: Mapping[str, Any]) -> str:
    """Return an amount with the sign of its currency. minor: in the smallest unit; group: has the currency's format."""
    places, units = int(group["currency_minor_unit"]), int(minor)
    whole, cents = divmod(abs(units), 10**places)
    digits = f"{whole:,}".replace(",", str(group["currency_thousand_separator"]))
    if places:
        digits += f"{group['currency_decimal_separator']}{cents:0{places}d}"
    return f"{_MINUS if units < 0 else ''}{group['currency_prefix']}{digits}{group['currency_suffix']}"
