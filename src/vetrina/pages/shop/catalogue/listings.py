"""The lists of products that have addresses: the shop's page, categories, tags, brands, attributes, and searches.

What they find is what the visitors' interface lists (shop/blocks/collection_arguments.py). Rules:
docs/rules/catalogue_pages.md, 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from urllib.parse import quote

from vetrina.content.blocks.block_context import BlockQueryResult
from vetrina.content.records import permalinks
from vetrina.content.records.model import Record
from vetrina.content.records.query import RecordQuery, TermFilter
from vetrina.content.search.terms import parse_search
from vetrina.content.terms.store import Term
from vetrina.core.phrases import Phrases
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design.templates import template_hierarchy
from vetrina.pages import list_pages
from vetrina.pages.list_pages import RecordListing
from vetrina.pages.markup import render_element
from vetrina.pages.page_context import get_text
from vetrina.pages.page_request import PageRequest, get_record_title, strip_markup
from vetrina.pages.shop.catalogue.chosen_filters import ChosenFilters, read_filters
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.blocks.collection_arguments import build_arguments, build_result, find_products
from vetrina.shop.products import product_types
from vetrina.shop.products.filters import ProductTermFilter
from vetrina.shop.settings.shop_pages import SHOP_PAGE, is_shop_page

_PHRASES: Final = Phrases("vetrina.pages.shop.catalogue")
_LOOKUP: Final = "shop.catalogue"
_DEFAULT_SIZE: Final = 24  # products on a page
_MAX_SEARCH: Final = 200  # characters
_PRODUCT: Final = product_types.PRODUCT.name
_SHELVES: Final = {one.name: one for one in (product_types.CATEGORY, product_types.TAG, product_types.BRAND)}
_PLAIN_BLOCKS: Final = (
    "<!-- wp:shop/product-results-count /--><!-- wp:shop/catalog-sorting /--><!-- wp:shop/product-filters /-->"
    '<!-- wp:shop/product-collection {"query":{"inherit":true}} -->'
    "<!-- wp:shop/product-template --><!-- wp:shop/product-image /-->"
    '<!-- wp:post-title {"isLink":true,"level":2} /--><!-- wp:shop/product-price /--><!-- wp:shop/product-button /-->'
    "<!-- /wp:shop/product-template --><!-- wp:query-pagination --><!-- wp:query-pagination-previous /-->"
    "<!-- wp:query-pagination-numbers /--><!-- wp:query-pagination-next /--><!-- /wp:query-pagination -->"
    "<!-- wp:shop/product-collection-no-results /--><!-- /wp:shop/product-collection -->"
)


@dataclass(slots=True)
class CatalogueList:
    """The list of products that a page shows.

    address: of its first page without filters. base: its arguments without what the visitor chose. shelf: the term that
    it is of, None for all. total: of its products without filters, -1 while it is unknown.
    """

    address: str
    chosen: ChosenFilters
    base: Mapping[str, Any]
    shelf: ProductTermFilter | None = None
    total: int = -1


def get_catalogue_list(page: PageRequest) -> CatalogueList | None:
    """Return the list of products that is being rendered, None on another page."""
    found: CatalogueList | None = page.work.lookups.get(_LOOKUP)
    return found


def find_listing(page: PageRequest) -> RecordListing | None:
    """Return the list of products that a URL names, None for another URL."""
    match page.segments:
        case ():
            return _find_search(page)
        case (directory, *slugs) if slugs:
            return _find_shelf(page, directory, slugs)
    return None


def list_in_place(page: PageRequest, record: Record) -> RecordListing | None:
    """Return the list of all products, which stands in the place of the shop's page."""
    work = page.work
    if not is_shop_page(work, record, SHOP_PAGE):
        return None
    work.uses_items(record.type, (record.id,))
    address = permalinks.build_permalink(work, work.site.types[record.type], record)
    title = get_record_title(record)
    query = RecordQuery(type=_PRODUCT, statuses=("publish",))
    return _build_listing(page, title, address, query,
                          template_hierarchy.list_archive_templates(product_types.PRODUCT), {},
                          record=record)  # fmt: skip


def _find_search(page: PageRequest) -> RecordListing | None:
    """Return what a search for products alone finds."""
    query = page.request.query
    if get_text(query, "post_type") != _PRODUCT or _PRODUCT in list_pages.list_closed_types(page):
        return None
    text = get_text(query, "s")[:_MAX_SEARCH]
    parsed = parse_search(text)
    if parsed is None:
        return None
    title = _PHRASES.translate(page.language, "Products for “{text}”", text=text)
    address = f"{page.home}?s={quote(text)}&post_type={_PRODUCT}"
    record_query = RecordQuery(type=_PRODUCT, statuses=("publish",), search=parsed)
    names = ("product-search-results", *template_hierarchy.list_archive_templates(product_types.PRODUCT))
    given = {"search": text, "catalog_visibility": "search"}
    return _build_listing(page, title, address, record_query, names, given, search=text)


def _find_shelf(page: PageRequest, directory: str, slugs: list[str]) -> RecordListing | None:
    """Return the products of a category, a tag, a brand or a value of an attribute."""
    taxonomy = next((one for one in _SHELVES.values() if one.directory == directory), None)
    if taxonomy is None:
        return _find_attribute(page, directory, slugs[0]) if len(slugs) == 1 else None
    found = list_pages.find_term_listing(page, directory, slugs)
    if found is None or found.term is None:
        return None
    shelf = ProductTermFilter(taxonomy.name, (found.term.id,), children=taxonomy.hierarchical)
    names = template_hierarchy.list_term_templates(found.term)
    return _build_listing(
        page, found.title, found.address, found.query, _put_before(names, "archive", "archive-product"), {},
        shelf=shelf, term=found.term, about=found.about, languages=found.languages,
    )  # fmt: skip


def _find_attribute(page: PageRequest, directory: str, slug: str) -> RecordListing | None:
    """Return the products with a value of an attribute whose values have pages."""
    work, name = page.work, attributes.TAXONOMY_PREFIX + directory
    known = attributes.load_attributes(work) if len(directory) <= _MAX_SEARCH else {}
    attribute = next((one for one in known.values() if one.taxonomy == name and one.has_archives), None)
    if attribute is None:
        return None
    work.uses("product_attribute", name)
    term = attributes.load_terms_by_slug(work, ((name, slug),)).get((name, slug))
    if term is None:
        return None
    title = f"{attribute.name}: {strip_markup(term.name)}"
    query = RecordQuery(type=_PRODUCT, statuses=("publish",), terms=(TermFilter(name, (term.id,)),))
    names = (
        f"taxonomy-{name}",
        "taxonomy-product_attribute",
        *template_hierarchy.list_archive_templates(product_types.PRODUCT),
    )
    about = render_element("p", strip_markup(term.description)) if term.description else ""
    return _build_listing(
        page, title, f"{page.home}{quote(directory)}/{quote(slug)}/", query, names, {},
        shelf=ProductTermFilter(name, (term.id,)), about=about,
    )  # fmt: skip


def _build_listing(
    page: PageRequest, title: str, address: str, query: RecordQuery, templates: Any, base: Mapping[str, Any], *,
    shelf: ProductTermFilter | None = None, term: Term | None = None, record: Record | None = None, search: str = "",
    about: str = "", languages: Mapping[str, str] | None = None,
) -> RecordListing:  # fmt: skip
    work, chosen = page.work, read_filters(page)
    found = CatalogueList(address, chosen, base, shelf)
    work.lookups[_LOOKUP] = found
    feed = page.request.path.rstrip("/").rpartition("/")[2] == "feed"
    return RecordListing(
        title, address, query, about=about, empty=_PHRASES.translate(page.language, "No products were found."),
        # The path of a page has no feed.
        feed=not search and record is None, languages=languages or {}, term=term, templates=tuple(templates),
        search=search, query_string=chosen.query_string, record=record, blocks=_PLAIN_BLOCKS,
        # A feed has the newest in front, whatever the list has.
        find=None if feed else partial(_find_page, work, found),
    )  # fmt: skip


def _find_page(work: UnitOfWork, catalogue: CatalogueList, number: int) -> BlockQueryResult | None:
    """Return one page of a list; None for one past its end."""
    args = build_arguments({**catalogue.base, **catalogue.chosen.arguments}, _read_size(work), number)
    found, total = find_products(work, args, (catalogue.shelf,) if catalogue.shelf is not None else ())
    if not catalogue.chosen.list_filters():
        catalogue.total = total
    if number > 1 and not found:
        return None
    return build_result(found, total, args, is_main=True)


def _read_size(work: UnitOfWork) -> int:
    """Return how many products are on a page: rows times columns, where the shop has set them."""
    rows, columns = (work.stored_option(f"shop_catalog_{name}") for name in ("rows", "columns"))
    numbers = [int(one) for one in (rows, columns) if isinstance(one, (int, str)) and str(one).isdecimal() and int(one)]
    return min(100, numbers[0] * numbers[1]) if len(numbers) == 2 else _DEFAULT_SIZE


def _put_before(names: list[str], name: str, new: str) -> list[str]:
    at = names.index(name)
    return [*names[:at], new, *names[at:]]
