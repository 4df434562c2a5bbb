"""Dates and times as readers of pages see them: as the site's options say, else as their language writes them.

The first values of the options are how English writes dates; other languages have their own way until the owner of the
site chooses one. Answers of the interface keep the pattern (kernel/date_format.py). Rules: docs/rules/dates.md, 7.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from vetrina.core.options import DEFAULTS
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.date_format import format_date, format_long_date, format_short_time

_DATE, _TIME = "date_format", "time_format"
_EPOCH: Final = datetime(1970, 1, 1)
_ENGLISH: Final = "en"


def format_shown_date(work: UnitOfWork, local: int, language: str) -> str:
    """Return the date of a local time, in seconds, as a page in a language shows it."""
    if _has_own_form(work, _DATE, language):
        return format_long_date(_EPOCH + timedelta(seconds=local), language)
    return format_date(work.option(_DATE), local, language=language)


def format_shown_time(work: UnitOfWork, local: int, language: str) -> str:
    """Return the time of day of a local time, in seconds, as a page in a language shows it."""
    if _has_own_form(work, _TIME, language):
        return format_short_time(_EPOCH + timedelta(seconds=local), language)
    return format_date(work.option(_TIME), local, language=language)


def _has_own_form(work: UnitOfWork, option: str, language: str) -> bool:
    return language.partition("-")[0] != _ENGLISH and work.option(option) == DEFAULTS[option]
