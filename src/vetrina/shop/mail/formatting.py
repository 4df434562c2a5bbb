"""How mails write amounts and days: as readers of a language expect them, in the currency of an order."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.shop.settings import rules as settings

if TYPE_CHECKING:
    from babel import Locale

__all__ = ["Format", "locale_of"]


@lru_cache(maxsize=256)
def locale_of(language: str) -> Locale:
    """Return what the library knows of a language; English where it knows nothing."""
    # Loaded with the first mail: it takes a quarter of a second.
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(language.replace("-", "_"))
    except (UnknownLocaleError, ValueError, TypeError):
        return Locale("en")


class Format:
    """Writes amounts and days in a language. currency: code; amounts have the shop's decimals."""

    __slots__ = ("_currency", "_locale", "_places", "_work")

    def __init__(self, work: Work, language: str, currency: str) -> None:
        self._work, self._locale, self._currency = work, locale_of(language), currency
        self._places = settings.decimals(work)

    @property
    def direction(self) -> str:
        """Return which way the language is written: ltr, rtl."""
        return str(self._locale.text_direction)

    def amount(self, amount: Decimal) -> str:
        """Return an amount with the sign of its currency: `€ 1.234,50`."""
        from babel.numbers import parse_pattern

        pattern = parse_pattern(self._locale.currency_formats["standard"].pattern)
        pattern.frac_prec = (self._places, self._places)
        rounded = money.rounded(amount, self._places)
        return str(pattern.apply(rounded, self._locale, currency=self._currency, currency_digits=False))

    def day(self, moment: int) -> str:
        """Return the day of a moment in the site's zone: `3 November 2026`. moment: seconds since 1970."""
        from babel.dates import format_date

        day = datetime.fromtimestamp(self._work.zone.to_local(moment), UTC).date()
        return str(format_date(day, "long", locale=self._locale))

    def country(self, code: str) -> str:
        """Return the name of a country; its code where nobody knows it."""
        return str(self._locale.territories.get(code, code))
