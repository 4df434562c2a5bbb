"""Addresses of customers: normalization, validation, and missing fields.

Countries differ in required fields and their labels; the default covers most, and the table here holds the exceptions.
Not here: names of countries and states (shop/settings/places.py). Rules: docs/rules/cart.md, 8; postcodes: the public
rules of the countries' postal services, as far as they are certain.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from vetrina.content.text import sanitizing
from vetrina.kernel.email_addresses import is_email_address
from vetrina.kernel.errors import Fault
from vetrina.shop.settings import places

_MAX_LENGTH: Final = 250  # characters of a field
_FIVE, _FOUR, _SIX = r"\d{5}", r"\d{4}", r"\d{6}"

# Postcode patterns, matched in capitals without blanks and hyphens.
_POSTCODES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("DE", "ES", "FI", "FR", "HR", "IT", "MX", "MY", "SM", "TH", "TR", "UA", "VA", "EE"), _FIVE),
    **dict.fromkeys(("AT", "AU", "BE", "BG", "CH", "CY", "DK", "HU", "LU", "NO", "NZ", "PH", "SI", "ZA"), _FOUR),
    **dict.fromkeys(("CN", "IN", "RO", "RU", "SG"), _SIX),
    "US": r"\d{5}(?:\d{4})?",
    "BR": r"\d{8}",
    "CA": r"[ABCEGHJ-NPRSTVXY]\d[A-Z]\d[A-Z]\d",
    "CZ": _FIVE,
    "GB": r"[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}",
    "GR": _FIVE,
    "IE": r"[A-Z]\d[\dW][A-Z\d]{4}",
    "JP": r"\d{7}",
    "LI": r"94(?:8[5-9]|9[0-8])",
    "NL": r"[1-9]\d{3}[A-Z]{2}",
    "PL": _FIVE,
    "PT": r"\d{7}",
    "SE": _FIVE,
    "SK": _FIVE,
}
_PATTERNS = {code: re.compile(pattern, re.ASCII) for code, pattern in _POSTCODES.items()}
_LETTERS = re.compile(r"[A-Za-z0-9 -]*", re.ASCII)
_PHONE = re.compile(r"[\d\s#().+/-]*")


@dataclass(frozen=True, slots=True)
class _CountryAddressRules:
    """A country's labels of postcode and state, and whether they are required; an empty label is the default one."""

    postcode: str = ""
    state: str = ""
    needs_postcode: bool = True
    needs_state: bool = True


_DEFAULT_RULES: Final = _CountryAddressRules()
_WITHOUT_STATE: Final = _CountryAddressRules(needs_state=False)
_WITHOUT_POSTCODE: Final = _CountryAddressRules(needs_postcode=False, needs_state=False)
_COUNTRY_RULES: Final[Mapping[str, _CountryAddressRules]] = {
    **dict.fromkeys(
        ("AT", "BE", "BG", "CZ", "DE", "DK", "EE", "FI", "FR", "GP", "GF", "HU", "IL", "IS", "KR", "LU", "LV", "MQ",
         "NL", "NO", "NZ", "PL", "PT", "RE", "SE", "SG", "SI", "SK", "GR", "GB", "HR"), _WITHOUT_STATE),
    **dict.fromkeys(("AE", "AO", "BO", "BS", "CO", "GH", "HK", "HN", "KM", "KW", "NG", "OM", "QA", "TZ", "UG", "VN",
                     "JM", "BH", "BI", "BJ", "CM", "FJ", "IE", "LB", "SR", "ZW"), _WITHOUT_POSTCODE),
    "AU": _CountryAddressRules("Postcode", "State"),
    "CA": _CountryAddressRules("Postal code", "Province"),
    "CH": _CountryAddressRules("", "Canton", needs_state=False),
    "CN": _CountryAddressRules("", "Province"),
    "ES": _CountryAddressRules("", "Province"),
    "GB": _CountryAddressRules("Postcode", "County", needs_state=False),
    "IN": _CountryAddressRules("PIN Code", "State"),
    "IT": _CountryAddressRules("", "Province"),
    "JP": _CountryAddressRules("", "Prefecture"),
    "US": _CountryAddressRules("ZIP Code", "State"),
    "ZA": _CountryAddressRules("", "Province"),
}  # fmt: skip
_FIELD_LABELS: Final[Mapping[str, str]] = {
    "first_name": "First name", "last_name": "Last name", "address_1": "Street address", "city": "Town / City",
    "email": "Email address",
}  # fmt: skip


def clean_address(given: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, str]:
    """Return the fields of an address as they are stored: without markup, codes in capitals."""
    out = {
        name: sanitizing.sanitize_plain_text(str(given[name])).strip()[:_MAX_LENGTH]
        for name in names
        if given.get(name) is not None and not isinstance(given[name], dict | list)
    }
    if "country" in out:
        out["country"] = out["country"].upper()
    if "postcode" in out:
        out["postcode"] = out["postcode"].upper()
    if out.get("state"):
        out["state"] = _normalize_state(out.get("country", ""), out["state"])
    if "email" in out and not is_email_address(out["email"]):
        out["email"] = ""
    return out


def find_address_fault(given: Any, name: str, *, strict: bool) -> Fault | None:
    """Return what is invalid in an address; a missing field is not. strict: report an invalid mail address too."""
    if not isinstance(given, Mapping):
        return Fault("rest_invalid_type", f"{name} is not of type object.")
    country = str(given.get("country") or "").strip().upper()
    if country and country not in places.list_countries():
        return Fault("invalid_country", f"There is no country with the code {country!r}.")
    state = str(given.get("state") or "").strip()
    if country and state and (known := places.list_states(country)) and _normalize_state(country, state) not in known:
        return Fault("invalid_state", f"There is no state {state!r} in {country}; known: {', '.join(known)}.")
    postcode = str(given.get("postcode") or "").strip()
    if country and postcode and not _is_valid_postcode(country, postcode):
        return Fault("invalid_postcode", f"{postcode!r} is no postcode of {country}.")
    phone = str(given.get("phone") or "").strip()
    if not _PHONE.fullmatch(phone):
        return Fault("invalid_phone", f"{phone!r} is no telephone number.")
    email = str(given.get("email") or "").strip()
    if strict and email and not is_email_address(email):
        return Fault("invalid_email", f"{email!r} is no mail address.")
    return None


def drop_unknown_state(address: Mapping[str, str]) -> dict[str, str]:
    """Return an address without a state unknown in its country; any is kept where the country has no list of states."""
    known = places.list_states(address.get("country", "")) if address.get("state") else {}
    return {**address, "state": ""} if known and address["state"] not in known else dict(address)


def build_country_locales() -> dict[str, dict[str, dict[str, Any]]]:
    """Return the exceptions of countries for postcodes and states, by country code; `default` holds the rest."""
    usual = {"postcode": {"label": "Postcode / ZIP", "required": True},
             "state": {"label": "State / County", "required": True}}  # fmt: skip
    out = {}
    for code in places.list_countries():
        customs = _COUNTRY_RULES.get(code, _DEFAULT_RULES)
        rules: dict[str, dict[str, Any]] = {}
        for part, name, needed in (
            ("postcode", customs.postcode, customs.needs_postcode), ("state", customs.state, customs.needs_state),
        ):  # fmt: skip
            own = {"label": name} if name else {}
            rule = own if needed else {**own, "required": False}
            if rule:
                rules[part] = rule
        out[code] = rules
    return {
        **out,
        "default": {**{name: {"label": label, "required": True} for name, label in _FIELD_LABELS.items()}, **usual},
    }


def list_missing_fields(address: Mapping[str, str]) -> list[str]:
    """Return the fields that an address lacks for shipping, as sentences that name them."""
    return [f"{label} is required" for label in list_missing_names(address).values()]


def list_missing_names(address: Mapping[str, str]) -> dict[str, str]:
    """Return the labels of the fields that an address lacks for shipping, by name."""
    country = address.get("country", "")
    if not country:
        return {"country": "Country / Region"}
    customs = _COUNTRY_RULES.get(country, _DEFAULT_RULES)
    lacking = {}
    if customs.needs_postcode and not address.get("postcode"):
        lacking["postcode"] = customs.postcode or "Postcode / ZIP"
    if customs.needs_state and not address.get("state") and places.list_states(country):
        lacking["state"] = customs.state or "State / County"
    lacking |= {name: label for name, label in _FIELD_LABELS.items() if name in address and not address[name]}
    return lacking


def _normalize_state(country: str, written: str) -> str:
    """Return the code of a state from its code or name."""
    known = places.list_states(country) if country else {}
    if not known or written in known:
        return written
    small = written.casefold()
    return next((code for code, name in known.items() if small in (code.casefold(), name.casefold())), written)


def _is_valid_postcode(country: str, written: str) -> bool:
    if len(written) > _MAX_LENGTH or not _LETTERS.fullmatch(written):
        return False
    pattern = _PATTERNS.get(country)
    return pattern is None or pattern.fullmatch(written.replace(" ", "").replace("-", "").upper()) is not None
