"""Erasure of personal data: of what a shop stores about a person, and what happens to the orders of a deleted account.

Orders stay, as guest orders, with what was sold and paid, for bookkeeping; settings decide whether their personal data
and downloads stay too. Not here: a copy of the data (shop/customers/data_export.py), deleting accounts
(shop/customers/rules.py, access/users/rules.py). Rules: docs/rules/personal_data.md, 5 and docs/rules/customers.md, 4;
the settings `shop_erasure_request_removes_…`.
"""

from __future__ import annotations

from typing import Final

import msgspec
import orjson
from sqlalchemy import bindparam, delete, func, or_, select, update

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, build_text_pattern, encode_list
from vetrina.backends.tables.analytics import order_file_fetch
from vetrina.backends.tables.carts import shop_cart
from vetrina.backends.tables.orders import coupon, coupon_use, order_download, outbox_mail, shop_order
from vetrina.core.account_part import DataSubject
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop import meta_data
from vetrina.shop.cart.tokens import build_account_cart_key
from vetrina.shop.customers.purchases import list_person_orders
from vetrina.shop.orders import model as order_model, notes as order_notes
from vetrina.shop.orders.attribution import PREFIX
from vetrina.shop.orders.model import Order
from vetrina.shop.settings import rules as settings

_REMOVED: Final = "[deleted]"
_NO_ADDRESS: Final = "deleted@site.invalid"
_EMPTIED: Final = frozenset({"state", "country", "phone"})
ANONYMIZED_KEY: Final = "_anonymized"  # meta key of an anonymized order

_OF_ACCOUNT = Statement(select(shop_order.c.id).where(shop_order.c.customer == bindparam("of")))
_TO_GUEST = Statement(update(shop_order).where(shop_order.c.customer == bindparam("of")).values(customer=0))
_NO_DOWNLOADS = Statement(delete(order_download).where(order_download.c.customer == bindparam("of")))
_NO_FETCHES = Statement(
    update(order_file_fetch).where(order_file_fetch.c.customer == bindparam("of")).values(customer=0, ip="")
)
_DELETE_CARTS = Statement(
    delete(shop_cart).where(
        or_(shop_cart.c.key == bindparam("key"), func.lower(shop_cart.c.billing).like(bindparam("pattern"), escape="!"))
    )
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
_FORGET_USES = Statement(update(coupon_use).where(InList(coupon_use.c.order, "orders")).values(by=_NO_ADDRESS))
_COUPONS = Statement(
    select(coupon.c.id, coupon.c.emails).where(func.lower(coupon.c.emails).like(bindparam("pattern"), escape="!"))
)
_SAVE_COUPON = Statement(update(coupon).where(coupon.c.id == bindparam("of")).values(emails=bindparam("emails")))


def erase_shop_data(work: UnitOfWork, subject: DataSubject, heir: int) -> None:
    """Erase what the shop stores about a person; orders keep what its settings let them keep."""
    orders = list_person_orders(work, subject)
    ids = encode_list(one.id for one in orders)
    if settings.is_setting_on(work, "shop_erasure_request_removes_order_data"):
        for one in orders:
            anonymize_order(work, one)
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
        release_account_orders(work, subject.account)
        meta_data.delete_meta_of_owners(work, "customer", subject.account)


def release_account_orders(work: UnitOfWork, account: int) -> None:
    """Turn the orders of an account to be deleted into guest orders, and erase what the settings demand."""
    of = [int(id) for (id,) in work.tx.all(_OF_ACCOUNT, of=account)]
    if settings.is_setting_on(work, "shop_erasure_request_removes_order_data"):
        for one in order_model.load_orders_by_id(work, of).values():
            anonymize_order(work, one)
    if settings.is_setting_on(work, "shop_erasure_request_removes_download_data"):
        work.tx.run(_NO_DOWNLOADS, of=account)
        work.tx.run(_NO_FETCHES, of=account)
    if of:
        work.tx.run(_TO_GUEST, of=account)
    work.note("order", 0, "changed")


def release_deleted_accounts(work: UnitOfWork) -> None:
    """Release the orders of accounts that this transaction deleted by other means than the shop's customer routes."""
    deleted = [
        int(item) for kind, item, action in work.changes if (kind, action) == ("user", "removed") and item.isdecimal()
    ]
    for account in deleted:
        if work.tx.value(_OF_ACCOUNT, of=account) is not None:
            release_account_orders(work, account)


def anonymize_order(work: UnitOfWork, one: Order) -> Order:
    """Remove the personal data from an order and return the result."""
    new = msgspec.structs.replace(
        one,
        billing={name: _erase_value(name, value) for name, value in one.billing.items()},
        shipping_address={name: _erase_value(name, value) for name, value in one.shipping_address.items()},
        customer_ip="", customer_agent="", customer_note="", transaction_id="",
    )  # fmt: skip
    new = order_model.save_order(work, one, new)
    fields = meta_data.list_meta(work, "order", one.id)
    erased = [{"key": field.key, "value": None} for field in fields if field.key.startswith(PREFIX)]
    meta_data.update_meta(work, "order", one.id, [*erased, {"key": ANONYMIZED_KEY, "value": "yes"}])
    # People are called by their names in them.
    order_notes.delete_all_order_notes(work, one.id)
    order_notes.create_order_note(work, one.id, "Personal data removed.")
    return new


def _erase_value(name: str, value: str) -> str:
    if not value or name in _EMPTIED:
        return ""
    return _NO_ADDRESS if name == "email" else _REMOVED


def _forget_coupon_addresses(work: UnitOfWork, subject: DataSubject) -> None:
    """Take the person's address off the coupons that are for some addresses alone; they do not open to others."""
    gone = subject.guest_email
    for id, emails in work.tx.all(_COUPONS, pattern=build_text_pattern(gone)) if gone else ():
        kept = [_NO_ADDRESS if one.lower() == gone else one for one in orjson.loads(emails)]
        work.tx.run(_SAVE_COUPON, of=id, emails=orjson.dumps(kept).decode())
        work.note("coupon", id, "changed")
