"""What the form of the checkout page does: place the order of the cart, or show fields and totals of what was entered.

Everything goes through the visitors' interface, as a front end of its own would. Rules: docs/rules/cart_pages.md, 6
and 7; docs/rules/checkout.md, 2 to 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.integers import parse_digits
from vetrina.pages.forms import PageForm, RefusedForm, SubmittedForm
from vetrina.pages.page_context import build_redirect
from vetrina.pages.shop.store_requests import StoreAnswer, call_store
from vetrina.rest.call import Response
from vetrina.shop.checkout import endpoints
from vetrina.shop.orders import statuses as order_statuses, visitor_orders
from vetrina.shop.orders.model import BILLING_FIELDS, SHIPPING_FIELDS
from vetrina.shop.settings.shop_pages import TERMS_PAGE, find_shop_page

from .address_fields import list_address_faults, parse_address
from .amounts import format_amount
from .cart_cookies import list_count_cookies
from .checkout_page import (
    ACCOUNT_FIELD,
    ACTION_FIELD,
    BILLING,
    CHECKOUT_FORM,
    ELSEWHERE_FIELD,
    KEY_FIELD,
    NOTE_FIELD,
    ORDER_FIELD,
    PASSWORD_FIELD,
    SHIPPING,
    TERMS_FIELD,
    TOTAL_FIELD,
    UPDATE,
    offers_other_address,
)
from .payment_choice import METHOD_FIELD, find_payment_failure, lead_on, parse_payment
from .texts import explain_refusal, translate

PREFIXES: Final = {"billing_address": BILLING, "shipping_address": SHIPPING}
_EMPTY: Final = "shop_rest_cart_empty"
_METHOD_CODES: Final = ("shop_rest_checkout_missing_payment_method", "shop_rest_checkout_payment_method_disabled")
_EMAIL_TAKEN: Final = "registration-error-email-exists"


def _handle_checkout(sent: SubmittedForm) -> Response | RefusedForm:
    cart = call_store(sent, "GET", "/cart")
    if cart.failed:
        return _refuse(sent, cart)
    if not cart.body["items"]:
        return _find_placed_order(sent) or RefusedForm(
            CHECKOUT_FORM, translate(sent.language, "Your cart is empty."), status=409
        )
    addresses = _parse_addresses(sent, cart.body)
    updated = _update_cart(sent, addresses)
    if sent.get(ACTION_FIELD) == UPDATE:
        # Not refused, but shown again with what was entered.
        return _refuse(sent, updated) if updated.failed else RefusedForm(CHECKOUT_FORM, status=200)
    if updated.failed:
        return _refuse(sent, updated)
    return _check_sent(sent, updated.body) or _place_order(sent, addresses)


def _parse_addresses(sent: SubmittedForm, cart: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Return the addresses of a form, as the interface takes them; goods go to who pays unless another one is sent."""
    billing = parse_address(sent, BILLING, BILLING_FIELDS)
    if not cart["needs_shipping"]:
        return {"billing_address": billing}
    with sent.context.open_work(sent.request, sent.user, True) as work:
        elsewhere = bool(sent.get(ELSEWHERE_FIELD)) and offers_other_address(work, cart)
    own = parse_address(sent, SHIPPING, SHIPPING_FIELDS) if elsewhere else {}
    return {
        "billing_address": billing,
        "shipping_address": own or {name: billing[name] for name in SHIPPING_FIELDS},
    }


def _update_cart(sent: SubmittedForm, addresses: Mapping[str, Any]) -> StoreAnswer:
    """Tell the cart where it goes and how, and return what it comes to then."""
    answer = call_store(sent, "POST", "/cart/update-customer", addresses)
    rate = sent.get("rate")
    if answer.failed or not rate or _find_selected_rate(answer.body) == rate:
        return answer
    return call_store(sent, "POST", "/cart/select-shipping-rate", {"package_id": 0, "rate_id": rate})


def _find_selected_rate(cart: Mapping[str, Any]) -> str:
    rates = [one for package in cart["shipping_rates"] for one in package["shipping_rates"]]
    return next((str(one["rate_id"]) for one in rates if one["selected"]), "")


def _check_sent(sent: SubmittedForm, cart: Mapping[str, Any]) -> RefusedForm | None:
    """Return why a form cannot be an order, where it is for the page alone to say; None where it can."""
    language, totals = sent.language, cart["totals"]
    with sent.context.open_work(sent.request, sent.user, True) as work:
        asks_for_terms = find_shop_page(work, TERMS_PAGE) is not None
    if asks_for_terms and not sent.get(TERMS_FIELD):
        fault = translate(language, "Agree to the terms and conditions to order.")
        return RefusedForm(CHECKOUT_FORM, fault, {TERMS_FIELD: fault})
    if sent.get(TOTAL_FIELD) != str(totals["total_price"]):
        # Nobody pays another amount than the one beside the button that they pressed.
        total = format_amount(totals["total_price"], totals)
        text = translate(language, "With this address it comes to {total}. Look at it again, then order.", total=total)
        return RefusedForm(CHECKOUT_FORM, text, status=409)
    return None


def _place_order(sent: SubmittedForm, addresses: Mapping[str, Any]) -> Response | RefusedForm:
    wanted = {"create_account": bool(sent.get(ACCOUNT_FIELD)), "customer_password": _read_password(sent)}
    body = {**addresses, **parse_payment(sent), "customer_note": sent.get(NOTE_FIELD), **wanted}
    answer = call_store(sent, "POST", "/checkout", body)
    if answer.code == _EMPTY and (placed := _find_placed_order(sent)) is not None:
        return placed
    if answer.failed:
        return _refuse(sent, answer)
    result = answer.body["payment_result"]
    if failure := find_payment_failure(sent.language, result):
        return RefusedForm(CHECKOUT_FORM, failure, status=402)
    cart = call_store(sent, "GET", "/cart")
    count = [] if cart.failed else list_count_cookies(sent.request, cart.body)
    return lead_on(sent, str(result["redirect_url"]), [*answer.cookies, *count])


def _read_password(sent: SubmittedForm) -> str:
    """Return the password as it was sent: blanks around it are part of it."""
    value = sent.request.form.get(PASSWORD_FIELD)
    return value if isinstance(value, str) else ""


def _find_placed_order(sent: SubmittedForm) -> Response | None:
    """Return the redirect to the order of this very form, where it was sent twice and placed once."""
    id, key = parse_digits(sent.get(ORDER_FIELD)), sent.get(KEY_FIELD)
    if not id or not key:
        return None
    with sent.context.open_work(sent.request, sent.user, True) as work:
        return _redirect_to_order(work, id, key)


def _redirect_to_order(work: UnitOfWork, id: int, key: str) -> Response | None:
    found = visitor_orders.find_order_with_key(work, id, key)
    if found is None or found.status == order_statuses.DRAFT:
        return None
    return build_redirect(endpoints.build_order_received_url(work, found))


def _refuse(sent: SubmittedForm, answer: StoreAnswer) -> RefusedForm:
    text = explain_refusal(sent.language, answer)
    faults = list_address_faults(sent.language, answer, PREFIXES)
    if answer.code in _METHOD_CODES:
        faults[METHOD_FIELD] = text
    if answer.code == _EMAIL_TAKEN:
        faults[f"{BILLING}email"] = text
    return RefusedForm(CHECKOUT_FORM, text, faults, status=answer.status)


FORMS: Final = {CHECKOUT_FORM: PageForm(_handle_checkout)}
