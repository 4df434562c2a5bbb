"""Personal data of those who leave: what becomes of the orders and downloads of an account that is removed.

Orders stay, as a guest's; the shop says whether their personal data and their downloads stay too. An order without
personal data keeps what was sold and paid, for the books. Not here: removing accounts (shop/customers/rules.py,
access/users/rules.py). Rules: the settings `shop_erasure_request_removes_…`; facts, "Customers".
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, select, update

from vetrina.backends.database import Statement
from vetrina.backends.tables.analytics import order_file_fetch
from vetrina.backends.tables.orders import order_download, shop_order
from vetrina.core.unit_of_work import Work
from vetrina.shop import meta_data
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders import notes as order_notes
from vetrina.shop.orders.attribution import PREFIX
from vetrina.shop.orders.model import Order
from vetrina.shop.settings import rules as settings

__all__ = ["MARK", "anonymise", "release", "settle"]

_REMOVED: Final = "[deleted]"
_NO_ADDRESS: Final = "deleted@site.invalid"
_EMPTIED: Final = frozenset({"state", "country", "phone"})
MARK: Final = "_anonymized"  # the extra field of an order without personal data

_OF_ACCOUNT = Statement(select(shop_order.c.id).where(shop_order.c.customer == bindparam("of")))
_TO_GUEST = Statement(update(shop_order).where(shop_order.c.customer == bindparam("of")).values(customer=0))
_NO_DOWNLOADS = Statement(delete(order_download).where(order_download.c.customer == bindparam("of")))
_NO_FETCHES = Statement(
    update(order_file_fetch).where(order_file_fetch.c.customer == bindparam("of")).values(customer=0, ip="")
)


def release(work: Work, account: int) -> None:
    """Let the orders of an account that goes be a guest's, without what the shop removes of them."""
    of = [int(id) for (id,) in work.tx.all(_OF_ACCOUNT, of=account)]
    if settings.is_on(work, "shop_erasure_request_removes_order_data"):
        for one in order_model.by_ids(work, of).values():
            anonymise(work, one)
    if settings.is_on(work, "shop_erasure_request_removes_download_data"):
        work.tx.run(_NO_DOWNLOADS, of=account)
        work.tx.run(_NO_FETCHES, of=account)
    if of:
        work.tx.run(_TO_GUEST, of=account)
    work.note("order", 0, "changed")


def settle(work: Work) -> None:
    """Release the orders of accounts that this work removed in another way than by the shop's customers."""
    gone = [
        int(item) for kind, item, action in work.noted if (kind, action) == ("user", "removed") and item.isdecimal()
    ]
    for account in gone:
        if work.tx.value(_OF_ACCOUNT, of=account) is not None:
            release(work, account)


def anonymise(work: Work, one: Order) -> Order:
    """Take the personal data out of an order, and return what is left."""
    new = msgspec.structs.replace(
        one,
        billing={name: _without(name, value) for name, value in one.billing.items()},
        shipping_address={name: _without(name, value) for name, value in one.shipping_address.items()},
        customer_ip="", customer_agent="", customer_note="", transaction_id="",
    )  # fmt: skip
    new = order_model.store(work, one, new)
    held = meta_data.of_owner(work, "order", one.id)
    gone = [{"key": field.key, "value": None} for field in held if field.key.startswith(PREFIX)]
    meta_data.change(work, "order", one.id, [*gone, {"key": MARK, "value": "yes"}])
    order_notes.add(work, one.id, "Personal data removed.")
    return new


def _without(name: str, value: str) -> str:
    if not value or name in _EMPTIED:
        return ""
    return _NO_ADDRESS if name == "email" else _REMOVED
