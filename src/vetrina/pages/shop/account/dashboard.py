"""The first page of an account: whose it is, and the latest orders."""

from __future__ import annotations

from typing import Final

from vetrina.pages.markup import Html, join_markup, render_element, render_link
from vetrina.pages.page_request import PageRequest
from vetrina.pages.shop.account.order_pages import render_order_refusals, render_order_table
from vetrina.pages.shop.account.texts import translate
from vetrina.shop.customers import account_endpoints as endpoints
from vetrina.shop.orders.customer_orders import list_customer_orders

_LATEST_ORDERS: Final = 3


def render_dashboard(page: PageRequest, value: str) -> Html:
    """Return the dashboard."""
    user = page.user
    parts: list[str] = [
        render_order_refusals(page),
        render_element("p", translate(page, "Hello {name}!", name=user.first_name or user.name)),
        render_element(
            "p", translate(page, "Here you see your orders and downloads, and change your addresses and details.")
        ),
    ]
    found, total = list_customer_orders(page.work, user.id, _LATEST_ORDERS)
    if found:
        parts += [render_element("h3", translate(page, "Latest orders")), render_order_table(page, found)]
    all_orders = endpoints.build_account_url(page.work, endpoints.ORDERS)
    if total > len(found) and all_orders:
        parts.append(render_element("p", render_link(all_orders, translate(page, "All orders"))))
    return join_markup(parts)
