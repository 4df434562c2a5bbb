"""The forms that put coupons on a cart and take them off, on the pages of cart and checkout.

What they do: pages/shop/cart/cart_forms.py. Rules: docs/rules/cart_pages.md, 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.pages.forms import render_form, render_input, render_refusal
from vetrina.pages.markup import Html, render_button, render_element
from vetrina.pages.page_request import PageRequest
from vetrina.shop.settings import rules as settings

from .texts import translate

COUPON_FORM: Final = "cart-coupon"
COUPON_REMOVAL_FORM: Final = "cart-coupon-removal"


def render_coupon_form(page: PageRequest) -> Html | str:
    """Return the form that puts a coupon on the cart, empty where the shop has none."""
    if not settings.is_setting_on(page.work, "shop_enable_coupons"):
        return ""
    language = page.language
    code = render_input(page, COUPON_FORM, "code", translate(language, "Coupon code"), autocomplete="off")
    button = render_button(translate(language, "Apply the coupon"), class_="wp-element-button is-quiet")
    return render_form(page, COUPON_FORM, code, button, class_="shop-form shop-inline-form")


def render_coupon_part(page: PageRequest, cart: Mapping[str, Any]) -> Html:
    """Return the forms as a checkout has them: beside its own form, which holds the buttons of removal.

    The script `checkout` sends them and shows the answer in their place, so that nothing that was typed is lost.
    """
    refusals = [render_refusal(page, form) for form in (COUPON_FORM, COUPON_REMOVAL_FORM)]
    form = render_coupon_form(page)
    removal = render_coupon_removal_form(page) if cart["coupons"] else ""
    if form:
        summary = render_element("summary", translate(page.language, "Do you have a coupon?"))
        form = render_element("details", summary, form, open=any(refusals) or None)
    return render_element("div", *refusals, form, removal, data_coupons=True)


def render_coupon_removal_form(page: PageRequest) -> Html:
    """Return the form that the buttons of removal belong to, wherever they stand."""
    return render_form(page, COUPON_REMOVAL_FORM, id=COUPON_REMOVAL_FORM)


def render_coupon_removals(page: PageRequest, cart: Mapping[str, Any]) -> list[Html]:
    """Return a button for each coupon of the cart, in their order, that takes it off."""
    language = page.language
    return [
        render_button(
            translate(language, "Remove"), form=COUPON_REMOVAL_FORM, name="code", value=one["code"],
            aria_label=translate(language, "Remove the coupon {code}", code=one["code"]), class_="shop-remove",
        )
        for one in cart["coupons"]
    ]  # fmt: skip
