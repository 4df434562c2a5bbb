"""The defaults of a country: its currency, how prices are written there, and the units of weight and length.

From babel's tables, which are imported on first use. Not here: the countries themselves (shop/settings/places.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from vetrina.shop.settings import currencies

# Everywhere else weights are in kilograms and lengths in centimeters.
_POUNDS: Final = frozenset({"US", "LR", "MM"})


@dataclass(frozen=True, slots=True)
class LocaleDefaults:
    """The defaults of a country. currency_pos: left, right, left_space or right_space."""

    currency: str
    currency_pos: str
    decimals: int
    decimal_sep: str
    thousand_sep: str
    weight_unit: str
    dimension_unit: str


@cache
def find_locale_defaults(code: str) -> LocaleDefaults | None:
    """Return the defaults of a country; None where it is unknown, or its currency is none of the shop's."""
    from babel import Locale, UnknownLocaleError
    from babel.core import get_global
    from babel.numbers import get_territory_currencies

    used = [one for one in get_territory_currencies(code) if one in currencies.CURRENCY_CODES]
    if not used:
        return None
    spoken = get_global("territory_languages").get(code, {})
    locale = None
    for language in sorted(spoken, key=lambda one: -spoken[one]["population_percent"]):
        try:
            locale = Locale.parse(f"{language}_{code}", sep="_")
            break
        except (UnknownLocaleError, ValueError):
            continue
    locale = locale or Locale("en")
    symbols = locale.number_symbols["latn"]
    pattern = str(locale.currency_formats["standard"].pattern)
    pounds = code in _POUNDS
    return LocaleDefaults(
        currency=used[0],
        currency_pos=_parse_symbol_position(pattern),
        decimals=currencies.get_currency_decimals(used[0]),
        decimal_sep=symbols["decimal"],
        thousand_sep=symbols["group"].replace("\u202f", " ").replace("\xa0", " "),
        weight_unit="lbs" if pounds else "kg",
        dimension_unit="in" if pounds else "cm",
    )


def _parse_symbol_position(pattern: str) -> str:
    """Return the position of the currency symbol in a pattern such as `#,##0.00 ¤`."""
    first = pattern.partition(";")[0].strip("\u200f\u200e ")
    side = "left" if first.startswith("¤") else "right"
    rest = first.strip("¤")
    spaced = rest[:1].isspace() if side == "left" else rest[-1:].isspace()
    return f"{side}_space" if spaced else side
