"""Which products or variations a list shows, in which order, and how many there are.

A statement depends only on the shape of its query and is kept. The index of records is by type, status and language:
where records of several of these are asked for, each gives its first rows and the best of all are taken.
Not here: the arguments that say a query (namespaces). Rules: facts, "Lists" and "Filters seen".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import and_, bindparam, func, or_, select, union_all
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends import search as search_index
from vetrina.backends.database import Statement
from vetrina.backends.shapes import Among, Contains, Place, Shapes, listed
from vetrina.backends.tables import record, record_term, searchable, tally
from vetrina.backends.tables_catalogue import product as table
from vetrina.domain.content import modes
from vetrina.domain.content.search_terms import SearchTerms
from vetrina.domain.content.taxonomy import terms
from vetrina.domain.work import Work

from . import product
from .product import COLUMNS, Product, of_row

__all__ = ["ANY", "ORDERS", "InGroup", "ProductQuery", "listed_page"]

ORDERS: Final = (
    "date", "id", "include", "title", "slug", "modified", "popularity", "rating", "post__in", "price", "sales",
    "menu_order", "random",
)  # fmt: skip
ANY: Final = ("publish", "future", "draft", "pending", "private")

_MANY: Final = 500  # products from which on an index of products gives an order sooner than sorting them
_DEEP: Final = 1000  # rows before a page, up to which every part of a list gives its first rows
_SHAPES = Shapes(most=1024)


class InGroup(msgspec.Struct, frozen=True):
    """A filter by terms of a taxonomy, of which one must be there; children: those beneath count too."""

    taxonomy: str
    ids: tuple[int, ...]
    children: bool = False


class ProductQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What a list asks for; an empty tuple, an empty text or None filters nothing.

    after … modified_before: local seconds. price_from, price_to: millionths. choices: of variations, by the key of the
    attribute, values of which one must be chosen. skus: lower case. part_of_sku, name_or_sku: folded parts.
    """

    types: tuple[str, ...] = ("product",)
    statuses: tuple[str, ...] = ANY
    kinds: tuple[str, ...] = ()
    without_kinds: tuple[str, ...] = ()
    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    parent: tuple[int, ...] = ()
    parent_exclude: tuple[int, ...] = ()
    slugs: tuple[str, ...] = ()
    skus: tuple[str, ...] = ()
    part_of_sku: str = ""
    name_or_sku: str = ""
    search: SearchTerms | None = None
    search_in: tuple[str, ...] = ()
    after: int | None = None
    before: int | None = None
    modified_after: int | None = None
    modified_before: int | None = None
    groups: tuple[InGroup, ...] = ()
    choices: tuple[tuple[str, tuple[str, ...]], ...] = ()
    featured: bool | None = None
    on_sale: bool | None = None
    virtual: bool | None = None
    downloadable: bool | None = None
    has_price: bool | None = None
    tax_class: str | None = None
    stock_status: str = ""
    stock_statuses: tuple[str, ...] = ()
    price_from: int | None = None
    price_to: int | None = None
    orderby: str = "date"
    descending: bool = True
    limit: int = 10
    start: int = 0


# Orders that columns of products have, as (column, whether it runs down) of (whether the list does).
_Columns = Callable[[bool], tuple[tuple[str, bool], ...]]
_OF_PRODUCTS: Final[dict[str, _Columns]] = {
    "popularity": lambda down: (("total_sales", down), ("record", True)),
    "sales": lambda down: (("total_sales", down), ("record", True)),
    "rating": lambda down: (("rating", down), ("rating_count", down), ("record", True)),
    "price": lambda down: (("price_to" if down else "price_from", down), ("record", down)),
}

_Part = tuple[str, str, str]  # type, status, language
_Condition = Callable[[], ColumnElement[bool]]

_TALLY = Statement(
    select(tally.c.type, tally.c.status, tally.c.language, func.sum(tally.c.count))
    .where(Among(tally.c.type, "types"), Among(tally.c.status, "statuses"), Among(tally.c.language, "languages"))
    .group_by(tally.c.type, tally.c.status, tally.c.language)
)
_HELD = record_term.alias("held")
_SEARCHED: Final = {
    "name": lambda: searchable.c.title,
    "description": lambda: searchable.c.content,
    "short_description": lambda: searchable.c.excerpt,
    "sku": lambda: table.c.sku_key,
    "global_unique_id": lambda: table.c.global_unique_id,
}
_EVERYWHERE: Final = ("name", "description", "short_description")


def listed_page(work: Work, query: ProductQuery) -> tuple[list[Product], int]:
    """Return one page of products and the number of all that match; a page too far has none."""
    work.uses(*query.types, "product")
    parts, known = _parts(work, query)
    if not parts:
        return [], 0
    filters = _Filters(work, query)
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


def _parts(work: Work, query: ProductQuery) -> tuple[list[_Part], int]:
    """Return the parts of the site that have records of the query, and how many they have in all."""
    element = f"post_{query.types[0]}"
    profile, mode = work.frame.profile, modes.mode(work, element)
    languages = profile.languages if mode is modes.Mode.NOT_TRANSLATED else (work.language,)
    if mode is modes.Mode.WITH_FALLBACK:
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


def _counting(filters: _Filters, single: bool) -> Any:
    return select(func.count()).select_from(filters.source()).where(*_placed(single), *filters.where())


def _rows(work: Work, query: ProductQuery, filters: _Filters, parts: list[_Part]) -> list[Product]:
    page = {"limit": query.limit, "start": query.start}
    values = {**filters.values, **_order_values(query)}
    key = (filters.key, query.orderby, query.descending)
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
    found = product.by_ids(work, ids)
    return [found[id] for id in ids if id in found]


def _along_index(work: Work, query: ProductQuery, filters: _Filters, parts: list[_Part]) -> list[Product]:
    """Return a page that is sorted by a column of products: they are looked at in the order of its index."""
    single = len(parts) == 1
    statement = _SHAPES.get(
        (filters.key, query.orderby, query.descending, "along", single), lambda: _ordered_first(query, filters, single)
    )
    bound = {**filters.values, **_part_values(parts), "limit": query.limit, "start": query.start}
    ids = [row[0] for row in work.tx.all(statement, **bound)]
    found = product.by_ids(work, ids)
    return [found[id] for id in ids if id in found]


def _ordered_first(query: ProductQuery, filters: _Filters, single: bool) -> Any:
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


def _joined(query: ProductQuery, filters: _Filters, count: int) -> Any:
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
        case "include" | "post__in" if query.include:
            return [(Place(id, "order_list"), False), (id, False)]
        case name if name in _OF_PRODUCTS:
            return [(table.c[column], runs_down) for column, runs_down in _OF_PRODUCTS[name](down)]
        case "menu_order":
            return [(record.c.menu_order, down), (record.c.title_key, down), (id, down)]
        case "random":
            return [(func.random(), False)]
        case name:
            columns = {"title": record.c.title_key, "slug": record.c.slug, "modified": record.c.modified}
            return [(columns.get(name, record.c.date), down), (id, down)]


def _directed(column: ColumnElement[Any], down: bool) -> ColumnElement[Any]:
    return column.desc().nulls_last() if down else column.asc().nulls_first()


def _order(query: ProductQuery) -> list[ColumnElement[Any]]:
    plain = query.orderby != "price"
    return [
        (column.desc() if down else column.asc()) if plain else _directed(column, down) for column, down in _keys(query)
    ]


def _order_values(query: ProductQuery) -> dict[str, Any]:
    return {"order_list": listed(query.include)} if query.orderby in ("include", "post__in") and query.include else {}


class _Filters:
    """The filters of one query beyond types, statuses and languages; values: what they bind."""

    def __init__(self, work: Work, query: ProductQuery) -> None:
        self.values: dict[str, Any] = {}
        self.shape: list[Any] = []
        self._searches = query.search is not None or bool(query.name_or_sku)
        self._conditions: list[_Condition] = []
        self._put_numbers(query)
        self._put_dates(query)
        self._put_members(query)
        self._put_price(query)
        self._put_groups(work, query)
        self._put_texts(work, query)
        self.key = tuple(self.shape)

    def source(self) -> Any:
        """Return what the statement reads from."""
        out = record.join(table, table.c.record == record.c.id)
        return out.join(searchable, searchable.c.record == record.c.id) if self._searches else out

    def where(self) -> list[ColumnElement[bool]]:
        """Return the conditions of the statement."""
        return [condition() for condition in self._conditions]

    def _add(self, name: Any, condition: _Condition, **values: Any) -> None:
        self.shape.append(name)
        self.values.update(values)
        self._conditions.append(condition)

    def _among(self, name: str, column: ColumnElement[Any], items: tuple[Any, ...], without: bool = False) -> None:
        if len(items) == 1 and not without:
            self._add((name, 1), lambda: column == bindparam(name), **{name: items[0]})
        elif items:
            self._add(name, lambda: ~Among(column, name) if without else Among(column, name), **{name: listed(items)})

    def _put_numbers(self, query: ProductQuery) -> None:
        self._among("include", record.c.id, query.include)
        self._among("exclude", record.c.id, query.exclude, without=True)
        self._among("parent", record.c.parent, query.parent)
        self._among("parent_exclude", record.c.parent, query.parent_exclude, without=True)
        self._among("slugs", record.c.slug, query.slugs)

    def _put_dates(self, query: ProductQuery) -> None:
        for name, column in (("date", record.c.date), ("modified", record.c.modified)):
            prefix = "" if name == "date" else "modified_"
            after, before = getattr(query, f"{prefix}after"), getattr(query, f"{prefix}before")
            if after is not None:
                key = f"{prefix}after"
                self._add(key, lambda column=column, key=key: column > bindparam(key), **{key: after})  # type: ignore[misc]
            if before is not None:
                key = f"{prefix}before"
                self._add(key, lambda column=column, key=key: column < bindparam(key), **{key: before})  # type: ignore[misc]

    def _put_members(self, query: ProductQuery) -> None:
        self._among("kinds", table.c.kind, query.kinds)
        self._among("without_kinds", table.c.kind, query.without_kinds, without=True)
        self._among("skus", table.c.sku_key, query.skus)
        self._among("stock_statuses", table.c.stock_status, query.stock_statuses)
        if query.stock_status:
            self._add("stock", lambda: table.c.stock_status == bindparam("stock"), stock=query.stock_status)
        if query.tax_class is not None:
            self._add("tax_class", lambda: table.c.tax_class == bindparam("tax_class"), tax_class=query.tax_class)
        for name in ("featured", "on_sale", "virtual", "downloadable"):
            wanted = getattr(query, name)
            if wanted is not None:
                # Written as the partial indexes have it.
                self._add((name, wanted), lambda name=name, wanted=wanted: table.c[name] if wanted else ~table.c[name])  # type: ignore[misc]
        for at, (key, options) in enumerate(query.choices):
            names = [f"choice_{at}_{number}" for number in range(len(options))]
            parts = {
                name: orjson.dumps({key: value}).decode()[1:-1] for name, value in zip(names, options, strict=True)
            }
            self._add(
                ("choice", len(names)),
                lambda names=names: or_(*(Contains(table.c.choices, name) for name in names)),  # type: ignore[misc]
                **parts,
            )

    def _put_price(self, query: ProductQuery) -> None:
        if query.has_price is not None:
            wanted = query.has_price
            self._add(("has_price", wanted), lambda: (table.c.price != "") if wanted else (table.c.price == ""))
        low, high = query.price_from, query.price_to
        if low is None and high is None:
            return

        def within(column: ColumnElement[Any]) -> ColumnElement[bool]:
            bounds = [column >= bindparam("price_low")] if low is not None else []
            return and_(*bounds, *([column <= bindparam("price_high")] if high is not None else []))

        values = {name: value for name, value in (("price_low", low), ("price_high", high)) if value is not None}
        self._add(("price", *values), lambda: or_(within(table.c.price_from), within(table.c.price_to)), **values)

    def _put_groups(self, work: Work, query: ProductQuery) -> None:
        for at, one in enumerate(query.groups):
            ids = set(one.ids)
            if one.children:
                ids |= terms.descendants(work.tx, one.taxonomy, one.ids)
            name = f"group_{at}"
            self._add(
                name,
                lambda name=name: record.c.id.in_(select(_HELD.c.record).where(Among(_HELD.c.term, name))),  # type: ignore[misc]
                **{name: listed(ids)},
            )

    def _put_texts(self, work: Work, query: ProductQuery) -> None:
        if query.part_of_sku:
            self._add("part_of_sku", lambda: Contains(table.c.sku_key, "part_of_sku"), part_of_sku=query.part_of_sku)
        if query.name_or_sku:
            self._add(
                "name_or_sku",
                lambda: or_(Contains(searchable.c.title, "name_or_sku"), Contains(table.c.sku_key, "name_or_sku")),
                name_or_sku=query.name_or_sku,
            )
        if query.search is None:
            return
        fields = query.search_in or _EVERYWHERE
        if set(fields) <= set(_EVERYWHERE):
            narrow = search_index.narrowed(work.tx, query.search.wanted)
            if narrow is not None:
                self._add("narrowed", lambda: search_index.narrowing(record.c.id), **narrow)
        for kind, words in (("wanted", query.search.wanted), ("unwanted", query.search.unwanted)):
            for at, word in enumerate(words):
                name = f"{kind}_{at}"
                self._add(
                    (kind, fields),
                    lambda name=name, kind=kind: _found_in(fields, name, without=kind == "unwanted"),  # type: ignore[misc]
                    **{name: word},
                )


def _found_in(fields: tuple[str, ...], name: str, *, without: bool) -> ColumnElement[bool]:
    found = or_(*(Contains(_SEARCHED[field](), name) for field in fields))
    return ~found if without else found
