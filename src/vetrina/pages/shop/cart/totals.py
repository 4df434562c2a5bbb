"""What a cart comes to: the rows from subtotal to total, as the visitors' interface answers them.

With or without tax as `shop_tax_display_cart` says. Rules: docs/rules/cart_pages.md, 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import unescape
from typing import Any

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.pages.markup import Html, join_markup, render_element
from vetrina.shop.settings import rules as settings

from .amounts import add_amounts, format_amount
from .texts import translate


def shows_tax_included(work: UnitOfWork) -> bool:
    """Return whether carts show amounts with their tax."""
    return bool(settings.get_shop_option(work, "shop_tax_display_cart") == "incl")


def format_with_tax(work: UnitOfWork, group: Mapping[str, Any], name: str) -> str:
    """Return an amount of a group as carts show it, with its tax where they do. name: of its member."""
    return format_amount(_add_tax(work, group, name), group)


def render_totals(work: UnitOfWork, cart: Mapping[str, Any], coupons: Sequence[str] = ()) -> Html:
    """Return the rows of a cart's totals. coupons: what stands beside each of its coupons, as to remove it."""
    language, totals = work.language, cart["totals"]
    rows = [_render_row(translate(language, "Subtotal"), format_with_tax(work, totals, "total_items"))]
    for number, coupon in enumerate(cart["coupons"]):
        taken = format_amount(-_add_tax(work, coupon["totals"], "total_discount"), coupon["totals"])
        label = translate(language, "Coupon {code}", code=coupon["code"])
        rows.append(_render_row(label, taken, coupons[number] if number < len(coupons) else ""))
    for fee in cart["fees"]:
        rows.append(_render_row(unescape(str(fee["name"])), format_with_tax(work, fee["totals"], "total")))
    if cart["needs_shipping"]:
        known = totals["total_shipping"] is not None and has_shipping_rates(cart)
        cost = format_with_tax(work, totals, "total_shipping") if known else translate(language, "Not known yet")
        rows.append(_render_row(translate(language, "Shipping"), cost))
    taxes = [(unescape(str(one["name"])), format_amount(one["price"], totals)) for one in totals["tax_lines"]]
    included = ""
    if not shows_tax_included(work):
        rows += [_render_row(name, amount) for name, amount in taxes]
    elif taxes:
        listed = ", ".join(f"{amount} {name}" for name, amount in taxes)
        included = render_element("small", translate(language, "includes {taxes}", taxes=listed))
    total = render_element("strong", format_amount(totals["total_price"], totals))
    rows.append(_render_row(translate(language, "Total"), total, included, class_="shop-total"))
    return render_element("dl", join_markup(rows), class_="shop-totals")


def has_shipping_rates(cart: Mapping[str, Any]) -> bool:
    """Return whether there is a way to send the goods of a cart."""
    return any(one["shipping_rates"] for one in cart["shipping_rates"])


def _add_tax(work: UnitOfWork, group: Mapping[str, Any], name: str) -> int:
    tax = group.get(f"{name}_tax") if shows_tax_included(work) else None
    return add_amounts(group[name], tax)


def _render_row(label: str, value: str, beside: str = "", class_: str | None = None) -> Html:
    shown = [render_element("dt", label), render_element("dd", value, *([" ", beside] if beside else []))]
    return render_element("div", *shown, class_=class_)
