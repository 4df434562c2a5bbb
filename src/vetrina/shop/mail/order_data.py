"""What the template of a mail is given of an order: its lines, sums, addresses, files and how to pay, as texts.

Everything is plain text, which a template of HTML escapes. Not here: the templates (shop/mail/templates.py), other
parts of a mail (shop/mail/rendering.py). Rules: sums are shown as the order's own: with or without tax as
`shop_tax_display_cart` says, taxes one by one as `shop_tax_total_display` says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from html import unescape
from typing import Any, Final

from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.kernel.tags import without_tags
from vetrina.shop import meta_data
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.checkout import endpoints
from vetrina.shop.downloads import rules as downloads
from vetrina.shop.mail import appearance
from vetrina.shop.mail.formatting import Format
from vetrina.shop.mail.texts import Say
from vetrina.shop.orders import model as order
from vetrina.shop.orders import statuses as order_statuses
from vetrina.shop.orders.model import FEE, LINE, SHIPPING, TAX, Item, Order
from vetrina.shop.payments import gateways
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import Product
from vetrina.shop.refunds import rules as refunds
from vetrina.shop.refunds.rules import Refund
from vetrina.shop.settings import places
from vetrina.shop.settings import rules as settings

__all__ = ["Parts", "is_payable", "parts_of", "refund_shown", "show_order"]

_TRANSFER: Final = "bacs"
_CHEQUE: Final = "cheque"
_ACCOUNTS: Final = "shop_bacs_accounts"
_ACCOUNT_LINES: Final = ("bank_name", "account_number", "sort_code", "iban", "bic")
# Countries whose city stands before the code of its post office, with the state between them.
_CITY_FIRST: Final = frozenset({"US", "CA", "AU", "GB", "IE", "IN", "NZ", "ZA", "SG", "PH", "TH", "HK", "TW"})
_MOST_LINES: Final = 500  # of an order that are written out
_MOST_OPTIONS: Final = 50  # of a line


@dataclass(frozen=True)
class Parts:
    """An order with all that a mail shows of it.

    metas: extra fields of lines by their numbers. labels: names of shared attributes; terms: of their values.
    """

    order: Order
    items: Sequence[Item]
    metas: Mapping[int, Sequence[meta_data.Meta]] = field(default_factory=dict)
    products: Mapping[int, Product] = field(default_factory=dict)
    refunds: Sequence[Refund] = ()
    files: Sequence[downloads.Permission] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    terms: Mapping[tuple[str, str], str] = field(default_factory=dict)


def parts_of(work: Work, one: Order) -> Parts:
    """Return an order with what belongs to it."""
    items = order.items_of(work, (one.id,))[one.id]
    lines = [item for item in items if item.kind == LINE]
    metas = meta_data.of_owners(work, "order_item", [item.id for item in lines])
    shared = {
        (meta.key, str(meta.value))
        for every in metas.values()
        for meta in every
        if meta.key.startswith(attributes.PREFIX)
    }
    return Parts(
        one, items, metas, product_model.known(work, (id for item in lines for id in (item.product, item.variation))),
        refunds.of_orders(work, (one.id,))[one.id], downloads.of_order(work, one.id),
        {known.taxonomy: known.name for known in attributes.known(work).values()} if shared else {},
        {key: term.name for key, term in attributes.terms_by_slug(work, shared).items()},
    )  # fmt: skip


def show_order(work: Work, parts: Parts, say: Say, form: Format) -> dict[str, Any]:
    """Return what templates are given of an order."""
    one = parts.order
    payable = is_payable(one)
    with_tax = settings.shop_option(work, "shop_tax_display_cart") == "incl"
    lines = [item for item in parts.items if item.kind == LINE]
    return {
        "number": str(one.id),
        "date": form.day(one.created),
        "status": one.status,
        "first_name": _one_line(one.billing.get("first_name", "")),
        "name": " ".join(_one_line(one.billing.get(part, "")) for part in ("first_name", "last_name")).strip(),
        "email": _one_line(one.billing.get("email", "")),
        "phone": _one_line(one.billing.get("phone", "")),
        "note": one.customer_note,
        "items": [_line(parts, item, form, with_tax=with_tax) for item in lines[:_MOST_LINES]],
        "more_items": max(0, len(lines) - _MOST_LINES),
        "totals": _totals(work, parts, say, form, with_tax=with_tax),
        "billing": _address(one.billing, form),
        "shipping": _address(one.shipping_address, form),
        "downloads": _files(work, parts, form),
        "needs_payment": payable,
        "pay_address": endpoints.payment_address(work, one) if payable else "",
        "payment_method": _plain(one.payment_method_title),
        "payment": _payment(work, one, say),
    }


def is_payable(one: Order) -> bool:
    """Say whether a customer could pay an order now."""
    return order_statuses.needs_payment(one.status, one.total)


def refund_shown(parts: Parts, number: int, form: Format) -> dict[str, Any]:
    """Return what templates are given of a refund; nothing where it is not there any more."""
    found = next((one for one in parts.refunds if one.id == number), None)
    return {} if found is None else {"amount": form.amount(found.amount), "reason": _one_line(found.reason)}


# -- lines


def _line(parts: Parts, item: Item, form: Format, *, with_tax: bool) -> dict[str, Any]:
    sold = parts.products.get(item.goods) or parts.products.get(item.product)
    cost = item.subtotal + (item.subtotal_tax if with_tax else money.ZERO)
    return {
        "name": _plain(item.name),
        "sku": _plain(sold.sku) if sold is not None else "",
        "quantity": item.quantity,
        "options": _options(parts, item),
        "price": form.amount(cost),
    }


def _options(parts: Parts, item: Item) -> list[tuple[str, str]]:
    """Return what was chosen of a line: names and values of its extra fields that are not private."""
    above = parts.products.get(item.product)
    own = {str(one["key"]): str(one["name"]) for one in above.attributes} if above is not None else {}
    out = []
    for one in parts.metas.get(item.id, ()):
        if one.key.startswith("_") or not isinstance(one.value, str | int | float) or not str(one.value):
            continue
        term = parts.terms.get((one.key, str(one.value)))
        value = _plain(term) if term is not None else _one_line(unescape(str(one.value)))
        out.append((_plain(parts.labels.get(one.key) or own.get(one.key) or one.key), value))
    return out[:_MOST_OPTIONS]


# -- sums


def _totals(work: Work, parts: Parts, say: Say, form: Format, *, with_tax: bool) -> list[dict[str, Any]]:
    """Return the rows beneath the lines, each with label, value and whether it is the sum of all."""
    one, rows = parts.order, []

    def row(label: str, value: str, *, strong: bool = False) -> None:
        rows.append({"label": label, "value": value, "strong": strong})

    def shown_cost(net: Decimal, tax: Decimal) -> str:
        return form.amount(net + (tax if with_tax else money.ZERO))

    lines = [item for item in parts.items if item.kind == LINE]
    net = sum((item.subtotal for item in lines), money.ZERO)
    row(say("subtotal"), shown_cost(net, sum((item.subtotal_tax for item in lines), money.ZERO)))
    if one.discount:
        row(say("discount"), shown_cost(-one.discount, -one.discount_tax))
    sent = [item for item in parts.items if item.kind == SHIPPING]
    if sent:
        ways = ", ".join(_plain(item.name) for item in sent)
        cost = shown_cost(one.shipping, one.shipping_tax)
        row(say("shipping"), (say("via", cost=cost, way=ways) if one.shipping else ways) or cost)
    for item in parts.items:
        if item.kind == FEE:
            row(_plain(item.name) or say("fee"), shown_cost(item.total, item.total_tax))
    taxes = _taxes(work, parts, say)
    if not with_tax:
        for label, tax in taxes:
            row(label, form.amount(tax))
    if one.payment_method_title:
        row(say("payment_method"), _plain(one.payment_method_title))
    total = form.amount(one.total)
    if with_tax and one.total_tax:
        included = ", ".join(f"{form.amount(tax)} {label}" for label, tax in taxes)
        total = say("includes", total=total, taxes=included)
    row(say("total"), total, strong=True)
    for refund in reversed(parts.refunds):
        row(_refund_label(refund, say), form.amount(-refund.amount))
    if parts.refunds:
        row(say("left"), form.amount(one.total - refunds.taken_back(parts.refunds)), strong=True)
    return rows


def _refund_label(one: Refund, say: Say) -> str:
    reason = _one_line(one.reason)
    return say("refund_because", reason=reason) if reason else say("refund")


def _taxes(work: Work, parts: Parts, say: Say) -> list[tuple[str, Decimal]]:
    if not parts.order.total_tax:
        return []
    if settings.shop_option(work, "shop_tax_total_display") != "itemized":
        return [(say("tax"), parts.order.total_tax)]
    return [
        (_plain(str(item.details.get("label") or "")) or say("tax"), item.total + item.total_tax)
        for item in parts.items
        if item.kind == TAX
    ]


# -- addresses, files, payment


def _address(told: Mapping[str, str], form: Format) -> list[str]:
    """Return the lines of an address as its country writes them; none where nobody said one."""

    def part(name: str) -> str:
        return _one_line(told.get(name, ""))

    country = part("country")
    named = [" ".join(one for one in (part("first_name"), part("last_name")) if one), part("company")]
    state = places.states(country).get(part("state"), part("state")) if country else part("state")
    if country in _CITY_FIRST:
        place = " ".join(one for one in (part("state"), part("postcode")) if one)
        city = [", ".join(one for one in (part("city"), place) if one)]
    else:
        city = [" ".join(one for one in (part("postcode"), part("city")) if one), unescape(state)]
        if city[-1] == part("city"):
            city.pop()  # a province that is called as its city
    street = [*named, part("address_1"), part("address_2"), *city]
    if not any(street):
        return []
    return [line for line in (*street, form.country(country) if country else "") if line]


def _files(work: Work, parts: Parts, form: Format) -> list[dict[str, str]]:
    """Return the files that the order lets its customer fetch at this moment."""
    goods = product_model.known(work, (one.product for one in parts.files)) if parts.files else {}
    out = []
    for one in parts.files:
        sold = goods.get(one.product)
        file = next((file for file in sold.downloads if file["id"] == one.download), None) if sold else None
        if sold is None or file is None or one.left == 0 or (one.expires is not None and one.expires < work.now):
            continue
        out.append(
            {
                "product": _plain(sold.name), "name": _plain(file.get("name", "")) or _plain(sold.name),
                "address": downloads.address(work, one, parts.order.order_key),
                "until": form.day(one.expires) if one.expires is not None else "",
            }
        )  # fmt: skip
    return out


def _payment(work: Work, one: Order, say: Say) -> dict[str, Any]:
    """Return how an order is paid that was placed: instructions, bank accounts, where a cheque is sent."""
    held = next((way for way in gateways.listed(work) if way.of.id == one.payment_method), None)
    accounts: list[dict[str, Any]] = []
    if held is None:
        return {"instructions": "", "accounts": accounts, "send_to": []}
    if held.of.id == _TRANSFER:
        stored = work.stored_option(_ACCOUNTS)
        for account in stored if isinstance(stored, list) else ():
            if isinstance(account, Mapping):
                told = {name: _one_line(str(account.get(name) or "")) for name in ("account_name", *_ACCOUNT_LINES)}
                rows = [(say(name), told[name]) for name in _ACCOUNT_LINES if told[name]]
                if rows or told["account_name"]:
                    accounts.append({"name": told["account_name"], "rows": rows})
    return {
        "instructions": appearance.as_html(str(held.values.get("instructions") or "")),
        "accounts": accounts,
        "send_to": appearance.store_lines(work) if held.of.id == _CHEQUE else [],
    }


def _one_line(text: str) -> str:
    """Return what somebody wrote who writes no markup."""
    return " ".join(text.split())


def _plain(text: str) -> str:
    """Return a text on one line without markup."""
    return " ".join(unescape(without_tags(text)).split())
