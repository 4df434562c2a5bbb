"""The orders of days that are over which contain each product, kept so that a running month need not be counted.

Contains only the statuses that count by the shop's setting; when that changes they are deleted
(analytics/rollups/product_store.py). An order that changes makes its day forgotten, and a job keeps it again. Not here:
counting (analytics/rollups/product_months.py), what was sold in a day (analytics/rollups/product_days.py). Rules:
docs/rules/analytics_measures.md, 9.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from sqlalchemy import bindparam, delete, select

from vetrina.analytics.facts.reportable_orders import OrderDate
from vetrina.analytics.rollups import periods, product_months
from vetrina.analytics.rollups.periods import PARTS_DAY, SECONDS
from vetrina.analytics.rollups.product_months import ProductRow
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.rollups import rollup_day_parts as table
from vetrina.core.unit_of_work import UnitOfWork

_VALUES: Final = [column for column in table.c if column.name not in ("dates", "day")]
_ROWS: Final = (
    select(table.c.day, *_VALUES)
    .where(table.c.dates == bindparam("dates"), table.c.day >= bindparam("first"), table.c.day <= bindparam("last"))
    .order_by(table.c.day, table.c.product)
)
_READ = Statement(_ROWS)
_READ_SOME = Statement(_ROWS.where(InList(table.c.product, "products")))
_DELETE = Statement(delete(table).where(table.c.dates == bindparam("dates"), table.c.day == bindparam("day")))
_DELETE_ALL = Statement(delete(table))


def load_days(
    work: UnitOfWork, dates: OrderDate, first: int, last: int, products: Collection[int] | None = None
) -> dict[int, list[ProductRow]]:
    """Return the rows of the days that are kept, by day, also of those without any.

    products: only these, None for all.
    """
    some = {} if products is None else {"products": encode_list(products)}
    key = f"rollup days {PARTS_DAY} {dates} {first} {last} {some}"
    found: dict[int, list[ProductRow]] | None = None if work.tx.writes else work.lookups.get(key)
    if found is None:
        found = {day: [] for day in periods.list_units(work, PARTS_DAY, dates, first, last)}
        read = _READ_SOME if some else _READ
        for day, *row in work.tx.all(read, dates=dates, first=first, last=last, **some) if found else ():
            found[day].append(row)
        work.lookups[key] = found
    return found


def compute_day(work: UnitOfWork, dates: OrderDate, day: int) -> list[tuple[Any, ...]]:
    """Return the rows of a day from the orders' rows."""
    counted = product_months.sum_order_parts(work, dates, day * SECONDS, (day + 1) * SECONDS - 1)
    return [tuple(row) for rows in counted.values() for _, row in sorted(rows.items())]


def load_day(work: UnitOfWork, dates: OrderDate, day: int) -> list[tuple[Any, ...]]:
    """Return what is kept of a day."""
    return [tuple(row[1:]) for row in work.tx.all(_READ, dates=dates, first=day, last=day)]


def save_day(work: UnitOfWork, dates: OrderDate, day: int) -> None:
    """Keep a day; nothing is kept of it yet."""
    work.tx.load(table, [(dates, day, *row) for row in compute_day(work, dates, day)])
    periods.add_period(work, PARTS_DAY, dates, day)


def delete_day(work: UnitOfWork, dates: str, day: int) -> None:
    """Forget a day."""
    periods.forget_period(work, PARTS_DAY, dates, day)
    work.tx.run(_DELETE, dates=dates, day=day)


def delete_all_days(work: UnitOfWork) -> None:
    """Forget all days: the setting for what counts has changed."""
    periods.forget_kinds(work, (PARTS_DAY,))
    work.tx.run(_DELETE_ALL)
