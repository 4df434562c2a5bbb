"""A customer's orders: the list of them, and one of them with what the customer may do with it.

Lines, totals, addresses, files and how to pay are those of the mails about an order (shop/mail/order_data.py), so both
say the same. Rules: docs/rules/account_pages.md, 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.integers import parse_digits
from vetrina.pages.forms import render_form, render_hidden, render_refusal
from vetrina.pages.markup import Html, join_markup, render_button, render_element, render_link, trust_markup
from vetrina.pages.page_request import PageRequest
from vetrina.pages.shop.account.texts import get_status_name, translate
from vetrina.shop.checkout.endpoints import build_payment_url
from vetrina.shop.customers import account_endpoints as endpoints
from vetrina.shop.mail import appearance, order_data
from vetrina.shop.mail.formatting import MailFormatter
from vetrina.shop.mail.texts import MAIL_TEXTS
from vetrina.shop.orders import customer_orders, notes as order_notes
from vetrina.shop.orders.model import Order
from vetrina.shop.orders.statuses import needs_payment

CANCEL_FORM: Final = "account-cancel-order"
AGAIN_FORM: Final = "account-order-again"
ORDER_FIELD: Final = "order"
_PER_PAGE: Final = 10
_REPEATABLE_STATUSES: Final = frozenset({"completed", "processing", "cancelled", "refunded", "failed"})


def render_order_list(page: PageRequest, value: str) -> Html:
    """Return a page of the list of orders; value: its number, empty for the first."""
    number = parse_digits(value) or 1
    found, total = customer_orders.list_customer_orders(page.work, page.user.id, _PER_PAGE, number)
    if not found:
        return render_element("p", translate(page, "There are no orders here."))
    return join_markup(
        (
            render_order_refusals(page),
            render_order_table(page, found),
            _render_paging(page, number, total > number * _PER_PAGE),
        )
    )


def render_order_refusals(page: PageRequest) -> Html:
    """Return why what was asked for an order was refused, empty where it was not."""
    return join_markup(render_refusal(page, form) for form in (CANCEL_FORM, AGAIN_FORM))


def render_order_table(page: PageRequest, found: Iterable[Order]) -> Html:
    """Return a table of orders; small windows show each as a card."""
    work, rows = page.work, []
    labels = [
        translate(page, "Order"), translate(page, "Date"), translate(page, "Status"), translate(page, "Total"),
        translate(page, "Actions"),
    ]  # fmt: skip
    for one in found:
        form = MailFormatter(work, page.language, one.currency)
        cells = [
            _render_order_link(page, one), _render_date(work, form, one.created), get_status_name(page, one.status),
            form.format_amount(one.total), _render_actions(page, one),
        ]  # fmt: skip
        head = render_element("th", cells[0], scope="row", data_label=labels[0])
        rest = (render_element("td", cell, data_label=label) for label, cell in zip(labels[1:], cells[1:], strict=True))
        rows.append(render_element("tr", head, *rest))
    return render_element(
        "table",
        render_element("thead", render_element("tr", *(render_element("th", one, scope="col") for one in labels))),
        render_element("tbody", *rows),
        class_="shop-account__table",
    )  # fmt: skip


def render_order(page: PageRequest, value: str) -> Html:
    """Return an order of the visitor; value: its id. Raises OrderNotFound."""
    work, language = page.work, page.language
    one = customer_orders.get_customer_order(work, page.user.id, parse_digits(value) or 0)
    form = MailFormatter(work, language, one.currency)
    shown = order_data.serialize_order(
        work, order_data.load_mail_context(work, one), MAIL_TEXTS.build_translator(work.site.folder, language), form
    )
    said = translate(
        page, "Order {number} was placed on {date} and is now: {status}.", number=one.shown_number, date=shown["date"],
        status=get_status_name(page, one.status),
    )  # fmt: skip
    return join_markup((
        render_order_refusals(page),
        render_element("p", said),
        _render_notes(page, one, form),
        _render_downloads(page, shown["downloads"]),
        render_element("h3", translate(page, "What you ordered")),
        _render_lines(page, shown),
        _render_payment(page, one, shown["payment"]),
        render_element("p", render_element("strong", translate(page, "Your note:")), " ", shown["note"])
        if shown["note"] else "",
        _render_addresses(page, shown),
        _render_actions(page, one, linked=False),
        _render_again_form(page, one),
    ))  # fmt: skip


def _build_order_url(page: PageRequest, one: Order) -> str:
    return endpoints.build_account_url(page.work, endpoints.VIEW_ORDER, one.id)


def _render_order_link(page: PageRequest, one: Order) -> str:
    address, number = _build_order_url(page, one), f"#{one.shown_number}"
    return render_link(address, number) if address else number


def _render_date(work: UnitOfWork, form: MailFormatter, moment: int) -> Html:
    day = times.format_iso(work.zone.to_local(moment))[:10]
    return render_element("time", form.format_day(moment), datetime=day)


def _render_actions(page: PageRequest, one: Order, *, linked: bool = True) -> Html:
    """Return what the customer may do with an order. linked: whether it leads to its page."""
    about = render_element("span", f" #{one.shown_number}", class_="screen-reader-text")
    actions: list[str] = []
    if needs_payment(one.status, one.total):
        pay = build_payment_url(page.work, one)
        actions.append(render_link(pay, translate(page, "Pay"), about, class_="wp-element-button"))
    if linked and (address := _build_order_url(page, one)):
        actions.append(render_link(address, translate(page, "View"), about))
    if customer_orders.is_cancellable(page.work, one):
        cancel = render_element("button", translate(page, "Cancel"), about, type="submit")
        actions.append(render_form(page, CANCEL_FORM, render_hidden(ORDER_FIELD, one.id), cancel))
    return render_element("div", *actions, class_="shop-account__actions") if actions else join_markup(())


def _render_again_form(page: PageRequest, one: Order) -> str:
    if one.status not in _REPEATABLE_STATUSES:
        return ""
    button = render_button(translate(page, "Order again"), class_="wp-element-button")
    return render_form(page, AGAIN_FORM, render_hidden(ORDER_FIELD, one.id), render_element("p", button))


def _render_lines(page: PageRequest, shown: Mapping[str, Any]) -> Html:
    rows = []
    for line in shown["items"]:
        options = [
            render_element("span", f"{label}: {text}", class_="shop-account__option") for label, text in line["options"]
        ]
        name = render_element("th", f"{line['name']} × {line['quantity']}", *options, scope="row")
        rows.append(render_element("tr", name, render_element("td", line["price"])))
    if shown["more_items"]:
        more = translate(page, "… and {count} more", count=shown["more_items"])
        rows.append(render_element("tr", render_element("td", more, colspan=2)))
    sums = [
        render_element(
            "tr", render_element("th", row["label"], scope="row"),
            render_element("td", render_element("strong", row["value"]) if row["strong"] else row["value"]),
        )
        for row in shown["totals"]
    ]  # fmt: skip
    return render_element(
        "table", render_element("tbody", *rows), render_element("tfoot", *sums), class_="shop-account__lines"
    )


def _render_notes(page: PageRequest, one: Order, form: MailFormatter) -> str:
    notes = [note for note in order_notes.list_order_notes(page.work, one.id) if note.for_customer]
    if not notes:
        return ""
    entries = [
        render_element(
            "li", _render_date(page.work, form, note.created), trust_markup(appearance.render_mail_html(note.note))
        )
        for note in notes
    ]
    return join_markup((render_element("h3", translate(page, "Messages")), render_element("ul", *entries)))


def _render_downloads(page: PageRequest, files: Iterable[Mapping[str, str]]) -> str:
    entries = [
        render_element(
            "li", render_link(file["address"], f"{file['product']} – {file['name']}"),
            f" ({translate(page, 'until {day}', day=file['until'])})" if file["until"] else "",
        )
        for file in files
    ]  # fmt: skip
    if not entries:
        return ""
    return join_markup((render_element("h3", translate(page, "Downloads")), render_element("ul", *entries)))


def _render_payment(page: PageRequest, one: Order, payment: Mapping[str, Any]) -> str:
    """Return how an order is paid that waits for its payment."""
    if one.status not in ("pending", "on-hold"):
        return ""
    parts: list[str] = [trust_markup(payment["instructions"])] if payment["instructions"] else []
    for account in payment["accounts"]:
        rows = [render_element("li", f"{label}: {text}") for label, text in account["rows"]]
        parts += [render_element("p", render_element("strong", account["name"])), render_element("ul", *rows)]
    if payment["send_to"]:
        parts.append(_render_address_lines(payment["send_to"]))
    return join_markup((render_element("h3", translate(page, "How to pay")), *parts)) if parts else ""


def _render_addresses(page: PageRequest, shown: Mapping[str, Any]) -> Html:
    parts = []
    for title, lines, more in (
        (translate(page, "Billing address"), shown["billing"], [shown["phone"], shown["email"]]),
        (translate(page, "Shipping address"), shown["shipping"], []),
    ):
        if lines:
            whole = _render_address_lines([*lines, *filter(None, more)])
            parts.append(render_element("section", render_element("h3", title), whole))
    return render_element("div", *parts, class_="shop-account__addresses")


def _render_address_lines(lines: Iterable[str]) -> Html:
    return render_element("address", join_markup(lines, render_element("br")))


def _render_paging(page: PageRequest, number: int, has_more: bool) -> str:
    links = []
    if number > 1:
        before = endpoints.build_account_url(page.work, endpoints.ORDERS, *((number - 1,) if number > 2 else ()))
        links.append(render_link(before, translate(page, "Newer orders"), rel="prev"))
    if has_more:
        after = endpoints.build_account_url(page.work, endpoints.ORDERS, number + 1)
        links.append(render_link(after, translate(page, "Older orders"), rel="next"))
    if not links:
        return ""
    return render_element("nav", *links, aria_label=translate(page, "Pages of orders"), class_="shop-account__paging")
