"""What the forms on the pages of an order do: pay it, or confirm whose it is.

Their markup: pages/shop/cart/order_pages.py. Rules: docs/rules/cart_pages.md, 8; docs/rules/checkout.md, 6 and 7.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.kernel.errors import ApiError
from vetrina.pages.forms import PageForm, RefusedForm, SubmittedForm
from vetrina.pages.page_context import build_redirect, get_text
from vetrina.pages.shop.store_requests import call_store
from vetrina.rest.call import Response
from vetrina.shop.orders import visitor_orders
from vetrina.shop.orders.model import BILLING_FIELDS, SHIPPING_FIELDS, Order

from .add_to_cart_submission import build_own_address
from .address_fields import list_address_faults, parse_address
from .order_pages import (
    BILLING_PREFIX,
    EMAIL_FIELD,
    PAY_FORM,
    PROOF_FORM,
    build_proof_cookie,
    find_order_address,
    has_proof,
)
from .payment_choice import METHOD_FIELD, find_payment_failure, lead_on, parse_payment
from .texts import explain_refusal, translate


def _confirm_email(sent: SubmittedForm) -> Response | RefusedForm:
    """Remember in a cookie that a visitor knows the mail address of an order."""
    with sent.context.open_work(sent.request, sent.user, False) as work:
        address = find_order_address(work, sent.segments)
        try:
            key = get_text(sent.request.query, "key")
            found = visitor_orders.get_visitor_order(work, address[1] if address else 0, key, sent.get(EMAIL_FIELD))
        except TooManyGuesses:
            raise
        except ApiError:
            fault = translate(sent.language, "This is not the email address of the order.")
            return RefusedForm(PROOF_FORM, "", {EMAIL_FIELD: fault}, status=403)
        cookie = build_proof_cookie(work, sent.request.origin, found)
    return build_redirect(build_own_address(sent.request), cookies=[cookie])


def _pay_order(sent: SubmittedForm) -> Response | RefusedForm:
    """Pay an order by the interface, which wants its addresses again."""
    with sent.context.open_work(sent.request, sent.user, True) as work:
        address = find_order_address(work, sent.segments)
        key = get_text(sent.request.query, "key")
        order = visitor_orders.find_order_with_key(work, address[1], key) if address else None
        if order is None or not has_proof(work, sent.request, order):
            return RefusedForm(PAY_FORM, translate(sent.language, "This is not your order."), status=403)
    billing, shipping = _build_addresses(sent, order)
    body: dict[str, Any] = {
        "key": key, "billing_email": order.billing.get("email", ""), "billing_address": billing, **parse_payment(sent),
        **({"shipping_address": shipping} if any(shipping.values()) else {}),
    }  # fmt: skip
    answer = call_store(sent, "POST", f"/checkout/{order.id}", body)
    if answer.failed:
        text = explain_refusal(sent.language, answer)
        faults = list_address_faults(sent.language, answer, {"billing_address": BILLING_PREFIX})
        return RefusedForm(PAY_FORM, text, faults or {METHOD_FIELD: text}, status=answer.status)
    result = answer.body["payment_result"]
    if failure := find_payment_failure(sent.language, result):
        return RefusedForm(PAY_FORM, failure, status=402)
    return lead_on(sent, str(result["redirect_url"]), answer.cookies)


def _build_addresses(sent: SubmittedForm, order: Order) -> tuple[dict[str, str], dict[str, str]]:
    """Return the addresses of an order, filled in where it lacked them and the form asked."""
    given = parse_address(sent, BILLING_PREFIX, BILLING_FIELDS)
    billing = {name: given[name] or order.billing.get(name, "") for name in BILLING_FIELDS}
    return billing, {name: order.shipping_address.get(name, "") for name in SHIPPING_FIELDS}


FORMS: Final = {PAY_FORM: PageForm(_pay_order), PROOF_FORM: PageForm(_confirm_email)}
