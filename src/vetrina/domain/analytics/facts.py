"""Keeping the tables of reports: the rows of every order that a transaction touched, rewritten at its end.

`settle` sees what the transaction noted; no report is ever behind the orders. Not here: what the rows say
(fact_rows.py, fact_customers.py), how all of them are made anew (rebuilding.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import Table, bindparam, delete, insert, select, text, union_all

from vetrina.backends.database import Statement
from vetrina.backends.shapes import Among, listed
from vetrina.backends.tables_facts import fact_coupon, fact_customer, fact_line, fact_order, fact_tax
from vetrina.domain.shop import order, refunds
from vetrina.domain.work import Work

from . import fact_customers, kept_sums
from .counting import EXCLUDED_SETTING
from .fact_rows import Rows, rows_of

__all__ = ["computed", "forget", "load", "rewrite", "settle", "store", "stored_ids"]

_PART: Final = 500  # orders that are rewritten at a time


def _inserting(table: Table) -> Statement:
    return Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))


_INSERTS: Final = [_inserting(table) for table in (fact_order, fact_line, fact_coupon, fact_tax)]
_HELD_COLUMNS: Final = (
    fact_order.c.id, fact_order.c.customer, fact_order.c.created, fact_order.c.created_month, fact_order.c.paid,
    fact_order.c.paid_month, fact_order.c.completed, fact_order.c.completed_month,
)  # fmt: skip
# Two lookups: of one condition joined by or, SQLite would read the whole table.
_HELD = Statement(
    union_all(
        select(*_HELD_COLUMNS).where(Among(fact_order.c.id, "ids")),
        select(*_HELD_COLUMNS).where(text("fact_order.parent > 0"), Among(fact_order.c.parent, "ids")),
    )
)
_REMOVE: Final = [
    Statement(delete(fact_order).where(Among(fact_order.c.id, "ids"))),
    *(
        Statement(delete(table).where(Among(table.c.order, "ids")))
        for table in (fact_line, fact_coupon, fact_tax)
    ),
]  # fmt: skip
_PRODUCTS = Statement(select(fact_line.c.order, fact_line.c.product).distinct().where(Among(fact_line.c.order, "ids")))
_ALL_CUSTOMERS = Statement(select(fact_customer.c.id).order_by(fact_customer.c.id))
_EMPTY: Final = [Statement(delete(table)) for table in (fact_order, fact_line, fact_coupon, fact_tax)]
_DATED: Final = (("created", 2), ("paid", 4), ("completed", 6))
_DAY: Final = 86_400


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
    changed = [id for id, action in accounts.items() if action != "removed"]
    if changed:
        fact_customers.of_accounts(work, changed)
    if recount:
        kept_sums.forget_by_product(work)
        fact_customers.recount(work, [row[0] for row in work.tx.all(_ALL_CUSTOMERS)])


def rewrite(work: Work, ids: Sequence[int]) -> None:
    """Write the rows of some orders anew; those of an order that is gone are removed."""
    for at in range(0, len(ids), _PART):
        part = ids[at : at + _PART]
        before = work.tx.all(_HELD, ids=listed(part))
        made = computed(work, part)
        products = {(row["order"], row["product"]) for row in made.lines}
        if before:
            old = listed(row[0] for row in before)
            products.update(work.tx.all(_PRODUCTS, ids=old))
            for statement in _REMOVE:
                work.tx.run(statement, ids=old)
        store(work, made)
        _forget_sums(work, [*before, *(_dates_of(row) for row in made.orders)], products)
        fact_customers.touched(work, {*(row[1] for row in before), *(row["customer"] for row in made.orders)})


def computed(work: Work, ids: Sequence[int]) -> Rows:
    """Return the rows of some orders as they should be; new customers are added on the way."""
    orders = order.by_ids(work, ids)
    out = Rows()
    if not orders:
        return out
    found = [orders[id] for id in ids if id in orders]
    returned = refunds.of_orders(work, orders)
    items = order.items_of(work, [*orders, *(refund.id for some in returned.values() for refund in some)])
    buyers = fact_customers.buyers_of(work, found)
    zone = work.zone
    for one in found:
        rows_of(one, items[one.id], returned[one.id], items, buyers[one.id], zone, out)
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
    kept_sums.empty(work)
    work.tx.run(Statement(delete(fact_customer).where(fact_customer.c.gone.is_(None))))


def _dates_of(row: dict[str, Any]) -> tuple[Any, ...]:
    return (
        row["id"], row["customer"], row["created"], row["created_month"], row["paid"], row["paid_month"],
        row["completed"], row["completed_month"],
    )  # fmt: skip


def _forget_sums(work: Work, rows: Iterable[Sequence[Any]], products: Iterable[tuple[int, int]]) -> None:
    """Forget what was counted of the days of some rows, and mark the products of their months.

    products: of the lines of the rows, before and after: number of the order or refund, product.
    """
    held = list(rows)
    marks: set[tuple[str, int, int]] = set()
    of: dict[int, list[int]] = {}
    for order_id, product in products:
        of.setdefault(order_id, []).append(product)
    for dates, at in _DATED:
        days = {row[at] // _DAY for row in held if row[at] is not None}
        if days:
            kept_sums.forget_some(work, kept_sums.DAY, dates, days)
            months = {row[at + 1] for row in held if row[at] is not None}
            kept_sums.forget_some(work, kept_sums.MONTH, dates, months)
        marks.update(
            (dates, row[at + 1], product) for row in held if row[at] is not None for product in of.get(row[0], ())
        )
    kept_sums.mark(work, marks)
