"""Formatting of prices: currency symbol, separators and decimals of the shop, as HTML and as plain text.

Not here: which price is active (shop/products/prices.py). Rules: docs/rules/products.md, 2.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from typing import Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.shop.products.model import GROUPED, VARIABLE, Product
from vetrina.shop.settings import currencies, rules as settings

_POSITION_FORMATS: Final = {"left": "{sign}{number}", "right": "{number}{sign}", "left_space": "{sign}&nbsp;{number}",
                  "right_space": "{number}&nbsp;{sign}"}  # fmt: skip
_MAX_DECIMALS: Final = 8
_SHORT_ENTITY = re.compile(r"&#(\d{1,2});")


class PriceFormat:
    """How a shop formats amounts. sign: the currency symbol, as HTML."""

    __slots__ = ("_decimal", "_place", "_places", "_thousands", "sign")

    def __init__(self, sign: str, place: str, thousands: str, decimal: str, places: int) -> None:
        self.sign, self._thousands, self._decimal, self._places = sign, thousands, decimal, places
        self._place = _POSITION_FORMATS.get(place, _POSITION_FORMATS["left"])

    def number(self, amount: Decimal) -> str:
        """Return an amount without the currency symbol: `1,234.50`."""
        whole, _, rest = money.format_amount(abs(amount), self._places).partition(".")
        grouped = f"{int(whole):,}".replace(",", self._thousands)
        return f"{grouped}{self._decimal}{rest}" if rest else grouped

    def text(self, amount: Decimal) -> str:
        """Return an amount with the currency symbol, as text with entities."""
        return ("-" if amount < 0 else "") + self._place.format(sign=self.sign, number=self.number(amount))

    def markup(self, amount: Decimal, *, hidden: bool = False) -> str:
        """Return an amount as HTML; hidden: hidden from screen readers, where text beside it says the same."""
        sign = f'<span class="shop-Price-currencySymbol">{self.sign}</span>'
        inner = ("-" if amount < 0 else "") + self._place.format(sign=sign, number=self.number(amount))
        attribute = ' aria-hidden="true"' if hidden else ""
        return f'<span class="shop-Price-amount amount"{attribute}><bdi>{inner}</bdi></span>'

    def sale(self, regular: Decimal, now: Decimal) -> str:
        """Return the markup of a reduced price."""
        said = [_SHORT_ENTITY.sub(lambda one: f"&#{int(one[1]):03};", self.text(one)) for one in (regular, now)]
        return (
            f'<del aria-hidden="true">{self.markup(regular)}</del> '
            f'<span class="screen-reader-text">Original price was: {said[0]}.</span>'
            f'<ins aria-hidden="true">{self.markup(now)}</ins>'
            f'<span class="screen-reader-text">Current price is: {said[1]}.</span>'
        )

    def range(self, lowest: Decimal, highest: Decimal) -> str:
        """Return the markup of a price range."""
        return (
            f'{self.markup(lowest, hidden=True)} <span aria-hidden="true">&ndash;</span> '
            f'{self.markup(highest, hidden=True)}<span class="screen-reader-text">Price range: '
            f"{self.text(lowest)} through {self.text(highest)}</span>"
        )


@lru_cache(maxsize=64)
def _build_price_format(currency: str, place: str, thousands: str, decimal: str, places: str) -> PriceFormat:
    count = int(places) if places.isdecimal() and len(places) < 3 else 2
    sign = currencies.encode_symbol_entities(currencies.get_currency_symbol(currency))
    return PriceFormat(sign, place, thousands, decimal, min(count, _MAX_DECIMALS))


def build_shop_price_format(work: UnitOfWork, currency: str = "") -> PriceFormat:
    """Return how the shop formats amounts; currency: a code other than its own."""
    told = [
        str(settings.get_shop_option(work, name))
        for name in (
            "shop_currency_pos",
            "shop_price_thousand_sep",
            "shop_price_decimal_sep",
            "shop_price_num_decimals",
        )
    ]
    return _build_price_format(currency or str(settings.get_shop_option(work, "shop_currency")), *told)


def _return_entered_amount(amount: Decimal) -> Decimal:
    return amount


def render_product_price(
    one: Product, form: PriceFormat, convert: Callable[[Decimal], Decimal] = _return_entered_amount
) -> str:
    """Return the price of a product as HTML; empty where it has none. `price_from` and the rest must be current.

    convert: converts an amount as entered to the displayed one.
    """
    if one.price_from is None:
        return ""
    same = one.regular_from == one.regular_to
    lowered = one.on_sale and one.kind != GROUPED and (one.kind != VARIABLE or same)
    regular = convert(money.decode_amount(one.regular_to)) if lowered and one.regular_to is not None else None
    now, most = convert(money.decode_amount(one.price_from)), convert(money.decode_amount(one.price_to or 0))
    return _render_price_range(form, now, most if one.kind in (VARIABLE, GROUPED) else now, regular)


@lru_cache(maxsize=4096)
def _render_price_range(form: PriceFormat, now: Decimal, most: Decimal, regular: Decimal | None) -> str:
    """Return the markup of a price range; regular: the price that was reduced to this single one."""
    if now != most:
        return form.range(now, most)
    return form.markup(now) if regular is None else form.sale(regular, now)
