"""The report on downloads: which files, by whom, from where.

Rules: docs/rules/analytics_reports.md, 9.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import bindparam, func, select

from vetrina.analytics.reports.conditions import ReportCondition, ReportFilters, build_column_condition
from vetrina.analytics.reports.intervals import ReportSpan
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, StatementCache, encode_list
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.analytics import order_file_fetch as table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.products import model as product

_SIDES: Final = {"product": "product", "order": "order", "customer": "customer", "ip_address": "ip"}
_SHAPES: Final = StatementCache(128)
_LOGINS = Statement(select(account.c.id, account.c.login).where(InList(account.c.id, "ids")))
_ADDRESSES = Statement(select(table.c.ip).distinct().order_by(table.c.ip))
_MOST_ADDRESSES: Final = 10


@dataclass(frozen=True)
class DownloadRow:
    """One download. at: an instant; created: the local time."""

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


def build_download_filters(work: UnitOfWork, args: Mapping[str, Any]) -> ReportFilters:
    """Return the filters of the report."""
    parts: list[ReportCondition] = []
    for what, column in _SIDES.items():
        if args.get(f"{what}_includes"):
            parts.append(build_column_condition(column, args[f"{what}_includes"]))
        if args.get(f"{what}_excludes"):
            parts.append(build_column_condition(column, args[f"{what}_excludes"], negated=True))
    return ReportFilters(tuple(parts), (), "any" if args.get("match") == "any" else "all")


def list_downloads(
    work: UnitOfWork, span: ReportSpan, filters: ReportFilters, orderby: str, order: str, page: int, per_page: int
) -> tuple[list[DownloadRow], int]:
    """Return a page of downloads and the total."""
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
    return _build_downloads(work, rows), total


def list_addresses(work: UnitOfWork, beginning: str) -> list[str]:
    """Return IP addresses with a prefix from which files were downloaded."""
    found = [str(row[0]) for row in work.tx.all(_ADDRESSES)]
    return [one for one in found if one.startswith(beginning)][:_MOST_ADDRESSES]


_build_download: Callable[..., DownloadRow] = DownloadRow


def _build_downloads(work: UnitOfWork, rows: Sequence[Any]) -> list[DownloadRow]:
    if not rows:
        return []
    logins: dict[int, str] = dict(work.tx.all(_LOGINS, ids=encode_list({row[4] for row in rows})))
    sold = product.load_products_by_id(work, {row[2] for row in rows})
    out = []
    for row in rows:
        held = sold.get(row[2])
        file = next((one for one in held.downloads if one.get("id") == row[3]), {}) if held else {}
        out.append(_build_download(*row, logins.get(row[4], ""), file.get("name", ""), file.get("file", "")))
    return out
