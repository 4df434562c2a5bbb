"""Formatting of amounts and dates in mails, by language and in the currency of an order."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.shop.settings import rules as settings

if TYPE_CHECKING:
    from babel import Locale


@lru_cache(maxsize=256)
def load_locale(language: str) -> Locale:
    """Return the locale of a language; English where Babel does not know the language."""
    # Imported with the first mail: it takes a quarter of a second.
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(language.replace("-", "_"))
    except (UnknownLocaleError, ValueError, TypeError):
        return Locale("en")


class MailFormatter:
    """Formats amounts and dates in a language. currency: code; amounts have the shop's decimals."""

    __slots__ = ("_currency", "_locale", "_places", "_work")

    def __init__(self, work: UnitOfWork, language: str, currency: str) -> None:
        self._work, self._locale, self._currency = work, load_locale(language), currency
        self._places = settings.get_price_decimals(work)

    @property
    def direction(self) -> str:
        """Return the writing direction of the language: ltr, rtl."""
        return str(self._locale.text_direction)

    def format_amount(self, amount: Decimal) -> str:
        """Return an amount with its currency symbol: `€ 1.234,50`."""
        from babel.numbers import parse_pattern

        pattern = parse_pattern(self._locale.currency_formats["standard"].pattern)
        pattern.frac_prec = (self._places, self._places)
        rounded = money.round_amount(amount, self._places)
        return str(pattern.apply(rounded, self._locale, currency=self._currency, currency_digits=False))

    def format_day(self, moment: int) -> str:
        """Return the date in the site's zone: `3 November 2026`. moment: seconds since 1970."""
        from babel.dates import format_date

        day = datetime.fromtimestamp(self._work.zone.to_local(moment), UTC).date()
        return str(format_date(day, "long", locale=self._locale))

    def get_country_name(self, code: str) -> str:
        """Return the name of a country; its code where the name is unknown."""
        return str(self._locale.territories.get(code, code))
