"""The report on fetched files: which, by whom, from where.

Rules: facts, "The reports".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import bindparam, func, select

from vetrina.analytics.reports.conditions import Condition, Filters, only
from vetrina.analytics.reports.intervals import Span
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, Shapes, listed
from vetrina.backends.tables.analytics import order_file_fetch as table
from vetrina.backends.tables.core import account
from vetrina.core.unit_of_work import Work
from vetrina.shop.products import model as product

__all__ = ["Fetch", "addresses", "filters_of", "page"]

_SIDES: Final = {"product": "product", "order": "order", "customer": "customer", "ip_address": "ip"}
_SHAPES: Final = Shapes(128)
_LOGINS = Statement(select(account.c.id, account.c.login).where(Among(account.c.id, "ids")))
_ADDRESSES = Statement(select(table.c.ip).distinct().order_by(table.c.ip))
_MOST_ADDRESSES: Final = 10


@dataclass(frozen=True)
class Fetch:
    """One time that a file was fetched. at: an instant; created: the local time."""

    id: int
    order: int
    product: int
    download: str
    customer: int
    ip: str
    at: int
    created: int
    login: str
    file_name: str
    file_path: str


def filters_of(work: Work, args: Mapping[str, Any]) -> Filters:
    """Return the filters of the report."""
    parts: list[Condition] = []
    for what, column in _SIDES.items():
        if args.get(f"{what}_includes"):
            parts.append(only(column, args[f"{what}_includes"]))
        if args.get(f"{what}_excludes"):
            parts.append(only(column, args[f"{what}_excludes"], but=True))
    return Filters(tuple(parts), (), "any" if args.get("match") == "any" else "all")


def page(
    work: Work, span: Span, filters: Filters, orderby: str, order: str, page: int, per_page: int
) -> tuple[list[Fetch], int]:
    """Return a page of fetched files, and the number of all."""
    work.uses("order", "product", "user")
    where = (table.c.created >= bindparam("after"), table.c.created <= bindparam("before"), filters.where(table))
    bound = {"after": span.after, "before": span.before, **filters.values}
    count = _SHAPES.get(("count", filters.shape), lambda: select(func.count()).select_from(table).where(*where))
    total = int(work.tx.value(count, **bound) or 0)

    def build() -> Any:
        column = table.c.product if orderby == "product" else table.c.created
        by = (column.desc(), table.c.id.desc()) if order == "desc" else (column, table.c.id)
        shown = (table.c.id, table.c.order, table.c.product, table.c.download, table.c.customer, table.c.ip, table.c.at)
        return (
            select(*shown, table.c.created).where(*where).order_by(*by)
            .limit(bindparam("limit")).offset(bindparam("start"))
        )  # fmt: skip

    rows = work.tx.all(
        _SHAPES.get(("page", orderby, order, filters.shape), build),
        limit=per_page,
        start=(page - 1) * per_page,
        **bound,
    )
    return _told(work, rows), total


def addresses(work: Work, beginning: str) -> list[str]:
    """Return addresses that files were fetched from and that begin so."""
    found = [str(row[0]) for row in work.tx.all(_ADDRESSES)]
    return [one for one in found if one.startswith(beginning)][:_MOST_ADDRESSES]


_fetch: Callable[..., Fetch] = Fetch


def _told(work: Work, rows: Sequence[Any]) -> list[Fetch]:
    if not rows:
        return []
    logins: dict[int, str] = dict(work.tx.all(_LOGINS, ids=listed({row[4] for row in rows})))
    sold = product.by_ids(work, {row[2] for row in rows})
    out = []
    for row in rows:
        held = sold.get(row[2])
        file = next((one for one in held.downloads if one.get("id") == row[3]), {}) if held else {}
        out.append(_fetch(*row, logins.get(row[4], ""), file.get("name", ""), file.get("file", "")))
    return out
