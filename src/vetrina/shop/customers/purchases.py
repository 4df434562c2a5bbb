"""Purchases: the orders of a person, and whether an account or an e-mail address has a paid order with a product.

A review is `verified` when its author bought the product; orders in processing or completed count as paid.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import and_, bindparam, exists, or_, select

from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.orders import order_item, shop_order
from vetrina.core.account_part import DataSubject
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.folding import fold_text
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders.model import LINE, Order

_PAID_STATUSES: Final = ("processing", "completed")

_HAS_PRODUCT = exists().where(
    order_item.c.owner == shop_order.c.id,
    order_item.c.kind == LINE,
    or_(order_item.c.product == bindparam("goods"), order_item.c.variation == bindparam("goods")),
)
_PAID_ORDER_WITH_PRODUCT = Statement(
    select(shop_order.c.id)
    .where(
        or_(
            and_(shop_order.c.customer != 0, InList(shop_order.c.customer, "customers")),
            and_(shop_order.c.email_key != "", shop_order.c.email_key == bindparam("email")),
        ),
        InList(shop_order.c.status, "statuses"),
        _HAS_PRODUCT,
    )
    .limit(1)
)
_ORDERS_OF_PERSON = Statement(
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


def list_person_orders(work: UnitOfWork, subject: DataSubject) -> list[Order]:
    """Return the orders of an account, and those of a guest under an address that the person has proved, by id."""
    rows = work.tx.all(_ORDERS_OF_PERSON, account=subject.account, key=fold_text(subject.guest_email))
    found = order_model.load_orders_by_id(work, [id for (id,) in rows]) if rows else {}
    return [found[id] for id in sorted(found)]


def has_bought_product(work: UnitOfWork, goods: int, *, customer: int = 0, email: str = "") -> bool:
    """Return whether a customer has a paid order with a product or one of its variations.

    goods: id of the product or variation. customer: account id. email: of a guest, or of an account.
    """
    known = users.find_user_by_login(work.tx, email, work.site.roles) if email else None
    customers = {id for id in (customer, known.id if known is not None else 0) if id}
    if not customers and not email:
        return False
    values = {
        "customers": encode_list(sorted(customers)),
        "email": fold_text(email),
        "statuses": encode_list(_PAID_STATUSES),
    }
    return work.tx.value(_PAID_ORDER_WITH_PRODUCT, goods=goods, **values) is not None
