"""The cart as its page shows it: lines, coupons, shipping, totals, and what goes with them.

Everything is what the visitors' interface answers; every button is one of a form, so that the page works without
scripts. What the forms do: pages/shop/cart/cart_forms.py. Rules: docs/rules/cart_pages.md, 1 and 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.content.blocks.block_context import BlockContext
from vetrina.content.blocks.grammar import Block
from vetrina.pages.forms import get_fault, get_sent, render_form, render_refusal
from vetrina.pages.markup import (
    Html,
    join_markup,
    render_button,
    render_element,
    render_link,
    trust_markup,
)
from vetrina.pages.page_request import PageRequest, strip_markup
from vetrina.pages.shop.store_requests import read_store
from vetrina.shop.settings import rules as settings
from vetrina.shop.settings.shop_pages import CHECKOUT_PAGE, SHOP_PAGE, build_shop_page_url

from .add_to_cart_submission import ADD_FORM
from .address_fields import render_place_fields
from .amounts import format_amount
from .cart_cookies import list_count_cookies
from .coupon_forms import (
    COUPON_FORM,
    COUPON_REMOVAL_FORM,
    render_coupon_form,
    render_coupon_removal_form,
    render_coupon_removals,
)
from .texts import translate
from .totals import format_with_tax, has_shipping_rates, render_totals

QUANTITY_FORM: Final = "cart-quantities"
REMOVAL_FORM: Final = "cart-removal"
RATE_FORM: Final = "cart-rate"
PLACE_FORM: Final = "cart-place"
CART_FORMS: Final = (QUANTITY_FORM, REMOVAL_FORM, COUPON_FORM, COUPON_REMOVAL_FORM, RATE_FORM, PLACE_FORM)
CART_SCRIPT: Final = "cart"
_EMPTY_BLOCK: Final = "/empty-cart-block"
_PICTURE_PIXELS: Final = 96
_MAX_CROSS_SELLS: Final = 4


def render_cart_block(page: PageRequest, context: BlockContext) -> Html:
    """Return the cart of the visitor. context: of the block; what it has for an empty cart is shown then."""
    page.state.scripts[CART_SCRIPT] = None
    answer = read_store(page, "/cart")
    if answer.failed:
        return render_element("p", answer.message, class_="form-error", role="alert")
    cart = answer.body
    page.state.cookies += list_count_cookies(page.request, cart)
    refusals = [refusal for form in (ADD_FORM, *CART_FORMS) if (refusal := render_refusal(page, form))]
    if not cart["items"]:
        shown: Html | str = _render_empty_part(context) or render_empty_cart(page)
        return render_element("div", *refusals, shown, class_="shop-cart shop-cart-empty")
    errors = [render_element("p", strip_markup(one["message"]), role="alert", class_="form-error") for one in
              cart["errors"]]  # fmt: skip
    main = render_element("div", _render_lines(page, cart), render_coupon_form(page), class_="shop-cart-main")
    return render_element(
        "div",
        *refusals,
        *errors,
        render_element("div", main, _render_side(page, cart), class_="shop-columns"),
        _render_cross_sells(page, cart),
        class_="shop-cart",
    )


def render_empty_cart(page: PageRequest) -> Html:
    """Return what stands in place of an empty cart."""
    language = page.language
    parts: list[str] = [render_element("p", translate(language, "Your cart is empty."))]
    if shop := build_shop_page_url(page.work, SHOP_PAGE):
        parts.append(render_element("p", render_link(shop, translate(language, "Go to the shop"), class_=_BUTTON)))
    return join_markup(parts)


_BUTTON: Final = "wp-element-button"


def _render_empty_part(context: BlockContext) -> Html | None:
    """Return what the block has for an empty cart, None where it has nothing."""
    found = [part for part in context.block.parts if isinstance(part, Block) and part.name.endswith(_EMPTY_BLOCK)]
    return trust_markup(context.inner(found[0].parts)) if found else None


# -- lines


def _render_lines(page: PageRequest, cart: Mapping[str, Any]) -> Html:
    language = page.language
    rows = render_element("ul", *(_render_line(page, one) for one in cart["items"]), class_="shop-lines")
    update = render_button(translate(language, "Update the cart"), class_=f"{_BUTTON} is-quiet")
    removal = render_form(page, REMOVAL_FORM, id=REMOVAL_FORM)
    return join_markup((render_form(page, QUANTITY_FORM, rows, update, class_="shop-form"), removal))


def _render_line(page: PageRequest, line: Mapping[str, Any]) -> Html:
    language, name = page.language, strip_markup(line["name"])
    title: str = render_link(line["permalink"], name) if line["permalink"] else name
    about = [render_element("p", title, class_="shop-line-name"), render_choices(line["variation"])]
    about.append(render_element("p", format_amount(line["prices"]["price"], line["prices"]), class_="shop-line-price"))
    if line["show_backorder_badge"]:
        about.append(render_element("p", translate(language, "Available on backorder"), class_="shop-line-note"))
    remove = render_button(
        translate(language, "Remove"), form=REMOVAL_FORM, name="key", value=line["key"],
        aria_label=translate(language, "Remove {name} from the cart", name=name), class_="shop-remove",
    )  # fmt: skip
    return render_element(
        "li",
        render_picture(line["images"], _PICTURE_PIXELS),
        render_element("div", *about, class_="shop-line-about"),
        render_element("div", _render_quantity(page, line, name), remove, class_="shop-line-quantity"),
        render_element("p", format_with_tax(page.work, line["totals"], "line_subtotal"), class_="shop-line-total"),
        class_="shop-line",
    )


def _render_quantity(page: PageRequest, line: Mapping[str, Any], name: str) -> Html:
    limits, field = line["quantity_limits"], f"quantity-{line['key']}"
    if not limits["editable"]:
        return render_element("span", f"× {line['quantity']}")
    fault = get_fault(page, QUANTITY_FORM, field)
    number = render_element(
        "input", type="number", name=field, value=get_sent(page, QUANTITY_FORM, field, str(line["quantity"])),
        min=limits["minimum"], max=limits["maximum"], step=limits["multiple_of"], inputmode="numeric",
        aria_label=translate(page.language, "Quantity of {name}", name=name),
        aria_invalid="true" if fault else None, aria_describedby=f"{field}-fault" if fault else None,
    )  # fmt: skip
    shown = render_element("span", fault, id=f"{field}-fault", class_="form-error") if fault else ""
    return render_element("span", number, shown)


def render_choices(variation: Any) -> Html | str:
    """Return what was chosen of a variable product, empty for nothing."""
    pairs = [f"{strip_markup(one['attribute'])}: {strip_markup(one['value'])}" for one in variation]
    return render_element("p", ", ".join(pairs), class_="shop-line-choices") if pairs else ""


def render_picture(images: Any, pixels: int) -> Html:
    """Return the first picture of a product, or the space of one; it says nothing that the name does not say."""
    if not images:
        return render_element("span", class_="shop-line-picture", aria_hidden="true")
    first = images[0]
    return render_element(
        "img", src=first["thumbnail"] or first["src"], alt="", width=pixels, height=pixels, loading="lazy",
        class_="shop-line-picture",
    )  # fmt: skip


# -- coupons, shipping, totals


def _render_side(page: PageRequest, cart: Mapping[str, Any]) -> Html:
    language = page.language
    removals = render_coupon_removals(page, cart)
    parts: list[str] = [
        render_element("h2", translate(language, "Cart totals"), id="cart-totals"),
        render_totals(page.work, cart, removals),
    ]
    if removals:
        parts.append(render_coupon_removal_form(page))
    if cart["needs_shipping"]:
        parts += _render_shipping(page, cart)
    if checkout := build_shop_page_url(page.work, CHECKOUT_PAGE):
        link = render_link(checkout, translate(language, "Proceed to checkout"), class_=f"{_BUTTON} shop-proceed")
        parts.append(render_element("p", link))
    return render_element("section", *parts, aria_labelledby="cart-totals", class_="shop-side")


def _render_shipping(page: PageRequest, cart: Mapping[str, Any]) -> list[Html]:
    language, out = page.language, []
    if has_shipping_rates(cart):
        button = render_button(translate(language, "Choose this shipping"), class_=f"{_BUTTON} is-quiet")
        out.append(render_form(page, RATE_FORM, render_rates(page, cart), button, class_="shop-form"))
    elif cart["has_calculated_shipping"]:
        out.append(render_element("p", translate(language, "There is no way to send this to the address.")))
    if settings.is_setting_on(page.work, "shop_enable_shipping_calc"):
        fields = render_place_fields(page, PLACE_FORM, cart["shipping_address"])
        button = render_button(translate(language, "Calculate shipping"), class_=f"{_BUTTON} is-quiet")
        summary = render_element("summary", translate(language, "Where do we send it?"))
        refused = page.refused is not None and page.refused.form == PLACE_FORM
        form = render_form(page, PLACE_FORM, *fields, button, class_="shop-form")
        out.append(render_element("details", summary, form, open=refused or not has_shipping_rates(cart)))
    return out


def render_rates(page: PageRequest, cart: Mapping[str, Any], **attributes: str | int | bool | None) -> Html:
    """Return the choice between the ways to send a cart. attributes: of each radio button."""
    work, entries = page.work, []
    for package in cart["shipping_rates"]:
        for one in package["shipping_rates"]:
            number = f"rate-{one['rate_id']}".replace(":", "-")
            with_tax = {**one, "price_tax": one["taxes"]}
            radio = render_element(
                "input", type="radio", name="rate", value=one["rate_id"], id=number, checked=bool(one["selected"]),
                **attributes,
            )  # fmt: skip
            label = render_element("label", strip_markup(one["name"]), for_=number)
            free = not int(one["price"])
            text = translate(page.language, "Free") if free else format_with_tax(work, with_tax, "price")
            cost = render_element("span", text)
            entries.append(render_element("div", radio, label, cost, class_="shop-choice"))
    legend = render_element("legend", translate(page.language, "Shipping"))
    return render_element("fieldset", legend, *entries, class_="shop-choices")


def _render_cross_sells(page: PageRequest, cart: Mapping[str, Any]) -> Html | str:
    entries = []
    for one in cart["cross_sells"][:_MAX_CROSS_SELLS]:
        name = render_element("span", strip_markup(one["name"]))
        price = render_element("span", format_amount(one["prices"]["price"], one["prices"]), class_="shop-line-price")
        link = render_link(one["permalink"], render_picture(one["images"], _PICTURE_PIXELS), name)
        entries.append(render_element("li", link, price))
    if not entries:
        return ""
    title = render_element("h2", translate(page.language, "You may be interested in"), id="cross-sells")
    return render_element("section", title, render_element("ul", *entries, class_="shop-cross-sells"),
                          aria_labelledby="cross-sells")  # fmt: skip
