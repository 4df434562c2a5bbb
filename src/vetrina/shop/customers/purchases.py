"""Who bought what: whether an account or an address has a paid order with a product.

Rules: a review is `verified` when its author bought the product; paid are orders that are processed or completed.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import and_, bindparam, exists, or_, select

from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.orders import order_item, shop_order
from vetrina.core.unit_of_work import Work
from vetrina.kernel.folding import fold
from vetrina.shop.orders.model import LINE

__all__ = ["bought"]

_PAID: Final = ("processing", "completed")

_holds = exists().where(
    order_item.c.owner == shop_order.c.id,
    order_item.c.kind == LINE,
    or_(order_item.c.product == bindparam("goods"), order_item.c.variation == bindparam("goods")),
)
_BOUGHT = Statement(
    select(shop_order.c.id)
    .where(
        or_(
            and_(shop_order.c.customer != 0, Among(shop_order.c.customer, "customers")),
            and_(shop_order.c.email_key != "", shop_order.c.email_key == bindparam("email")),
        ),
        Among(shop_order.c.status, "statuses"),
        _holds,
    )
    .limit(1)
)


def bought(work: Work, goods: int, *, customer: int = 0, email: str = "") -> bool:
    """Say whether somebody has a paid order with a product or one of its variations.

    goods: number of the product or variation. customer: number of the account. email: of a guest, or of an account.
    """
    known = users.by_login_or_email(work.tx, email, True) if email else None
    customers = {id for id in (customer, known.id if known is not None else 0) if id}
    if not customers and not email:
        return False
    asked = {"customers": listed(sorted(customers)), "email": fold(email), "statuses": listed(_PAID)}
    return work.tx.value(_BOUGHT, goods=goods, **asked) is not None
