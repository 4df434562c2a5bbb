"""How a price is written: sign, separators and decimals of the shop, as HTML and as plain text.

Not here: which price holds (shop/products/prices.py). Rules: facts, "Changing the currency"; the recordings of
`price_html`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from typing import Final

from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.shop.products.model import GROUPED, VARIABLE, Product
from vetrina.shop.settings import currencies
from vetrina.shop.settings import rules as settings

__all__ = ["PriceFormat", "of_shop", "product_markup"]

_PLACES: Final = {"left": "{sign}{number}", "right": "{number}{sign}", "left_space": "{sign}&nbsp;{number}",
                  "right_space": "{number}&nbsp;{sign}"}  # fmt: skip
_MOST_DECIMALS: Final = 8
_SHORT_ENTITY = re.compile(r"&#(\d{1,2});")


class PriceFormat:
    """How a shop writes amounts. sign: of the currency, as HTML."""

    __slots__ = ("_decimal", "_place", "_places", "_thousands", "sign")

    def __init__(self, sign: str, place: str, thousands: str, decimal: str, places: int) -> None:
        self.sign, self._thousands, self._decimal, self._places = sign, thousands, decimal, places
        self._place = _PLACES.get(place, _PLACES["left"])

    def number(self, amount: Decimal) -> str:
        """Return an amount without its sign: `1,234.50`."""
        whole, _, rest = money.text(abs(amount), self._places).partition(".")
        grouped = f"{int(whole):,}".replace(",", self._thousands)
        return f"{grouped}{self._decimal}{rest}" if rest else grouped

    def text(self, amount: Decimal) -> str:
        """Return an amount with its sign, as text with entities."""
        return ("-" if amount < 0 else "") + self._place.format(sign=self.sign, number=self.number(amount))

    def markup(self, amount: Decimal, *, hidden: bool = False) -> str:
        """Return an amount as HTML; hidden: it is said in words beside it."""
        sign = f'<span class="shop-Price-currencySymbol">{self.sign}</span>'
        inner = ("-" if amount < 0 else "") + self._place.format(sign=sign, number=self.number(amount))
        attribute = ' aria-hidden="true"' if hidden else ""
        return f'<span class="shop-Price-amount amount"{attribute}><bdi>{inner}</bdi></span>'

    def sale(self, regular: Decimal, now: Decimal) -> str:
        """Return the markup of a price that was lowered."""
        said = [_SHORT_ENTITY.sub(lambda one: f"&#{int(one[1]):03};", self.text(one)) for one in (regular, now)]
        return (
            f'<del aria-hidden="true">{self.markup(regular)}</del> '
            f'<span class="screen-reader-text">Original price was: {said[0]}.</span>'
            f'<ins aria-hidden="true">{self.markup(now)}</ins>'
            f'<span class="screen-reader-text">Current price is: {said[1]}.</span>'
        )

    def range(self, lowest: Decimal, highest: Decimal) -> str:
        """Return the markup of prices from one to another."""
        return (
            f'{self.markup(lowest, hidden=True)} <span aria-hidden="true">&ndash;</span> '
            f'{self.markup(highest, hidden=True)}<span class="screen-reader-text">Price range: '
            f"{self.text(lowest)} through {self.text(highest)}</span>"
        )


@lru_cache(maxsize=64)
def _format(currency: str, place: str, thousands: str, decimal: str, places: str) -> PriceFormat:
    count = int(places) if places.isdecimal() and len(places) < 3 else 2
    sign = currencies.entity(currencies.symbol(currency))
    return PriceFormat(sign, place, thousands, decimal, min(count, _MOST_DECIMALS))


def of_shop(work: Work, currency: str = "") -> PriceFormat:
    """Return how the shop writes amounts; currency: another one than its own."""
    told = [
        str(settings.shop_option(work, name))
        for name in (
            "shop_currency_pos",
            "shop_price_thousand_sep",
            "shop_price_decimal_sep",
            "shop_price_num_decimals",
        )
    ]
    return _format(currency or str(settings.shop_option(work, "shop_currency")), *told)


def _as_entered(amount: Decimal) -> Decimal:
    return amount


def product_markup(one: Product, form: PriceFormat, shown: Callable[[Decimal], Decimal] = _as_entered) -> str:
    """Return what a product costs, as HTML; empty where it has no price. `price_from` and the rest hold what is now.

    shown: an amount as it was entered → as the shop shows it.
    """
    if one.price_from is None:
        return ""
    same = one.regular_from == one.regular_to
    lowered = one.on_sale and one.kind != GROUPED and (one.kind != VARIABLE or same)
    regular = shown(money.loaded(one.regular_to)) if lowered and one.regular_to is not None else None
    now, most = shown(money.loaded(one.price_from)), shown(money.loaded(one.price_to or 0))
    return _markup(form, now, most if one.kind in (VARIABLE, GROUPED) else now, regular)


@lru_cache(maxsize=4096)
def _markup(form: PriceFormat, now: Decimal, most: Decimal, regular: Decimal | None) -> str:
    """Return the markup of prices up to the highest; regular: what was lowered to this one price."""
    if now != most:
        return form.range(now, most)
    return form.markup(now) if regular is None else form.sale(regular, now)
