"""What a person gets of what a shop stores about them: addresses, orders, downloads, the cart, mails.

Not here: erasure (shop/customers/erasure.py). Rules: docs/rules/personal_data.md, 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, func, select

from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, build_text_pattern, encode_list
from vetrina.backends.tables.analytics import order_file_fetch
from vetrina.backends.tables.carts import shop_cart
from vetrina.backends.tables.orders import (
    order_download,
    outbox_mail,
)
from vetrina.core.account_part import DataSection, DataSubject
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.times import format_iso
from vetrina.shop import meta_data
from vetrina.shop.cart.tokens import build_account_cart_key
from vetrina.shop.customers import rules as customers
from vetrina.shop.customers.purchases import list_person_orders
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders.model import Order

_SHOWN: Final = ("customer_note", "customer_ip", "customer_agent", "payment_method_title", "transaction_id")
_DOWNLOADS = Statement(
    select(order_download.c.order, order_download.c.product, order_download.c.granted, order_download.c.left)
    .where(InList(order_download.c.order, "orders"))
    .order_by(order_download.c.id)
)
_FETCHES = Statement(
    select(order_file_fetch.c.order, order_file_fetch.c.product, order_file_fetch.c.at, order_file_fetch.c.ip)
    .where(InList(order_file_fetch.c.order, "orders"))
    .order_by(order_file_fetch.c.id)
)
_CART = Statement(
    select(shop_cart.c.lines, shop_cart.c.coupons, shop_cart.c.billing, shop_cart.c.shipping).where(
        shop_cart.c.key == bindparam("key")
    )
)
_MAILS = Statement(
    select(outbox_mail.c.id, outbox_mail.c.kind, outbox_mail.c.subject, outbox_mail.c.created)
    .where(func.lower(outbox_mail.c.recipients).like(bindparam("pattern"), escape="!"))
    .order_by(outbox_mail.c.id)
)


def export_shop_data(work: UnitOfWork, subject: DataSubject) -> Iterator[DataSection]:
    """Return what the shop stores about a person."""
    orders = list_person_orders(work, subject)
    yield DataSection("addresses", "Addresses", _export_customer(work, subject.account))
    yield DataSection("orders", "Orders", _export_orders(work, orders))
    ids = encode_list(one.id for one in orders)
    yield DataSection("downloads", "Downloads", [
        {"order": order, "product": product, "granted_gmt": format_iso(granted), "left": left}
        for order, product, granted, left in work.tx.all(_DOWNLOADS, orders=ids)
    ])  # fmt: skip
    yield DataSection("fetched-files", "Files that were fetched", [
        {"order": order, "product": product, "at_gmt": format_iso(at), "address": ip}
        for order, product, at, ip in work.tx.all(_FETCHES, orders=ids)
    ])  # fmt: skip
    cart = work.tx.first(_CART, key=build_account_cart_key(subject.account)) if subject.account else None
    names = ("lines", "coupons", "billing", "shipping")
    yield DataSection("cart", "Cart", [dict(zip(names, map(orjson.loads, cart), strict=True))] if cart else [])
    mails = work.tx.all(_MAILS, pattern=build_text_pattern(subject.email)) if subject.proven else []
    yield DataSection("mails", "Mails that the shop sent", [
        {"kind": kind, "subject": title, "created_gmt": format_iso(created)} for _, kind, title, created in mails
    ])  # fmt: skip


def _export_customer(work: UnitOfWork, account: int) -> list[dict[str, Any]]:
    user = users.find_user(work.tx, account) if account else None
    if user is None:
        return []
    [one] = customers.load_customers(work, [user])
    fields = {field.key: field.value for field in meta_data.list_meta(work, customers.CUSTOMER_ROLE, account)}
    return [{"billing": one.billing, "shipping": one.shipping, "meta": fields}]


def _export_orders(work: UnitOfWork, orders: Sequence[Order]) -> list[dict[str, Any]]:
    items = order_model.load_items_by_owner(work, [one.id for one in orders])
    return [
        {
            "id": one.id, "status": one.status, "created_gmt": format_iso(one.created), "currency": one.currency,
            "total": money.format_plain_amount(one.total), "billing": one.billing, "shipping": one.shipping_address,
            **{name: getattr(one, name) for name in _SHOWN},
            "items": [
                {"kind": item.kind, "name": item.name, "quantity": item.quantity,
                 "total": money.format_plain_amount(item.total)}
                for item in items[one.id]
            ],
        }
        for one in orders
    ]  # fmt: skip
