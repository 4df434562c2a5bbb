"""The query of a product list, and its filters as conditions of a statement.

Not here: order, pages and totals (shop/products/listing.py), arguments (shop/products/list_arguments.py). Rules:
docs/rules/products.md, 8; docs/rules/shop_requests.md, 6.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import and_, bindparam, or_, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends import search_index
from vetrina.backends.statement_cache import ContainsText, InList, encode_list
from vetrina.backends.tables.catalogue import product as table
from vetrina.backends.tables.records import record, searchable
from vetrina.backends.tables.terms import record_term
from vetrina.content.search.terms import SearchTerms
from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.products.model import GROUPED

UNTRASHED_STATUSES: Final = ("publish", "future", "draft", "pending", "private")


class ProductTermFilter(msgspec.Struct, frozen=True):
    """A filter by terms of a taxonomy, of which a product must have one; children: descendants match too.

    without: products with any of them are excluded.
    """

    taxonomy: str
    ids: tuple[int, ...]
    children: bool = False
    without: bool = False


class ProductQuery(msgspec.Struct, frozen=True, kw_only=True):
    """The query of a list; an empty tuple, an empty text or None filters nothing.

    after … modified_before: local seconds. price_from, price_to: millionths. choices: of variations, by attribute key,
    values of which one must be chosen. skus: lower case. part_of_sku, name_or_sku: folded substrings. ratings: whole
    stars, one of which must be the average. open_parent: the parent product must be published and without a password.
    """

    types: tuple[str, ...] = ("product",)
    statuses: tuple[str, ...] = UNTRASHED_STATUSES
    kinds: tuple[str, ...] = ()
    without_kinds: tuple[str, ...] = ()
    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    parent: tuple[int, ...] = ()
    parent_exclude: tuple[int, ...] = ()
    slugs: tuple[str, ...] = ()
    skus: tuple[str, ...] = ()
    global_ids: tuple[str, ...] = ()
    part_of_sku: str = ""
    name_or_sku: str = ""
    search: SearchTerms | None = None
    search_in: tuple[str, ...] = ()
    open_texts: bool = False
    after: int | None = None
    before: int | None = None
    modified_after: int | None = None
    modified_before: int | None = None
    groups: tuple[ProductTermFilter, ...] = ()
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
    visibilities: tuple[str, ...] = ()
    ratings: tuple[int, ...] = ()
    open_parent: bool = False
    orderby: str = "date"
    descending: bool = True
    limit: int = 10
    offset: int = 0


_ConditionBuilder = Callable[[], ColumnElement[bool]]

_PRODUCT_TERM = record_term.alias("held")
_PARENT_RECORD = record.alias("above")
_SEARCH_COLUMNS: Final = {
    "name": lambda: searchable.c.title,
    "description": lambda: searchable.c.content,
    "short_description": lambda: searchable.c.excerpt,
    "sku": lambda: table.c.sku_key,
    "global_unique_id": lambda: table.c.global_unique_id,
}
_PROTECTED_FIELDS: Final = frozenset({"description", "short_description"})  # protected by a password
_SEARCH_FIELDS: Final = ("name", "description", "short_description")


class ProductFilters:
    """The filters of one query beyond types, statuses and languages; values: their bound values."""

    def __init__(self, work: UnitOfWork, query: ProductQuery) -> None:
        self.values: dict[str, Any] = {}
        self.key_parts: list[Any] = []
        self._joins_search_index = query.search is not None or bool(query.name_or_sku)
        self._conditions: list[_ConditionBuilder] = []
        self._put_numbers(query)
        self._put_dates(query)
        self._put_members(query)
        self._put_price(query)
        self._put_groups(work, query)
        self._put_texts(work, query)
        self.key = tuple(self.key_parts)

    def source(self) -> Any:
        """Return the FROM clause of the statement."""
        out = record.join(table, table.c.record == record.c.id)
        return out.join(searchable, searchable.c.record == record.c.id) if self._joins_search_index else out

    def where(self) -> list[ColumnElement[bool]]:
        """Return the conditions of the statement."""
        return [condition() for condition in self._conditions]

    def _add(self, name: Any, condition: _ConditionBuilder, **values: Any) -> None:
        self.key_parts.append(name)
        self.values.update(values)
        self._conditions.append(condition)

    def _add_membership(
        self, name: str, column: ColumnElement[Any], items: tuple[Any, ...], without: bool = False
    ) -> None:
        if len(items) == 1 and not without:
            self._add((name, 1), lambda: column == bindparam(name), **{name: items[0]})
        elif items:
            self._add(
                name, lambda: ~InList(column, name) if without else InList(column, name), **{name: encode_list(items)}
            )

    def _put_numbers(self, query: ProductQuery) -> None:
        self._add_membership("include", record.c.id, query.include)
        self._add_membership("exclude", record.c.id, query.exclude, without=True)
        self._add_membership("parent", record.c.parent, query.parent)
        self._add_membership("parent_exclude", record.c.parent, query.parent_exclude, without=True)
        self._add_membership("slugs", record.c.slug, query.slugs)

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
        self._add_membership("kinds", table.c.kind, query.kinds)
        self._add_membership("without_kinds", table.c.kind, query.without_kinds, without=True)
        self._add_membership("skus", table.c.sku_key, query.skus)
        self._add_membership("global_ids", table.c.global_unique_id, query.global_ids)
        self._add_membership("stock_statuses", table.c.stock_status, query.stock_statuses)
        self._add_membership("visibilities", table.c.visibility, query.visibilities)
        if query.open_parent:
            self._add("open_parent", _build_visible_parent_condition, above_status="publish", above_password="")
        if query.ratings:
            stars = tuple(sorted(set(query.ratings)))
            self._add(("ratings", *stars), lambda: or_(*(_build_rating_condition(one) for one in stars)))
        if query.stock_status:
            self._add("stock", lambda: table.c.stock_status == bindparam("stock"), stock=query.stock_status)
        if query.tax_class is not None:
            self._add("tax_class", lambda: table.c.tax_class == bindparam("tax_class"), tax_class=query.tax_class)
        if query.on_sale is not None:
            self._add(
                ("on_sale", query.on_sale), _build_on_sale_condition if query.on_sale else _build_not_on_sale_condition
            )
        for name in ("featured", "virtual", "downloadable"):
            wanted = getattr(query, name)
            if wanted is not None:
                # Written as in the partial indexes.
                self._add((name, wanted), lambda name=name, wanted=wanted: table.c[name] if wanted else ~table.c[name])  # type: ignore[misc]
        for at, (key, options) in enumerate(query.choices):
            names = [f"choice_{at}_{number}" for number in range(len(options))]
            parts = {
                name: orjson.dumps({key: value}).decode()[1:-1] for name, value in zip(names, options, strict=True)
            }
            # Here and below: mypy does not infer a lambda that binds a loop variable as its default.
            self._add(
                ("choice", len(names)),
                lambda names=names: or_(*(ContainsText(table.c.choices, name) for name in names)),  # type: ignore[misc]
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

    def _put_groups(self, work: UnitOfWork, query: ProductQuery) -> None:
        for at, one in enumerate(query.groups):
            ids = set(one.ids)
            if one.children:
                # 0 stands for an unknown term; its direct children would be all top-level terms.
                ids |= term_store.list_descendant_ids(work.tx, one.taxonomy, [id for id in one.ids if id])
            name = f"group_{at}"
            self._add(
                (name, one.without),
                lambda name=name, without=one.without: _build_term_condition(name, without=without),  # type: ignore[misc]
                **{name: encode_list(ids)},
            )

    def _put_texts(self, work: UnitOfWork, query: ProductQuery) -> None:
        if query.part_of_sku:
            self._add(
                "part_of_sku", lambda: ContainsText(table.c.sku_key, "part_of_sku"), part_of_sku=query.part_of_sku
            )
        if query.name_or_sku:
            self._add(
                "name_or_sku",
                lambda: or_(
                    ContainsText(searchable.c.title, "name_or_sku"), ContainsText(table.c.sku_key, "name_or_sku")
                ),
                name_or_sku=query.name_or_sku,
            )
        if query.search is None:
            return
        fields = query.search_in or _SEARCH_FIELDS
        if set(fields) <= set(_SEARCH_FIELDS):
            narrow = search_index.build_search_values(work.tx, query.search.wanted)
            if narrow is not None:
                self._add("narrowed", lambda: search_index.build_search_condition(record.c.id), **narrow)
        for kind, words in (("wanted", query.search.wanted), ("unwanted", query.search.unwanted)):
            for at, word in enumerate(words):
                name = f"{kind}_{at}"
                self._add(
                    (kind, fields, query.open_texts),
                    lambda name=name, kind=kind: _build_search_condition(  # type: ignore[misc]
                        fields, name, query.open_texts, without=kind == "unwanted"
                    ),
                    **{name: word},
                )


def _build_term_condition(name: str, *, without: bool) -> ColumnElement[bool]:
    found = record.c.id.in_(select(_PRODUCT_TERM.c.record).where(InList(_PRODUCT_TERM.c.term, name)))
    return ~found if without else found


def _build_visible_parent_condition() -> ColumnElement[bool]:
    """Return the condition that a record has no parent, or one visible to everybody."""
    seen = select(_PARENT_RECORD.c.id).where(
        _PARENT_RECORD.c.status == bindparam("above_status"), _PARENT_RECORD.c.password == bindparam("above_password")
    )
    return or_(record.c.parent == 0, record.c.parent.in_(seen))


def _build_on_sale_condition() -> ColumnElement[bool]:
    """Return the condition that a product counts as on sale; a grouped product does not, only its members."""
    return and_(table.c.on_sale, table.c.kind != GROUPED)


def _build_not_on_sale_condition() -> ColumnElement[bool]:
    """Return the condition that a product does not count as on sale."""
    return or_(~table.c.on_sale, table.c.kind == GROUPED)


def _build_rating_condition(stars: int) -> ColumnElement[bool]:
    """Return the condition that the average rating, stored in hundredths, rounds to a number of stars."""
    return and_(table.c.rating_count > 0, table.c.rating >= stars * 100 - 50, table.c.rating < stars * 100 + 50)


def _build_search_condition(
    fields: tuple[str, ...], name: str, open_texts: bool, *, without: bool
) -> ColumnElement[bool]:
    found = or_(*(_build_field_condition(field, name, open_texts and field in _PROTECTED_FIELDS) for field in fields))
    return ~found if without else found


def _build_field_condition(field: str, name: str, open_alone: bool) -> ColumnElement[bool]:
    holds = ContainsText(_SEARCH_COLUMNS[field](), name)
    return and_(record.c.password == "", holds) if open_alone else holds
