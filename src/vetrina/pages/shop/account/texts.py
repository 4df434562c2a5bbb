"""What the pages of an account say: in English here, in other languages in the folder `languages`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from vetrina.core.phrases import Phrases
from vetrina.pages.page_request import PageRequest
from vetrina.shop.customers import account_endpoints as endpoints

PHRASES: Final = Phrases("vetrina.pages.shop.account")


def translate(page: PageRequest, text: str, /, **values: object) -> str:
    """Return a text in the language of a page, with the values of its {placeholders}."""
    return PHRASES.translate(page.language, text, **values)


# Functions, so that each text is seen where it is translated.
_SECTION_TITLES: Final[Mapping[str, Callable[[PageRequest], str]]] = {
    "": lambda page: translate(page, "Dashboard"),
    endpoints.ORDERS: lambda page: translate(page, "Orders"),
    endpoints.VIEW_ORDER: lambda page: translate(page, "Order"),
    endpoints.DOWNLOADS: lambda page: translate(page, "Downloads"),
    endpoints.EDIT_ADDRESS: lambda page: translate(page, "Addresses"),
    endpoints.EDIT_ACCOUNT: lambda page: translate(page, "Account details"),
    endpoints.PASSWORD_RESET: lambda page: page.phrases["lost"],
    endpoints.SIGN_OUT: lambda page: page.phrases["sign_out"],
}
_STATUS_NAMES: Final[Mapping[str, Callable[[PageRequest], str]]] = {
    "pending": lambda page: translate(page, "Pending payment"),
    "processing": lambda page: translate(page, "Processing"),
    "on-hold": lambda page: translate(page, "On hold"),
    "completed": lambda page: translate(page, "Completed"),
    "cancelled": lambda page: translate(page, "Cancelled"),
    "refunded": lambda page: translate(page, "Refunded"),
    "failed": lambda page: translate(page, "Failed"),
}
_FIELD_LABELS: Final[Mapping[str, Callable[[PageRequest], str]]] = {
    "first_name": lambda page: translate(page, "First name"),
    "last_name": lambda page: translate(page, "Last name"),
    "company": lambda page: translate(page, "Company (optional)"),
    "country": lambda page: translate(page, "Country / Region"),
    "address_1": lambda page: translate(page, "Street address"),
    "address_2": lambda page: translate(page, "Apartment, suite, unit (optional)"),
    "postcode": lambda page: translate(page, "Postcode"),
    "city": lambda page: translate(page, "Town / City"),
    "state": lambda page: translate(page, "State / Province"),
    "phone": lambda page: translate(page, "Phone (optional)"),
    "email": lambda page: translate(page, "E-mail address"),
}


def get_section_title(page: PageRequest, endpoint: str) -> str:
    """Return the title of a part of the account; endpoint: its setting, empty for the dashboard."""
    return _SECTION_TITLES[endpoint](page)


def get_status_name(page: PageRequest, status: str) -> str:
    """Return the name of an order's status."""
    found = _STATUS_NAMES.get(status)
    return found(page) if found is not None else status


def get_field_label(page: PageRequest, name: str) -> str:
    """Return the label of a field of an address."""
    return _FIELD_LABELS[name](page)
