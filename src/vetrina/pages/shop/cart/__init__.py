"""The cart and the checkout of a shop."""

from __future__ import annotations

import re
from typing import Final

from vetrina.content.records.model import Record
from vetrina.pages.forms import PageForm
from vetrina.pages.page_features import PageFeatures
from vetrina.pages.page_request import PageRequest
from vetrina.shop.settings.shop_pages import CART_PAGE, CHECKOUT_PAGE, build_shop_page_url, is_shop_page

from .add_to_cart_submission import ADD_FORM, handle_add_to_cart
from .cart_forms import FORMS as CART_FORMS
from .checkout_forms import FORMS as CHECKOUT_FORMS
from .checkout_page import render_checkout_block
from .mini_cart import render_cart_or_drawer, render_mini_cart_block
from .order_forms import FORMS as ORDER_FORMS
from .order_pages import CONFIRMATION_BLOCKS, find_order_page
from .texts import PHRASES

_CONTENTS: Final = {CART_PAGE: "<!-- wp:shop/cart /-->", CHECKOUT_PAGE: "<!-- wp:shop/checkout /-->"}
# Nothing, or the shortcode with which older shops write their cart and checkout, alone or in a block of its own.
_STAND_IN: Final = re.compile(
    r"\s*(?:<!-- wp:shortcode -->\s*)?(?:\[\w+_(?:cart|checkout)\]\s*)?(?:<!-- /wp:shortcode -->\s*)?"
)


def _replace_content(page: PageRequest, record: Record) -> str | None:
    """Return what the pages of cart and checkout show in place of nothing, and of their shortcodes."""
    if not _STAND_IN.fullmatch(record.content):
        return None
    return next((shown for option, shown in _CONTENTS.items() if is_shop_page(page.work, record, option)), None)


FEATURES: Final = PageFeatures(
    forms={ADD_FORM: PageForm(handle_add_to_cart, kept=True), **CART_FORMS, **CHECKOUT_FORMS, **ORDER_FORMS},
    blocks={
        "shop/cart": render_cart_or_drawer,
        "shop/checkout": render_checkout_block,
        "shop/mini-cart": render_mini_cart_block,
        **CONFIRMATION_BLOCKS,
    },
    notices={
        "added-to-cart": "It is in your cart.",
        "cart-updated": "Your cart is up to date.",
        "coupon-applied": "The coupon is on your cart.",
        "coupon-removed": "The coupon is off your cart.",
    },
    notice_links={"added-to-cart": ("View the cart", lambda work: build_shop_page_url(work, CART_PAGE))},
    phrases=PHRASES,
    shortcodes={
        "*_cart": lambda work, given: _CONTENTS[CART_PAGE],
        "*_checkout": lambda work, given: _CONTENTS[CHECKOUT_PAGE],
    },
    find_page=find_order_page,
    replace_content=_replace_content,
)
