"""An order as its customer reads it on a page: lines, totals, how to pay, addresses, files.

The same data as in the mails of the order (shop/mail/order_data.py), with amounts as carts have them. Rules:
docs/rules/cart_pages.md, 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.pages.markup import Html, join_markup, render_element, render_link, trust_markup
from vetrina.shop.mail import order_data
from vetrina.shop.mail.formatting import MailFormatter
from vetrina.shop.mail.texts import MAIL_TEXTS
from vetrina.shop.orders.model import Order
from vetrina.shop.storefront.amount_views import MoneySerializer

from .address_fields import render_address
from .amounts import format_amount
from .texts import translate

_WAITING: Final = frozenset({"pending", "on-hold", "processing"})


class PageFormatter(MailFormatter):
    """Formats amounts as the visitors' interface says that they are written."""

    __slots__ = ("_money",)

    def __init__(self, work: UnitOfWork, language: str, currency: str) -> None:
        super().__init__(work, language, currency)
        self._money = MoneySerializer(work, currency)

    def format_amount(self, amount: Decimal) -> str:
        return format_amount(self._money.format_minor_units(amount), self._money.members)


def load_order_data(work: UnitOfWork, order: Order) -> dict[str, Any]:
    """Return what a page says of an order, as texts."""
    say = MAIL_TEXTS.build_translator(work.site.folder, work.language)
    shown = PageFormatter(work, work.language, order.currency)
    return order_data.serialize_order(work, order_data.load_mail_context(work, order), say, shown)


def render_facts(language: str, data: Mapping[str, Any]) -> Html:
    """Return number, day and total of an order, and how it is paid."""
    total = next((str(one["value"]) for one in data["totals"] if one["strong"]), "")
    rows = [
        (translate(language, "Order number"), data["number"]),
        (translate(language, "Date"), data["date"]),
        (translate(language, "Total"), total),
    ]
    if data["payment_method"]:
        rows.append((translate(language, "Payment method"), data["payment_method"]))
    parts = [
        render_element("div", render_element("dt", name), render_element("dd", str(value))) for name, value in rows
    ]
    return render_element("dl", *parts, class_="shop-order-facts")


def render_lines(language: str, data: Mapping[str, Any]) -> Html:
    """Return the lines of an order and its totals."""
    rows = []
    for one in data["items"]:
        options = ", ".join(f"{name}: {value}" for name, value in one["options"])
        about = [f"{one['name']} × {one['quantity']}"]
        if options:
            about.append(render_element("p", options, class_="shop-line-choices"))
        rows.append(render_element("li", render_element("div", *about), render_element("span", one["price"])))
    if data["more_items"]:
        rows.append(render_element("li", translate(language, "and {count} more", count=data["more_items"])))
    totals = [
        render_element(
            "div", render_element("dt", one["label"]),
            render_element("dd", render_element("strong", one["value"]) if one["strong"] else one["value"]),
            class_="shop-total" if one["strong"] else None,
        )
        for one in data["totals"]
    ]  # fmt: skip
    title = render_element("h2", translate(language, "Order details"), id="order-details")
    lines = render_element("ul", *rows, class_="shop-order-lines")
    return render_element(
        "section", title, lines, render_element("dl", *totals, class_="shop-totals"), aria_labelledby="order-details"
    )


def render_payment_instructions(language: str, data: Mapping[str, Any]) -> Html | str:
    """Return how to pay an order, empty where there is nothing to say, or nothing to pay any more."""
    payment = data["payment"]
    if data["status"] not in _WAITING:
        return ""
    parts: list[str] = [trust_markup(payment["instructions"])] if payment["instructions"] else []
    for account in payment["accounts"]:
        rows = [render_element("div", render_element("dt", name), render_element("dd", value))
                for name, value in account["rows"]]  # fmt: skip
        if account["name"]:
            parts.append(render_element("h3", account["name"]))
        parts.append(render_element("dl", *rows, class_="shop-order-facts"))
    if payment["send_to"]:
        parts += [render_element("p", translate(language, "Send the check to:")), render_address(payment["send_to"])]
    if not parts:
        return ""
    title = render_element("h2", translate(language, "How to pay"), id="order-payment")
    return render_element("section", title, *parts, aria_labelledby="order-payment")


def render_downloads(language: str, data: Mapping[str, Any]) -> Html | str:
    """Return the files of an order, empty where it has none."""
    rows = []
    for one in data["downloads"]:
        until = translate(language, "until {day}", day=one["until"]) if one["until"] else ""
        rows.append(render_element("li", f"{one['product']}: ", render_link(one["address"], one["name"]), f" {until}"))
    if not rows:
        return ""
    title = render_element("h2", translate(language, "Downloads"), id="order-downloads")
    return render_element("section", title, render_element("ul", *rows), aria_labelledby="order-downloads")


def render_addresses(language: str, data: Mapping[str, Any]) -> Html | str:
    """Return the addresses of an order, empty where it has none."""
    both = ((translate(language, "Billing address"), data["billing"]),
            (translate(language, "Shipping address"), data["shipping"]))  # fmt: skip
    parts = [
        render_element("div", render_element("h2", title), render_address(lines)) for title, lines in both if lines
    ]
    note = [render_element("h2", translate(language, "Notes on the order")), render_element("p", data["note"])]
    if data["note"]:
        parts.append(render_element("div", join_markup(note)))
    return render_element("section", *parts, class_="shop-addresses") if parts else ""
