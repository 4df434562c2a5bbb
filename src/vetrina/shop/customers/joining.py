"""Orders that somebody made as a guest join the account that proved to read their mail address.

Sums and reports follow in the same transaction, as with every order that changes (analytics/facts/updates.py). Rules:
docs/rules/registration.md, 5.
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import bindparam, select, update

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.analytics import order_file_fetch
from vetrina.backends.tables.orders import coupon_use, order_download, shop_order
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.folding import fold_text
from vetrina.shop.customers import rules as customers
from vetrina.shop.orders import model as order_model, statuses as order_statuses
from vetrina.shop.orders.coupons import build_order_buyer

_PAID: Final = frozenset({"completed"})
_GUEST_ORDERS = Statement(
    select(shop_order.c.id)
    .where(shop_order.c.customer == 0, shop_order.c.email_key == bindparam("key"))
    .order_by(shop_order.c.id)
)
_MOVE_DOWNLOADS = Statement(
    update(order_download).where(InList(order_download.c.order, "orders")).values(customer=bindparam("to"))
)
_MOVE_FETCHES = Statement(
    update(order_file_fetch).where(InList(order_file_fetch.c.order, "orders")).values(customer=bindparam("to"))
)
_MOVE_USES = Statement(
    update(coupon_use)
    .where(InList(coupon_use.c.order, "orders"), coupon_use.c.by != "")
    .values(by=bindparam("by"))
)  # fmt: skip


def take_up_customer(work: UnitOfWork, user: User) -> None:
    """Store what the shop keeps beside an account, for one that somebody registered."""
    [blank] = customers.load_customers(work, [user])
    customers.store_customer(work, blank)


def join_guest_orders(work: UnitOfWork, user: User) -> None:
    """Give an account the orders that were made with its address by nobody's account."""
    rows = work.tx.all(_GUEST_ORDERS, key=fold_text(user.email))
    found = order_model.load_orders_by_id(work, [id for (id,) in rows]) if rows else {}
    orders = [one for one in found.values() if one.status not in (order_statuses.DRAFT, "auto-draft")]
    if not orders:
        return
    joined = [order_model.save_order(work, one, msgspec.structs.replace(one, customer=user.id)) for one in orders]
    ids = encode_list(one.id for one in joined)
    work.tx.run(_MOVE_DOWNLOADS, orders=ids, to=user.id)
    work.tx.run(_MOVE_FETCHES, orders=ids, to=user.id)
    work.tx.run(_MOVE_USES, orders=ids, by=build_order_buyer(joined[0]).name)
    if any(one.status in _PAID for one in joined):
        customers.mark_customer_paying(work, user.id)
