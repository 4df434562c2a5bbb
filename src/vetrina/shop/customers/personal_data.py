"""What a shop stores about a person: addresses, orders, downloads, a cart; a copy of it, and its erasure.

Orders stay, with what was sold and paid: whether they keep the person is said by the settings
`shop_erasure_request_removes_…` (shop/customers/erasure.py). Rules: docs/rules/personal_data.md, 3 and 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, delete, func, or_, select, update

from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, build_text_pattern, encode_list
from vetrina.backends.tables.analytics import order_file_fetch
from vetrina.backends.tables.carts import shop_cart
from vetrina.backends.tables.orders import (
    coupon,
    coupon_use,
    order_download,
    outbox_mail,
    shop_order,
)
from vetrina.core.account_part import DataSection, DataSubject
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.folding import fold_text
from vetrina.kernel.times import format_iso
from vetrina.shop import meta_data
from vetrina.shop.cart.tokens import build_account_cart_key
from vetrina.shop.customers import erasure, rules as customers
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders.model import Order
from vetrina.shop.settings import rules as settings

_NOBODY: Final = "deleted@site.invalid"
_SHOWN: Final = ("customer_note", "customer_ip", "customer_agent", "payment_method_title", "transaction_id")
_ORDERS = Statement(
    select(shop_order.c.id)
    .where(
        or_(
            (shop_order.c.customer != 0) & (shop_order.c.customer == bindparam("account")),
            (shop_order.c.customer == 0)
            & (shop_order.c.email_key != "")
            & (shop_order.c.email_key == bindparam("key")),
        )
    )
    .order_by(shop_order.c.id)
)
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
_DELETE_CARTS = Statement(
    delete(shop_cart).where(
        or_(shop_cart.c.key == bindparam("key"), func.lower(shop_cart.c.billing).like(bindparam("pattern"), escape="!"))
    )
)
_MAILS = Statement(
    select(outbox_mail.c.id, outbox_mail.c.kind, outbox_mail.c.subject, outbox_mail.c.created)
    .where(func.lower(outbox_mail.c.recipients).like(bindparam("pattern"), escape="!"))
    .order_by(outbox_mail.c.id)
)
_DELETE_MAILS = Statement(
    delete(outbox_mail).where(
        or_(
            func.lower(outbox_mail.c.recipients).like(bindparam("pattern"), escape="!"),
            (outbox_mail.c.kind.startswith("customer_")) & (outbox_mail.c.about == bindparam("account")),
        )
    )
)
_DELETE_ORDER_MAILS = Statement(delete(outbox_mail).where(InList(outbox_mail.c.about, "orders")))
_DELETE_DOWNLOADS = Statement(delete(order_download).where(InList(order_download.c.order, "orders")))
_FORGET_FETCHES = Statement(
    update(order_file_fetch).where(InList(order_file_fetch.c.order, "orders")).values(customer=0, ip="")
)
_FORGET_USES = Statement(update(coupon_use).where(InList(coupon_use.c.order, "orders")).values(by=_NOBODY))
_COUPONS = Statement(
    select(coupon.c.id, coupon.c.emails).where(func.lower(coupon.c.emails).like(bindparam("pattern"), escape="!"))
)
_SAVE_COUPON = Statement(update(coupon).where(coupon.c.id == bindparam("of")).values(emails=bindparam("emails")))


def export_shop_data(work: UnitOfWork, subject: DataSubject) -> Iterator[DataSection]:
    """Return what the shop stores about a person."""
    orders = _list_orders(work, subject)
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


def erase_shop_data(work: UnitOfWork, subject: DataSubject, heir: int) -> None:
    """Erase what the shop stores about a person; orders keep what its settings let them keep."""
    orders = _list_orders(work, subject)
    ids = encode_list(one.id for one in orders)
    if settings.is_setting_on(work, "shop_erasure_request_removes_order_data"):
        for one in orders:
            erasure.anonymize_order(work, one)
        work.tx.run(_FORGET_USES, orders=ids)
        work.tx.run(_DELETE_ORDER_MAILS, orders=ids)
        _forget_coupon_addresses(work, subject)
    if settings.is_setting_on(work, "shop_erasure_request_removes_download_data"):
        work.tx.run(_DELETE_DOWNLOADS, orders=ids)
        work.tx.run(_FORGET_FETCHES, orders=ids)
    key = build_account_cart_key(subject.account) if subject.account else ""
    # Without an address that the person has proved, nothing but what belongs to the account.
    pattern = build_text_pattern(subject.guest_email) if subject.guest_email else ""
    work.tx.run(_DELETE_CARTS, key=key, pattern=pattern)
    work.tx.run(_DELETE_MAILS, account=subject.account or -1, pattern=pattern)
    if subject.account:
        erasure.release_account_orders(work, subject.account)
        meta_data.delete_meta_of_owners(work, customers.CUSTOMER_ROLE, subject.account)


def _list_orders(work: UnitOfWork, subject: DataSubject) -> list[Order]:
    rows = work.tx.all(_ORDERS, account=subject.account, key=fold_text(subject.guest_email))
    found = order_model.load_orders_by_id(work, [id for (id,) in rows]) if rows else {}
    return [found[id] for id in sorted(found)]


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


def _forget_coupon_addresses(work: UnitOfWork, subject: DataSubject) -> None:
    """Take the person's address off the coupons that are for some addresses alone; they do not open to others."""
    gone = subject.guest_email
    for id, emails in work.tx.all(_COUPONS, pattern=build_text_pattern(gone)) if gone else ():
        kept = [_NOBODY if one.lower() == gone else one for one in orjson.loads(emails)]
        work.tx.run(_SAVE_COUPON, of=id, emails=orjson.dumps(kept).decode())
        work.note("coupon", id, "changed")
