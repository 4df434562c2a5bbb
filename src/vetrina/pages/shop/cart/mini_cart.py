"""The small cart in the header: a link to the cart, with how many pieces are in it, and the drawer that it opens.

It stands on pages that are kept for all visitors, so the script `cart` fills the number in; on pages of a visitor who
is signed in, which are kept for nobody, it is there from the start. The script `mini-cart` opens the drawer, with what
the page of the cart answers to it; without scripts the link leads to that page. Rules: docs/rules/cart_pages.md, 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.content.blocks.block_context import BlockContext
from vetrina.pages.forms import render_form
from vetrina.pages.markup import Html, render_button, render_element, render_link, trust_markup
from vetrina.pages.page_context import get_text
from vetrina.pages.page_request import PageRequest, strip_markup
from vetrina.pages.shop.store_requests import read_store
from vetrina.shop.settings.shop_pages import CART_PAGE, CHECKOUT_PAGE, build_shop_page_url

from .amounts import format_amount
from .cart_cookies import list_count_cookies
from .cart_page import CART_SCRIPT, REMOVAL_FORM, render_cart_block, render_choices, render_empty_cart, render_picture
from .texts import translate
from .totals import format_with_tax

DRAWER_PARAMETER: Final = "mini-cart"  # of the address of the cart, with which the script asks for the drawer
_SCRIPT: Final = "mini-cart"
_ADDED: Final = "added"  # what the parameter says when something has just been put in
_OPENS_AFTER_ADDING: Final = "open_drawer"  # of the attribute `addToCartBehaviour`
_PICTURE_PIXELS: Final = 64
_BUTTON: Final = "wp-element-button"
_NOTHING: Final = trust_markup("")
_BASKET: Final = trust_markup(
    '<svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="1.6"'
    ' stroke-linejoin="round" aria-hidden="true" focusable="false"><path d="M4 9h16l-1.6 10H5.6z"/>'
    '<path d="M8.5 9 11 4M15.5 9 13 4" stroke-linecap="round"/></svg>'
)


def render_mini_cart_block(page: PageRequest, context: BlockContext) -> Html:
    """Return the link to the cart, nothing where the shop has no page for it."""
    address = build_shop_page_url(page.work, CART_PAGE)
    if not address:
        return _NOTHING
    page.state.scripts[CART_SCRIPT] = None
    page.state.scripts[_SCRIPT] = None
    count = ""
    if page.session is not None:
        answer = read_store(page, "/cart")
        count = "" if answer.failed or not answer.body["items_count"] else str(answer.body["items_count"])
    label = render_element("span", translate(page.language, "Cart"), class_="shop-mini-cart-label")
    number = render_element("span", count, data_cart_count=True, class_="shop-mini-cart-count")
    link = render_link(
        address, _BASKET, label, number, class_="shop-mini-cart-link",
        data_mini_cart=translate(page.language, "Your cart"),
        data_after_adding=context.attributes.get("addToCartBehaviour") == _OPENS_AFTER_ADDING,
    )  # fmt: skip
    return render_element("div", link, class_="wp-block-shop-mini-cart")


def render_cart_or_drawer(page: PageRequest, context: BlockContext) -> Html:
    """Return the cart as its page shows it, or as the drawer does where the address asks for that."""
    asked = get_text(page.request.query, DRAWER_PARAMETER)
    return _render_drawer(page, added=asked == _ADDED) if asked else render_cart_block(page, context)


def _render_drawer(page: PageRequest, *, added: bool) -> Html:
    language, answer = page.language, read_store(page, "/cart")
    if answer.failed:
        return render_element("p", answer.message, class_="form-error", role="alert")
    cart = answer.body
    page.state.cookies += list_count_cookies(page.request, cart)
    parts: list[str] = [
        render_element("h2", translate(language, "Your cart"), class_="shop-drawer-title"),
        render_element(
            "button", translate(language, "Close"), type="button", data_close=True, class_="shop-drawer-close"
        ),
    ]
    if added:
        parts.append(render_element("p", translate(language, "It is in your cart."), role="status"))
    parts += _render_contents(page, cart) if cart["items"] else [render_empty_cart(page)]
    return render_element("div", *parts, data_drawer=True)


def _render_contents(page: PageRequest, cart: Mapping[str, Any]) -> list[Html]:
    language, work = page.language, page.work
    lines = render_element("ul", *(_render_line(page, one) for one in cart["items"]), class_="shop-lines")
    subtotal = render_element(
        "p", render_element("span", translate(language, "Subtotal")),
        render_element("strong", format_with_tax(work, cart["totals"], "total_items")), class_="shop-drawer-sum",
    )  # fmt: skip
    address = build_shop_page_url(work, CART_PAGE)
    links = [render_link(address, translate(language, "View the cart"), class_=f"{_BUTTON} is-quiet")]
    if checkout := build_shop_page_url(work, CHECKOUT_PAGE):
        links.insert(0, render_link(checkout, translate(language, "Proceed to checkout"), class_=_BUTTON))
    form = render_form(page, REMOVAL_FORM, lines, action=address)
    return [form, subtotal, render_element("p", *links, class_="shop-drawer-links")]


def _render_line(page: PageRequest, line: Mapping[str, Any]) -> Html:
    name = strip_markup(line["name"])
    title: str = render_link(line["permalink"], name) if line["permalink"] else name
    price = f"{line['quantity']} × {format_amount(line['prices']['price'], line['prices'])}"
    remove = render_button(
        translate(page.language, "Remove"), name="key", value=line["key"], class_="shop-remove",
        aria_label=translate(page.language, "Remove {name} from the cart", name=name),
    )  # fmt: skip
    about = [
        render_element("p", title, class_="shop-line-name"), render_choices(line["variation"]),
        render_element("p", price, class_="shop-line-price"),
    ]  # fmt: skip
    return render_element(
        "li",
        render_picture(line["images"], _PICTURE_PIXELS),
        render_element("div", *about, class_="shop-line-about"),
        render_element("p", format_with_tax(page.work, line["totals"], "line_subtotal"), class_="shop-line-total"),
        render_element("div", remove, class_="shop-line-quantity"),
        class_="shop-line",
    )
