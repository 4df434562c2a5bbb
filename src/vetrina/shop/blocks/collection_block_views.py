"""Blocks that list products: collections, the products of a page, related ones, and the old blocks with one purpose.

Each finds its products at once, with all that the blocks inside need (shop/blocks/shown_product_views.py). Rules:
docs/rules/catalogue_pages.md, 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final

from vetrina.content.blocks.block_context import BlockContext, BlockQueryResult, BlockRenderFunction
from vetrina.content.blocks.grammar import parse_blocks
from vetrina.content.blocks.rendering import BlockParts
from vetrina.core.phrases import Phrases
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.rest.coercion import coerce_integer
from vetrina.shop.blocks.collection_arguments import (
    COLLECTIONS,
    build_arguments,
    build_result,
    find_products,
    parse_attribute_values,
    parse_collection,
    parse_ids,
    parse_operator,
)
from vetrina.shop.blocks.product_block_views import render_wrapped
from vetrina.shop.blocks.shown_product_views import (
    ShownProduct,
    find_shown_product,
    get_block_language,
    load_shown_products,
)
from vetrina.shop.products import model as product_model, product_types, related
from vetrina.shop.products.model import CROSS_SELL, UPSELL

_PHRASES: Final = Phrases("vetrina.shop.blocks")
_CARD: Final = (
    "<!-- wp:shop/product-image /-->"
    '<!-- wp:post-title {"isLink":true,"level":3,"fontSize":"medium"} /-->'
    "<!-- wp:shop/product-rating /--><!-- wp:shop/product-price /--><!-- wp:shop/product-button /-->"
)
_LAYOUTS: Final = "shop.collection_layouts"  # of the collections that are being rendered, the innermost last
_MAX_COLUMNS: Final = 6
_MAX_ROWS: Final = 6
_MAX_RELATED: Final = 8
_OLD_ORDERS: Final[Mapping[str, tuple[str, str]]] = {
    "date": ("date", "desc"), "popularity": ("popularity", "desc"), "rating": ("rating", "desc"),
    "price_asc": ("price", "asc"), "price_desc": ("price", "desc"), "title": ("title", "asc"),
    "menu_order": ("menu_order", "asc"),
}  # fmt: skip


# -- collections


def _render_collection(place: BlockContext) -> str:
    attributes = place.attributes
    given = attributes.get("query")
    query: Mapping[str, Any] = given if isinstance(given, dict) else {}
    name = str(attributes.get("collection") or "").rpartition("/")[2]
    found = _find_collection(place, query, name)
    if found is None or (name in _LINKED and not found.rows):
        return ""
    layouts: list[Mapping[str, Any]] = place.work.lookups.setdefault(_LAYOUTS, [])
    given = attributes.get("displayLayout")
    layouts.append(given if isinstance(given, dict) else {})
    try:
        return place.inner(found=found)
    finally:
        layouts.pop()


def _find_collection(place: BlockContext, query: Mapping[str, Any], name: str) -> BlockQueryResult | None:
    page, work = place.scene.page, place.work
    number = coerce_integer(place.attributes.get("queryId")) or 0
    if name in _LINKED:
        reference = place.attributes.get("collectionData")
        size = coerce_integer(query.get("perPage")) or related.MAX_RELATED
        shown = _find_reference(place, query, reference)
        products = _LINKED[name](work, shown, max(1, min(_MAX_RELATED, size))) if shown is not None else []
        return build_result(products, len(products), build_arguments({}, max(1, len(products))), number=number)
    if query.get("inherit") is True and page is not None and page.found is not None:
        return page.found if page.found.query.type == product_types.PRODUCT.name else None
    at = page.query_pages.get(number, 1) if page is not None else 1
    args = parse_collection(work, query, name, at)
    return build_result(*find_products(work, args), args, number=number)


def _find_reference(place: BlockContext, query: Mapping[str, Any], data: Any) -> ShownProduct | None:
    """Return the product to which others are related: the one that the block names, else that of the page."""
    given = query.get("productReference", data.get("productReference") if isinstance(data, dict) else None)
    id = coerce_integer(given)
    if id:
        return next(iter(load_shown_products(place.work, [id])), None)
    return find_shown_product(place)


def _render_template(place: BlockContext) -> str:
    """Return the products that the block around it found, each with the blocks inside."""
    found = place.scene.found
    if found is None or not found.rows or found.query.type != product_types.PRODUCT.name:
        return ""
    layouts: list[Mapping[str, Any]] = place.work.lookups.get(_LAYOUTS) or [{}]
    given = layouts[-1]
    kind = "list" if given.get("type") == "list" else "grid"
    items = "".join(f'<li class="shop-product">{place.inner(record=row)}</li>' for row in found.rows)
    return render_wrapped(
        place, "product-template", items, f"is-product-{kind}", f"columns-{_read_columns(given)}", tag="ul"
    )


def _read_columns(given: Mapping[str, Any]) -> int:
    return max(1, min(_MAX_COLUMNS, coerce_integer(given.get("columns")) or 3))


def _render_no_results(place: BlockContext) -> str:
    found = place.scene.found
    if found is None or found.rows:
        return ""
    html = place.inner().strip()
    if not html:
        html = f"<p>{_PHRASES.translate(get_block_language(place), 'No products were found.')}</p>"
    return render_wrapped(place, "product-collection-no-results", html)


def _render_results_count(place: BlockContext) -> str:
    page = place.scene.page
    found = place.scene.found or (page.found if page is not None else None)
    if found is None or not found.total or found.query.type != product_types.PRODUCT.name:
        return ""
    language, total = get_block_language(place), found.total
    first = (found.page - 1) * found.query.per_page + 1
    last = first + len(found.rows) - 1
    if total == 1:
        text = _PHRASES.translate(language, "One product")
    elif first == 1 and last == total:
        text = _PHRASES.translate(language, "{total} products", total=total)
    else:
        text = _PHRASES.translate(
            language, "Products {first} to {last} of {total}", first=first, last=last, total=total
        )
    return render_wrapped(place, "product-results-count", text, tag="p")


# -- products linked with another


def list_related(work: UnitOfWork, shown: ShownProduct, size: int) -> list[ShownProduct]:
    """Return products that share a category or a tag with one."""
    linked = product_model.list_product_links(work, [shown.id]).get(shown.id, {})
    ids = related.list_related_ids(work, [shown.product], {shown.id: shown.terms}, {shown.id: linked.get(UPSELL, ())})[
        shown.id
    ]
    return _filter_listed(load_shown_products(work, ids))[:size]


def _list_linked(kind: str) -> Callable[[UnitOfWork, ShownProduct, int], list[ShownProduct]]:
    def list_linked(work: UnitOfWork, shown: ShownProduct, size: int) -> list[ShownProduct]:
        ids = product_model.list_product_links(work, [shown.id]).get(shown.id, {}).get(kind, [])
        return _filter_listed(load_shown_products(work, ids))[:size]

    return list_linked


def _filter_listed(found: Iterable[ShownProduct]) -> list[ShownProduct]:
    """Return products without those that the catalogue hides."""
    return [one for one in found if one.product.visibility in ("visible", "catalog")]


_LINKED: Final[Mapping[str, Callable[[UnitOfWork, ShownProduct, int], list[ShownProduct]]]] = {
    "cross-sells": _list_linked(CROSS_SELL),
    "related": list_related,
    "upsells": _list_linked(UPSELL),
}


def _render_linked(name: str, heading: Callable[[str], str]) -> BlockRenderFunction:
    """Return what renders the products of one kind of link under a heading. heading: in a language."""

    def render_linked(place: BlockContext) -> str:
        shown = find_shown_product(place)
        products = _LINKED[name](place.work, shown, 4) if shown is not None else []
        if not products:
            return ""
        html = place.inner(found=build_result(products, len(products), build_arguments({}, len(products)))).strip()
        if not html:
            html = f"<h2>{heading(get_block_language(place))}</h2>{render_grid(place, products, 4)}"
        return render_wrapped(place, f"{name}-products", html, "shop-linked-products", tag="section")

    return render_linked


# -- blocks with one purpose


def render_grid(
    place: BlockContext, products: Iterable[ShownProduct], columns: int, parts: BlockParts | None = None
) -> str:
    """Return products as a grid; parts: the blocks of each, the usual ones by default."""
    card = _parse_card() if parts is None else parts
    items = "".join(f'<li class="shop-product">{place.inner(card, record=one.product.record)}</li>' for one in products)
    return f'<ul class="wp-block-shop-product-template is-product-grid columns-{columns}">{items}</ul>'


@cache
def _parse_card() -> BlockParts:
    return parse_blocks(_CARD)


def _render_old_list(
    name: str, given: Mapping[str, Any], attribute: str = "", argument: str = ""
) -> BlockRenderFunction:
    """Return what renders a list with one purpose.

    given: its arguments. attribute: of the block, with the ids of terms or products, for an argument of the list.
    """

    def render_list(place: BlockContext) -> str:
        attributes = place.attributes
        columns = max(1, min(_MAX_COLUMNS, coerce_integer(attributes.get("columns")) or 3))
        rows = max(1, min(_MAX_ROWS, coerce_integer(attributes.get("rows")) or 3))
        wanted: dict[str, Any] = dict(given)
        if order := _OLD_ORDERS.get(str(attributes.get("orderby"))):
            wanted["orderby"], wanted["order"] = order
        if ids := parse_ids(attributes.get("categories")):
            wanted |= {
                "category": ",".join(map(str, ids)),
                "category_operator": parse_operator(attributes.get("catOperator")),
            }
        if attribute:
            ids = parse_ids(attributes.get(attribute))
            if not ids:
                return ""
            wanted[argument] = ids if argument == "include" else ",".join(map(str, ids))
            if argument == "include":
                wanted |= {"orderby": wanted.get("orderby", "include"), "order": wanted.get("order", "asc")}
        if isinstance(values := attributes.get("attributes"), list):
            wanted["attributes"] = parse_attribute_values(place.work, values)
        products, _ = find_products(place.work, build_arguments(wanted, columns * rows))
        return render_wrapped(place, name, render_grid(place, products, columns)) if products else ""

    return render_list


def _render_single(place: BlockContext) -> str:
    """Return one product with the blocks inside."""
    id = coerce_integer(place.attributes.get("productId"))
    shown = next(iter(load_shown_products(place.work, [id])), None) if id else None
    if shown is None:
        return ""
    inner = place.inner(record=shown.product.record).strip()
    return render_wrapped(place, "single-product", inner or place.inner(_parse_card(), record=shown.product.record))


BLOCKS: Final[Mapping[str, BlockRenderFunction]] = {
    "shop/all-products": _render_old_list("all-products", {}),
    "shop/handpicked-products": _render_old_list("handpicked-products", {}, "products", "include"),
    "shop/product-best-sellers": _render_old_list("product-best-sellers", COLLECTIONS["best-sellers"]),
    "shop/product-category": _render_old_list("product-category", {}),
    "shop/product-collection": _render_collection,
    "shop/product-collection-no-results": _render_no_results,
    "shop/product-new": _render_old_list("product-new", COLLECTIONS["new-arrivals"]),
    "shop/product-on-sale": _render_old_list("product-on-sale", COLLECTIONS["on-sale"]),
    "shop/product-results-count": _render_results_count,
    "shop/product-tag": _render_old_list("product-tag", {}, "tags", "tag"),
    "shop/product-template": _render_template,
    "shop/product-top-rated": _render_old_list("product-top-rated", COLLECTIONS["top-rated"]),
    "shop/products-by-attribute": _render_old_list("products-by-attribute", {}),
    "shop/related-products": _render_linked(
        "related", lambda language: _PHRASES.translate(language, "Related products")
    ),
    "shop/single-product": _render_single,
    "shop/upsells": _render_linked(
        "upsells", lambda language: _PHRASES.translate(language, "You may also like")
    ),
}  # fmt: skip
