"""The checkout as its page shows it: who buys, where it is sent to, how it is sent and paid, and what it comes to.

One form; the button that places the order comes first, the one that shows fields and totals of another country again
after it, so that everything works without scripts. What the form does: pages/shop/cart/checkout_forms.py. Rules:
docs/rules/cart_pages.md, 1, 6 and 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.content.blocks.block_context import BlockContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.pages.forms import (
    get_fault,
    get_sent,
    render_form,
    render_hidden,
    render_labelled,
    render_refusal,
    render_textarea,
)
from vetrina.pages.markup import Html, join_markup, render_button, render_element, render_link
from vetrina.pages.page_request import PageRequest, strip_markup
from vetrina.pages.shop.store_requests import read_store
from vetrina.pages.sign_in_page import build_sign_in_url
from vetrina.shop.orders.model import BILLING_FIELDS, SHIPPING_FIELDS
from vetrina.shop.settings import rules as settings
from vetrina.shop.settings.shop_pages import CART_PAGE, TERMS_PAGE, build_shop_page_url

from .address_fields import render_address_fields
from .cart_cookies import list_count_cookies
from .cart_page import CART_SCRIPT, render_choices, render_empty_cart, render_rates
from .coupon_forms import render_coupon_part, render_coupon_removals
from .payment_choice import render_payment_methods
from .texts import explain_refusal, translate
from .totals import format_with_tax, has_shipping_rates, render_totals

CHECKOUT_FORM: Final = "checkout"
BILLING, SHIPPING = "billing_", "shipping_"
ELSEWHERE_FIELD: Final = "ship_elsewhere"
ACCOUNT_FIELD: Final = "create_account"
PASSWORD_FIELD: Final = "account_password"
TERMS_FIELD: Final = "terms"
NOTE_FIELD: Final = "order_note"
ORDER_FIELD, KEY_FIELD, TOTAL_FIELD = "order", "order_key", "total"
ACTION_FIELD, UPDATE, PLACE = "action", "update", "place"
_CHECKOUT_SCRIPT: Final = "checkout"
_MAX_NOTE_LENGTH: Final = 5000  # characters, as the interface takes
_BUTTON: Final = "wp-element-button"


def render_checkout_block(page: PageRequest, context: BlockContext) -> Html:
    """Return the checkout of the visitor's cart. context: of the block, whose inner blocks it stands for."""
    page.state.scripts[CART_SCRIPT] = None
    language = page.language
    if needs_sign_in(page.work) and page.session is None:
        return render_element("div", _render_sign_in(page, must=True), class_="shop-checkout")
    draft = read_store(page, "/checkout")
    answer = read_store(page, "/cart")
    if answer.failed:
        return render_element("p", answer.message, class_="form-error", role="alert")
    cart = answer.body
    page.state.cookies += list_count_cookies(page.request, cart)
    if not cart["items"]:
        return render_element("div", render_refusal(page, CHECKOUT_FORM), render_empty_cart(page), class_="shop-cart")
    if draft.failed:
        said = render_element("p", explain_refusal(language, draft), class_="form-error", role="alert")
        back = render_link(build_shop_page_url(page.work, CART_PAGE), translate(language, "Back to the cart"))
        return render_element("div", said, render_element("p", back), class_="shop-cart")
    page.state.scripts[_CHECKOUT_SCRIPT] = None
    return _render_checkout(page, cart, draft.body)


def needs_sign_in(work: UnitOfWork) -> bool:
    """Return whether only accounts can order, and no account can be made at the checkout."""
    on = settings.is_setting_on
    guests = on(work, "shop_enable_guest_checkout")
    return not guests and not on(work, "shop_enable_signup_and_login_from_checkout")


def offers_other_address(work: UnitOfWork, cart: Mapping[str, Any]) -> bool:
    """Return whether goods can be sent elsewhere than to who pays."""
    only = settings.get_shop_option(work, "shop_ship_to_destination") == "billing_only"
    return bool(cart["needs_shipping"]) and not only


def _render_checkout(page: PageRequest, cart: Mapping[str, Any], draft: Mapping[str, Any]) -> Html:
    language = page.language
    fields = [_render_contact(page, cart), _render_billing(page, cart)]
    if offers_other_address(page.work, cart):
        fields.append(_render_shipping_address(page, cart))
    fields.append(_render_part("note", _render_note(page, draft)))
    place = render_button(
        translate(language, "Place order"), name=ACTION_FIELD, value=PLACE, class_=f"{_BUTTON} shop-proceed"
    )
    update = render_button(
        translate(language, "Update fields and totals"), name=ACTION_FIELD, value=UPDATE, formnovalidate=True,
        class_=f"{_BUTTON} is-quiet", data_update=True,
    )  # fmt: skip
    hidden = [
        render_hidden(ORDER_FIELD, draft["order_id"]),
        render_hidden(KEY_FIELD, draft["order_key"]),
    ]
    summary = render_element(
        "section",
        render_element("h2", translate(language, "Your order"), id="checkout-order"),
        _render_part("summary", _render_lines(page, cart), *_render_rates(page, cart),
                     render_totals(page.work, cart, render_coupon_removals(page, cart)),
                     render_hidden(TOTAL_FIELD, cart["totals"]["total_price"])),
        _render_part("payment", _render_payment(page, cart, draft)),
        _render_terms(page),
        place,
        update,
        aria_labelledby="checkout-order", class_="shop-side",
    )  # fmt: skip
    form = render_form(
        page, CHECKOUT_FORM,
        *hidden,
        _render_part("refusal", render_refusal(page, CHECKOUT_FORM)),
        render_element("div", render_element("div", *fields, class_="shop-checkout-fields"), summary,
                       class_="shop-columns"),
        class_="shop-form shop-checkout", data_checkout=True,
    )  # fmt: skip
    return join_markup((render_coupon_part(page, cart), form))


def _render_part(name: str, *inside: str) -> Html:
    """Return a part that the script `checkout` replaces when the address or a choice changes."""
    return render_element("div", *inside, data_part=name)


def _render_sign_in(page: PageRequest, *, must: bool = False) -> Html:
    language = page.language
    text = (
        translate(language, "Sign in to order here.") if must else translate(language, "Have you ordered here before?")
    )
    link = render_link(build_sign_in_url("admin", page.request.path), translate(language, "Sign in"))
    return render_element("p", text, " ", link)


def _render_contact(page: PageRequest, cart: Mapping[str, Any]) -> Html:
    language, work = page.language, page.work
    parts: list[str] = [render_element("legend", translate(language, "Contact"))]
    if page.session is None and settings.is_setting_on(work, "shop_enable_checkout_login_reminder"):
        parts.append(_render_sign_in(page))
    parts += render_address_fields(page, CHECKOUT_FORM, BILLING, ("email",), cart["billing_address"], optional=False)
    if page.session is None and settings.is_setting_on(work, "shop_enable_signup_and_login_from_checkout"):
        parts += _render_account(page)
    return render_element("fieldset", *parts)


def _render_account(page: PageRequest) -> list[str]:
    language, parts = page.language, list[str]()
    if settings.is_setting_on(page.work, "shop_enable_guest_checkout"):
        label = translate(language, "Create an account")
        parts.append(_render_checkbox(page, ACCOUNT_FIELD, label, checked=False))
    if not settings.is_setting_on(page.work, "shop_registration_generate_password"):
        # Not `render_input`: a page never shows a password that was sent.
        label = translate(language, "Password of the account")
        given = {"type": "password", "autocomplete": "new-password"}
        field = render_labelled(
            page, CHECKOUT_FORM, PASSWORD_FIELD, label, lambda attributes: render_element("input", **attributes), given
        )
        parts.append(render_element("div", field, class_="shop-account-password"))
    return parts


def _render_checkbox(page: PageRequest, name: str, label: str | Html, *, checked: bool) -> Html:
    sent = page.refused is not None and page.refused.form == CHECKOUT_FORM
    number, fault = f"checkout-{name}".replace("_", "-"), get_fault(page, CHECKOUT_FORM, name)
    box = render_element(
        "input", type="checkbox", name=name, value="1", id=number, aria_invalid="true" if fault else None,
        aria_describedby=f"{number}-fault" if fault else None,
        checked=bool(get_sent(page, CHECKOUT_FORM, name)) if sent else checked,
    )  # fmt: skip
    said = render_element("span", fault, class_="form-error", id=f"{number}-fault") if fault else ""
    return render_element("p", box, " ", render_element("label", label, for_=number), said, class_="form-check")


def _render_billing(page: PageRequest, cart: Mapping[str, Any]) -> Html:
    names = [name for name in BILLING_FIELDS if name != "email"]
    fields = render_address_fields(page, CHECKOUT_FORM, BILLING, names, cart["billing_address"], optional=False)
    legend = render_element("legend", translate(page.language, "Billing address"))
    return _render_part("billing", render_element("fieldset", legend, *fields, class_="shop-address"))


def _render_shipping_address(page: PageRequest, cart: Mapping[str, Any]) -> Html:
    language = page.language
    first = settings.get_shop_option(page.work, "shop_ship_to_destination") == "shipping"
    differs = any(cart["shipping_address"][name] != cart["billing_address"][name] for name in SHIPPING_FIELDS)
    known = bool(cart["billing_address"]["address_1"])
    label = translate(language, "Ship to a different address")
    box = _render_checkbox(page, ELSEWHERE_FIELD, label, checked=differs if known else first)
    # Hidden fields must not keep the browser from sending the form, so it asks for none of them.
    fields = render_address_fields(
        page, CHECKOUT_FORM, SHIPPING, SHIPPING_FIELDS, cart["shipping_address"], optional=True
    )
    legend = render_element("legend", translate(language, "Shipping address"))
    held = render_element("fieldset", legend, *fields, class_="shop-address shop-other-address")
    return _render_part("shipping", box, held)


def _render_note(page: PageRequest, draft: Mapping[str, Any]) -> Html:
    label = translate(page.language, "Notes on the order (optional)")
    return render_textarea(
        page, CHECKOUT_FORM, NOTE_FIELD, label, str(draft["customer_note"]), rows=3, maxlength=_MAX_NOTE_LENGTH
    )


def _render_lines(page: PageRequest, cart: Mapping[str, Any]) -> Html:
    rows = [
        render_element(
            "li",
            render_element("div", f"{strip_markup(one['name'])} × {one['quantity']}", render_choices(one["variation"])),
            render_element("span", format_with_tax(page.work, one["totals"], "line_subtotal")),
        )
        for one in cart["items"]
    ]
    return render_element("ul", *rows, class_="shop-order-lines")


def _render_rates(page: PageRequest, cart: Mapping[str, Any]) -> list[Html]:
    if not cart["needs_shipping"]:
        return []
    if has_shipping_rates(cart):
        return [render_rates(page, cart, data_adapts=True)]
    return [render_element("p", translate(page.language, "There is no way to send this to the address yet."))]


def _render_payment(page: PageRequest, cart: Mapping[str, Any], draft: Mapping[str, Any]) -> Html | str:
    if not cart["needs_payment"]:
        return ""
    return render_payment_methods(page, CHECKOUT_FORM, cart["payment_methods"], str(draft["payment_method"]))


def _render_terms(page: PageRequest) -> Html | str:
    address = build_shop_page_url(page.work, TERMS_PAGE)
    if not address:
        return ""
    text = translate(page.language, "I have read the terms and conditions and agree to them")
    return _render_checkbox(page, TERMS_FIELD, render_link(address, text, target="_blank"), checked=False)
