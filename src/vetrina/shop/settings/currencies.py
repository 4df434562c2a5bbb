"""The currencies that prices may be in: their names, signs and decimals.

Names come from a library (babel), which is imported when one is first asked for. What is written here is which
currencies there are, the sign that stands at a price, and where this interface gives another name.
Not here: how a price is written out (price_text.py), amounts (kernel/money.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

__all__ = ["CODES", "decimals", "entity", "labels", "names", "symbol"]

# Signs, and the currencies that have them; every other one is written by its code.
_SIGNS: Final[Mapping[str, str]] = {
    "$": "ARS AUD BBD BMD BND BSD BZD CAD CLP COP CUC CUP CVE FJD GYD HKD JMD KYD LRD MXN NZD SBD SGD SRD TTD "
    "USD UYU XCD",
    "£": "FKP GBP GGP GIP IMP JEP SHP SSP", "¥": "CNY JPY", "€": "EUR", "ƒ": "ANG", "₺": "TRY", "₽": "RUB",
    "₹": "INR", "₪": "ILS", "₩": "KPW KRW", "₫": "VND", "₴": "UAH", "₦": "NGN", "₱": "PHP", "₲": "PYG",
    "₡": "CRC", "₭": "LAK", "₮": "MNT", "₸": "KZT", "₼": "AZN", "₾": "GEL", "₵": "GHS", "₨": "MUR NPR PKR SCR",
    "৳\u00a0": "BDT", "฿": "BTC THB", "៛": "KHR", "රු": "LKR", "﷼": "IRR YER", "د.إ": "AED", "؋": "AFN",
    ".د.ب": "BHD", "د.ج": "DZD", "د.ع": "IQD", "د.ا": "JOD", "د.ك": "KWD", "ل.ل": "LBP", "د.ل": "LYD",
    "د.م.": "MAD", ".ރ": "MVR", "ر.ع.": "OMR", "ر.ق": "QAR", "ر.س": "SAR", "ج.س.": "SDG", "ل.س": "SYP",
    "د.ت": "TND", "تومان": "IRT", "лв.": "BGN", "ден": "MKD", "рсд": "RSD", "сом": "KGS", "р.": "PRB",
    "ЅМ": "TJS", "Kz": "AOA", "Afl.": "AWG", "KM": "BAM", "Fr": "BIF CDF DJF GNF KMF RWF", "Bs.": "BOB VES",
    "Bs F": "VEF", "R$": "BRL", "Nu.": "BTN", "P": "BWP MOP", "Br": "BYN BYR ETB", "CHF": "CHF", "Kč": "CZK",
    "kr.": "DKK ISK", "RD$": "DOP", "Nfk": "ERN", "D": "GMD", "Q": "GTQ", "L": "ALL HNL LSL", "kn": "HRK",
    "G": "HTG", "Ft": "HUF", "Rp": "IDR", "KSh": "KES", "Ar": "MGA", "Ks": "MMK", "UM": "MRU", "MK": "MWK",
    "RM": "MYR", "MT": "MZN", "N$": "NAD", "C$": "NIO", "kr": "NOK SEK", "B/.": "PAB", "S/": "PEN", "K": "PGK",
    "zł": "PLN", "lei": "RON", "Le": "SLL", "Sh": "SOS TZS", "Db": "STN", "E": "SZL", "m": "TMT", "T$": "TOP",
    "NT$": "TWD", "Vt": "VUV", "T": "WST", "CFA": "XAF XOF", "R": "ZAR", "ZK": "ZMW",
    "": "AMD EGP MDL UGX UZS XPF",
}  # fmt: skip

_SYMBOLS: Final = {code: sign or code for sign, codes in _SIGNS.items() for code in codes.split()}

CODES: Final = tuple(sorted(_SYMBOLS, key=lambda code: {"BYR": "BYM", "IRT": "IRRT"}.get(code, code)))

# Where the interface has another name, and currencies that the library does not know.
_NAMES: Final[Mapping[str, str]] = {
    "BTC": "Bitcoin", "BYR": "Belarusian ruble (old)", "GBP": "Pound sterling", "GGP": "Guernsey pound",
    "IMP": "Manx pound", "IRT": "Iranian toman",
    "JEP": "Jersey pound", "MMK": "Burmese kyat", "PEN": "Sol", "PRB": "Transnistrian ruble",
    "USD": "United States (US) dollar",
}  # fmt: skip

_NAMED_ENTITIES: Final = {"€": "&euro;", "£": "&pound;", "¥": "&yen;", "ƒ": "&fnof;", "\u00a0": "&nbsp;"}


@cache
def names() -> Mapping[str, str]:
    """Return the names of all currencies by their codes."""
    from babel import Locale

    known = Locale("en").currencies
    return {code: _NAMES.get(code) or _plain(str(known[code])) for code in CODES}


@cache
def labels() -> Mapping[str, str]:
    """Return what a choice of currency shows for each code: `Euro (€) — EUR`."""
    return {code: f"{name} ({entity(symbol(code))}) — {code}" for code, name in names().items()}


def symbol(code: str) -> str:
    """Return the sign of a currency; its code where it has none or nobody knows it."""
    return _SYMBOLS.get(code, code)


def entity(sign: str) -> str:
    """Return a sign as HTML writes it here, without a letter that is not ASCII, and the dollar as an entity too."""
    return "".join(_entity(letter) for letter in sign)


def decimals(code: str) -> int:
    """Return how many decimals a currency has."""
    from babel.numbers import get_currency_precision

    return int(get_currency_precision(code))


def _entity(letter: str) -> str:
    if letter in _NAMED_ENTITIES:
        return _NAMED_ENTITIES[letter]
    return letter if letter.isascii() and letter != "$" else f"&#{ord(letter)};"


def _plain(name: str) -> str:
    """Return a name whose last word, what the coin is called, is written small: `Swiss franc`."""
    first, _, last = name.rpartition(" ")
    return f"{first} {last.lower()}" if first else last
