"""Erasure of personal data: what happens to the orders and downloads of a deleted account.

Orders stay, as guest orders; settings decide whether their personal data and downloads stay too. An anonymized order
keeps what was sold and paid, for bookkeeping. Not here: deleting accounts (shop/customers/rules.py,
access/users/rules.py). Rules: docs/rules/customers.md, 4; the settings `shop_erasure_request_removes_…`.
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, select, update

from vetrina.backends.database import Statement
from vetrina.backends.tables.analytics import order_file_fetch
from vetrina.backends.tables.orders import order_download, shop_order
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop import meta_data
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
