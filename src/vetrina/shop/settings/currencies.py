"""The currencies that prices may be in: their names, symbols and decimals.

Names come from babel, which is imported on first use. Declared here are the list of currencies, their symbols, and the
names that differ in this interface. Not here: formatting prices (shop/products/price_markup.py), amounts
(kernel/money.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from vetrina.core.phrases import ENGLISH

# Symbols, and the currencies that use them; all others are written by their code.
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

CURRENCY_CODES: Final = tuple(sorted(_SYMBOLS, key=lambda code: {"BYR": "BYM", "IRT": "IRRT"}.get(code, code)))

# Names that differ in this interface, and currencies that babel does not know.
_NAMES: Final[Mapping[str, str]] = {
    "BTC": "Bitcoin", "BYR": "Belarusian ruble (old)", "GBP": "Pound sterling", "GGP": "Guernsey pound",
    "IMP": "Manx pound", "IRT": "Iranian toman",
    "JEP": "Jersey pound", "MMK": "Burmese kyat", "PEN": "Sol", "PRB": "Transnistrian ruble",
    "USD": "United States (US) dollar",
}  # fmt: skip

_NAMED_ENTITIES: Final = {"€": "&euro;", "£": "&pound;", "¥": "&yen;", "ƒ": "&fnof;", "\u00a0": "&nbsp;"}


@cache
def load_currency_names(language: str = ENGLISH) -> Mapping[str, str]:
    """Return the names of all currencies by code."""
    from babel import Locale

    known = Locale(ENGLISH).currencies
    english = {code: _NAMES.get(code) or _lowercase_last_word(str(known[code])) for code in CURRENCY_CODES}
    if language == ENGLISH:
        return english
    return {code: Locale(language).currencies.get(code, name) for code, name in english.items()}


@cache
def build_currency_labels(language: str = ENGLISH) -> Mapping[str, str]:
    """Return the labels of a currency choice by code: `Euro (€) — EUR`."""
    return {
        code: f"{name} ({encode_symbol_entities(get_currency_symbol(code))}) — {code}"
        for code, name in load_currency_names(language).items()
    }


def get_currency_symbol(code: str) -> str:
    """Return the symbol of a currency; its code where it has none or is unknown."""
    return _SYMBOLS.get(code, code)


def encode_symbol_entities(sign: str) -> str:
    """Return a symbol as HTML: non-ASCII characters and the dollar as entities."""
    return "".join(_encode_letter(letter) for letter in sign)


def get_currency_decimals(code: str) -> int:
    """Return how many decimals a currency has."""
    from babel.numbers import get_currency_precision

    return int(get_currency_precision(code))


def _encode_letter(letter: str) -> str:
    if letter in _NAMED_ENTITIES:
        return _NAMED_ENTITIES[letter]
    return letter if letter.isascii() and letter != "$" else f"&#{ord(letter)};"


def _lowercase_last_word(name: str) -> str:
    """Return a name with its last word, the name of the coin, in lower case: `Swiss franc`."""
    first, _, last = name.rpartition(" ")
    return f"{first} {last.lower()}" if first else last
