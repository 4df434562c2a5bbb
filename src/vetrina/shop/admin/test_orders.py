"""Orders that were placed to test payments: counted and trashed.

Rules: docs/rules/shop_admin.md, 10: those whose meta `_shoppay_mode` is "test".
"""

from __future__ import annotations

from typing import Final

import orjson
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.catalogue import shop_meta
from vetrina.backends.tables.orders import shop_order
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.orders import model as order_model, rules as orders
from vetrina.shop.orders.statuses import TRASH

_MODE: Final = "_shoppay_mode"
_TEST: Final = orjson.dumps("test").decode()

_TESTS = Statement(
    select(shop_order.c.id)
    .join(shop_meta, shop_meta.c.owner == shop_order.c.id)
    .where(
        shop_meta.c.kind == "order",
        shop_meta.c.name == bindparam("mode"),
        shop_meta.c.value == bindparam("test"),
        shop_order.c.status != bindparam("trash"),
    )
    .distinct()
)


def _list_test_order_ids(work: UnitOfWork) -> list[int]:
    work.uses("order")
    return sorted(int(id) for (id,) in work.tx.all(_TESTS, mode=_MODE, test=_TEST, trash=TRASH))


def count_test_orders(work: UnitOfWork) -> int:
    """Return the number of test orders outside the trash."""
    return len(_list_test_order_ids(work))


def trash_test_orders(work: UnitOfWork) -> None:
    """Move the test orders to the trash."""
    for one in order_model.load_orders_by_id(work, _list_test_order_ids(work)).values():
        orders.trash_order(work, one)
