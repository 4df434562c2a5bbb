"""Dates for people: the letters of a date pattern, as site options store it, and month and day names by language.

The pattern letters are those of PHP's `date`, such as `F j, Y`; a backslash escapes the next letter. The names are
those of the common locale data; an unknown language gets English. Dates in the interface are ISO 8601
(kernel/times.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from babel.core import Locale


_EPOCH: Final = datetime(1970, 1, 1)
# Italian sites write months with a capital letter, the common locale data with a small one.
_CAPITAL_MONTHS: Final = frozenset({"it"})
_ORDINALS: Final = {1: "st", 2: "nd", 3: "rd"}


def get_month_name(number: int, language: str = "en") -> str:
    """Return the name of a month, 1 to 12."""
    return _list_month_names(language)[number - 1]


@lru_cache(maxsize=64)
def _list_month_names(language: str) -> tuple[str, ...]:
    from babel.dates import get_month_names

    names = get_month_names("wide", "stand-alone", _parse_locale(language))
    found = tuple(names[number] for number in range(1, 13))
    return tuple(name.capitalize() for name in found) if language in _CAPITAL_MONTHS else found


@lru_cache(maxsize=64)
def list_weekday_names(language: str = "en") -> tuple[str, ...]:
    """Return the names of the days, Monday first."""
    from babel.dates import get_day_names

    names = get_day_names("wide", "stand-alone", _parse_locale(language))
    return tuple(names[number] for number in range(7))


def format_long_date(at: datetime, language: str) -> str:
    """Return a date as a language writes it in a sentence: `4 novembre 2026`."""
    from babel.dates import format_date as format_locale_date

    return format_locale_date(at, "long", _parse_locale(language))


def format_short_time(at: datetime, language: str) -> str:
    """Return a time of day as a language writes it: `17:05`."""
    from babel.dates import format_time

    return format_time(at, "short", locale=_parse_locale(language))


@lru_cache(maxsize=64)
def _parse_locale(language: str) -> Locale:
    """Return the locale of a language, English for an unknown one."""
    from babel.core import Locale, UnknownLocaleError

    try:
        return Locale.parse(language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return Locale("en")


def format_date(pattern: str, local: int, offset: int = 0, language: str = "en") -> str:
    """Return a local time formatted by a pattern.

    local: local seconds. offset: seconds that local time is ahead of GMT.
    """
    at = _EPOCH + timedelta(seconds=local)
    out: list[str] = []
    characters = iter(pattern)
    for character in characters:
        if character == "\\":
            out.append(next(characters, ""))
        elif character == "c":
            out.append(format_date("Y-m-d\\TH:i:sP", local, offset, language))
        elif character == "r":
            out.append(format_date("D, d M Y H:i:s O", local, offset))
        elif character in _ZONE_LETTERS:
            out.append(_ZONE_LETTERS[character](local, offset))
        else:
            write = _PATTERN_LETTERS.get(character)
            out.append(write(at, language) if write else character)
    return "".join(out)


def _get_ordinal_suffix(day: int) -> str:
    return "th" if 11 <= day <= 13 else _ORDINALS.get(day % 10, "th")


def _count_days_in_month(at: datetime) -> int:
    return ((at.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)).day


def _is_leap(at: datetime) -> bool:
    return at.year % 4 == 0 and (at.year % 100 != 0 or at.year % 400 == 0)


def _format_offset(offset: int, between: str) -> str:
    minutes = abs(offset) // 60
    return f"{'-' if offset < 0 else '+'}{minutes // 60:02d}{between}{minutes % 60:02d}"


_LetterFormatter = Callable[[datetime, str], str]
_PATTERN_LETTERS: Final[Mapping[str, _LetterFormatter]] = {
    "d": lambda at, language: f"{at.day:02d}",
    "D": lambda at, language: list_weekday_names(language)[at.weekday()][:3],
    "j": lambda at, language: str(at.day),
    "l": lambda at, language: list_weekday_names(language)[at.weekday()],
    "N": lambda at, language: str(at.isoweekday()),
    "S": lambda at, language: _get_ordinal_suffix(at.day),
    "w": lambda at, language: str(at.isoweekday() % 7),
    "z": lambda at, language: str(at.timetuple().tm_yday - 1),
    "W": lambda at, language: f"{at.isocalendar().week:02d}",
    "F": lambda at, language: get_month_name(at.month, language),
    "m": lambda at, language: f"{at.month:02d}",
    "M": lambda at, language: get_month_name(at.month, language)[:3],
    "n": lambda at, language: str(at.month),
    "t": lambda at, language: str(_count_days_in_month(at)),
    "L": lambda at, language: str(int(_is_leap(at))),
    "o": lambda at, language: str(at.isocalendar().year),
    "Y": lambda at, language: f"{at.year:04d}",
    "y": lambda at, language: f"{at.year % 100:02d}",
    "a": lambda at, language: "am" if at.hour < 12 else "pm",
    "A": lambda at, language: "AM" if at.hour < 12 else "PM",
    "g": lambda at, language: str(at.hour % 12 or 12),
    "G": lambda at, language: str(at.hour),
    "h": lambda at, language: f"{at.hour % 12 or 12:02d}",
    "H": lambda at, language: f"{at.hour:02d}",
    "i": lambda at, language: f"{at.minute:02d}",
    "s": lambda at, language: f"{at.second:02d}",
}
_ZONE_LETTERS: Final[Mapping[str, Callable[[int, int], str]]] = {
    "O": lambda local, offset: _format_offset(offset, ""),
    "P": lambda local, offset: _format_offset(offset, ":"),
    "Z": lambda local, offset: str(offset),
    "U": lambda local, offset: str(local - offset),
}
