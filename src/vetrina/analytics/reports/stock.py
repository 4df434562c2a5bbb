"""The report on stock: what there is of products and variations, and of how many there is little or nothing.

Rules: facts, "The reports" (stock): little is at or below the mark of the product, or else the shop's, and above the
mark of nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, bindparam, case, func, or_, select

from vetrina.analytics.reports.extended_info import low_mark
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, Place, Shapes, listed
from vetrina.backends.tables.analytics import fact_line
from vetrina.backends.tables.catalogue import product as table
from vetrina.backends.tables.core import record
from vetrina.core.unit_of_work import Work
from vetrina.kernel.integers import whole
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import Product
from vetrina.shop.settings import rules as settings

__all__ = ["TYPES", "Counts", "Stocked", "counts", "low", "low_ids", "page"]

TYPES: Final = ("all", "lowstock", "instock", "outofstock", "onbackorder")
_SHAPES: Final = Shapes(256)
_KINDS: Final = ("product", "product_variation")
_SEEN: Final = ("publish", "private")
_COLUMNS = (
    record.c.id, record.c.parent, record.c.title, table.c.sku, table.c.stock_status, table.c.stock_quantity,
    table.c.manage_stock, table.c.low_stock_amount,
)  # fmt: skip
_SOURCE = record.join(table, table.c.record == record.c.id)


@dataclass(frozen=True, slots=True)
class Stocked:
    """What there is of a product or a variation; managed: `parent` where the product above counts it."""

    id: int
    parent: int
    name: str
    sku: str
    status: str
    quantity: int | None
    managed: bool | str
    low: int


@dataclass(frozen=True, slots=True)
class Counts:
    """Of how many there is little, some, nothing, or only what comes later; and how many there are."""

    lowstock: int
    instock: int
    outofstock: int
    onbackorder: int
    products: int


def _is_low() -> ColumnElement[bool]:
    return and_(
        table.c.manage_stock,
        table.c.stock_status == "instock",
        table.c.stock_quantity > bindparam("nothing"),
        table.c.stock_quantity <= func.coalesce(table.c.low_stock_amount, bindparam("little")),
    )


def _is_few() -> ColumnElement[bool]:
    """Return the condition that there is little or nothing of a product that is counted."""
    return and_(
        table.c.manage_stock,
        or_(table.c.stock_status == "instock", table.c.stock_status == "outofstock"),
        table.c.stock_quantity <= func.coalesce(table.c.low_stock_amount, bindparam("little")),
    )


_seen = and_(Among(record.c.type, "kinds"), Among(record.c.status, "seen"))
_COUNTS = Statement(
    select(
        func.sum(case((_is_low(), 1), else_=0)),
        *(
            func.sum(case((table.c.stock_status == status, 1), else_=0))
            for status in ("instock", "outofstock", "onbackorder")
        ),
        func.count(),
    )
    .select_from(_SOURCE)
    .where(_seen)
)
_FEW = Statement(select(record.c.id).select_from(_SOURCE).where(Among(record.c.type, "kinds"), _is_few()))
_LAST_SALES = Statement(
    select(fact_line.c.product, fact_line.c.variation, func.max(fact_line.c.created))
    .where(Among(fact_line.c.product, "products"))
    .group_by(fact_line.c.product, fact_line.c.variation)
)


def page(work: Work, args: Mapping[str, Any]) -> tuple[list[Stocked], int]:
    """Return a page of what there is, and the number of all.

    args: type (TYPES), include, exclude, parent, parent_exclude, offset, order, orderby (stock_status, stock_quantity,
    date, id, include, title, sku), page, per_page.
    """
    work.uses("product", "product_variation", "option")
    type, orderby = args.get("type", "all"), args.get("orderby", "stock_status")
    order, include = args.get("order", "asc"), args.get("include")
    where: list[ColumnElement[bool]] = [_seen]
    bound = _bound(work)
    if type == "lowstock":
        where.append(_is_low())
    else:
        bound = {name: value for name, value in bound.items() if name in ("kinds", "seen")}
        if type != "all":
            where.append(table.c.stock_status == bindparam("status"))
            bound["status"] = type
    among = []
    for name, column, but in (
        ("include", record.c.id, False), ("exclude", record.c.id, True), ("parent", record.c.parent, False),
        ("parent_exclude", record.c.parent, True),
    ):  # fmt: skip
        if args.get(name):
            among.append(name)
            where.append(~Among(column, name) if but else Among(column, name))
            bound[name] = listed(args[name])
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
            .order_by(*_order(orderby, order == "desc"))
            .limit(bindparam("limit"))
            .offset(bindparam("start"))
        ),
    )
    per_page = args.get("per_page", 10)
    start = args["offset"] if args.get("offset") else (args.get("page", 1) - 1) * per_page
    rows = work.tx.all(statement, limit=per_page, start=start, **bound)
    above = product_model.by_ids(work, [row[1] for row in rows if row[1]])
    mark = low_mark(work)
    return [_of_row(row, above.get(row[1]), mark) for row in rows], total


def _of_row(row: Sequence[Any], above: Product | None, mark: int) -> Stocked:
    id, parent, name, sku, status, quantity, managed, low = row
    counted: bool | str = bool(managed)
    if not managed and above is not None and above.manage_stock:
        quantity, counted = above.stock_quantity, "parent"
    return Stocked(id, parent, name, sku, status, quantity, counted, mark if low is None else low)


def counts(work: Work) -> Counts:
    """Return of how many products and variations there is how much."""
    work.uses("product", "product_variation", "option")
    row = work.tx.first(_COUNTS, **_bound(work))
    return Counts(*(int(value or 0) for value in row or (0,) * 5))


def low(work: Work, page: int, per_page: int, status: str = "publish") -> tuple[list[tuple[Product, int | None]], int]:
    """Return a page of what there is little or nothing of, with the local time of the last sale; and how many."""
    work.uses("product", "product_variation", "option", "order")
    few = and_(_seen, _is_few())
    bound = _bound(work)
    bound = {"kinds": bound["kinds"], "seen": listed((status,)), "little": bound["little"]}
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
    found, sales = product_model.by_ids(work, ids), last_sales(work, ids)
    return [(found[id], sales.get(id)) for id in ids if id in found], total


def last_sales(work: Work, ids: Sequence[int]) -> dict[int, int]:
    """Return the local times at which products and variations were last sold; those never sold are left out."""
    work.uses("order")
    parents = {one.parent or one.id for one in product_model.by_ids(work, ids).values()}
    sold = {variation or of: int(at) for of, variation, at in work.tx.all(_LAST_SALES, products=listed(parents))}
    return {id: sold[id] for id in ids if id in sold}


def low_ids(work: Work) -> list[int]:
    """Return the products and variations, of any status, of which there is little or nothing."""
    work.uses(*_KINDS, "option")
    return [row[0] for row in work.tx.all(_FEW, kinds=listed(_KINDS), little=low_mark(work))]


def _bound(work: Work) -> dict[str, Any]:
    written = str(settings.shop_option(work, "shop_notify_no_stock_amount"))
    nothing = whole(written) or 0
    return {"kinds": listed(_KINDS), "seen": listed(_SEEN), "nothing": nothing, "little": low_mark(work)}


def _order(orderby: str, falling: bool) -> list[ColumnElement[Any]]:
    def turned(column: ColumnElement[Any]) -> ColumnElement[Any]:
        return column.desc() if falling else column.asc()

    quantity = table.c.stock_quantity
    # What nobody counts comes first, in both kinds of database.
    counted = quantity.desc().nulls_last() if falling else quantity.asc().nulls_first()
    columns: dict[str, list[ColumnElement[Any]]] = {
        "stock_status": [turned(table.c.stock_status), counted],
        "stock_quantity": [counted],
        "date": [turned(record.c.date)],
        "title": [turned(record.c.title_key)],
        "sku": [turned(table.c.sku_key)],
        "include": [Place(record.c.id, "include")],
    }
    return [*columns.get(orderby, []), turned(record.c.id)]
