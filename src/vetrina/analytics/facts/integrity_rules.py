"""Compares the report tables with the orders: names every difference and repairs it.

The rule of `vetrina check` only looks for missing rows. Not here: the output for the operator (cli/analytics.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Table, bindparam, delete, exists, or_, select, text, union_all

from vetrina.analytics.facts import updates as facts
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.analytics import fact_coupon, fact_customer, fact_line, fact_order, fact_tax
from vetrina.backends.tables.orders import shop_order, shop_refund
from vetrina.core.integrity.rule import IntegrityRule
from vetrina.core.unit_of_work import UnitOfWork

_PART: Final = 500
_TABLES: Final[tuple[tuple[Table, str], ...]] = (
    (fact_order, "orders"), (fact_line, "lines"), (fact_coupon, "coupons"), (fact_tax, "taxes"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FactDifference:
    """One difference between the report tables and the orders. order: the id of the order concerned."""

    order: int
    what: str


_ORDERS = Statement(
    select(shop_order.c.id)
    .where(shop_order.c.id > bindparam("after"))
    .order_by(shop_order.c.id)
    .limit(bindparam("limit"))
)
_STRAYS = Statement(
    select(fact_order.c.id).where(fact_order.c.parent == 0, ~exists().where(shop_order.c.id == fact_order.c.id))
    .order_by(fact_order.c.id)
)  # fmt: skip
_OF_ORDERS = Statement(
    union_all(
        select(fact_order).where(InList(fact_order.c.id, "ids")),
        select(fact_order).where(text("fact_order.parent > 0"), InList(fact_order.c.parent, "ids")),
    )
)
# Lines, coupons and taxes whose order or refund has no row: a rewrite finds what to replace by that row.
_DELETE_ORPHANS: Final = [
    Statement(
        delete(table).where(
            or_(
                InList(table.c.order, "ids"),
                table.c.order.in_(select(shop_refund.c.id).where(InList(shop_refund.c.order, "ids"))),
            ),
            ~exists().where(fact_order.c.id == table.c.order),
        )
    )
    for table, _ in _TABLES[1:]
]
_ROWS_OF_ORDERS: Final = {
    table.name: Statement(select(table).where(InList(table.c.order, "ids"))) for table, _ in _TABLES[1:]
}
_CUSTOMERS = Statement(
    select(fact_customer.c.id, fact_customer.c.orders, fact_customer.c.spend, fact_customer.c.last_order)
    .where(InList(fact_customer.c.id, "ids"))
)  # fmt: skip


def iterate_order_ids(work: UnitOfWork) -> Iterator[list[int]]:
    """Yield the ids of all orders in batches."""
    after = 0
    while ids := [row[0] for row in work.tx.all(_ORDERS, after=after, limit=_PART)]:
        after = ids[-1]
        yield ids


def list_differences(work: UnitOfWork, ids: Sequence[int]) -> list[FactDifference]:
    """Return the differences of some orders. May write: a missing customer is created for the comparison."""
    expected = facts.compute_facts(work, ids)
    held = work.tx.all(_OF_ORDERS, ids=encode_list(ids))
    numbers = encode_list({*(row[0] for row in held), *(row["id"] for row in expected.orders)})
    stored: dict[str, list[Any]] = {"orders": held}
    stored |= {name: work.tx.all(_ROWS_OF_ORDERS[table.name], ids=numbers) for table, name in _TABLES[1:]}
    of = {row["id"]: row["parent"] or row["id"] for row in expected.orders}
    of |= {row[0]: row[1] or row[0] for row in held}
    out: list[FactDifference] = []
    for table, name in _TABLES:
        columns = [column.name for column in table.c]
        keys = 1 if table is fact_order else 2
        want = {tuple(row[column] for column in columns[:keys]): row for row in getattr(expected, name)}
        have = {tuple(row[:keys]): dict(zip(columns, row, strict=True)) for row in stored[name]}
        for key in sorted({*want, *have}):
            label = f"{table.name} {'/'.join(map(str, key))}"
            order = of.get(key[0], key[0])
            if key not in have:
                out.append(FactDifference(order, f"{label} is missing"))
            elif key not in want:
                out.append(FactDifference(order, f"{label} belongs to nothing"))
            else:
                wrong = [
                    f"{column} is {have[key][column]}, should be {want[key][column]}"
                    for column in columns
                    # Which order is a customer's first depends on all of them; it is compared with the customer's sums.
                    if column != "repeat" and have[key][column] != want[key][column]
                ]
                out += [FactDifference(order, f"{label}: {one}") for one in wrong]
    return [*out, *_list_customer_differences(work, expected.orders)]


def list_stray_rows(work: UnitOfWork) -> list[FactDifference]:
    """Return the rows whose orders no longer exist."""
    return [FactDifference(row[0], f"fact_order {row[0]} is of no order") for row in work.tx.all(_STRAYS)]


def repair_facts(work: UnitOfWork, ids: Sequence[int]) -> None:
    """Rewrite the rows of some orders."""
    for statement in _DELETE_ORPHANS:
        work.tx.run(statement, ids=encode_list(ids))
    facts.rewrite_facts(work, ids)


def _list_customer_differences(work: UnitOfWork, orders: Sequence[dict[str, Any]]) -> list[FactDifference]:
    """Return what is wrong with the sums of the customers of some orders."""
    from vetrina.analytics.facts import customers as fact_customers

    first = {row["customer"]: row["id"] for row in orders}
    ids = encode_list(first)
    before = {row[0]: row[1:] for row in work.tx.all(_CUSTOMERS, ids=ids)}
    marks = {row[0]: row[-1] for row in work.tx.all(_OF_ORDERS, ids=encode_list(row["id"] for row in orders))}
    fact_customers.recount_customers(work, list(first))
    out = []
    for id, *now in work.tx.all(_CUSTOMERS, ids=ids):
        if tuple(now) != tuple(before.get(id, ())):
            out.append(
                FactDifference(first[id], f"fact_customer {id}: sums are {before.get(id)}, should be {tuple(now)}")
            )
    for row in work.tx.all(_OF_ORDERS, ids=encode_list(row["id"] for row in orders)):
        if row[0] in marks and marks[row[0]] != row[-1]:
            out.append(FactDifference(row[0], f"fact_order {row[0]}: repeat is {marks[row[0]]}, should be {row[-1]}"))
    return out


# -- the rule of `vetrina check`

_ROWLESS = union_all(
    *(select(table.c.id).where(~exists().where(fact_order.c.id == table.c.id)) for table in (shop_order, shop_refund))
)
_ORDERLESS = select(fact_order.c.id).where(
    ~exists().where(shop_order.c.id == fact_order.c.id), ~exists().where(shop_refund.c.id == fact_order.c.id)
)
_ROWLESS_IDS, _ORDERLESS_IDS = Statement(_ROWLESS), Statement(_ORDERLESS)


def _iterate_unreported_orders(work: UnitOfWork) -> Iterator[str]:
    yield from (f"the reports have no row for {row[0]}" for row in work.tx.all(_ROWLESS_IDS))
    yield from (f"the reports have a row for {row[0]}, which is gone" for row in work.tx.all(_ORDERLESS_IDS))


def _repair_report_rows(work: UnitOfWork) -> None:
    repair_facts(work, [row[0] for statement in (_ROWLESS_IDS, _ORDERLESS_IDS) for row in work.tx.all(statement)])


RULES: Final = (
    IntegrityRule(
        "reports",
        "The reports have a row for each order, and for no other.",
        _iterate_unreported_orders,
        "`--repair` writes them again; `vetrina analytics check` compares and mends what they say.",
        _repair_report_rows,
    ),
)
