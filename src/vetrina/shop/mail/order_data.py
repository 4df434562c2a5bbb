"""Template data of an order's mail: lines, totals, addresses, files and payment instructions, as texts.

All of it is plain text, which an HTML template escapes. Not here: templates (shop/mail/templates.py), other parts of a
mail (shop/mail/rendering.py). Totals follow the settings of orders: with or without tax by `shop_tax_display_cart`,
itemized or not by `shop_tax_total_display`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from html import unescape
from typing import Any, Final

from vetrina.core.text_catalog import Translator
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.tags import strip_tags
from vetrina.shop import meta_data
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.checkout import endpoints
from vetrina.shop.downloads import rules as downloads
from vetrina.shop.mail import appearance
from vetrina.shop.mail.formatting import MailFormatter
from vetrina.shop.orders import model as order, statuses as order_statuses
from vetrina.shop.orders.model import FEE, LINE, SHIPPING, TAX, Order, OrderItem
from vetrina.shop.payments import gateways
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import Product
from vetrina.shop.refunds import rules as refunds
from vetrina.shop.refunds.rules import Refund
from vetrina.shop.settings import places, rules as settings

_TRANSFER: Final = "bacs"
_CHEQUE: Final = "cheque"
_ACCOUNTS: Final = "shop_bacs_accounts"
_ACCOUNT_LINES: Final = ("bank_name", "account_number", "sort_code", "iban", "bic")
# Countries that write the city before the postcode, with the state between them.
_CITY_FIRST: Final = frozenset({"US", "CA", "AU", "GB", "IE", "IN", "NZ", "ZA", "SG", "PH", "TH", "HK", "TW"})
_MAX_LINES: Final = 500  # lines of an order that are listed
_MAX_OPTIONS: Final = 50  # per line


@dataclass(frozen=True)
class OrderMailContext:
    """An order with everything that a mail shows of it.

    metas: extra fields of lines, by item id. labels: names of shared attributes; terms: names of their values.
    """

    order: Order
    items: Sequence[OrderItem]
    metas: Mapping[int, Sequence[meta_data.MetaField]] = field(default_factory=dict)
    products: Mapping[int, Product] = field(default_factory=dict)
    refunds: Sequence[Refund] = ()
    files: Sequence[downloads.DownloadPermission] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    terms: Mapping[tuple[str, str], str] = field(default_factory=dict)


def load_mail_context(work: UnitOfWork, one: Order) -> OrderMailContext:
    """Load an order's mail data."""
    items = order.load_items_by_owner(work, (one.id,))[one.id]
    lines = [item for item in items if item.kind == LINE]
    metas = meta_data.load_meta_by_owner(work, "order_item", [item.id for item in lines])
    shared = {
        (meta.key, str(meta.value))
        for every in metas.values()
        for meta in every
        if meta.key.startswith(attributes.TAXONOMY_PREFIX)
    }
    return OrderMailContext(
        one,
        items,
        metas,
        product_model.load_cached_products(work, (id for item in lines for id in (item.product, item.variation))),
        refunds.list_order_refunds(work, (one.id,))[one.id],
        downloads.list_order_downloads(work, one.id),
        {known.taxonomy: known.name for known in attributes.load_attributes(work).values()} if shared else {},
        {key: term.name for key, term in attributes.load_terms_by_slug(work, shared).items()},
    )


def serialize_order(work: UnitOfWork, parts: OrderMailContext, say: Translator, form: MailFormatter) -> dict[str, Any]:
    """Return the template data of an order."""
    one = parts.order
    payable = is_payable(one)
    with_tax = settings.get_shop_option(work, "shop_tax_display_cart") == "incl"
    lines = [item for item in parts.items if item.kind == LINE]
    return {
        "number": one.shown_number,
        "date": form.format_day(one.created),
        "status": one.status,
        "first_name": _collapse_whitespace(one.billing.get("first_name", "")),
        "name": " ".join(
            _collapse_whitespace(one.billing.get(part, "")) for part in ("first_name", "last_name")
        ).strip(),
        "email": _collapse_whitespace(one.billing.get("email", "")),
        "phone": _collapse_whitespace(one.billing.get("phone", "")),
        "note": one.customer_note,
        "items": [_serialize_line(parts, item, form, with_tax=with_tax) for item in lines[:_MAX_LINES]],
        "more_items": max(0, len(lines) - _MAX_LINES),
        "totals": _build_total_rows(work, parts, say, form, with_tax=with_tax),
        "billing": format_address(one.billing, form),
        "shipping": format_address(one.shipping_address, form),
        "downloads": _list_files(work, parts, form),
        "needs_payment": payable,
        "pay_address": endpoints.build_payment_url(work, one) if payable else "",
        "payment_method": _strip_markup(one.payment_method_title),
        "payment": _build_payment_instructions(work, one, say),
    }


def is_payable(one: Order) -> bool:
    """Return whether a customer could pay an order now."""
    return order_statuses.needs_payment(one.status, one.total)


def serialize_refund(parts: OrderMailContext, number: int, form: MailFormatter) -> dict[str, Any]:
    """Return the template data of a refund; empty where the refund does not exist any more."""
    found = next((one for one in parts.refunds if one.id == number), None)
    return (
        {}
        if found is None
        else {"amount": form.format_amount(found.amount), "reason": _collapse_whitespace(found.reason)}
    )


# -- lines


def _serialize_line(parts: OrderMailContext, item: OrderItem, form: MailFormatter, *, with_tax: bool) -> dict[str, Any]:
    sold = parts.products.get(item.sellable_id) or parts.products.get(item.product)
    cost = item.subtotal + (item.subtotal_tax if with_tax else money.ZERO)
    return {
        "name": _strip_markup(item.name),
        "sku": _strip_markup(sold.sku) if sold is not None else "",
        "quantity": item.quantity,
        "options": _list_line_options(parts, item),
        "price": form.format_amount(cost),
    }


def _list_line_options(parts: OrderMailContext, item: OrderItem) -> list[tuple[str, str]]:
    """Return the chosen options of a line: names and values of its extra fields that are not private."""
    above = parts.products.get(item.product)
    own = {str(one["key"]): str(one["name"]) for one in above.attributes} if above is not None else {}
    out = []
    for one in parts.metas.get(item.id, ()):
        if one.key.startswith("_") or not isinstance(one.value, str | int | float) or not str(one.value):
            continue
        term = parts.terms.get((one.key, str(one.value)))
        value = _strip_markup(term) if term is not None else _collapse_whitespace(unescape(str(one.value)))
        out.append((_strip_markup(parts.labels.get(one.key) or own.get(one.key) or one.key), value))
    return out[:_MAX_OPTIONS]


# -- totals


def _build_total_rows(
    work: UnitOfWork, parts: OrderMailContext, say: Translator, form: MailFormatter, *, with_tax: bool
) -> list[dict[str, Any]]:
    """Return the rows beneath the lines, each with label, value and whether it is the grand total."""
    one, rows = parts.order, []

    def row(label: str, value: str, *, strong: bool = False) -> None:
        rows.append({"label": label, "value": value, "strong": strong})

    def shown_cost(net: Decimal, tax: Decimal) -> str:
        return form.format_amount(net + (tax if with_tax else money.ZERO))

    lines = [item for item in parts.items if item.kind == LINE]
    net = sum((item.subtotal for item in lines), money.ZERO)
    row(say("subtotal"), shown_cost(net, sum((item.subtotal_tax for item in lines), money.ZERO)))
    if one.discount:
        row(say("discount"), shown_cost(-one.discount, -one.discount_tax))
    sent = [item for item in parts.items if item.kind == SHIPPING]
    if sent:
        ways = ", ".join(_strip_markup(item.name) for item in sent)
        cost = shown_cost(one.shipping, one.shipping_tax)
        row(say("shipping"), (say("via", cost=cost, way=ways) if one.shipping else ways) or cost)
    for item in parts.items:
        if item.kind == FEE:
            row(_strip_markup(item.name) or say("fee"), shown_cost(item.total, item.total_tax))
    taxes = _list_taxes(work, parts, say)
    if not with_tax:
        for label, tax in taxes:
            row(label, form.format_amount(tax))
    if one.payment_method_title:
        row(say("payment_method"), _strip_markup(one.payment_method_title))
    total = form.format_amount(one.total)
    if with_tax and one.total_tax:
        included = ", ".join(f"{form.format_amount(tax)} {label}" for label, tax in taxes)
        total = say("includes", total=total, taxes=included)
    row(say("total"), total, strong=True)
    for refund in reversed(parts.refunds):
        row(_format_refund_label(refund, say), form.format_amount(-refund.amount))
    if parts.refunds:
        row(say("left"), form.format_amount(one.total - refunds.sum_refunds(parts.refunds)), strong=True)
    return rows


def _format_refund_label(refund: Refund, say: Translator) -> str:
    reason = _collapse_whitespace(refund.reason)
    return say("refund_because", reason=reason) if reason else say("refund")


def _list_taxes(work: UnitOfWork, parts: OrderMailContext, say: Translator) -> list[tuple[str, Decimal]]:
    if not parts.order.total_tax:
        return []
    if settings.get_shop_option(work, "shop_tax_total_display") != "itemized":
        return [(say("tax"), parts.order.total_tax)]
    return [
        (_strip_markup(str(item.details.get("label") or "")) or say("tax"), item.total + item.total_tax)
        for item in parts.items
        if item.kind == TAX
    ]


# -- addresses, files, payment


def format_address(address: Mapping[str, str], form: MailFormatter) -> list[str]:
    """Return the lines of an address in the format of its country; empty where there is no address."""

    def part(name: str) -> str:
        return _collapse_whitespace(address.get(name, ""))

    country = part("country")
    named = [" ".join(one for one in (part("first_name"), part("last_name")) if one), part("company")]
    state = places.list_states(country).get(part("state"), part("state")) if country else part("state")
    if country in _CITY_FIRST:
        place = " ".join(one for one in (part("state"), part("postcode")) if one)
        city = [", ".join(one for one in (part("city"), place) if one)]
    else:
        city = [" ".join(one for one in (part("postcode"), part("city")) if one), unescape(state)]
        if city[-1] == part("city"):
            city.pop()  # a province named like its city
    street = [*named, part("address_1"), part("address_2"), *city]
    if not any(street):
        return []
    return [line for line in (*street, form.get_country_name(country) if country else "") if line]


def _list_files(work: UnitOfWork, parts: OrderMailContext, form: MailFormatter) -> list[dict[str, str]]:
    """Return the files of the order that its customer may download now."""
    goods = product_model.load_cached_products(work, (one.product for one in parts.files)) if parts.files else {}
    out = []
    for one in parts.files:
        sold = goods.get(one.product)
        file = next((file for file in sold.downloads if file["id"] == one.download), None) if sold else None
        if sold is None or file is None or one.left == 0 or (one.expires is not None and one.expires < work.now):
            continue
        out.append(
            {
                "product": _strip_markup(sold.name),
                "name": _strip_markup(file.get("name", "")) or _strip_markup(sold.name),
                "address": downloads.build_download_url(work, one, parts.order.order_key),
                "until": form.format_day(one.expires) if one.expires is not None else "",
            }
        )
    return out


def _build_payment_instructions(work: UnitOfWork, one: Order, say: Translator) -> dict[str, Any]:
    """Return the payment instructions of an order: text, bank accounts, where to send a cheque."""
    held = next((way for way in gateways.list_gateways(work) if way.gateway.id == one.payment_method), None)
    accounts: list[dict[str, Any]] = []
    if held is None:
        return {"instructions": "", "accounts": accounts, "send_to": []}
    if held.gateway.id == _TRANSFER:
        stored = work.stored_option(_ACCOUNTS)
        for account in stored if isinstance(stored, list) else ():
            if isinstance(account, Mapping):
                texts = {
                    name: _collapse_whitespace(str(account.get(name) or ""))
                    for name in ("account_name", *_ACCOUNT_LINES)
                }
                rows = [(say(name), texts[name]) for name in _ACCOUNT_LINES if texts[name]]
                if rows or texts["account_name"]:
                    accounts.append({"name": texts["account_name"], "rows": rows})
    return {
        "instructions": appearance.render_mail_html(str(held.values.get("instructions") or "")),
        "accounts": accounts,
        "send_to": appearance.format_store_address(work) if held.gateway.id == _CHEQUE else [],
    }


def _collapse_whitespace(text: str) -> str:
    """Return a plain text with runs of whitespace collapsed."""
    return " ".join(text.split())


def _strip_markup(text: str) -> str:
    """Return a text on one line without markup."""
    return " ".join(unescape(strip_tags(text)).split())
