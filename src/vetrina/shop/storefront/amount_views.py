"""Money as visitors' answers write it: text in the smallest unit of the currency, beside what the currency is.

Rules: facts, "Visitors' interface": every group of amounts has the members of the currency.
"""

from __future__ import annotations

import html
from decimal import Decimal
from typing import Any, Final

from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.rest.fields import Field, Integer, String
from vetrina.shop.settings import currencies
from vetrina.shop.settings import rules as settings

__all__ = ["CURRENCY", "Amounts"]

_EXACT: Final = 6
_BLANK: Final = "\u00a0"

CURRENCY: Final[dict[str, Field]] = {
    "currency_code": String("Code of the currency (ISO 4217).", readonly=True),
    "currency_symbol": String("Sign of the currency.", readonly=True),
    "currency_minor_unit": Integer("Decimals of the currency: 2 where 2500 means 25.00.", readonly=True),
    "currency_decimal_separator": String("What parts the decimals.", readonly=True),
    "currency_thousand_separator": String("What parts thousands.", readonly=True),
    "currency_prefix": String("What stands before an amount.", readonly=True),
    "currency_suffix": String("What stands behind an amount.", readonly=True),
}


class Amounts:
    """How the shop writes money; asks for its settings once."""

    __slots__ = ("_unit", "members", "places")

    def __init__(self, work: Work, currency: str = "") -> None:
        code = currency or str(settings.shop_option(work, "shop_currency"))
        sign = html.unescape(currencies.symbol(code))
        place = str(settings.shop_option(work, "shop_currency_pos"))
        blank = _BLANK if place.endswith("_space") else ""
        self.places = settings.decimals(work)
        self._unit = Decimal(1)
        self.members: dict[str, Any] = {
            "currency_code": code,
            "currency_symbol": sign,
            "currency_minor_unit": self.places,
            "currency_decimal_separator": str(settings.shop_option(work, "shop_price_decimal_sep")),
            "currency_thousand_separator": str(settings.shop_option(work, "shop_price_thousand_sep")),
            "currency_prefix": sign + blank if place.startswith("left") else "",
            "currency_suffix": blank + sign if place.startswith("right") else "",
        }

    def minor(self, amount: Decimal, places: int | None = None, half: str = money.HALF_UP) -> str:
        """Return an amount in its smallest unit: `2500` for 25.00. half: what becomes of half a unit."""
        moved = amount.scaleb(self.places if places is None else places)
        out = money.rounded(moved, 0, half)
        return f"{out if out else abs(out):f}"

    def group(self, **amounts: Any) -> dict[str, Any]:
        """Return a group of amounts; those that are Decimals are written here."""
        out = {name: self.minor(one) if isinstance(one, Decimal) else one for name, one in amounts.items()}
        return {**out, **self.members}

    def raw(self, price: Decimal, regular: Decimal, sale: Decimal) -> dict[str, Any]:
        """Return prices with all decimals that are kept, which carts show beside the rounded ones."""
        names = {"price": price, "regular_price": regular, "sale_price": sale}
        return {"precision": _EXACT, **{name: self.minor(one, _EXACT) for name, one in names.items()}}
