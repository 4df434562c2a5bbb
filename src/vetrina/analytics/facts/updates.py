"""Keeps the fact tables current: before a commit, rewrites the rows of every order that the transaction changed.

`update_touched_facts` reads what the transaction logged; no report is ever behind the orders. Not here: the content of
the rows (analytics/facts/rows.py, analytics/facts/customers.py), full rebuilds (analytics/facts/rebuilding.py). Rules:
docs/rules/analytics_rows.md, 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Final

from sqlalchemy import Table, bindparam, delete, insert, select, text, union_all

from vetrina.analytics.facts import customers as fact_customers
from vetrina.analytics.facts.reportable_orders import EXCLUDED_SETTING
from vetrina.analytics.facts.rows import FactRows, add_order_rows
from vetrina.analytics.rollups import category_sums, customer_sums, periods, product_store, updates as rollup_updates
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.analytics import fact_coupon, fact_customer, fact_line, fact_order, fact_tax
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.orders import model as order_model
from vetrina.shop.refunds import rules as refunds
from vetrina.shop.taxes.rounding import build_pricing_rules

_PART: Final = 500  # orders rewritten per batch


def _build_insert(table: Table) -> Statement:
    return Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))


_INSERTS: Final = [_build_insert(table) for table in (fact_order, fact_line, fact_coupon, fact_tax)]
# Two lookups: for one condition joined by OR, SQLite would read the whole table.
_STORED_IDS = Statement(
    union_all(
        select(fact_order.c.id).where(InList(fact_order.c.id, "ids")),
        select(fact_order.c.id).where(text("fact_order.parent > 0"), InList(fact_order.c.parent, "ids")),
    )
)
_REMOVE: Final = [
    Statement(delete(fact_order).where(InList(fact_order.c.id, "ids"))),
    *(
        Statement(delete(table).where(InList(table.c.order, "ids")))
        for table in (fact_line, fact_coupon, fact_tax)
    ),
]  # fmt: skip
_ALL_CUSTOMERS = Statement(select(fact_customer.c.id).order_by(fact_customer.c.id))
_EMPTY: Final = [Statement(delete(table)) for table in (fact_order, fact_line, fact_coupon, fact_tax)]


def expect_reads(work: UnitOfWork, kind: str, item: str) -> None:
    """Have what `update_touched_facts` reads of an order read with what is asked of the database next."""
    if kind == "order" and item.isdecimal() and item != "0":
        ids = [int(item)]
        work.tx.expect(_STORED_IDS, ids=encode_list(ids))
        order_model.expect_order(work, ids[0])
        refunds.expect_order_refunds(work, ids)
        order_model.expect_items_by_owner(work, ids)


def update_touched_facts(work: UnitOfWork) -> None:
    """Apply the changes of a transaction to the fact tables."""
    touched: dict[int, None] = {}
    accounts: dict[int, str] = {}
    recount = False
    for kind, item, action in work.changes:
        if kind == "order":
            if item.isdecimal() and item != "0":
                touched[int(item)] = None
        elif kind == "user":
            if item.isdecimal() and item != "0":
                accounts[int(item)] = "removed" if action == "removed" else accounts.get(int(item), action)
        elif kind == "option" and item == EXCLUDED_SETTING:
            recount = True
    for id, action in accounts.items():
        if action == "removed":
            fact_customers.forget_account(work, id)
    if touched:
        rewrite_facts(work, list(touched))
    # An account that a visitor registered becomes a customer when it buys, is changed, or the reports are rebuilt.
    quiet = "created" if not work.user.id else "removed"
    changed = [id for id, action in accounts.items() if action not in ("removed", quiet)]
    if changed:
        fact_customers.update_account_customers(work, changed)
    if recount:
        product_store.delete_product_rollups(work)
        category_sums.delete_all_periods(work)
        customer_sums.delete_all_periods(work)
        fact_customers.recount_customers(work, [row[0] for row in work.tx.all(_ALL_CUSTOMERS)])


def rewrite_facts(work: UnitOfWork, ids: Sequence[int]) -> None:
    """Rewrite the rows of some orders; those of a deleted order are removed."""
    for at in range(0, len(ids), _PART):
        part = ids[at : at + _PART]
        stored = [row[0] for row in work.tx.all(_STORED_IDS, ids=encode_list(part))]
        before = rollup_updates.list_shares(work, stored)
        facts = compute_facts(work, part)
        if stored:
            old = encode_list(stored)
            for statement in _REMOVE:
                work.tx.run(statement, ids=old)
        insert_facts(work, facts)
        after = rollup_updates.list_shares(work, [row["id"] for row in facts.orders])
        rollup_updates.update_rollups(work, before, after)
        fact_customers.update_customers(work, {id for share in (*before, *after) for id in share.ids["customer"]})


def compute_facts(work: UnitOfWork, ids: Sequence[int]) -> FactRows:
    """Return the rows of some orders as they should be; adds new customers on the way."""
    orders = order_model.load_orders_by_id(work, ids)
    out = FactRows()
    if not orders:
        return out
    found = [orders[id] for id in ids if id in orders]
    returned = refunds.list_order_refunds(work, orders)
    items = order_model.load_items_by_owner(
        work, [*orders, *(refund.id for some in returned.values() for refund in some)]
    )
    buyers = fact_customers.resolve_customers(work, found)
    zone, rules = work.zone, build_pricing_rules(work)
    for one in found:
        add_order_rows(one, items[one.id], returned[one.id], items, buyers[one.id], zone, rules, out)
    return out


def insert_facts(work: UnitOfWork, facts: FactRows) -> None:
    """Insert rows that are not stored yet."""
    for statement, rows in zip(_INSERTS, (facts.orders, facts.lines, facts.coupons, facts.taxes), strict=True):
        if rows:
            work.tx.run_each(statement, rows)


def list_stored_ids(work: UnitOfWork, ids: Iterable[int]) -> set[int]:
    """Return which orders have their rows."""
    return {row[0] for row in work.tx.all(_STORED_IDS, ids=encode_list(ids))}


def bulk_insert_facts(work: UnitOfWork, ids: Sequence[int]) -> None:
    """Bulk-insert the rows of orders that have none; customers and daily sums are left for later."""
    facts = compute_facts(work, ids)
    for table, rows in (
        (fact_order, facts.orders), (fact_line, facts.lines), (fact_coupon, facts.coupons), (fact_tax, facts.taxes),
    ):  # fmt: skip
        members = itemgetter(*(column.name for column in table.c))
        work.tx.load(table, [members(row) for row in rows])


def delete_facts(work: UnitOfWork) -> None:
    """Empty the fact tables; deleted accounts keep their nameless rows, which nothing else could restore."""
    for statement in _EMPTY:
        work.tx.run(statement)
    periods.delete_all_rollups(work)
    work.tx.run(Statement(delete(fact_customer).where(fact_customer.c.gone.is_(None))))
