"""The report on stock: quantities of products and variations, and how many are low or out of stock.

Rules: docs/rules/analytics_reports.md, 8: low is at or below the threshold of the product, or else the shop's, and
above the out-of-stock threshold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, bindparam, case, func, or_, select

from vetrina.analytics.reports.extended_info import get_low_stock_amount
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, ListPosition, StatementCache, encode_list
from vetrina.backends.tables.analytics import fact_line
from vetrina.backends.tables.catalogue import product as table
from vetrina.backends.tables.records import record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.integers import parse_digits
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import Product
from vetrina.shop.settings import rules as settings

TYPES: Final = ("all", "lowstock", "instock", "outofstock", "onbackorder")
_SHAPES: Final = StatementCache(256)
_KINDS: Final = ("product", "product_variation")
_VISIBLE_STATUSES: Final = ("publish", "private")
_COLUMNS = (
    record.c.id, record.c.parent, record.c.title, table.c.sku, table.c.stock_status, table.c.stock_quantity,
    table.c.manage_stock, table.c.low_stock_amount,
)  # fmt: skip
_SOURCE = record.join(table, table.c.record == record.c.id)


@dataclass(frozen=True, slots=True)
class StockRow:
    """The stock of a product or a variation; managed: `parent` where the parent product manages it."""

    id: int
    parent: int
    name: str
    sku: str
    status: str
    quantity: int | None
    managed: bool | str
    low: int


@dataclass(frozen=True, slots=True)
class StockCounts:
    """How many products are low in stock, in stock, out of stock or on backorder, and how many there are."""

    lowstock: int
    instock: int
    outofstock: int
    onbackorder: int
    products: int


def _build_low_condition() -> ColumnElement[bool]:
    return and_(
        table.c.manage_stock,
        table.c.stock_status == "instock",
        table.c.stock_quantity > bindparam("nothing"),
        table.c.stock_quantity <= func.coalesce(table.c.low_stock_amount, bindparam("little")),
    )


def _build_few_condition() -> ColumnElement[bool]:
    """Return the condition that a product with managed stock is low or out of stock."""
    return and_(
        table.c.manage_stock,
        or_(table.c.stock_status == "instock", table.c.stock_status == "outofstock"),
        table.c.stock_quantity <= func.coalesce(table.c.low_stock_amount, bindparam("little")),
    )


_is_visible = and_(InList(record.c.type, "kinds"), InList(record.c.status, "seen"))
_COUNTS = Statement(
    select(
        func.sum(case((_build_low_condition(), 1), else_=0)),
        *(
            func.sum(case((table.c.stock_status == status, 1), else_=0))
            for status in ("instock", "outofstock", "onbackorder")
        ),
        func.count(),
    )
    .select_from(_SOURCE)
    .where(_is_visible)
)
_FEW = Statement(select(record.c.id).select_from(_SOURCE).where(InList(record.c.type, "kinds"), _build_few_condition()))
_LAST_SALES = Statement(
    select(fact_line.c.product, fact_line.c.variation, func.max(fact_line.c.created))
    .where(InList(fact_line.c.product, "products"))
    .group_by(fact_line.c.product, fact_line.c.variation)
)


def list_stock(work: UnitOfWork, args: Mapping[str, Any]) -> tuple[list[StockRow], int]:
    """Return a page of the stock report and the total.

    args: type (TYPES), include, exclude, parent, parent_exclude, offset, order, orderby (stock_status, stock_quantity,
    date, id, include, title, sku), page, per_page.
    """
    work.uses("product", "product_variation", "option")
    type, orderby = args.get("type", "all"), args.get("orderby", "stock_status")
    order, include = args.get("order", "asc"), args.get("include")
    where: list[ColumnElement[bool]] = [_is_visible]
    bound = _build_bound_values(work)
    if type == "lowstock":
        where.append(_build_low_condition())
    else:
        bound = {name: value for name, value in bound.items() if name in ("kinds", "seen")}
        if type != "all":
            where.append(table.c.stock_status == bindparam("status"))
            bound["status"] = type
    among = []
    for name, column, negated in (
        ("include", record.c.id, False), ("exclude", record.c.id, True), ("parent", record.c.parent, False),
        ("parent_exclude", record.c.parent, True),
    ):  # fmt: skip
        if args.get(name):
            among.append(name)
            where.append(~InList(column, name) if negated else InList(column, name))
            bound[name] = encode_list(args[name])
    shape = ("low" if type == "lowstock" else "all" if type == "all" else "status", *among)
    count = _SHAPES.get(("count", *shape), lambda: select(func.count()).select_from(_SOURCE).where(*where))
    total = int(work.tx.value(count, **bound) or 0)
    orderby = "id" if orderby == "include" and not include else orderby
    statement = _SHAPES.get(
        ("page", orderby, order, *shape),
        lambda: (
            select(*_COLUMNS)
            .select_from(_SOURCE)
            .where(*where)
            .order_by(*_build_order(orderby, order == "desc"))
            .limit(bindparam("limit"))
            .offset(bindparam("start"))
        ),
    )
    per_page = args.get("per_page", 10)
    start = args["offset"] if args.get("offset") else (args.get("page", 1) - 1) * per_page
    rows = work.tx.all(statement, limit=per_page, start=start, **bound)
    above = product_model.load_products_by_id(work, [row[1] for row in rows if row[1]])
    mark = get_low_stock_amount(work)
    return [_row_to_stock(row, above.get(row[1]), mark) for row in rows], total


def _row_to_stock(row: Sequence[Any], above: Product | None, mark: int) -> StockRow:
    id, parent, name, sku, status, quantity, managed, low = row
    counted: bool | str = bool(managed)
    if not managed and above is not None and above.manage_stock:
        quantity, counted = above.stock_quantity, "parent"
    return StockRow(id, parent, name, sku, status, quantity, counted, mark if low is None else low)


def count_stock(work: UnitOfWork) -> StockCounts:
    """Return the number of products and variations by stock level."""
    work.uses("product", "product_variation", "option")
    row = work.tx.first(_COUNTS, **_build_bound_values(work))
    return StockCounts(*(int(value or 0) for value in row or (0,) * 5))


def list_low_stock(
    work: UnitOfWork, page: int, per_page: int, status: str = "publish"
) -> tuple[list[tuple[Product, int | None]], int]:
    """Return a page of what is low or out of stock, with the local time of the last sale; and the total."""
    work.uses("product", "product_variation", "option", "order")
    few = and_(_is_visible, _build_few_condition())
    bound = _build_bound_values(work)
    bound = {"kinds": bound["kinds"], "seen": encode_list((status,)), "little": bound["little"]}
    total = int(
        work.tx.value(
            _SHAPES.get("few", lambda: select(func.count()).select_from(_SOURCE).where(few)), **bound
        ) or 0
    )  # fmt: skip
    statement = _SHAPES.get(
        "few page",
        lambda: select(record.c.id).select_from(_SOURCE).where(few)
        .order_by(table.c.stock_quantity, record.c.id).limit(bindparam("limit")).offset(bindparam("start")),
    )  # fmt: skip
    ids = [row[0] for row in work.tx.all(statement, limit=per_page, start=(page - 1) * per_page, **bound)]
    found, sales = product_model.load_products_by_id(work, ids), load_last_sales(work, ids)
    return [(found[id], sales.get(id)) for id in ids if id in found], total


def load_last_sales(work: UnitOfWork, ids: Sequence[int]) -> dict[int, int]:
    """Return the local times of the last sales of products and variations; those never sold are left out."""
    work.uses("order")
    parents = {one.parent or one.id for one in product_model.load_products_by_id(work, ids).values()}
    sold = {variation or of: int(at) for of, variation, at in work.tx.all(_LAST_SALES, products=encode_list(parents))}
    return {id: sold[id] for id in ids if id in sold}


def list_low_stock_ids(work: UnitOfWork) -> list[int]:
    """Return the ids of products and variations of any status that are low or out of stock."""
    work.uses(*_KINDS, "option")
    return [row[0] for row in work.tx.all(_FEW, kinds=encode_list(_KINDS), little=get_low_stock_amount(work))]


def _build_bound_values(work: UnitOfWork) -> dict[str, Any]:
    written = str(settings.get_shop_option(work, "shop_notify_no_stock_amount"))
    nothing = parse_digits(written) or 0
    return {
        "kinds": encode_list(_KINDS),
        "seen": encode_list(_VISIBLE_STATUSES),
        "nothing": nothing,
        "little": get_low_stock_amount(work),
    }


def _build_order(orderby: str, falling: bool) -> list[ColumnElement[Any]]:
    def turned(column: ColumnElement[Any]) -> ColumnElement[Any]:
        return column.desc() if falling else column.asc()

    quantity = table.c.stock_quantity
    # Rows without a quantity come first, on both databases.
    counted = quantity.desc().nulls_last() if falling else quantity.asc().nulls_first()
    columns: dict[str, list[ColumnElement[Any]]] = {
        "stock_status": [turned(table.c.stock_status), counted],
        "stock_quantity": [counted],
        "date": [turned(record.c.date)],
        "title": [turned(record.c.title_key)],
        "sku": [turned(table.c.sku_key)],
        "include": [ListPosition(record.c.id, "include")],
    }
    return [*columns.get(orderby, []), turned(record.c.id)]
