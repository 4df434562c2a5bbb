"""The fields of an address: which there are in a country, how they are called, and what is wrong with them.

Which countries the shop serves and what an address needs are the shop's rules (shop/checkout/requirements.py,
shop/customers/addresses.py); here they become fields. Rules: docs/rules/cart_pages.md, 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from html import unescape
from typing import Any, Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.folding import fold_text
from vetrina.pages.forms import SubmittedForm, get_sent, render_input, render_select
from vetrina.pages.markup import Html, render_element
from vetrina.pages.page_request import PageRequest
from vetrina.pages.shop.store_requests import StoreAnswer
from vetrina.shop.checkout import requirements
from vetrina.shop.customers import addresses as customer_addresses
from vetrina.shop.mail.formatting import load_locale
from vetrina.shop.settings import places

from .texts import translate

SELL_TO: Final = "allowed"
SHIP_TO: Final = "ship_to"
_PLACE_FIELDS: Final = ("country", "state", "postcode", "city")
_TOKENS: Final = {
    "first_name": "given-name", "last_name": "family-name", "company": "organization", "country": "country",
    "address_1": "address-line1", "address_2": "address-line2", "city": "address-level2", "state": "address-level1",
    "postcode": "postal-code", "phone": "tel", "email": "email",
}  # fmt: skip
_ORDER: Final = ("email", "first_name", "last_name", "company", "country", "address_1", "address_2", "postcode", "city",
                 "state", "phone")  # fmt: skip
_OPTIONAL: Final = frozenset({"company", "address_2", "phone"})
_DEFAULT: Final = "default"
_FAULT_FIELDS: Final = {
    "invalid_country": "country", "invalid_state": "state", "invalid_postcode": "postcode", "invalid_phone": "phone",
    "invalid_email": "email",
}  # fmt: skip
_REQUIRED: Final = " is required"  # how the interface ends what it says of a field that lacks
_NO_COUNTRY: Final = "Country / Region"


# -- markup


def render_place_fields(page: PageRequest, form: str, address: Mapping[str, str]) -> list[Html]:
    """Return the fields of a place, which is enough to know what sending there costs."""
    return _render_fields(page, form, "", _PLACE_FIELDS, address, SHIP_TO, _PLACE_FIELDS)


def render_address_fields(
    page: PageRequest, form: str, prefix: str, names: Sequence[str], address: Mapping[str, str], *, optional: bool
) -> list[Html]:
    """Return the fields of an address. prefix: `billing_` or `shipping_`; optional: whether it may be left out."""
    group = SHIP_TO if prefix == "shipping_" else SELL_TO
    shown = [name for name in _ORDER if name in names]
    return _render_fields(page, form, prefix, shown, address, group, names if optional else ())


def _render_fields(
    page: PageRequest, form: str, prefix: str, names: Iterable[str], address: Mapping[str, str], group: str,
    unforced: Iterable[str],
) -> list[Html]:  # fmt: skip
    """Return fields by their names. unforced: those that the browser need not ask for, since they may not be needed."""
    choices = _list_country_choices(page.work, group)
    country = get_sent(page, form, f"{prefix}country", address.get("country", ""))
    country = country if country in dict(choices) else ""
    rules, free, out = _load_rules(country), frozenset(unforced), []
    for name in names:
        needed = name not in _OPTIONAL and rules.get(name, {}).get("required", True)
        label = _name_field(page.language, name, str(rules.get(name, {}).get("label", "")))
        label = label if needed else translate(page.language, "{field} (optional)", field=label)
        token = _TOKENS[name] if not prefix or name == "email" else f"{prefix.rstrip('_')} {_TOKENS[name]}"
        given: dict[str, Any] = {"autocomplete": token, "required": needed and name not in free}
        field, value = f"{prefix}{name}", address.get(name, "")
        if name == "country":
            listed = [("", translate(page.language, "Choose a country"))] if not country else []
            out.append(render_select(page, form, field, label, [*listed, *choices], country, data_adapts=True, **given))
        elif name == "state":
            if states := places.list_states(country) if country else {}:
                known = [("", "—"), *((code, unescape(title)) for code, title in states.items())]
                out.append(render_select(page, form, field, label, known, value, data_adapts=True, **given))
        else:
            kind = {"email": "email", "phone": "tel"}.get(name, "text")
            out.append(render_input(page, form, field, label, value, type=kind, **given))
    return out


def render_address(lines: Iterable[str]) -> Html:
    """Return the lines of an address."""
    parts: list[str] = []
    for line in lines:
        parts += [render_element("br"), line] if parts else [line]
    return render_element("address", *parts)


def _list_country_choices(work: UnitOfWork, group: str) -> list[tuple[str, str]]:
    return [one for one in _list_country_names(work.language) if requirements.is_country_served(work, one[0], group)]


@lru_cache(maxsize=16)
def _list_country_names(language: str) -> tuple[tuple[str, str], ...]:
    """Return codes and names of all countries in a language, sorted by name."""
    known = load_locale(language).territories
    named = [(code, str(known.get(code) or unescape(name))) for code, name in places.list_countries().items()]
    return tuple(sorted(named, key=lambda one: fold_text(one[1])))


@lru_cache(maxsize=256)
def _load_rules(country: str) -> Mapping[str, Mapping[str, Any]]:
    """Return label and whether it is required of the fields in a country, by their names."""
    every = customer_addresses.build_country_locales()
    usual, own = every[_DEFAULT], every.get(country, {})
    return {name: {**rule, **own.get(name, {})} for name, rule in usual.items()}


def _name_field(language: str, name: str, label: str) -> str:
    """Return what a field is called. label: of postcode or state, as the country's rules have it."""
    return {
        "first_name": translate(language, "First name"), "last_name": translate(language, "Last name"),
        "company": translate(language, "Company"), "country": translate(language, "Country / Region"),
        "address_1": translate(language, "Street address"),
        "address_2": translate(language, "Apartment, suite, unit"), "city": translate(language, "Town / City"),
        "phone": translate(language, "Phone"), "email": translate(language, "Email address"),
    }.get(name) or {
        "Postcode": translate(language, "Postcode"), "Postal code": translate(language, "Postal code"),
        "PIN Code": translate(language, "PIN Code"), "ZIP Code": translate(language, "ZIP Code"),
        "Postcode / ZIP": translate(language, "Postcode / ZIP"), "State": translate(language, "State"),
        "Province": translate(language, "Province"), "County": translate(language, "County"),
        "Canton": translate(language, "Canton"), "Prefecture": translate(language, "Prefecture"),
        "State / County": translate(language, "State / County"),
    }.get(label, label)  # fmt: skip


# -- what was sent


def parse_place(sent: SubmittedForm) -> dict[str, str]:
    """Return the place of a form, as the interface takes it."""
    return parse_address(sent, "", _PLACE_FIELDS)


def parse_address(sent: SubmittedForm, prefix: str, names: Iterable[str]) -> dict[str, str]:
    """Return the address of a form; a state that another country had is left out, for it has no such field."""
    out = {name: sent.get(f"{prefix}{name}") for name in names}
    known = places.list_states(out["country"]) if out.get("country") else {}
    if out.get("state") and out["state"] not in known:
        out["state"] = ""
    return out


def list_address_faults(language: str, answer: StoreAnswer, prefixes: Mapping[str, str]) -> dict[str, str]:
    """Return what the interface refused in addresses, by field. prefixes: of the fields of each argument."""
    data = answer.body.get("data") if answer.failed and isinstance(answer.body, dict) else None
    if not isinstance(data, dict):
        return {}
    out: dict[str, str] = {}
    details = data.get("details")
    for argument, prefix in prefixes.items():
        detail = details.get(argument) if isinstance(details, dict) else None
        name = _FAULT_FIELDS.get(str(detail.get("code"))) if isinstance(detail, dict) else None
        if name is not None:
            out[f"{prefix}{name}"] = _explain_fault(language, name)
    errors = data.get("errors")
    for kind, sentences in errors.items() if isinstance(errors, dict) else ():
        prefix = prefixes.get(f"{kind}_address", "")
        for sentence in sentences:
            label = str(sentence).removesuffix(_REQUIRED)
            name = _find_named_field(label)
            field = translate(language, "{field} is needed.", field=_name_field(language, name, label))
            out[f"{prefix}{name}"] = field
    return out


@lru_cache(maxsize=64)
def _find_named_field(label: str) -> str:
    """Return the field that the interface calls by a label."""
    for rules in customer_addresses.build_country_locales().values():
        for name, rule in rules.items():
            if rule.get("label") == label:
                return str(name)
    return "country" if label == _NO_COUNTRY else ""


def _explain_fault(language: str, name: str) -> str:
    match name:
        case "postcode":
            return translate(language, "There is no such postcode in this country.")
        case "state":
            return translate(language, "Choose one of the list.")
        case "phone":
            return translate(language, "This is no phone number.")
        case "email":
            return translate(language, "This is no email address.")
    return translate(language, "Choose a country of the list.")
