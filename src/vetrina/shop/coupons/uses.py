"""The recorded uses of coupons: by whom, and of which order. Rules: docs/rules/coupons.md, 9.

Not here: whether a coupon may be used once more (shop/coupons/eligibility.py), which status of an order counts them
(shop/orders/statuses.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from sqlalchemy import bindparam, delete, func, insert, or_, select, update

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id, allocate_ids
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.orders import coupon as table, coupon_use
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.coupons.store import Coupon

_COUNT = Statement(
    update(table).where(table.c.id == bindparam("of")).values(usage_count=table.c.usage_count + bindparam("by"))
)


_USE = Statement(insert(coupon_use).values({column.name: bindparam(column.name) for column in coupon_use.c}))
_USES = Statement(
    select(coupon_use.c.coupon, coupon_use.c.by)
    # What came with a coupon from another site may be counted there, and of nobody.
    .where(InList(coupon_use.c.coupon, "coupons"), or_(coupon_use.c.order != 0, coupon_use.c.by != ""))
    .order_by(coupon_use.c.coupon, coupon_use.c.id)
)


_USES_BY = Statement(
    select(func.count()).where(coupon_use.c.coupon == bindparam("coupon"), InList(coupon_use.c.by, "names"))
)


_USES_OF = Statement(
    select(coupon_use.c.id, coupon_use.c.order, coupon_use.c.by)
    .where(coupon_use.c.coupon == bindparam("coupon"))
    .order_by(coupon_use.c.id)
)


_USE_OF_ORDER = Statement(
    select(coupon_use.c.id).where(coupon_use.c.order == bindparam("order"), coupon_use.c.coupon == bindparam("coupon"))
)


_UNCLAIMED = Statement(
    select(coupon_use.c.id)
    .where(coupon_use.c.order == 0, coupon_use.c.coupon == bindparam("coupon"), coupon_use.c.by == bindparam("by"))
    .order_by(coupon_use.c.id)
    .limit(1)
)


_UNCLAIMED_OF_ANYBODY = Statement(
    select(coupon_use.c.id)
    .where(coupon_use.c.order == 0, coupon_use.c.coupon == bindparam("coupon"))
    .order_by(coupon_use.c.id)
    .limit(1)
)


_DROP_USES = Statement(delete(coupon_use).where(InList(coupon_use.c.id, "ids")))
_CLAIM = Statement(update(coupon_use).where(coupon_use.c.id == bindparam("use")).values(order=bindparam("claimed_by")))
_GIVE_BACK = Statement(
    delete(coupon_use)
    .where(coupon_use.c.order == bindparam("order"), coupon_use.c.coupon == bindparam("coupon"))
    .returning(coupon_use.c.id)
)


def list_coupon_users(work: UnitOfWork, ids: Iterable[int]) -> dict[int, list[str]]:
    """Return the users of some coupons, by coupon id: account ids, and mail addresses of guests."""
    users: dict[int, list[str]] = {id: [] for id in ids}
    if users:
        for coupon, by in work.tx.all(_USES, coupons=encode_list(users)):
            users[coupon].append(by)
    return users


def count_coupon_uses(work: UnitOfWork, coupon: Coupon, names: Iterable[str]) -> int:
    """Return how often a buyer, under any of their names, used a coupon."""
    return int(work.tx.value(_USES_BY, coupon=coupon.id, names=encode_list(names)))


def record_coupon_use(work: UnitOfWork, id: int, order: int, by: str) -> None:
    """Record that an order uses a coupon; nothing where the coupon was deleted meanwhile."""
    if not work.tx.run_and_count(_COUNT, of=id, by=1):
        return
    work.tx.run(_USE, id=allocate_id(work.tx, "coupon_use"), coupon=id, order=order, by=by)
    work.note("coupon", id, "changed")


def record_earlier_uses(work: UnitOfWork, id: int, users: Sequence[str]) -> None:
    """Have exactly these users among the uses of a coupon, beside those of orders that are not among them.

    What is new of them is of no order yet (`claim_coupon_use`). users: as `list_coupon_users` returns them, for each
    use one.
    """
    wanted = Counter(users)
    held = work.tx.all(_USES_OF, coupon=id)
    gone = []
    for use, order, by in held:
        if wanted[by]:
            wanted[by] -= 1
        elif not order:
            gone.append(use)
    if gone:
        work.tx.run(_DROP_USES, ids=encode_list(gone))
    # In the order in which they were named: the last ones of a name are those that are missing.
    new: list[str] = []
    for by in reversed(users):
        if wanted[by]:
            wanted[by] -= 1
            new.append(by)
    for use, by in zip(allocate_ids(work.tx, len(new), "coupon_use"), reversed(new), strict=True):
        work.tx.run(_USE, id=use, coupon=id, order=0, by=by)
    if change := len(new) - len(gone):
        work.tx.run(_COUNT, of=id, by=change)
        work.note("coupon", id, "changed")


def claim_coupon_use(work: UnitOfWork, id: int, order: int, by: str | None = None) -> bool:
    """Say that a use which came with its coupon is that of an order; return whether the order uses it by now.

    by: whose use it is; None for anybody's.
    """
    if work.tx.first(_USE_OF_ORDER, coupon=id, order=order):
        return True
    if by is None:
        unclaimed = work.tx.value(_UNCLAIMED_OF_ANYBODY, coupon=id)
    else:
        unclaimed = work.tx.value(_UNCLAIMED, coupon=id, by=by)
    if unclaimed is not None:
        work.tx.run(_CLAIM, use=unclaimed, claimed_by=order)
    return unclaimed is not None


def release_coupon_use(work: UnitOfWork, id: int, order: int) -> None:
    """Record that an order does not use a coupon any more."""
    gone = work.tx.all(_GIVE_BACK, order=order, coupon=id)
    if gone:
        work.tx.run(_COUNT, of=id, by=-len(gone))
        work.note("coupon", id, "changed")
