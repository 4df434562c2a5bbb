"""Which products or variations a list shows, in which order, and how many there are.

A statement depends only on the shape of its query and is kept. The index of records is by type, status and language:
where records of several of these are asked for, each gives its first rows and the best of all are taken.
Not here: the arguments that say a query (namespaces). Rules: facts, "Lists" and "Filters seen".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from sqlalchemy import bindparam, func, select, union_all
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, Place, Shapes, listed
from vetrina.backends.tables.catalogue import product as table
from vetrina.backends.tables.core import record, record_term, tally
from vetrina.content.translations import modes as translation_modes
from vetrina.core.unit_of_work import Work
from vetrina.shop.products import model as product_model
from vetrina.shop.products import product_types
from vetrina.shop.products.filters import Filters, ProductQuery
from vetrina.shop.products.model import COLUMNS, Product, of_row

__all__ = ["ORDERS", "listed_page", "tallied"]

ORDERS: Final = (
    "date", "id", "include", "title", "slug", "modified", "popularity", "rating", "post__in", "price", "sales",
    "menu_order", "random",
)  # fmt: skip

_MANY: Final = 500  # products from which on an index of products gives an order sooner than sorting them
_DEEP: Final = 1000  # rows before a page, up to which every part of a list gives its first rows
_SHAPES = Shapes(most=1024)


# Orders that columns of products have, as (column, whether it runs down) of (whether the list does).
_Columns = Callable[[bool], tuple[tuple[str, bool], ...]]
_OF_PRODUCTS: Final[dict[str, _Columns]] = {
    "popularity": lambda down: (("total_sales", down), ("record", True)),
    "sales": lambda down: (("total_sales", down), ("record", True)),
    "comment_count": lambda down: (("rating_count", down), ("record", True)),
    "rating": lambda down: (("rating", down), ("rating_count", down), ("record", True)),
    "price": lambda down: (("price_to" if down else "price_from", down), ("record", down)),
}

_Part = tuple[str, str, str]  # type, status, language

_TALLY = Statement(
    select(tally.c.type, tally.c.status, tally.c.language, func.sum(tally.c.count))
    .where(Among(tally.c.type, "types"), Among(tally.c.status, "statuses"), Among(tally.c.language, "languages"))
    .group_by(tally.c.type, tally.c.status, tally.c.language)
)


def listed_page(work: Work, query: ProductQuery) -> tuple[list[Product], int]:
    """Return one page of products and the number of all that match; a page too far has none."""
    work.uses(*query.types, "product")
    parts, known = _parts(work, query)
    if not parts:
        return [], 0
    filters = Filters(work, query)
    if not filters.shape:
        total = known
    else:
        counted = _SHAPES.get((filters.key, "count", len(parts) == 1), lambda: _counting(filters, len(parts) == 1))
        total = int(work.tx.value(counted, **filters.values, **_part_values(parts)))
    if query.start >= total:
        return [], total
    if total > _MANY and query.orderby in _OF_PRODUCTS and query.start < _DEEP:
        return _along_index(work, query, filters, parts), total
    return _rows(work, query, filters, parts), total


def tallied(work: Work, query: ProductQuery, by: str) -> list[tuple[Any, ...]]:
    """Return what all products of a query have, whatever its page.

    by: `price` for the lowest and the highest, or, each with how many products have it, `stock_status`, `rating` in
    hundredths of stars, `term`.
    """
    work.uses(*query.types, "product")
    parts, _ = _parts(work, query)
    if not parts:
        return []
    filters = Filters(work, query)
    single = len(parts) == 1
    statement = _SHAPES.get((filters.key, "tallied", by, single), lambda: _tallying(filters, by, single))
    return [tuple(row) for row in work.tx.all(statement, **filters.values, **_part_values(parts))]


def _tallying(filters: Filters, by: str, single: bool) -> Any:
    source, where = filters.source(), (*_placed(single), *filters.where())
    if by == "price":
        return select(func.min(table.c.price_from), func.max(table.c.price_to)).select_from(source).where(*where)
    if by == "term":
        counted = record_term.alias("counted")
        joined = source.join(counted, counted.c.record == record.c.id)
        return select(counted.c.term, func.count()).select_from(joined).where(*where).group_by(counted.c.term)
    if by == "rating":
        where = (*where, table.c.rating_count > 0)
    return select(table.c[by], func.count()).select_from(source).where(*where).group_by(table.c[by])


def _parts(work: Work, query: ProductQuery) -> tuple[list[_Part], int]:
    """Return the parts of the site that have records of the query, and how many they have in all."""
    element = f"post_{query.types[0]}"
    profile, mode = work.frame.profile, translation_modes.mode(work, element)
    languages = profile.languages if mode is translation_modes.Mode.NOT_TRANSLATED else (work.language,)
    if mode is translation_modes.Mode.WITH_FALLBACK:
        languages = (*languages, profile.default_language)
    rows = work.tx.all(_TALLY, types=listed(query.types), statuses=listed(query.statuses), languages=listed(languages))
    found = [row for row in rows if row[3]]
    return [(row[0], row[1], row[2]) for row in found], sum(int(row[3]) for row in found)


def _part_values(parts: Sequence[_Part]) -> dict[str, Any]:
    if len(parts) == 1:
        return dict(zip(("type", "status", "language"), parts[0], strict=True))
    columns = zip(*parts, strict=True)
    return {name: listed(set(column)) for name, column in zip(("types", "statuses", "languages"), columns, strict=True)}


def _placed(single: bool, suffix: str = "") -> list[ColumnElement[bool]]:
    """Return the conditions that a record belongs to the one part, or to one of several."""
    columns = {"type": record.c.type, "status": record.c.status, "language": record.c.language}
    if single:
        return [column == bindparam(name + suffix) for name, column in columns.items()]
    names = {"type": "types", "status": "statuses", "language": "languages"}
    return [Among(column, names[name]) for name, column in columns.items()]


def _counting(filters: Filters, single: bool) -> Any:
    return select(func.count()).select_from(filters.source()).where(*_placed(single), *filters.where())


def _rows(work: Work, query: ProductQuery, filters: Filters, parts: list[_Part]) -> list[Product]:
    page = {"limit": query.limit, "start": query.start}
    values = {**filters.values, **_order_values(query)}
    key = (filters.key, query.orderby, query.descending, _only_variations(query))
    if len(parts) == 1 and query.start < _DEEP:
        statement = _SHAPES.get(
            (key, 1),
            lambda: (
                select(*COLUMNS)
                .select_from(filters.source())
                .where(*_placed(True), *filters.where())
                .order_by(*_order(query))
                .limit(bindparam("limit"))
                .offset(bindparam("start"))
            ),
        )
        return [of_row(row) for row in work.tx.all(statement, **values, **_part_values(parts), **page)]
    # The numbers first: far into a list, rows before the page would be read whole.
    if query.start + query.limit <= _DEEP:
        names = ("type", "status", "language")
        bound: dict[str, Any] = {
            f"{name}_{at}": value for at, part in enumerate(parts) for name, value in zip(names, part, strict=True)
        }
        statement = _SHAPES.get((key, "parts", len(parts)), lambda: _joined(query, filters, len(parts)))
        bound["most"] = query.start + query.limit
    else:
        bound = _part_values(parts)
        single = len(parts) == 1
        statement = _SHAPES.get(
            (key, "deep", single),
            lambda: (
                select(record.c.id)
                .select_from(filters.source())
                .where(*_placed(single), *filters.where())
                .order_by(*_order(query))
                .limit(bindparam("limit"))
                .offset(bindparam("start"))
            ),
        )
    ids = [row[0] for row in work.tx.all(statement, **values, **bound, **page)]
    found = product_model.by_ids(work, ids)
    return [found[id] for id in ids if id in found]


def _along_index(work: Work, query: ProductQuery, filters: Filters, parts: list[_Part]) -> list[Product]:
    """Return a page that is sorted by a column of products: they are looked at in the order of its index."""
    single = len(parts) == 1
    statement = _SHAPES.get(
        (filters.key, query.orderby, query.descending, "along", single), lambda: _ordered_first(query, filters, single)
    )
    bound = {**filters.values, **_part_values(parts), "limit": query.limit, "start": query.start}
    ids = [row[0] for row in work.tx.all(statement, **bound)]
    found = product_model.by_ids(work, ids)
    return [found[id] for id in ids if id in found]


def _ordered_first(query: ProductQuery, filters: Filters, single: bool) -> Any:
    # A join would be read from the records' side, and every one of them sorted.
    ordered = table.alias("ordered")
    fits = (
        select(1)
        .select_from(filters.source())
        .where(record.c.id == ordered.c.record, *_placed(single), *filters.where())
        .exists()
    )
    order = [_directed(ordered.c[name], down) for name, down in _OF_PRODUCTS[query.orderby](query.descending)]
    return select(ordered.c.record).where(fits).order_by(*order).limit(bindparam("limit")).offset(bindparam("start"))


def _joined(query: ProductQuery, filters: Filters, count: int) -> Any:
    """Return the statement that takes the best of the first rows of each part."""
    branches = []
    keys = _keys(query)
    for at in range(count):
        first = (
            select(record.c.id, *(column.label(f"key_{number}") for number, (column, _) in enumerate(keys)))
            .select_from(filters.source())
            .where(*_placed(True, f"_{at}"), *filters.where())
            .order_by(*_order(query))
            .limit(bindparam("most"))
            .subquery(f"part_{at}")
        )
        branches.append(select(first))
    whole = union_all(*branches).subquery("whole")
    order = [_directed(whole.c[f"key_{number}"], down) for number, (_, down) in enumerate(keys)]
    return select(whole.c.id).order_by(*order).limit(bindparam("limit")).offset(bindparam("start"))


def _keys(query: ProductQuery) -> list[tuple[ColumnElement[Any], bool]]:
    """Return what a list is sorted by, each with whether it runs downwards."""
    down, id = query.descending, record.c.id
    match query.orderby:
        case "id":
            return [(id, down)]
        case "include" | "post__in":
            return [*([(Place(id, "order_list"), False)] if query.include else []), (id, False)]
        case name if name in _OF_PRODUCTS:
            return [(table.c[column], runs_down) for column, runs_down in _OF_PRODUCTS[name](down)]
        case "menu_order" if _only_variations(query):
            return [(record.c.menu_order, down), (id, down)]
        case "menu_order":
            return [(record.c.menu_order, down), (record.c.title_key, down), (id, down)]
        case "random":
            return [(func.random(), False)]
        case name:
            columns = {"title": record.c.title_key, "slug": record.c.slug, "modified": record.c.modified}
            return [(columns.get(name, record.c.date), down), (id, down)]


def _only_variations(query: ProductQuery) -> bool:
    return query.types == (product_types.VARIATION.name,)


def _directed(column: ColumnElement[Any], down: bool) -> ColumnElement[Any]:
    return column.desc().nulls_last() if down else column.asc().nulls_first()


def _order(query: ProductQuery) -> list[ColumnElement[Any]]:
    plain = query.orderby != "price"
    return [
        (column.desc() if down else column.asc()) if plain else _directed(column, down) for column, down in _keys(query)
    ]


def _order_values(query: ProductQuery) -> dict[str, Any]:
    return {"order_list": listed(query.include)} if query.orderby in ("include", "post__in") and query.include else {}
