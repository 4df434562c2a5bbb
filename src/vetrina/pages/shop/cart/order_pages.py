"""The page where an order was received, and the one where it is paid.

Beneath the checkout, at the addresses of shop/checkout/endpoints.py. The key in the address opens the order; what only
its customer may know is shown to them: who is signed in as its customer, who has just ordered, and who confirms the
mail address. Not here: what the forms do (pages/shop/cart/order_forms.py). Rules: docs/rules/cart_pages.md, 8.
"""

from __future__ import annotations

from typing import Final

import msgspec

from vetrina.access.sessions import cookies as session_cookies
from vetrina.content.blocks.block_context import BlockContext, PublicPage
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design.templates import template_hierarchy
from vetrina.kernel.errors import WriteNeeded
from vetrina.kernel.integers import parse_digits
from vetrina.pages import coming_soon_page
from vetrina.pages.forms import get_sent, render_form, render_input, render_refusal
from vetrina.pages.markup import Html, render_button, render_element, render_link, trust_markup
from vetrina.pages.not_found_page import render_not_found
from vetrina.pages.page_context import get_text
from vetrina.pages.page_frame import render_public_page
from vetrina.pages.page_request import PageRequest
from vetrina.pages.template_page import render_page_template
from vetrina.rest.call import Request, Response
from vetrina.shop.checkout import endpoints
from vetrina.shop.customers import addresses as customer_addresses
from vetrina.shop.orders import statuses as order_statuses, visitor_orders
from vetrina.shop.orders.model import BILLING_FIELDS, Order
from vetrina.shop.payments import gateways, order_payments as payments
from vetrina.shop.settings.shop_pages import CHECKOUT_PAGE, find_shop_page

from . import order_overview
from .address_fields import render_address_fields
from .cart_page import CART_SCRIPT
from .payment_choice import render_payment_methods
from .texts import translate

PAY_FORM: Final = "order-pay"
PROOF_FORM: Final = "order-proof"
EMAIL_FIELD: Final = "email"
BILLING_PREFIX: Final = "billing_"
_UNINDEXED: Final = {"X-Robots-Tag": "noindex"}
_PAGE: Final = "page"
_BUTTON: Final = "wp-element-button"
_CONFIRMATION: Final = "order-confirmation"  # template of the page where an order was received, and start of its blocks
_CONFIRMATION_PARTS: Final = (
    "summary", "totals-wrapper", "totals", "downloads-wrapper", "downloads", "shipping-wrapper", "shipping-address",
    "billing-wrapper", "billing-address", "additional-fields-wrapper", "additional-fields", "additional-information",
    "create-account",
)  # fmt: skip
_FAILED, _CANCELLED = "failed", "cancelled"


def find_order_page(page: PageRequest) -> Response | None:
    """Return the page of an order at its address, None at another address."""
    work, request = page.work, page.request
    found = find_order_address(work, page.segments)
    if found is None:
        return None
    if (shut := coming_soon_page.find_program_refusal(work, page.user, request, of_shop=True)) is not None:
        return shut
    setting, number = found
    page.state.personal = True
    order = visitor_orders.find_order_with_key(work, number, get_text(request.query, "key"))
    if order is None or order.status == order_statuses.DRAFT:
        return render_not_found(page)
    if payments.is_payment_check_due(work, order):
        # Customers who return from a gateway want the result; the page itself does not wait for it.
        if not work.tx.writes:
            raise WriteNeeded
        payments.enqueue_payment_check(work, order)
    if setting == endpoints.PAY_ENDPOINT:
        return _render_page(page, translate(page.language, "Pay for order"), _render_payment(page, order))
    title = translate(page.language, "Order received")
    return _render_page(page, title, _render_received(page, order), (_CONFIRMATION,))


def render_confirmation_block(page: PageRequest, context: BlockContext) -> Html:
    """Return the order of the page where it was received, nothing on another page."""
    found = find_order_address(page.work, page.segments)
    if found is None or found[0] != endpoints.RECEIVED_ENDPOINT:
        return trust_markup("")
    order = visitor_orders.find_order_with_key(page.work, found[1], get_text(page.request.query, "key"))
    return _render_received(page, order) if order is not None else trust_markup("")


def _render_nothing(page: PageRequest, context: BlockContext) -> Html:
    return trust_markup("")


# A template of the reference has a block for each part; the first of them shows the whole order.
CONFIRMATION_BLOCKS: Final = {
    **{f"shop/{_CONFIRMATION}-{part}": _render_nothing for part in _CONFIRMATION_PARTS},
    f"shop/{_CONFIRMATION}-status": render_confirmation_block,
}


def find_order_address(work: UnitOfWork, segments: tuple[str, ...]) -> tuple[str, int] | None:
    """Return which page of an order is at an address, by its setting, and the order's id; None at another address."""
    match segments:
        case ("checkout", slug, number) if number.isascii() and number.isdecimal():
            for setting in (endpoints.PAY_ENDPOINT, endpoints.RECEIVED_ENDPOINT):
                if slug == endpoints.get_endpoint_slug(work, setting):
                    return setting, parse_digits(number) or 0
    return None


def has_proof(work: UnitOfWork, request: Request, order: Order) -> bool:
    """Return whether a visitor who has an order's key has proved to be its customer, too."""
    proof = request.cookie(session_cookies.format_cookie_name(request.origin, _build_cookie_name(order)))
    return visitor_orders.has_order_proof(work, order, proof)


def build_proof_cookie(work: UnitOfWork, origin: str, order: Order) -> str:
    """Return the header that remembers that a visitor has confirmed the mail address of an order."""
    proof = visitor_orders.compute_order_proof(work, order)
    return session_cookies.format_cookie(origin, _build_cookie_name(order), proof)


def _build_cookie_name(order: Order) -> str:
    return f"cms_order_{order.id}"


def _render_page(page: PageRequest, title: str, content: Html, templates: tuple[str, ...] = ()) -> Response:
    """Return a page of an order, as the theme shows the checkout. templates: those that come before that one's."""
    page.state.scripts[CART_SCRIPT] = None
    checkout, body = find_shop_page(page.work, CHECKOUT_PAGE), None
    if checkout is not None:
        shown = msgspec.structs.replace(checkout, title=title, title_html=title)
        names = (*templates, *template_hierarchy.list_record_templates(page.work.site.types[_PAGE], shown))
        body = render_page_template(page, names, PublicPage(), shown, render_element("div", content))
    main = () if body is not None else (render_element("h1", title), content)
    return render_public_page(page, title, *main, indexed=False, cacheable=False, headers=_UNINDEXED, body=body)


def _render_received(page: PageRequest, order: Order) -> Html:
    language, work = page.language, page.work
    data = order_overview.load_order_data(work, order)
    parts: list[str] = [_render_state(page, order, payable=bool(data["needs_payment"]))]
    parts.append(order_overview.render_facts(language, data))
    proved = has_proof(work, page.request, order)
    if proved:
        parts += [
            order_overview.render_payment_instructions(language, data),
            order_overview.render_downloads(language, data),
        ]
    parts.append(order_overview.render_lines(language, data))
    parts.append(order_overview.render_addresses(language, data) if proved else _render_proof_form(page))
    return render_element("div", *parts, class_="shop-order")


def _render_state(page: PageRequest, order: Order, *, payable: bool) -> Html:
    """Return what became of an order, in a sentence."""
    language = page.language
    if not payable:
        text = (
            translate(language, "This order was cancelled.")
            if order.status == _CANCELLED
            else translate(language, "Thank you. We have received your order.")
        )
        return render_element("p", text, class_="shop-order-state")
    text = (
        translate(language, "The payment of this order failed.")
        if order.status == _FAILED
        else translate(language, "We have received your order; it is not paid yet.")
    )
    link = render_link(endpoints.build_payment_url(page.work, order), translate(language, "Pay for this order"))
    return render_element("p", text, " ", link, class_="shop-order-state")


def _render_proof_form(page: PageRequest) -> Html:
    """Return the form that asks for the mail address of an order."""
    language = page.language
    text = translate(language, "Confirm the email address that you ordered with to see everything.")
    field = render_input(
        page, PROOF_FORM, EMAIL_FIELD, translate(language, "Email address"), type="email", required=True,
        autocomplete="email",
    )  # fmt: skip
    button = render_button(translate(language, "Confirm"), class_=_BUTTON)
    return render_form(
        page, PROOF_FORM, render_element("p", text), render_refusal(page, PROOF_FORM), field, button, class_="shop-form"
    )


def _render_payment(page: PageRequest, order: Order) -> Html:
    language, work = page.language, page.work
    data = order_overview.load_order_data(work, order)
    lines = [order_overview.render_facts(language, data), order_overview.render_lines(language, data)]
    if not data["needs_payment"]:
        text = translate(language, "This order does not wait for a payment.")
        return render_element("div", render_element("p", text, role="status"), *lines, class_="shop-order")
    if not has_proof(work, page.request, order):
        return render_element("div", *lines, _render_proof_form(page), class_="shop-order")
    lacking: list[str] = []
    billing = {name: order.billing.get(name, "") for name in BILLING_FIELDS}
    refused = page.refused is not None and page.refused.form == PAY_FORM
    if customer_addresses.list_missing_fields(billing) or (refused and get_sent(page, PAY_FORM, "billing_country")):
        legend = render_element("legend", translate(language, "Billing address"))
        fields = render_address_fields(page, PAY_FORM, BILLING_PREFIX, BILLING_FIELDS, billing, optional=False)
        lacking.append(render_element("fieldset", legend, *fields, class_="shop-address"))
    ids = [one.gateway.id for one in gateways.list_enabled_gateways(work)]
    methods = render_payment_methods(page, PAY_FORM, ids, order.payment_method)
    button = render_button(translate(language, "Pay for order"), class_=f"{_BUTTON} shop-proceed")
    form = render_form(page, PAY_FORM, render_refusal(page, PAY_FORM), *lacking, methods, button, class_="shop-form",
                       data_once=True)  # fmt: skip
    return render_element("div", *lines, form, class_="shop-order")
