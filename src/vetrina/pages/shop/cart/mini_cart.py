"""The small cart in the header: a link to the cart, with how many pieces are in it.

It stands on pages that are kept for all visitors, so the script `cart` fills the number in; on pages of a visitor who
is signed in, which are kept for nobody, it is there from the start. Rules: docs/rules/cart_pages.md, 4.
"""

from __future__ import annotations

from typing import Final

from vetrina.content.blocks.dynamic_rendering import BlockContext
from vetrina.pages.markup import Html, render_element, render_link, trust_markup
from vetrina.pages.page_request import PageRequest
from vetrina.pages.shop.store_requests import read_store
from vetrina.shop.settings.shop_pages import CART_PAGE, build_shop_page_url

from .cart_page import CART_SCRIPT
from .texts import translate

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
    count = ""
    if page.session is not None:
        answer = read_store(page, "/cart")
        count = "" if answer.failed or not answer.body["items_count"] else str(answer.body["items_count"])
    label = render_element("span", translate(page.language, "Cart"), class_="shop-mini-cart-label")
    number = render_element("span", count, data_cart_count=True, class_="shop-mini-cart-count")
    link = render_link(address, _BASKET, label, number, class_="shop-mini-cart-link")
    return render_element("div", link, class_="wp-block-shop-mini-cart")
