"""What the forms of the cart page do: each is one request to the visitors' interface.

Their markup: pages/shop/cart/cart_page.py. Rules: docs/rules/cart_pages.md, 5; docs/rules/cart.md, 5 to 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.kernel.integers import parse_digits
from vetrina.pages.forms import PageForm, RefusedForm, SubmittedForm, redirect_with_notice
from vetrina.pages.shop.store_requests import StoreAnswer, call_store
from vetrina.rest.call import Response

from .add_to_cart_submission import build_own_address, list_cookies
from .address_fields import list_address_faults, parse_place
from .cart_page import (
    PLACE_FORM,
    QUANTITY_FORM,
    RATE_FORM,
    REMOVAL_FORM,
)
from .coupon_forms import COUPON_FORM, COUPON_REMOVAL_FORM
from .texts import explain_refusal, translate

_UPDATED: Final = "cart-updated"
_FIELD: Final = "quantity-"


def _finish(sent: SubmittedForm, form: str, answer: StoreAnswer, notice: str = _UPDATED) -> Response | RefusedForm:
    if answer.failed:
        return RefusedForm(form, explain_refusal(sent.language, answer), status=answer.status)
    return redirect_with_notice(build_own_address(sent.request), notice, list_cookies(sent.request, answer))


def _update_quantities(sent: SubmittedForm) -> Response | RefusedForm:
    """Set the quantities that differ from the cart's; 0 removes a line."""
    answer = call_store(sent, "GET", "/cart")
    lines: list[Mapping[str, Any]] = [] if answer.failed else answer.body["items"]
    faults: dict[str, str] = {}
    for line in lines:
        field = f"{_FIELD}{line['key']}"
        wanted = parse_digits(sent.get(field) or str(line["quantity"]))
        if wanted is None:
            faults[field] = translate(sent.language, "The quantity must be a whole number from 1.")
            continue
        if wanted == line["quantity"]:
            continue
        path, body = ("remove-item", {}) if wanted == 0 else ("update-item", {"quantity": wanted})
        changed = call_store(sent, "POST", f"/cart/{path}", {"key": line["key"], **body})
        if changed.failed:
            faults[field] = explain_refusal(sent.language, changed)
        else:
            answer = changed
    if faults:
        return RefusedForm(QUANTITY_FORM, translate(sent.language, "Not every quantity is possible."), faults)
    return _finish(sent, QUANTITY_FORM, answer)


def _remove_line(sent: SubmittedForm) -> Response | RefusedForm:
    return _finish(sent, REMOVAL_FORM, call_store(sent, "POST", "/cart/remove-item", {"key": sent.get("key")}))


def _apply_coupon(sent: SubmittedForm) -> Response | RefusedForm:
    answer = call_store(sent, "POST", "/cart/apply-coupon", {"code": sent.get("code")})
    return _finish(sent, COUPON_FORM, answer, "coupon-applied")


def _remove_coupon(sent: SubmittedForm) -> Response | RefusedForm:
    answer = call_store(sent, "POST", "/cart/remove-coupon", {"code": sent.get("code")})
    return _finish(sent, COUPON_REMOVAL_FORM, answer, "coupon-removed")


def _select_rate(sent: SubmittedForm) -> Response | RefusedForm:
    body = {"package_id": 0, "rate_id": sent.get("rate")}
    return _finish(sent, RATE_FORM, call_store(sent, "POST", "/cart/select-shipping-rate", body))


def _set_place(sent: SubmittedForm) -> Response | RefusedForm:
    """Set where the goods are sent to, so that the ways to send them are known."""
    answer = call_store(sent, "POST", "/cart/update-customer", {"shipping_address": parse_place(sent)})
    faults = list_address_faults(sent.language, answer, {"shipping_address": ""})
    if answer.failed and faults:
        return RefusedForm(PLACE_FORM, explain_refusal(sent.language, answer), faults, status=answer.status)
    return _finish(sent, PLACE_FORM, answer)


FORMS: Final = {
    QUANTITY_FORM: PageForm(_update_quantities),
    REMOVAL_FORM: PageForm(_remove_line),
    COUPON_FORM: PageForm(_apply_coupon),
    COUPON_REMOVAL_FORM: PageForm(_remove_coupon),
    RATE_FORM: PageForm(_select_rate),
    PLACE_FORM: PageForm(_set_place),
}
