"""Lists of products or variations: their order, pages and totals.

A statement depends only on the shape of its query and is cached. The index of records is by type, status and language:
where several of these are requested, each partition gives its first rows and the best of all are taken. Not here:
arguments (shop/products/list_arguments.py). Rules: docs/rules/shop_requests.md, 6; docs/rules/products.md, 8 and 9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final

from sqlalchemy import bindparam, func, select, union_all
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.database import Statement
from vetrina.backends.filter_cache import FilterQuery
from vetrina.backends.statement_cache import InList, ListPosition, StatementCache, encode_list
from vetrina.backends.tables.catalogue import product as table
from vetrina.backends.tables.records import record, tally
from vetrina.backends.tables.terms import record_term
from vetrina.content.translations import modes as translation_modes
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.products import model as product_model, product_types
from vetrina.shop.products.filters import ProductFilters, ProductQuery
from vetrina.shop.products.model import PRODUCT_COLUMNS, Product, row_to_product

PRODUCT_ORDERS: Final = (
    "date", "id", "include", "title", "slug", "modified", "popularity", "rating", "post__in", "price", "sales",
    "menu_order", "random",
)  # fmt: skip

_INDEX_SCAN_THRESHOLD: Final = (
    500  # products from which on an index of products gives an order sooner than sorting them
)
_DEEP_OFFSET: Final = 1000  # rows before a page, up to which every partition of a list gives its first rows
_STATEMENTS = StatementCache(most=1024)


# Orders by columns of products, as (column, whether it is descending), for ascending and descending lists.
_SortColumns = Callable[[bool], tuple[tuple[str, bool], ...]]
_PRODUCT_SORT_COLUMNS: Final[dict[str, _SortColumns]] = {
    "popularity": lambda down: (("total_sales", down), ("record", True)),
    "sales": lambda down: (("total_sales", down), ("record", True)),
    "comment_count": lambda down: (("rating_count", down), ("record", True)),
    "rating": lambda down: (("rating", down), ("rating_count", down), ("record", True)),
    "price": lambda down: (("price_to" if down else "price_from", down), ("record", down)),
}

_Partition = tuple[str, str, str]  # type, status, language

_PARTITION_COUNTS = Statement(
    select(tally.c.type, tally.c.status, tally.c.language, func.sum(tally.c.count))
    .where(InList(tally.c.type, "types"), InList(tally.c.status, "statuses"), InList(tally.c.language, "languages"))
    .group_by(tally.c.type, tally.c.status, tally.c.language)
)


def list_products(work: UnitOfWork, query: ProductQuery) -> tuple[list[Product], int]:
    """Return one page of products and the total; a page past the end is empty."""
    work.uses(*query.types, "product")
    parts, known = _list_partitions(work, query)
    if not parts:
        return [], 0
    filters = ProductFilters(work, query)
    total = _count_products(work, query, filters, parts, known) if filters.key_parts else known
    if query.offset >= total:
        return [], total
    if total > _INDEX_SCAN_THRESHOLD and query.offset < _DEEP_OFFSET:
        if query.orderby in _PRODUCT_SORT_COLUMNS:
            return _list_products_by_index(work, query, filters, parts), total
        if query.orderby == "menu_order" and not query.descending and len(parts) == 1 and _may_walk_titles(query):
            return _list_products_by_place(work, query, filters, parts), total
    return _list_product_rows(work, query, filters, parts), total


def _count_products(
    work: UnitOfWork, query: ProductQuery, filters: ProductFilters, parts: list[_Partition], most: int
) -> int:
    """Return how many products a query finds; most: how many records its partitions have.

    In a long catalogue the result is kept, and only products that have changed since are looked at again.
    """
    single, values = len(parts) == 1, {**filters.values, **_build_partition_values(parts)}

    def get_statement(kind: str, build: Callable[[], Any]) -> Any:
        return _STATEMENTS.get((filters.key, kind, single), build)

    def count() -> int:
        return int(work.tx.value(get_statement("count", lambda: _build_count_statement(filters, single)), **values))

    def ids(limit: int | None) -> Iterable[int]:
        found = work.tx.column(get_statement("ids", lambda: _build_ids_statement(filters, single)), **values)
        return found if limit is None else islice(found, limit)

    def select_matching(changed: Sequence[int]) -> Iterable[int]:
        statement = get_statement(
            "among", lambda: _build_ids_statement(filters, single).where(InList(record.c.id, "changed"))
        )
        return work.tx.column(statement, **values, changed=encode_list(changed))

    taxonomies = {one.taxonomy for one in query.groups}
    # What else than the products themselves may change such a result, no row of the log names product by product.
    if most <= _INDEX_SCAN_THRESHOLD or query.search or query.name_or_sku or query.open_parent or "" in taxonomies:
        return count()
    key = ("products", filters.key, tuple(sorted(filters.values.items())), tuple(parts))
    broad = frozenset(taxonomies | {"product_attribute"}) if taxonomies else frozenset()
    found = FilterQuery(key, frozenset(query.types), broad, count, ids, select_matching)
    return work.site.filter_cache.find_matches(work.tx, found, expensive=True).total


def compute_product_facets(work: UnitOfWork, query: ProductQuery, by: str) -> list[tuple[Any, ...]]:
    """Return facets over all products of a query, regardless of its page.

    by: `price` for the lowest and the highest; or, each with its number of products, `stock_status`, `rating` in
    hundredths of stars, `term`.
    """
    work.uses(*query.types, "product")
    parts, _ = _list_partitions(work, query)
    if not parts:
        return []
    filters = ProductFilters(work, query)
    single = len(parts) == 1
    statement = _STATEMENTS.get(
        (filters.key, "tallied", by, single), lambda: _build_facet_statement(filters, by, single)
    )
    return [tuple(row) for row in work.tx.all(statement, **filters.values, **_build_partition_values(parts))]


def _build_facet_statement(filters: ProductFilters, by: str, single: bool) -> Any:
    source, where = filters.source(), (*_build_partition_conditions(single), *filters.where())
    if by == "price":
        return select(func.min(table.c.price_from), func.max(table.c.price_to)).select_from(source).where(*where)
    if by == "term":
        counted = record_term.alias("counted")
        joined = source.join(counted, counted.c.record == record.c.id)
        return select(counted.c.term, func.count()).select_from(joined).where(*where).group_by(counted.c.term)
    if by == "rating":
        where = (*where, table.c.rating_count > 0)
    return select(table.c[by], func.count()).select_from(source).where(*where).group_by(table.c[by])


def _list_partitions(work: UnitOfWork, query: ProductQuery) -> tuple[list[_Partition], int]:
    """Return the partitions of the site that have records of the query, and the total number of records."""
    element = f"post_{query.types[0]}"
    profile, mode = work.site.profile, translation_modes.get_translation_mode(work, element)
    languages = profile.languages if mode is translation_modes.TranslationMode.NOT_TRANSLATED else (work.language,)
    if mode is translation_modes.TranslationMode.WITH_FALLBACK:
        languages = (*languages, profile.default_language)
    rows = work.tx.all(
        _PARTITION_COUNTS,
        types=encode_list(query.types),
        statuses=encode_list(query.statuses),
        languages=encode_list(languages),
    )
    found = [row for row in rows if row[3]]
    return [(row[0], row[1], row[2]) for row in found], sum(int(row[3]) for row in found)


def _build_partition_values(parts: Sequence[_Partition]) -> dict[str, Any]:
    if len(parts) == 1:
        return dict(zip(("type", "status", "language"), parts[0], strict=True))
    columns = zip(*parts, strict=True)
    return {
        name: encode_list(set(column)) for name, column in zip(("types", "statuses", "languages"), columns, strict=True)
    }


def _build_partition_conditions(single: bool, suffix: str = "") -> list[ColumnElement[bool]]:
    """Return the conditions that a record is in the single partition, or in one of several."""
    columns = {"type": record.c.type, "status": record.c.status, "language": record.c.language}
    if single:
        return [column == bindparam(name + suffix) for name, column in columns.items()]
    names = {"type": "types", "status": "statuses", "language": "languages"}
    return [InList(column, names[name]) for name, column in columns.items()]


def _build_count_statement(filters: ProductFilters, single: bool) -> Any:
    return (
        select(func.count()).select_from(filters.source()).where(*_build_partition_conditions(single), *filters.where())
    )


def _build_ids_statement(filters: ProductFilters, single: bool) -> Any:
    return (
        select(record.c.id).select_from(filters.source()).where(*_build_partition_conditions(single), *filters.where())
    )


def _list_product_rows(
    work: UnitOfWork, query: ProductQuery, filters: ProductFilters, parts: list[_Partition]
) -> list[Product]:
    page = {"limit": query.limit, "offset": query.offset}
    values = {**filters.values, **_build_order_values(query)}
    key = (filters.key, query.orderby, query.descending, _is_variations_only(query))
    if len(parts) == 1 and query.offset < _DEEP_OFFSET:
        statement = _STATEMENTS.get(
            (key, 1),
            lambda: (
                select(*PRODUCT_COLUMNS)
                .select_from(filters.source())
                .where(*_build_partition_conditions(True), *filters.where())
                .order_by(*_build_order_by(query))
                .limit(bindparam("limit"))
                .offset(bindparam("offset"))
            ),
        )
        return [
            row_to_product(row) for row in work.tx.all(statement, **values, **_build_partition_values(parts), **page)
        ]
    # Ids first: deep into a list, rows before the page would be read in full.
    if query.offset + query.limit <= _DEEP_OFFSET:
        names = ("type", "status", "language")
        bound: dict[str, Any] = {
            f"{name}_{at}": value for at, part in enumerate(parts) for name, value in zip(names, part, strict=True)
        }
        statement = _STATEMENTS.get(
            (key, "parts", len(parts)), lambda: _build_union_statement(query, filters, len(parts))
        )
        bound["most"] = query.offset + query.limit
    else:
        bound = _build_partition_values(parts)
        single = len(parts) == 1
        statement = _STATEMENTS.get(
            (key, "deep", single),
            lambda: (
                select(record.c.id)
                .select_from(filters.source())
                .where(*_build_partition_conditions(single), *filters.where())
                .order_by(*_build_order_by(query))
                .limit(bindparam("limit"))
                .offset(bindparam("offset"))
            ),
        )
    ids = [row[0] for row in work.tx.all(statement, **values, **bound, **page)]
    found = product_model.load_products_by_id(work, ids)
    return [found[id] for id in ids if id in found]


def _list_products_by_index(
    work: UnitOfWork, query: ProductQuery, filters: ProductFilters, parts: list[_Partition]
) -> list[Product]:
    """Return a page sorted by a column of products, which are read in the order of its index."""
    single = len(parts) == 1
    statement = _STATEMENTS.get(
        (filters.key, query.orderby, query.descending, "along", single),
        lambda: _build_index_statement(query, filters, single),
    )
    bound = {**filters.values, **_build_partition_values(parts), "limit": query.limit, "offset": query.offset}
    ids = [row[0] for row in work.tx.all(statement, **bound)]
    found = product_model.load_products_by_id(work, ids)
    return [found[id] for id in ids if id in found]


def _may_walk_titles(query: ProductQuery) -> bool:
    """Return whether most products of a language are in a list, so that few are passed over in the order of titles."""
    return not (query.include or query.groups or query.search or _is_variations_only(query))


def _list_products_by_place(
    work: UnitOfWork, query: ProductQuery, filters: ProductFilters, parts: list[_Partition]
) -> list[Product]:
    """Return a page in the order of places and, among products of the same place, of titles.

    No index has both. Most products of a long catalogue have the same place, and those are read in the order of their
    titles; places with few are sorted.
    """
    bound = {**filters.values, **_build_partition_values(parts)}
    wanted, place = query.offset + query.limit, -(2**62)
    ids: list[int] = []
    next_place = _STATEMENTS.get(("next_place",), _build_next_place_statement)
    count_place = _STATEMENTS.get(("count_place",), _build_place_count_statement)
    while len(ids) < wanted:
        found = work.tx.value(next_place, **_build_partition_values(parts), after=place)
        if found is None:
            break
        place = int(found)
        size = work.tx.value(count_place, **_build_partition_values(parts), place=place, most=_INDEX_SCAN_THRESHOLD + 1)
        many = int(size) > _INDEX_SCAN_THRESHOLD
        statement = _STATEMENTS.get(
            (filters.key, "place", many),
            partial(_build_place_statement, filters, walks=many),
        )
        ids += work.tx.column(statement, **bound, place=place, limit=wanted - len(ids))
    page = ids[query.offset :]
    known = product_model.load_products_by_id(work, page)
    return [known[id] for id in page if id in known]


def _build_next_place_statement() -> Any:
    conditions = _build_partition_conditions(True)
    return select(func.min(record.c.menu_order)).where(*conditions, record.c.menu_order > bindparam("after"))


def _build_place_count_statement() -> Any:
    """Return the statement that counts the products of a place, up to a number that is too many to sort."""
    conditions = (*_build_partition_conditions(True), record.c.menu_order == bindparam("place"))
    some = select(record.c.id).where(*conditions).limit(bindparam("most")).subquery()
    return select(func.count()).select_from(some)


def _build_place_statement(filters: ProductFilters, *, walks: bool) -> Any:
    """Return the statement of a place's first products. walks: whether they are read in the order of their titles."""
    # An expression, which no index of places serves.
    own = record.c.menu_order + 0 if walks else record.c.menu_order
    return (
        select(record.c.id)
        .select_from(filters.source())
        .where(*_build_partition_conditions(True), own == bindparam("place"), *filters.where())
        .order_by(record.c.title_key, record.c.id)
        .limit(bindparam("limit"))
    )


def _build_index_statement(query: ProductQuery, filters: ProductFilters, single: bool) -> Any:
    # A join would be driven from the records, and sort every one of them.
    ordered = table.alias("ordered")
    fits = (
        select(1)
        .select_from(filters.source())
        .where(record.c.id == ordered.c.record, *_build_partition_conditions(single), *filters.where())
        .exists()
    )
    order = [
        _apply_direction(ordered.c[name], down) for name, down in _PRODUCT_SORT_COLUMNS[query.orderby](query.descending)
    ]
    return select(ordered.c.record).where(fits).order_by(*order).limit(bindparam("limit")).offset(bindparam("offset"))


def _build_union_statement(query: ProductQuery, filters: ProductFilters, count: int) -> Any:
    """Return the statement that takes the best of the first rows of each partition."""
    branches = []
    keys = _build_sort_keys(query)
    for at in range(count):
        first = (
            select(record.c.id, *(column.label(f"key_{number}") for number, (column, _) in enumerate(keys)))
            .select_from(filters.source())
            .where(*_build_partition_conditions(True, f"_{at}"), *filters.where())
            .order_by(*_build_order_by(query))
            .limit(bindparam("most"))
            .subquery(f"part_{at}")
        )
        branches.append(select(first))
    whole = union_all(*branches).subquery("whole")
    order = [_apply_direction(whole.c[f"key_{number}"], down) for number, (_, down) in enumerate(keys)]
    return select(whole.c.id).order_by(*order).limit(bindparam("limit")).offset(bindparam("offset"))


def _build_sort_keys(query: ProductQuery) -> list[tuple[ColumnElement[Any], bool]]:
    """Return the sort keys of a list, each with whether it is descending."""
    down, id = query.descending, record.c.id
    match query.orderby:
        case "id":
            return [(id, down)]
        case "include" | "post__in":
            return [*([(ListPosition(id, "order_list"), False)] if query.include else []), (id, False)]
        case name if name in _PRODUCT_SORT_COLUMNS:
            return [(table.c[column], runs_down) for column, runs_down in _PRODUCT_SORT_COLUMNS[name](down)]
        case "menu_order" if _is_variations_only(query):
            return [(record.c.menu_order, down), (id, down)]
        case "menu_order":
            return [(record.c.menu_order, down), (record.c.title_key, down), (id, down)]
        case "random":
            return [(func.random(), False)]
        case name:
            columns = {"title": record.c.title_key, "slug": record.c.slug, "modified": record.c.modified}
            return [(columns.get(name, record.c.date), down), (id, down)]


def _is_variations_only(query: ProductQuery) -> bool:
    return query.types == (product_types.VARIATION.name,)


def _apply_direction(column: ColumnElement[Any], down: bool) -> ColumnElement[Any]:
    return column.desc().nulls_last() if down else column.asc().nulls_first()


def _build_order_by(query: ProductQuery) -> list[ColumnElement[Any]]:
    plain = query.orderby != "price"
    return [
        (column.desc() if down else column.asc()) if plain else _apply_direction(column, down)
        for column, down in _build_sort_keys(query)
    ]


def _build_order_values(query: ProductQuery) -> dict[str, Any]:
    return (
        {"order_list": encode_list(query.include)} if query.orderby in ("include", "post__in") and query.include else {}
    )
