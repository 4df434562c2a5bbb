"""All customers of the reports at once, after their orders were loaded: what is known of them and what they spent.

The same as analytics/facts/customers.py says of each, in statements that read each table once; a property test compares
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import orjson
from sqlalchemy import and_, bindparam, case, func, null, or_, select, update

from vetrina.analytics.facts import customers as fact_customers
from vetrina.analytics.facts.reportable_orders import excluded
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.analytics import fact_customer as table
from vetrina.backends.tables.analytics import fact_order
from vetrina.backends.tables.orders import shop_order
from vetrina.core.unit_of_work import Work

__all__ = ["settled"]

_PART: Final = 5000
_o = fact_order.c
_counts = ~Among(_o.status, "excluded")
_NEWEST = Statement(select(_o.customer, _o.id).where(_o.parent == 0).order_by(_o.customer, _o.created_gmt, _o.id))
_FIRST = Statement(
    select(_o.customer, _o.created, _o.id)
    .where(_o.parent == 0, _counts)
    .order_by(_o.customer, _o.created.desc(), _o.id.desc())
)
_SUMS = Statement(
    select(
        _o.customer, func.sum(case((_o.parent == 0, 1), else_=0)), func.sum(_o.total),
        func.max(case((_o.parent == 0, _o.created))),
    )
    .where(_counts).group_by(_o.customer)
)  # fmt: skip
_GUESTS = Statement(select(table.c.id).where(table.c.account == 0, table.c.gone.is_(None)))
_ACCOUNTS = Statement(select(table.c.account).where(table.c.account > 0).order_by(table.c.account))
_BILLING = Statement(
    select(shop_order.c.id, shop_order.c.created, shop_order.c.billing).where(Among(shop_order.c.id, "ids"))
)
_SAID: Final = (
    "first_name", "last_name", "name_key", "email", "country", "state", "city", "postcode", "last_active",
)  # fmt: skip
_SAY = Statement(update(table).where(table.c.id == bindparam("of")).values({name: bindparam(name) for name in _SAID}))
_PUT_SUMS = Statement(
    update(table).where(table.c.id == bindparam("of"))
    .values(orders=bindparam("orders"), spend=bindparam("spend"), last_order=bindparam("last_order"))
)  # fmt: skip
_NONE = Statement(update(table).values(orders=0, spend=0, last_order=null()))
_NEW = Statement(update(fact_order).where(_o.parent == 0).values(repeat=0))
_REPEAT = Statement(
    update(fact_order)
    .where(_o.parent == 0, _o.customer.in_(select(table.c.id).where(table.c.orders > 0)))
    .values(repeat=1)
)
_IS_NEW = Statement(
    update(fact_order)
    .where(
        _o.customer == bindparam("of"), _o.parent == 0,
        or_(_o.created < bindparam("made"), and_(_o.created == bindparam("made"), _o.id <= bindparam("first"))),
    )
    .values(repeat=0)
)  # fmt: skip


def settled(work: Work) -> None:
    """Say what is known of all customers, and count what they bought."""
    for part in _parts([row[0] for row in work.tx.all(_ACCOUNTS)]):
        fact_customers.of_accounts(work, part, count=False)
    newest: dict[int, int] = dict(work.tx.all(_NEWEST))
    guests = [row[0] for row in work.tx.all(_GUESTS) if row[0] in newest]
    for part in _parts(guests):
        billing = {id: (at, orjson.loads(said)) for id, at, said in work.tx.all(
            _BILLING, ids=listed(newest[one] for one in part)
        )}  # fmt: skip
        work.tx.run_each(_SAY, [_said(one, *billing[newest[one]]) for one in part])
    bound = {"excluded": listed(excluded(work))}
    work.tx.run(_NONE)
    sums = [
        {"of": id, "orders": int(orders or 0), "spend": int(spend or 0), "last_order": last}
        for id, orders, spend, last in work.tx.all(_SUMS, **bound)
    ]
    if sums:
        work.tx.run_each(_PUT_SUMS, sums)
    work.tx.run(_NEW)
    work.tx.run(_REPEAT)
    first = {of: {"of": of, "made": made, "first": id} for of, made, id in work.tx.all(_FIRST, **bound)}
    if first:
        work.tx.run_each(_IS_NEW, list(first.values()))


def _said(id: int, at: int, billing: dict[str, str]) -> dict[str, Any]:
    first, last = billing.get("first_name", ""), billing.get("last_name", "")
    return {
        "of": id, "first_name": first, "last_name": last, "name_key": fact_customers.name_key(first, last),
        **{name: billing.get(name, "") for name in ("email", "country", "state", "city", "postcode")},
        "last_active": at,
    }  # fmt: skip


def _parts(ids: Sequence[int]) -> list[Sequence[int]]:
    return [ids[at : at + _PART] for at in range(0, len(ids), _PART)]
