"""The page of a customer's account and the addresses beneath it: which part of it an address shows, and its frame.

An empty page of accounts has the block `shop/my-account`; the same block shows all of its parts. It depends on who
visits, so none of these pages is kept, and search engines index none beneath the page. Rules:
docs/rules/account_pages.md, 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from vetrina.content.blocks import dynamic_rendering
from vetrina.content.blocks.block_context import BlockContext, PublicPage
from vetrina.content.blocks.grammar import list_block_names
from vetrina.content.records.model import Record
from vetrina.content.translations import alternates
from vetrina.content.types.registry import PAGE
from vetrina.design.templates import template_hierarchy
from vetrina.kernel.integers import parse_digits
from vetrina.kernel.site_paths import remove_base_path
from vetrina.pages.markup import Html, render_element, render_link, trust_markup
from vetrina.pages.not_found_page import render_not_found
from vetrina.pages.page_context import build_redirect
from vetrina.pages.page_features import build_visitor_blocks
from vetrina.pages.page_frame import render_public_page
from vetrina.pages.page_request import PageRequest, get_record_title
from vetrina.pages.shop.account import (
    address_forms,
    dashboard,
    details_form,
    download_list,
    order_pages,
    password_forms,
    sign_in_or_register,
    sign_out_form,
)
from vetrina.pages.shop.account.texts import get_section_title, translate
from vetrina.pages.template_page import render_page_template
from vetrina.rest.call import Response
from vetrina.shop.customers import account_endpoints as endpoints
from vetrina.shop.customers.own_account import ADDRESS_FIELDS
from vetrina.shop.orders.model import OrderNotFound
from vetrina.shop.settings.shop_pages import ACCOUNT_PAGE, find_shop_page, is_shop_page

BLOCK_MARKUP: Final = "<!-- wp:shop/my-account /-->"
_EMPTY_CONTENT: Final = re.compile(
    r"(?:<!-- wp:shortcode -->)?\s*(?:\[\w*_my_account\])?\s*(?:<!-- /wp:shortcode -->)?"
)
_OWN_NAME: Final = "/my-account"  # of the block, without its namespace
_MAX_PAGE: Final = 100_000
# In the order of the navigation.
_NAVIGATION: Final = (
    "", endpoints.ORDERS, endpoints.DOWNLOADS, endpoints.EDIT_ADDRESS, endpoints.EDIT_ACCOUNT, endpoints.SIGN_OUT,
)  # fmt: skip
_SECTIONS: Final[Mapping[str, Callable[[PageRequest, str], Html]]] = {
    "": dashboard.render_dashboard,
    endpoints.ORDERS: order_pages.render_order_list,
    endpoints.VIEW_ORDER: order_pages.render_order,
    endpoints.DOWNLOADS: download_list.render_downloads,
    endpoints.EDIT_ADDRESS: address_forms.render_addresses,
    endpoints.EDIT_ACCOUNT: details_form.render_details_form,
    endpoints.PASSWORD_RESET: password_forms.render_password_form,
    endpoints.SIGN_OUT: sign_out_form.render_sign_out_form,
}


@dataclass(frozen=True)
class AccountAddress:
    """An address beneath the page of accounts. endpoint: its setting; value: the segment behind it, empty for none."""

    endpoint: str
    value: str


def replace_empty_content(page: PageRequest, record: Record) -> str | None:
    """Return the content of an empty page of accounts, None for other pages."""
    if not _EMPTY_CONTENT.fullmatch(record.content.strip()) or not is_shop_page(page.work, record, ACCOUNT_PAGE):
        return None
    return BLOCK_MARKUP


def find_account_part(page: PageRequest) -> Response | None:
    """Return the response of an address beneath the page of accounts, None for another address."""
    found = _find_account_address(page)
    record = find_shop_page(page.work, ACCOUNT_PAGE) if found is not None else None
    if found is None or record is None:
        return None
    content = replace_empty_content(page, record) or record.content
    if not any(name.endswith(_OWN_NAME) for name in list_block_names(content)) or not _has_value(found):
        return render_not_found(page)
    page.state.personal = True
    if page.session is None and found.endpoint == endpoints.SIGN_OUT:
        return build_redirect(endpoints.build_account_url(page.work))
    values = (found.value,) if found.value else ()
    address = endpoints.build_account_url(page.work, found.endpoint, *values)
    path = remove_base_path(page.work.base_path, unquote(urlsplit(address).path))
    if path != page.request.path and page.request.method != "POST" and not page.request.query:
        return build_redirect(address, 301)
    try:
        return _render_part(page, record, content, found)
    except OrderNotFound:
        return render_not_found(page)


def render_account_block(page: PageRequest, block: BlockContext) -> str:
    """Return the part of the account that the address names, or what leads into an account."""
    page.state.personal = True
    found = _find_account_address(page) or AccountAddress("", "")
    if page.session is None and found.endpoint != endpoints.PASSWORD_RESET:
        inside = sign_in_or_register.render_entry(page)
        return block.element("div", inside, "shop-account", "is-signed-out")
    shown = _SECTIONS[found.endpoint](page, found.value)
    title = render_element("h2", get_section_title(page, found.endpoint))
    section = render_element("div", title, shown, class_="shop-account__section")
    if page.session is None:
        return block.element("div", section, "shop-account", "is-signed-out")
    return block.element("div", _render_navigation(page, found.endpoint) + section, "shop-account")


def _find_account_address(page: PageRequest) -> AccountAddress | None:
    """Return which address beneath the page of accounts is asked for; None for another."""
    work, segments = page.work, page.segments
    # Most pages are ruled out here, before anything is read for them.
    for at in range(max(1, len(segments) - 2), len(segments)):
        endpoint = endpoints.find_endpoint(work, segments[at])
        if not endpoint:
            continue
        above = "/".join(quote(one, safe="") for one in segments[:at])
        if f"{work.home()}/{above}/" == endpoints.build_account_url(work):
            return AccountAddress(endpoint, "".join(segments[at + 1 :]))
    return None


def _has_value(found: AccountAddress) -> bool:
    """Return whether an endpoint takes the segment behind it."""
    match found.endpoint:
        case endpoints.VIEW_ORDER:
            return parse_digits(found.value) is not None
        case endpoints.ORDERS:
            return not found.value or 0 < (parse_digits(found.value) or 0) <= _MAX_PAGE
        case endpoints.EDIT_ADDRESS:
            return not found.value or found.value in ADDRESS_FIELDS
        case _:
            return not found.value


def _render_part(page: PageRequest, record: Record, content: str, found: AccountAddress) -> Response:
    work = page.work
    title = f"{get_section_title(page, found.endpoint)} – {get_record_title(record)}"
    shown = PublicPage(visitor_blocks=build_visitor_blocks(page))
    html = trust_markup(dynamic_rendering.render_live_content(work, content, record, page=shown))
    body = render_page_template(
        page, template_hierarchy.list_record_templates(PAGE, record), PublicPage(), record, html
    )
    main = () if body is not None else (render_element("h1", get_record_title(record)), html)
    values = (found.value,) if found.value else ()
    others = {}
    for code in alternates.build_record_alternates(work, PAGE, record):
        if code in work.site.profile.languages:
            others[code] = _build_url_in(page, code, found.endpoint, *values)
    return render_public_page(
        page,
        title,
        *main,
        languages=others,
        indexed=False,
        cacheable=False,
        exact=True,
        body=body,
        status=password_forms.get_form_status(page) if found.endpoint == endpoints.PASSWORD_RESET else 200,
    )


def _build_url_in(page: PageRequest, language: str, endpoint: str, *values: str) -> str:
    before = page.work.language
    page.work.language_for(language)
    try:
        return endpoints.build_account_url(page.work, endpoint, *values)
    finally:
        page.work.language_for(before)


def _render_navigation(page: PageRequest, current: str) -> Html:
    entries = []
    if current == endpoints.VIEW_ORDER:
        current = endpoints.ORDERS
    for endpoint in _NAVIGATION:
        if address := endpoints.build_account_url(page.work, endpoint):
            marked = "page" if endpoint == current else None
            link = render_link(address, get_section_title(page, endpoint), aria_current=marked)
            entries.append(render_element("li", link))
    return render_element(
        "nav", render_element("ul", *entries), aria_label=translate(page, "Account"), class_="shop-account__navigation"
    )
