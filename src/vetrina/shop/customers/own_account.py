"""What customers change of their own account: names, mail address, password, addresses.

Who calls has proved to be the owner: a new mail address and a new password ask for the current password before
(pages/shop/account/details_form.py). Rules: docs/rules/account_pages.md, 4 and 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.access.own_account import email_changes
from vetrina.access.users import rules as users
from vetrina.content.text import sanitizing
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.email_addresses import is_email_address
from vetrina.shop.checkout import requirements
from vetrina.shop.customers import addresses as customer_addresses, rules as customers
from vetrina.shop.customers.rules import Customer, InvalidCustomerEmail
from vetrina.shop.orders.model import BILLING_FIELDS, SHIPPING_FIELDS

BILLING: Final = "billing"
SHIPPING: Final = "shipping"
ADDRESS_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {BILLING: BILLING_FIELDS, SHIPPING: SHIPPING_FIELDS}
_SERVED_GROUPS: Final = {BILLING: "allowed", SHIPPING: "ship_to"}
_MAX_NAME_LENGTH: Final = 250  # characters


def update_own_account(work: UnitOfWork, one: Customer, given: Mapping[str, Any]) -> Customer:
    """Change an account by its owner.

    given: first_name, last_name, display_name, email, password, which is hashed already; what is not there stays. The
    address changes when both have agreed where the profile says so. Raises InvalidCustomerEmail, CustomerEmailTaken.
    """
    names = {name: _clean_name(given[name]) for name in ("first_name", "last_name") if name in given}
    more = {name: given[name] for name in ("email", "password") if given.get(name)}
    if "email" in more and is_email_confirmed_first(work):
        email = more.pop("email")
        if not is_email_address(email):
            raise InvalidCustomerEmail(email=email)
        email_changes.start_email_change(work, one.user, email)
    changed = customers.update_customer(work, one, {**names, **more})
    if "display_name" in given:
        users.update_user(work, changed.user, name=_clean_name(given["display_name"]))
    return changed


def is_email_confirmed_first(work: UnitOfWork) -> bool:
    """Return whether a new mail address counts only when it and the old one have agreed."""
    return work.site.profile.accounts.email_change == "confirmed"


def clean_own_address(kind: str, given: Mapping[str, Any]) -> dict[str, str]:
    """Return an address as it is stored; kind: billing, shipping."""
    fields = ADDRESS_FIELDS[kind]
    return {**dict.fromkeys(fields, ""), **customer_addresses.clean_address(given, fields)}


def find_address_faults(work: UnitOfWork, kind: str, given: Mapping[str, Any]) -> dict[str, str]:
    """Return what is wrong with the fields of an address, `missing`, `invalid` or `not served`, by field."""
    faults = dict.fromkeys(customer_addresses.list_missing_names(clean_own_address(kind, given)), "missing")
    fault = customer_addresses.find_address_fault(given, kind, strict=True)
    if fault is not None:
        faults[fault.code.removeprefix("invalid_")] = "invalid"
    country = str(given.get("country") or "").upper()
    if country and "country" not in faults and not is_country_served(work, kind, country):
        faults["country"] = "not served"
    return faults


def is_country_served(work: UnitOfWork, kind: str, country: str) -> bool:
    """Return whether the shop sells or sends to a country; kind: of the address."""
    return requirements.is_country_served(work, country, _SERVED_GROUPS[kind])


def save_own_address(work: UnitOfWork, one: Customer, kind: str, given: Mapping[str, Any]) -> Customer:
    """Store an address of an account that has no faults; kind: billing, shipping."""
    return customers.update_customer(work, one, {kind: clean_own_address(kind, given)})


def _clean_name(written: object) -> str:
    return sanitizing.sanitize_plain_text(str(written)).strip()[:_MAX_NAME_LENGTH]
