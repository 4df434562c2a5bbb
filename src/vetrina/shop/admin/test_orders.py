"""Orders that were made to try the payments: how many there are, and away with them.

Not here: orders (shop/orders/model.py). Rules: facts, "Launching": those whose extra field `_shoppay_mode` is "test".
"""

from __future__ import annotations

from typing import Final

import orjson
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.catalogue import shop_meta
from vetrina.backends.tables.orders import shop_order
from vetrina.core.unit_of_work import Work
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders import rules as orders
from vetrina.shop.orders.statuses import TRASH

__all__ = ["count", "trash"]

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


def _ids(work: Work) -> list[int]:
    work.uses("order")
    return sorted(int(id) for (id,) in work.tx.all(_TESTS, mode=_MODE, test=_TEST, trash=TRASH))


def count(work: Work) -> int:
    """Return how many test orders there are outside the trash."""
    return len(_ids(work))


def trash(work: Work) -> None:
    """Move the test orders to the trash."""
    for one in order_model.by_ids(work, _ids(work)).values():
        orders.trash(work, one)
