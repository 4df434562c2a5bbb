"""Updates all customers of the reports at once, after their orders were loaded: profile, order count, spend.

Gives the same result as analytics/facts/customers.py does for each, in statements that read each table once; a property
test compares the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import orjson
from sqlalchemy import and_, bindparam, case, func, null, or_, select, update

from vetrina.analytics.facts import customers as fact_customers
from vetrina.analytics.facts.reportable_orders import get_excluded_statuses
from vetrina.analytics.rollups import customer_types
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.analytics import fact_customer as table, fact_order
from vetrina.backends.tables.orders import shop_order
from vetrina.core.unit_of_work import UnitOfWork

_PART: Final = 5000
_o = fact_order.c
_is_reportable = ~InList(_o.status, "excluded")
_NEWEST = Statement(select(_o.customer, _o.id).where(_o.parent == 0).order_by(_o.customer, _o.created_gmt, _o.id))
_FIRST = Statement(
    select(_o.customer, _o.created, _o.id)
    .where(_o.parent == 0, _is_reportable)
    .order_by(_o.customer, _o.created.desc(), _o.id.desc())
)
_SUMS = Statement(
    select(
        _o.customer, func.sum(case((_o.parent == 0, 1), else_=0)), func.sum(_o.total),
        func.max(case((_o.parent == 0, _o.created))),
    )
    .where(_is_reportable).group_by(_o.customer)
)  # fmt: skip
_GUESTS = Statement(select(table.c.id).where(table.c.account == 0, table.c.gone.is_(None)))
_ACCOUNTS = Statement(select(table.c.account).where(table.c.account > 0).order_by(table.c.account))
_BILLING = Statement(
    select(shop_order.c.id, shop_order.c.created, shop_order.c.billing).where(InList(shop_order.c.id, "ids"))
)
_DETAIL_COLUMNS: Final = (
    "first_name", "last_name", "name_key", "email", "country", "state", "city", "postcode", "last_active",
)  # fmt: skip
_UPDATE_DETAILS = Statement(
    update(table).where(table.c.id == bindparam("of")).values({name: bindparam(name) for name in _DETAIL_COLUMNS})
)
_PUT_SUMS = Statement(
    update(table).where(table.c.id == bindparam("of"))
    .values(orders=bindparam("orders"), spend=bindparam("spend"), last_order=bindparam("last_order"))
)  # fmt: skip
_RESET_SUMS = Statement(update(table).values(orders=0, spend=0, last_order=null()))
# Only rows that change: PostgreSQL writes each that it updates again, with all of its indexes.
_MARK_ALL_NEW = Statement(update(fact_order).where(_o.parent == 0, _o.repeat != 0).values(repeat=0))
_MARK_REPEATS = Statement(
    update(fact_order)
    .where(_o.parent == 0, _o.customer.in_(select(table.c.id).where(table.c.orders > 0)))
    .values(repeat=1)
)
_MARK_FIRST = Statement(
    update(fact_order)
    .where(
        _o.customer == bindparam("of"), _o.parent == 0, _o.repeat != 0,
        or_(_o.created < bindparam("made"), and_(_o.created == bindparam("made"), _o.id <= bindparam("first"))),
    )
    .values(repeat=0)
)  # fmt: skip


def update_all_customers(work: UnitOfWork) -> None:
    """Update profile, order count and spend of all customers."""
    for part in _split_ids([row[0] for row in work.tx.all(_ACCOUNTS)]):
        fact_customers.update_account_customers(work, part, count=False)
    newest: dict[int, int] = dict(work.tx.all(_NEWEST))
    guests = [row[0] for row in work.tx.all(_GUESTS) if row[0] in newest]
    for part in _split_ids(guests):
        billing = {id: (at, orjson.loads(said)) for id, at, said in work.tx.all(
            _BILLING, ids=encode_list(newest[one] for one in part)
        )}  # fmt: skip
        work.tx.run_each(_UPDATE_DETAILS, [_build_guest_values(one, *billing[newest[one]]) for one in part])
    bound = {"excluded": encode_list(get_excluded_statuses(work))}
    work.tx.run(_RESET_SUMS)
    sums = [
        {"of": id, "orders": int(orders or 0), "spend": int(spend or 0), "last_order": last}
        for id, orders, spend, last in work.tx.all(_SUMS, **bound)
    ]
    if sums:
        work.tx.run_each(_PUT_SUMS, sums)
    customer_types.delete_all_periods(work)
    work.tx.run(_MARK_ALL_NEW)
    work.tx.run(_MARK_REPEATS)
    first = {of: {"of": of, "made": made, "first": id} for of, made, id in work.tx.all(_FIRST, **bound)}
    if first:
        work.tx.run_each(_MARK_FIRST, list(first.values()))


def _build_guest_values(id: int, at: int, billing: dict[str, str]) -> dict[str, Any]:
    first, last = billing.get("first_name", ""), billing.get("last_name", "")
    return {
        "of": id, "first_name": first, "last_name": last, "name_key": fact_customers.build_name_key(first, last),
        **{name: billing.get(name, "") for name in ("email", "country", "state", "city", "postcode")},
        "last_active": at,
    }  # fmt: skip


def _split_ids(ids: Sequence[int]) -> list[Sequence[int]]:
    return [ids[at : at + _PART] for at in range(0, len(ids), _PART)]
