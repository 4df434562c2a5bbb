"""The addresses of a customer, and the form that changes one.

A country whose states are known shows them as a choice as soon as the form was sent with it. Rules:
docs/rules/account_pages.md, 6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from vetrina.pages.forms import (
    RefusedForm,
    SubmittedForm,
    get_sent,
    redirect_with_notice,
    render_form,
    render_hidden,
    render_input,
    render_refusal,
    render_select,
)
from vetrina.pages.markup import Html, join_markup, render_button, render_element, render_link
from vetrina.pages.page_request import PageRequest
from vetrina.pages.shop.account.account_requests import build_own_url, refuse_visitor
from vetrina.pages.shop.account.texts import PHRASES, get_field_label, translate
from vetrina.rest.call import Response
from vetrina.shop.customers import account_endpoints as endpoints, own_account, rules as customers
from vetrina.shop.customers.addresses import list_missing_names
from vetrina.shop.customers.own_account import ADDRESS_FIELDS, BILLING, SHIPPING
from vetrina.shop.mail.formatting import MailFormatter
from vetrina.shop.mail.order_data import format_address
from vetrina.shop.settings import places

ADDRESS_FORM: Final = "account-address"
_KIND: Final = "kind"
_OPTIONAL: Final = frozenset({"company", "address_2", "phone", "state", "postcode"})
# In the order in which people write an address.
_ORDER: Final = (
    "first_name", "last_name", "company", "country", "address_1", "address_2", "postcode", "city", "state", "phone",
    "email",
)  # fmt: skip
_TYPES: Final = {"email": "email", "phone": "tel"}
_AUTOCOMPLETE: Final = {
    "first_name": "given-name", "last_name": "family-name", "company": "organization", "country": "country",
    "address_1": "address-line1", "address_2": "address-line2", "postcode": "postal-code", "city": "address-level2",
    "state": "address-level1", "phone": "tel", "email": "email",
}  # fmt: skip
_FAULTS: Final[Mapping[str, Callable[[str], str]]] = {
    "missing": lambda language: PHRASES.translate(language, "This is needed."),
    "invalid": lambda language: PHRASES.translate(language, "This is not valid for the country."),
    "not served": lambda language: PHRASES.translate(language, "The shop does not sell to this country."),
}


def render_addresses(page: PageRequest, value: str) -> Html:
    """Return both addresses, or the form of one; value: billing, shipping, empty for both."""
    one = customers.get_customer(page.work, page.user.id)
    if value:
        return _render_address_form(page, value, one.billing if value == BILLING else one.shipping)
    form = MailFormatter(page.work, page.language, "")
    parts = []
    for kind, address in ((BILLING, one.billing), (SHIPPING, one.shipping)):
        lines = format_address(address, form)
        shown = (
            render_element("address", join_markup(lines, render_element("br")))
            if lines
            else render_element("p", translate(page, "There is no address yet."))
        )
        change = render_link(
            endpoints.build_account_url(page.work, endpoints.EDIT_ADDRESS, kind), translate(page, "Change"),
            render_element("span", f" – {_get_title(page, kind)}", class_="screen-reader-text"),
        )  # fmt: skip
        parts.append(
            render_element("section", render_element("h3", _get_title(page, kind)), shown, render_element("p", change))
        )
    return render_element("div", *parts, class_="shop-account__addresses")


def handle_address_form(sent: SubmittedForm) -> Response | RefusedForm:
    """Store an address."""
    kind = sent.get(_KIND)
    if sent.session is None or kind not in ADDRESS_FIELDS:
        return refuse_visitor(sent, ADDRESS_FORM)
    given = {name: sent.get(name) for name in ADDRESS_FIELDS[kind]}
    with sent.context.open_work(sent.request, sent.user, False) as work:
        faults = own_account.find_address_faults(work, kind, given)
        if not faults:
            own_account.save_own_address(work, customers.get_customer(work, sent.user.id), kind, given)
    if faults:
        said = {name: _FAULTS[fault](sent.language) for name, fault in faults.items()}
        return RefusedForm(ADDRESS_FORM, PHRASES.translate(sent.language, "The address is not complete."), said)
    return redirect_with_notice(build_own_url(sent, endpoints.EDIT_ADDRESS), "address-saved")


def _get_title(page: PageRequest, kind: str) -> str:
    return translate(page, "Billing address") if kind == BILLING else translate(page, "Shipping address")


def _render_address_form(page: PageRequest, kind: str, address: Mapping[str, str]) -> Html:
    name = ADDRESS_FORM
    fields = [_render_field(page, kind, one, address) for one in _ORDER if one in ADDRESS_FIELDS[kind]]
    return render_form(
        page, name,
        render_element("h3", _get_title(page, kind)),
        render_refusal(page, name),
        render_hidden(_KIND, kind),
        *fields,
        render_element("p", render_button(translate(page, "Save the address"), class_="wp-element-button")),
    )  # fmt: skip


def _render_field(page: PageRequest, kind: str, name: str, address: Mapping[str, str]) -> Html:
    label, value = get_field_label(page, name), address.get(name, "")
    if name == "email" and not value:
        value = page.user.email
    country = get_sent(page, ADDRESS_FORM, "country", address.get("country", ""))
    hint = f"{kind} {_AUTOCOMPLETE[name]}"
    if name == "country":
        return render_select(
            page, ADDRESS_FORM, name, label, [("", "–"), *_list_countries(page, kind, country)], value,
            autocomplete=hint, required=True,
        )  # fmt: skip
    if name == "state" and (states := places.list_states(country)):
        return render_select(page, ADDRESS_FORM, name, label, [("", "–"), *states.items()], value, autocomplete=hint)
    needed = name not in _OPTIONAL or (name == "postcode" and name in list_missing_names({"country": country}))
    return render_input(
        page, ADDRESS_FORM, name, label, value, type=_TYPES.get(name, "text"), autocomplete=hint, required=needed,
        maxlength=250,
    )  # fmt: skip


def _list_countries(page: PageRequest, kind: str, chosen: str) -> list[tuple[str, str]]:
    """Return the countries that the shop serves, and the one that is chosen, by their names in the page's language."""
    form = MailFormatter(page.work, page.language, "")
    found = [
        (code, form.get_country_name(code))
        for code in places.list_countries()
        if code == chosen or own_account.is_country_served(page.work, kind, code)
    ]
    return sorted(found, key=lambda one: one[1].casefold())
