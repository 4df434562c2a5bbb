"""Amounts in storefront responses: text in the smallest unit of the currency, beside the currency's format.

Rules: docs/rules/store_products.md, 1: every group of amounts has the members of the currency.
"""

from __future__ import annotations

import html
from decimal import Decimal
from typing import Any, Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.rest.fields import Field, Integer, String
from vetrina.shop.settings import currencies, rules as settings

_EXACT_DECIMALS: Final = 6
_NO_BREAK_SPACE: Final = "\u00a0"

CURRENCY_FIELDS: Final[dict[str, Field]] = {
    "currency_code": String("Code of the currency (ISO 4217).", readonly=True),
    "currency_symbol": String("Sign of the currency.", readonly=True),
    "currency_minor_unit": Integer("Decimals of the currency: 2 where 2500 means 25.00.", readonly=True),
    "currency_decimal_separator": String("What parts the decimals.", readonly=True),
    "currency_thousand_separator": String("What parts thousands.", readonly=True),
    "currency_prefix": String("What stands before an amount.", readonly=True),
    "currency_suffix": String("What stands behind an amount.", readonly=True),
}


class MoneySerializer:
    """Serializes amounts; reads the shop's currency settings once."""

    __slots__ = ("members", "places")

    def __init__(self, work: UnitOfWork, currency: str = "") -> None:
        code = currency or str(settings.get_shop_option(work, "shop_currency"))
        sign = html.unescape(currencies.get_currency_symbol(code))
        place = str(settings.get_shop_option(work, "shop_currency_pos"))
        blank = _NO_BREAK_SPACE if place.endswith("_space") else ""
        self.places = settings.get_price_decimals(work)
        self.members: dict[str, Any] = {
            "currency_code": code,
            "currency_symbol": sign,
            "currency_minor_unit": self.places,
            "currency_decimal_separator": str(settings.get_shop_option(work, "shop_price_decimal_sep")),
            "currency_thousand_separator": str(settings.get_shop_option(work, "shop_price_thousand_sep")),
            "currency_prefix": sign + blank if place.startswith("left") else "",
            "currency_suffix": blank + sign if place.startswith("right") else "",
        }

    def format_minor_units(self, amount: Decimal, places: int | None = None, half: str = money.HALF_UP) -> str:
        """Return an amount in its smallest unit: `2500` for 25.00. half: rounding of half a unit."""
        moved = amount.scaleb(self.places if places is None else places)
        out = money.round_amount(moved, 0, half)
        return f"{out if out else abs(out):f}"

    def serialize_amounts(self, **amounts: Any) -> dict[str, Any]:
        """Return a group of amounts with the currency's members; Decimals are formatted."""
        out = {name: self.format_minor_units(one) if isinstance(one, Decimal) else one for name, one in amounts.items()}
        return {**out, **self.members}

    def serialize_raw_prices(self, price: Decimal, regular: Decimal, sale: Decimal) -> dict[str, Any]:
        """Return prices with all stored decimals, which carts show beside the rounded ones."""
        names = {"price": price, "regular_price": regular, "sale_price": sale}
        return {
            "precision": _EXACT_DECIMALS,
            **{name: self.format_minor_units(one, _EXACT_DECIMALS) for name, one in names.items()},
        }
