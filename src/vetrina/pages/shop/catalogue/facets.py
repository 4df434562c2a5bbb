"""What can be chosen among the products of a list, with how many there are of each where that is quickly counted.

The counts are those of the list without filters, so that a choice does not change the others. Rules:
docs/rules/catalogue_pages.md, 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

import msgspec

from vetrina.content.terms import listing as term_listing, store as term_store
from vetrina.content.terms.listing import TermListFilters
from vetrina.content.terms.store import Term
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.pages.shop.catalogue.listings import CatalogueList
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.attributes.rules import ProductAttribute
from vetrina.shop.blocks.collection_arguments import build_arguments, build_query
from vetrina.shop.products import listing as product_listing, product_types

_LOOKUP: Final = "shop.catalogue_facets"
_MAX_COUNTED: Final = 500  # products of a list, up to which they are counted for its filters
_MAX_ATTRIBUTES: Final = 8
_MAX_TERMS: Final = 60  # of one attribute, or categories


@dataclass(frozen=True)
class CatalogueFacets:
    """What can be chosen. counted: whether the numbers of products are known; the others are empty then.

    prices: the lowest and the highest. stock: by status; stars: by whole stars; terms: by id. attributes: with their
    values in order. categories: by name.
    """

    counted: bool
    prices: tuple[Decimal, Decimal] | None = None
    stock: Mapping[str, int] = field(default_factory=dict)
    stars: Mapping[int, int] = field(default_factory=dict)
    terms: Mapping[int, int] = field(default_factory=dict)
    attributes: tuple[tuple[ProductAttribute, tuple[Term, ...]], ...] = ()
    categories: tuple[Term, ...] = ()


def load_facets(work: UnitOfWork, catalogue: CatalogueList) -> CatalogueFacets:
    """Return what can be chosen in a list, loaded once for a page."""
    known: CatalogueFacets | None = work.lookups.get(_LOOKUP)
    if known is None:
        known = work.lookups[_LOOKUP] = _load_facets(work, catalogue)
    return known


def _load_facets(work: UnitOfWork, catalogue: CatalogueList) -> CatalogueFacets:
    groups = (catalogue.shelf,) if catalogue.shelf is not None else ()
    query = build_query(work, build_arguments(catalogue.base, 1), groups)
    if query is None:
        return CatalogueFacets(counted=True)
    found = list(attributes.load_attributes(work).values())[:_MAX_ATTRIBUTES]
    work.uses("product_attribute", product_types.CATEGORY.name, *(one.taxonomy for one in found))
    total = catalogue.total if catalogue.total >= 0 else product_listing.list_products(work, query)[1]
    if total > _MAX_COUNTED:
        return _load_uncounted(work, found)
    query = msgspec.structs.replace(query, offset=0)
    counts = {row[0]: int(row[1]) for row in product_listing.compute_product_facets(work, query, "term")}
    terms = term_store.find_terms(work.tx, sorted(counts))
    prices = next(iter(product_listing.compute_product_facets(work, query, "price")), (None, None))
    stock = {row[0]: int(row[1]) for row in product_listing.compute_product_facets(work, query, "stock_status")}
    stars: dict[int, int] = {}
    for hundredths, count in product_listing.compute_product_facets(work, query, "rating"):
        star = (hundredths + 50) // 100
        stars[star] = stars.get(star, 0) + int(count)
    return CatalogueFacets(
        True,
        (money.decode_amount(prices[0]), money.decode_amount(prices[1])) if None not in prices else None,
        stock,
        stars,
        counts,
        tuple((one, _sort_values(one, terms)) for one in found),
        _sort_categories(terms),
    )


def _load_uncounted(work: UnitOfWork, found: list[ProductAttribute]) -> CatalogueFacets:
    """Return what can be chosen in a long list: all values that any product has."""
    filters = TermListFilters(hide_empty=True, limit=_MAX_TERMS)
    values = []
    for one in found:
        terms, _ = term_listing.list_terms(work, attributes.build_attribute_taxonomy(one), filters)
        values.append((one, tuple(sorted(terms, key=attributes.build_term_sort_key(one.order_by)))))
    categories, _ = term_listing.list_terms(work, product_types.CATEGORY, filters)
    return CatalogueFacets(counted=False, attributes=tuple(values), categories=tuple(categories))


def _sort_values(attribute: ProductAttribute, terms: Mapping[int, Term]) -> tuple[Term, ...]:
    own = [one for one in terms.values() if one.taxonomy == attribute.taxonomy]
    return tuple(sorted(own, key=attributes.build_term_sort_key(attribute.order_by))[:_MAX_TERMS])


def _sort_categories(terms: Mapping[int, Term]) -> tuple[Term, ...]:
    own = [one for one in terms.values() if one.taxonomy == product_types.CATEGORY.name]
    return tuple(sorted(own, key=lambda one: term_store.build_name_key(one.name))[:_MAX_TERMS])
