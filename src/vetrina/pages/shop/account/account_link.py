"""Blocks that lead to the account: `shop/customer-account`, and signing in or out on the shop's own pages.

On pages that are kept for all visitors they say nothing of who visits. Rules: docs/rules/account_pages.md, 7.
"""

from __future__ import annotations

from typing import Final

from vetrina.content.blocks.block_context import BlockContext
from vetrina.pages.markup import Html, render_element, render_link
from vetrina.pages.page_request import PageRequest
from vetrina.pages.shop.account.texts import translate
from vetrina.pages.visitor_sign_in.sign_in_block import render_sign_in_block
from vetrina.shop.customers import account_endpoints as endpoints

_ICON: Final = Html(
    '<svg class="shop-account-link__icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" '
    'focusable="false" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round">'
    '<circle cx="12" cy="8" r="4"/><path d="M4 21c0-4 3.6-7 8-7s8 3 8 7"/></svg>'
)


def render_account_link(page: PageRequest, block: BlockContext) -> str:
    """Return the link to the page of accounts, with icon, text, or both; empty where there is no such page."""
    address = endpoints.build_account_url(page.work)
    if not address:
        return ""
    style = block.attributes.get("displayStyle")
    text = translate(page, "My account")
    label = render_element("span", text, class_="screen-reader-text" if style == "icon_only" else None)
    inside = (label,) if style == "text_only" else (_ICON, label)
    return block.element("div", render_link(address, *inside, class_="shop-account-link"), "shop-customer-account")


def render_shop_sign_in(page: PageRequest, block: BlockContext) -> str:
    """Return the block that signs in or out by the pages of the account."""
    return render_sign_in_block(
        page, block, endpoints.build_account_url(page.work),
        endpoints.build_account_url(page.work, endpoints.SIGN_OUT),
        endpoints.build_account_url(page.work, endpoints.PASSWORD_RESET),
    )  # fmt: skip
