"""Addresses of visitors: how they are written, which are none, and what is missing where something is to be sent.

Countries differ in what they ask for and what they call it; what most do is the rule, and the table here holds the
others. Not here: names of countries and states (shop/settings/places.py). Rules: facts, "Visitors' interface";
postcodes: the public rules of the countries' post offices, as far as they are sure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from vetrina.content.text import sanitizing
from vetrina.kernel.errors import Fault
from vetrina.rest.coercion import string_fault
from vetrina.shop.settings import places

__all__ = ["clean", "fault", "is_email", "locales", "missing", "with_known_state"]

_LONGEST: Final = 250  # letters of a part
_FIVE, _FOUR, _SIX = r"\d{5}", r"\d{4}", r"\d{6}"

# Postcodes as they are compared: capitals, without blanks and hyphens.
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
class _Custom:
    """What a country calls a part of an address, and whether it asks for it; an empty name is the usual one."""

    postcode: str = ""
    state: str = ""
    needs_postcode: bool = True
    needs_state: bool = True


_USUAL: Final = _Custom()
_PLAIN: Final = _Custom(needs_state=False)
_WITHOUT_CODE: Final = _Custom(needs_postcode=False, needs_state=False)
_CUSTOMS: Final[Mapping[str, _Custom]] = {
    **dict.fromkeys(
        ("AT", "BE", "BG", "CZ", "DE", "DK", "EE", "FI", "FR", "GP", "GF", "HU", "IL", "IS", "KR", "LU", "LV", "MQ",
         "NL", "NO", "NZ", "PL", "PT", "RE", "SE", "SG", "SI", "SK", "GR", "GB", "HR"), _PLAIN),
    **dict.fromkeys(("AE", "AO", "BO", "BS", "CO", "GH", "HK", "HN", "KM", "KW", "NG", "OM", "QA", "TZ", "UG", "VN",
                     "JM", "BH", "BI", "BJ", "CM", "FJ", "IE", "LB", "SR", "ZW"), _WITHOUT_CODE),
    "AU": _Custom("Postcode", "State"),
    "CA": _Custom("Postal code", "Province"),
    "CH": _Custom("", "Canton", needs_state=False),
    "CN": _Custom("", "Province"),
    "ES": _Custom("", "Province"),
    "GB": _Custom("Postcode", "County", needs_state=False),
    "IN": _Custom("PIN Code", "State"),
    "IT": _Custom("", "Province"),
    "JP": _Custom("", "Prefecture"),
    "US": _Custom("ZIP Code", "State"),
    "ZA": _Custom("", "Province"),
}  # fmt: skip
_NAMES: Final[Mapping[str, str]] = {
    "first_name": "First name", "last_name": "Last name", "address_1": "Street address", "city": "Town / City",
    "email": "Email address",
}  # fmt: skip


def is_email(text: str) -> bool:
    """Say whether a text is a mail address."""
    return string_fault(text, "email", (), "email", "", None, None) is None


def clean(given: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, str]:
    """Return the parts of an address that a client gave, as they are kept: without markup, codes in capitals."""
    out = {
        name: sanitizing.plain(str(given[name])).strip()[:_LONGEST]
        for name in names
        if given.get(name) is not None and not isinstance(given[name], dict | list)
    }
    if "country" in out:
        out["country"] = out["country"].upper()
    if "postcode" in out:
        out["postcode"] = out["postcode"].upper()
    if out.get("state"):
        out["state"] = _state(out.get("country", ""), out["state"])
    if "email" in out and not is_email(out["email"]):
        out["email"] = ""
    return out


def fault(given: Any, name: str, *, strict: bool) -> Fault | None:
    """Return why a given address is none; what is missing is no fault. strict: a wrong mail address is one."""
    if not isinstance(given, Mapping):
        return Fault("rest_invalid_type", f"{name} is not of type object.")
    country = str(given.get("country") or "").strip().upper()
    if country and country not in places.countries():
        return Fault("invalid_country", f"There is no country with the code {country!r}.")
    state = str(given.get("state") or "").strip()
    if country and state and (known := places.states(country)) and _state(country, state) not in known:
        return Fault("invalid_state", f"There is no state {state!r} in {country}; known: {', '.join(known)}.")
    postcode = str(given.get("postcode") or "").strip()
    if country and postcode and not _is_postcode(country, postcode):
        return Fault("invalid_postcode", f"{postcode!r} is no postcode of {country}.")
    phone = str(given.get("phone") or "").strip()
    if not _PHONE.fullmatch(phone):
        return Fault("invalid_phone", f"{phone!r} is no telephone number.")
    email = str(given.get("email") or "").strip()
    if strict and email and not is_email(email):
        return Fault("invalid_email", f"{email!r} is no mail address.")
    return None


def with_known_state(address: Mapping[str, str]) -> dict[str, str]:
    """Return an address without a state that its country does not have; where nobody knows the states, any is kept."""
    known = places.states(address.get("country", "")) if address.get("state") else {}
    return {**address, "state": ""} if known and address["state"] not in known else dict(address)


def locales() -> dict[str, dict[str, dict[str, Any]]]:
    """Return what countries ask of postcodes and states other than usual, by their codes; `default` says what is."""
    usual = {"postcode": {"label": "Postcode / ZIP", "required": True},
             "state": {"label": "State / County", "required": True}}  # fmt: skip
    out = {}
    for code in places.countries():
        customs = _CUSTOMS.get(code, _USUAL)
        rules: dict[str, dict[str, Any]] = {}
        for part, name, needed in (
            ("postcode", customs.postcode, customs.needs_postcode), ("state", customs.state, customs.needs_state),
        ):  # fmt: skip
            own = {"label": name} if name else {}
            rule = own if needed else {**own, "required": False}
            if rule:
                rules[part] = rule
        out[code] = rules
    return {**out, "default": {**{name: {"label": label, "required": True} for name, label in _NAMES.items()}, **usual}}


def missing(address: Mapping[str, str]) -> list[str]:
    """Return what an address lacks for something to be sent there, in sentences that name the parts."""
    country = address.get("country", "")
    if not country:
        return ["Country / Region is required"]
    customs = _CUSTOMS.get(country, _USUAL)
    lacking = []
    if customs.needs_postcode and not address.get("postcode"):
        lacking.append(customs.postcode or "Postcode / ZIP")
    if customs.needs_state and not address.get("state") and places.states(country):
        lacking.append(customs.state or "State / County")
    lacking += [label for name, label in _NAMES.items() if name in address and not address[name]]
    return [f"{label} is required" for label in lacking]


def _state(country: str, written: str) -> str:
    """Return the code of a state that is written as its code or its name."""
    known = places.states(country) if country else {}
    if not known or written in known:
        return written
    small = written.casefold()
    return next((code for code, name in known.items() if small in (code.casefold(), name.casefold())), written)


def _is_postcode(country: str, written: str) -> bool:
    if len(written) > _LONGEST or not _LETTERS.fullmatch(written):
        return False
    pattern = _PATTERNS.get(country)
    return pattern is None or pattern.fullmatch(written.replace(" ", "").replace("-", "").upper()) is not None
