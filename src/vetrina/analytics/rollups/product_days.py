"""Sales by product and by variation of days that are over, kept so that a running month need not be counted.

Contains only the statuses that count by the shop's setting; when that changes they are deleted. An order that changes
makes its day forgotten, and a job keeps it again. Not here: counting (analytics/rollups/product_months.py), putting a
span together (analytics/rollups/product_spans.py). Rules: docs/rules/analytics_measures.md, 9.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from sqlalchemy import bindparam, delete, select

from vetrina.analytics.rollups import periods, product_months
from vetrina.analytics.rollups.periods import GOODS, GOODS_DAY, SECONDS, SOLD
from vetrina.analytics.rollups.product_months import ProductMonths, ProductRow
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.rollups import rollup_day_product, rollup_day_variation
from vetrina.core.unit_of_work import UnitOfWork

DATES: Final = "created"  # the date that they go by
_TABLES: Final = {SOLD: rollup_day_product, GOODS: rollup_day_variation}
_ROWS: Final = {
    kind: select(table)
    .where(table.c.day >= bindparam("first"), table.c.day <= bindparam("last"))
    .order_by(*table.primary_key)
    for kind, table in _TABLES.items()
}
_READ: Final = {kind: Statement(rows) for kind, rows in _ROWS.items()}
_READ_SOME: Final = {
    kind: Statement(rows.where(InList(_TABLES[kind].c.product, "products"))) for kind, rows in _ROWS.items()
}
_DELETE: Final = [Statement(delete(table).where(table.c.day == bindparam("day"))) for table in _TABLES.values()]
_DELETE_ALL: Final = [Statement(delete(table)) for table in _TABLES.values()]


def load_days(
    work: UnitOfWork, kind: str, first: int, last: int, products: Collection[int] | None = None
) -> dict[int, list[ProductRow]]:
    """Return the rows of the days that are kept, by day, also of those without any.

    kind: SOLD or GOODS. products: only these, None for all.
    """
    some = {} if products is None else {"products": encode_list(products)}
    key = f"rollup days {kind} {first} {last} {some}"
    found: dict[int, list[ProductRow]] | None = None if work.tx.writes else work.lookups.get(key)
    if found is None:
        found = {day: [] for day in periods.list_units(work, GOODS_DAY, DATES, first, last)}
        read = (_READ_SOME if some else _READ)[kind]
        for day, *row in work.tx.all(read, first=first, last=last, **some) if found else ():
            found[day].append(row)
        work.lookups[key] = found
    return found


def count_days(
    work: UnitOfWork, kind: str, after: int, before: int, products: Collection[int] | None = None
) -> ProductMonths:
    """Return rows by day from the orders' rows; kind: SOLD or GOODS. products: only these, None for all."""
    count: Any = product_months.sum_sold if kind == SOLD else product_months.sum_goods
    counted: ProductMonths = count(work, DATES, after, before, products, daily=True)
    return counted


def compute_day(work: UnitOfWork, day: int) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows of a day from the orders' rows, by SOLD and GOODS."""
    after, before = day * SECONDS, (day + 1) * SECONDS - 1
    return {
        kind: [tuple(row) for row in count_days(work, kind, after, before).get(day, {}).values()] for kind in _TABLES
    }


def load_day(work: UnitOfWork, day: int) -> dict[str, list[tuple[Any, ...]]]:
    """Return what is kept of a day, by SOLD and GOODS."""
    return {
        kind: [tuple(row[1:]) for row in work.tx.all(statement, first=day, last=day)]
        for kind, statement in _READ.items()
    }


def save_day(work: UnitOfWork, day: int) -> None:
    """Keep a day; nothing is kept of it yet."""
    for kind, rows in compute_day(work, day).items():
        work.tx.load(_TABLES[kind], [(day, *row) for row in rows])
    periods.add_period(work, GOODS_DAY, DATES, day)


def delete_day(work: UnitOfWork, day: int) -> None:
    """Forget a day."""
    periods.forget_period(work, GOODS_DAY, DATES, day)
    for statement in _DELETE:
        work.tx.run(statement, day=day)


def delete_all_days(work: UnitOfWork) -> None:
    """Forget all days: the setting for what counts has changed."""
    periods.forget_kinds(work, (GOODS_DAY,))
    for statement in _DELETE_ALL:
        work.tx.run(statement)
