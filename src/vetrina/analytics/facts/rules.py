"""Keeping the tables of reports: the rows of every order that a transaction touched, rewritten at its end.

`settle` sees what the transaction noted; no report is ever behind the orders. Not here: what the rows say
(analytics/facts/rows.py, analytics/facts/customers.py), how all of them are made anew (analytics/facts/rebuilding.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Final

from sqlalchemy import Table, bindparam, delete, insert, select, text, union_all

from vetrina.analytics.facts import customers as fact_customers
from vetrina.analytics.facts.reportable_orders import EXCLUDED_SETTING
from vetrina.analytics.facts.rows import Rows, month_of, rows_of
from vetrina.analytics.rollups import store as rollup_store
from vetrina.analytics.rollups import updates as rollup_updates
from vetrina.analytics.rollups.updates import Share
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.analytics import fact_coupon, fact_customer, fact_line, fact_order, fact_tax
from vetrina.core.unit_of_work import Work
from vetrina.shop.orders import lines as order_lines
from vetrina.shop.orders import model as order_model
from vetrina.shop.refunds import rules as refunds

__all__ = ["computed", "forget", "load", "rewrite", "settle", "store", "stored_ids"]

_PART: Final = 500  # orders that are rewritten at a time


def _inserting(table: Table) -> Statement:
    return Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))


_INSERTS: Final = [_inserting(table) for table in (fact_order, fact_line, fact_coupon, fact_tax)]
# Two lookups: of one condition joined by or, SQLite would read the whole table.
_HELD = Statement(
    union_all(
        select(fact_order.c.id).where(Among(fact_order.c.id, "ids")),
        select(fact_order.c.id).where(text("fact_order.parent > 0"), Among(fact_order.c.parent, "ids")),
    )
)
_REMOVE: Final = [
    Statement(delete(fact_order).where(Among(fact_order.c.id, "ids"))),
    *(
        Statement(delete(table).where(Among(table.c.order, "ids")))
        for table in (fact_line, fact_coupon, fact_tax)
    ),
]  # fmt: skip
_ALL_CUSTOMERS = Statement(select(fact_customer.c.id).order_by(fact_customer.c.id))
_EMPTY: Final = [Statement(delete(table)) for table in (fact_order, fact_line, fact_coupon, fact_tax)]


def settle(work: Work) -> None:
    """Bring the tables of reports up to what a transaction did."""
    touched: dict[int, None] = {}
    accounts: dict[int, str] = {}
    recount = False
    for kind, item, action in work.noted:
        if kind == "order":
            if item.isdecimal() and item != "0":
                touched[int(item)] = None
        elif kind == "user":
            if item.isdecimal() and item != "0" and "shop" in work.frame.profile.modules:
                accounts[int(item)] = "removed" if action == "removed" else accounts.get(int(item), action)
        elif kind == "option" and item == EXCLUDED_SETTING:
            recount = True
    for id, action in accounts.items():
        if action == "removed":
            fact_customers.removed(work, id)
    if touched:
        rewrite(work, list(touched))
    # An account that nobody of the shop made is a customer once it buys, is changed, or the reports are made again.
    quiet = "created" if not work.user.id else "removed"
    changed = [id for id, action in accounts.items() if action not in ("removed", quiet)]
    if changed:
        fact_customers.of_accounts(work, changed)
    if recount:
        rollup_store.forget_by_product(work)
        fact_customers.recount(work, [row[0] for row in work.tx.all(_ALL_CUSTOMERS)])


def rewrite(work: Work, ids: Sequence[int]) -> None:
    """Write the rows of some orders anew; those of an order that is gone are removed."""
    for at in range(0, len(ids), _PART):
        part = ids[at : at + _PART]
        held = [row[0] for row in work.tx.all(_HELD, ids=listed(part))]
        before = rollup_updates.shares(work, held)
        made = computed(work, part)
        if held:
            old = listed(held)
            for statement in _REMOVE:
                work.tx.run(statement, ids=old)
        store(work, made)
        after = rollup_updates.shares(work, [row["id"] for row in made.orders])
        _carry_on(work, before, after)
        fact_customers.touched(work, {id for share in (*before, *after) for id in share.sets["customers"]})


def computed(work: Work, ids: Sequence[int]) -> Rows:
    """Return the rows of some orders as they should be; new customers are added on the way."""
    orders = order_model.by_ids(work, ids)
    out = Rows()
    if not orders:
        return out
    found = [orders[id] for id in ids if id in orders]
    returned = refunds.of_orders(work, orders)
    items = order_model.items_of(work, [*orders, *(refund.id for some in returned.values() for refund in some)])
    buyers = fact_customers.buyers_of(work, found)
    zone, rules = work.zone, order_lines.rules_of(work)
    for one in found:
        rows_of(one, items[one.id], returned[one.id], items, buyers[one.id], zone, rules, out)
    return out


def store(work: Work, made: Rows) -> None:
    """Write rows that are not there yet."""
    for statement, rows in zip(_INSERTS, (made.orders, made.lines, made.coupons, made.taxes), strict=True):
        if rows:
            work.tx.run_each(statement, rows)


def stored_ids(work: Work, ids: Iterable[int]) -> set[int]:
    """Return which orders have their rows."""
    return {row[0] for row in work.tx.all(_HELD, ids=listed(ids))}


def load(work: Work, ids: Sequence[int]) -> None:
    """Write the rows of orders that have none, fast; customers and what is kept by day are left for later."""
    made = computed(work, ids)
    for table, rows in (
        (fact_order, made.orders), (fact_line, made.lines), (fact_coupon, made.coupons), (fact_tax, made.taxes),
    ):  # fmt: skip
        members = itemgetter(*(column.name for column in table.c))
        work.tx.load(table, [members(row) for row in rows])


def forget(work: Work) -> None:
    """Empty the tables of reports; accounts that went keep their nameless rows, for nothing else knows of them."""
    for statement in _EMPTY:
        work.tx.run(statement)
    rollup_store.empty(work)
    work.tx.run(Statement(delete(fact_customer).where(fact_customer.c.gone.is_(None))))


def _carry_on(work: Work, before: Sequence[Share], after: Sequence[Share]) -> None:
    """Bring what is kept from what some rows were to what they are: days, months, and products of months."""
    rollup_updates.carry_on(work, before, after)
    marks: set[tuple[str, int, int]] = set()
    months: dict[str, set[int]] = {}
    for share in (*before, *after):
        for dates, local in share.times.items():
            month = month_of(local)
            months.setdefault(dates, set()).add(month)
            marks.update((dates, month, product) for product in share.sets["products"])
    for dates, some in months.items():
        rollup_store.forget_months(work, dates, some)
    rollup_store.mark(work, marks)
