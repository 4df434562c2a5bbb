"""What a list of products asks for, and its filters as conditions of a statement.

Not here: order, pages and totals (shop/products/listing.py), the arguments that say a query (namespaces).
Rules: facts, "Other" (filters seen) and "Lists".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import and_, bindparam, or_, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends import search_index
from vetrina.backends.statement_cache import Among, Contains, listed
from vetrina.backends.tables.catalogue import product as table
from vetrina.backends.tables.core import record, record_term, searchable
from vetrina.content.search.terms import SearchTerms
from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import Work
from vetrina.shop.products.model import GROUPED

__all__ = ["ANY", "Filters", "InGroup", "ProductQuery"]

ANY: Final = ("publish", "future", "draft", "pending", "private")


class InGroup(msgspec.Struct, frozen=True):
    """A filter by terms of a taxonomy, of which one must be there; children: those beneath count too.

    without: none of them may be there.
    """

    taxonomy: str
    ids: tuple[int, ...]
    children: bool = False
    without: bool = False


class ProductQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What a list asks for; an empty tuple, an empty text or None filters nothing.

    after … modified_before: local seconds. price_from, price_to: millionths. choices: of variations, by the key of the
    attribute, values of which one must be chosen. skus: lower case. part_of_sku, name_or_sku: folded parts.
    ratings: whole stars, of which one must be the average. open_parent: what is above must be published and open.
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
    visibilities: tuple[str, ...] = ()
    ratings: tuple[int, ...] = ()
    open_parent: bool = False
    orderby: str = "date"
    descending: bool = True
    limit: int = 10
    start: int = 0


_Condition = Callable[[], ColumnElement[bool]]

_HELD = record_term.alias("held")
_ABOVE = record.alias("above")
_SEARCHED: Final = {
    "name": lambda: searchable.c.title,
    "description": lambda: searchable.c.content,
    "short_description": lambda: searchable.c.excerpt,
    "sku": lambda: table.c.sku_key,
    "global_unique_id": lambda: table.c.global_unique_id,
}
_TEXTS: Final = frozenset({"description", "short_description"})  # what a password protects
_EVERYWHERE: Final = ("name", "description", "short_description")


class Filters:
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
        self._among("global_ids", table.c.global_unique_id, query.global_ids)
        self._among("stock_statuses", table.c.stock_status, query.stock_statuses)
        self._among("visibilities", table.c.visibility, query.visibilities)
        if query.open_parent:
            self._add("open_parent", _open_above, above_status="publish", above_password="")
        if query.ratings:
            stars = tuple(sorted(set(query.ratings)))
            self._add(("ratings", *stars), lambda: or_(*(_rated(one) for one in stars)))
        if query.stock_status:
            self._add("stock", lambda: table.c.stock_status == bindparam("stock"), stock=query.stock_status)
        if query.tax_class is not None:
            self._add("tax_class", lambda: table.c.tax_class == bindparam("tax_class"), tax_class=query.tax_class)
        if query.on_sale is not None:
            self._add(("on_sale", query.on_sale), _on_sale if query.on_sale else _not_on_sale)
        for name in ("featured", "virtual", "downloadable"):
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
                # 0 stands for a term that there is not; what is right beneath it would be every term at the top.
                ids |= term_store.descendants(work.tx, one.taxonomy, [id for id in one.ids if id])
            name = f"group_{at}"
            self._add(
                (name, one.without),
                lambda name=name, without=one.without: _has_term(name, without=without),  # type: ignore[misc]
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
                    (kind, fields, query.open_texts),
                    lambda name=name, kind=kind: _found_in(  # type: ignore[misc]
                        fields, name, query.open_texts, without=kind == "unwanted"
                    ),
                    **{name: word},
                )


def _has_term(name: str, *, without: bool) -> ColumnElement[bool]:
    found = record.c.id.in_(select(_HELD.c.record).where(Among(_HELD.c.term, name)))
    return ~found if without else found


def _open_above() -> ColumnElement[bool]:
    """Return the condition that nothing stands above a record, or what everybody may see."""
    seen = select(_ABOVE.c.id).where(
        _ABOVE.c.status == bindparam("above_status"), _ABOVE.c.password == bindparam("above_password")
    )
    return or_(record.c.parent == 0, record.c.parent.in_(seen))


def _on_sale() -> ColumnElement[bool]:
    """Return the condition that a product is found among those on sale; a group is not, only its parts are."""
    return and_(table.c.on_sale, table.c.kind != GROUPED)


def _not_on_sale() -> ColumnElement[bool]:
    """Return the condition that a product is not found among those on sale."""
    return or_(~table.c.on_sale, table.c.kind == GROUPED)


def _rated(stars: int) -> ColumnElement[bool]:
    """Return the condition that the average, kept in hundredths, is rounded to so many stars."""
    return and_(table.c.rating_count > 0, table.c.rating >= stars * 100 - 50, table.c.rating < stars * 100 + 50)


def _found_in(fields: tuple[str, ...], name: str, open_texts: bool, *, without: bool) -> ColumnElement[bool]:
    found = or_(*(_held_in(field, name, open_texts and field in _TEXTS) for field in fields))
    return ~found if without else found


def _held_in(field: str, name: str, open_alone: bool) -> ColumnElement[bool]:
    holds = Contains(_SEARCHED[field](), name)
    return and_(record.c.password == "", holds) if open_alone else holds
