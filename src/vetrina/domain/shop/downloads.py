"""What customers may download because of what they ordered: granted, taken away, listed.

Rules: facts, "Status and what it does" and "Customers": granted when an order is processed or completed, gone when it
is paid no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, insert, select

from vetrina.backends.database import Statement
from vetrina.backends.numbers import next_number
from vetrina.backends.tables_orders import order_download as table
from vetrina.domain.work import Work

from . import product
from .order import LINE, Item, Order

__all__ = ["Permission", "of_customer", "of_order", "settle"]

_DAY: Final = 86_400


class Permission(msgspec.Struct, frozen=True):
    """A file that may be fetched. left: how often, -1 for as often as wanted. expires: None for never."""

    id: int
    order: int
    product: int
    download: str
    customer: int
    email_key: str
    left: int
    expires: int | None
    granted: int


_COLUMNS = tuple(table.c)
_OF_ORDER = Statement(select(*_COLUMNS).where(table.c.order == bindparam("order")).order_by(table.c.id))
_OF_CUSTOMER = Statement(select(*_COLUMNS).where(table.c.customer == bindparam("customer")).order_by(table.c.id))
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_REMOVE = Statement(delete(table).where(table.c.order == bindparam("order")))


def of_order(work: Work, order: int) -> list[Permission]:
    """Return what an order lets its customer download."""
    work.uses("order")
    return [Permission(*row) for row in work.tx.all(_OF_ORDER, order=order)]


def of_customer(work: Work, customer: int) -> list[Permission]:
    """Return what a customer may download."""
    work.uses("order")
    return [Permission(*row) for row in work.tx.all(_OF_CUSTOMER, customer=customer)]


def settle(work: Work, one: Order, items: Sequence[Item], *, granted: bool) -> None:
    """Let the customer of an order download its files, or not any more."""
    held = of_order(work, one.id)
    if not granted:
        if held:
            work.tx.run(_REMOVE, order=one.id)
        return
    known = {(permission.product, permission.download) for permission in held}
    lines = [item for item in items if item.kind == LINE and item.goods]
    sold = product.by_ids(work, (item.goods for item in lines))
    for item in lines:
        goods = sold.get(item.goods)
        if goods is None or not goods.downloadable:
            continue
        for file in goods.downloads:
            if (goods.id, file["id"]) in known:
                continue
            limit, expiry = goods.download_limit, goods.download_expiry
            permission = Permission(
                next_number(work.tx, "order_download"), one.id, goods.id, file["id"], one.customer, one.email_key,
                limit * item.quantity if limit > 0 else -1, work.now + expiry * _DAY if expiry > 0 else None, work.now,
            )  # fmt: skip
            work.tx.run(_INSERT, **msgspec.structs.asdict(permission))
