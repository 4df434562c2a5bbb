"""Updates all customers of the reports at once, after their orders were loaded: profile, order count, spend.

Gives the same result as analytics/facts/customers.py does for each, in statements that read each table once; a property
test compares the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import orjson
from sqlalchemy import and_, bindparam, case, exists, func, null, or_, select, update

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
_NO_SUMS: Final[dict[str, Any]] = {"orders": 0, "spend": 0, "last_order": None}
# Only rows that change, and each once: PostgreSQL writes each that it updates again, with all of its indexes.
_UPDATE_GUEST, _UPDATE_SUMS = (
    Statement(update(table).where(table.c.id == bindparam("of")).values({name: bindparam(name) for name in names}))
    for names in ((*_DETAIL_COLUMNS, *_NO_SUMS), _NO_SUMS)
)
_RESET_SUMS = Statement(
    update(table)
    .where(or_(table.c.orders != 0, table.c.spend != 0, table.c.last_order.is_not(None)))
    .values(orders=0, spend=0, last_order=null())
)
_MARK_ALL_NEW = Statement(update(fact_order).where(_o.parent == 0, _o.repeat != 0).values(repeat=0))
_earlier = fact_order.alias("earlier")
_e = _earlier.c
_MARK_REPEATS = Statement(
    update(fact_order)
    .where(
        _o.parent == 0,
        exists().where(
            _e.customer == _o.customer, _e.parent == 0, ~InList(_e.status, "excluded"),
            or_(_e.created < _o.created, and_(_e.created == _o.created, _e.id < _o.id)),
        ),
    )
    .values(repeat=1)
)  # fmt: skip


def update_all_customers(work: UnitOfWork) -> None:
    """Update profile, order count and spend of all customers."""
    for part in _split_ids([row[0] for row in work.tx.all(_ACCOUNTS)]):
        fact_customers.update_account_customers(work, part, count=False)
    bound = {"excluded": encode_list(get_excluded_statuses(work))}
    work.tx.run(_RESET_SUMS)
    sums = {
        id: {"orders": int(orders or 0), "spend": int(spend or 0), "last_order": last}
        for id, orders, spend, last in work.tx.all(_SUMS, **bound)
    }
    newest: dict[int, int] = dict(work.tx.all(_NEWEST))
    guests = [row[0] for row in work.tx.all(_GUESTS) if row[0] in newest]
    for part in _split_ids(guests):
        billing = {id: (at, orjson.loads(said)) for id, at, said in work.tx.all(
            _BILLING, ids=encode_list(newest[one] for one in part)
        )}  # fmt: skip
        work.tx.run_each(
            _UPDATE_GUEST,
            [_build_guest_values(one, *billing[newest[one]]) | sums.pop(one, _NO_SUMS) for one in part],
        )
    if sums:
        work.tx.run_each(_UPDATE_SUMS, [{"of": id, **one} for id, one in sums.items()])
    customer_types.delete_all_periods(work)
    work.tx.run(_MARK_ALL_NEW)
    work.tx.run(_MARK_REPEATS, **bound)


def _build_guest_values(id: int, at: int, billing: dict[str, str]) -> dict[str, Any]:
    first, last = billing.get("first_name", ""), billing.get("last_name", "")
    return {
        "of": id, "first_name": first, "last_name": last, "name_key": fact_customers.build_name_key(first, last),
        **{name: billing.get(name, "") for name in ("email", "country", "state", "city", "postcode")},
        "last_active": at,
    }  # fmt: skip


def _split_ids(ids: Sequence[int]) -> list[Sequence[int]]:
    return [ids[at : at + _PART] for at in range(0, len(ids), _PART)]
