"""The shortcodes with which older shops write products into a page, as the blocks that show the same.

What cannot be meant counts as not written, as in the blocks. Not here: where shortcodes are looked for
(pages/page_shortcodes.py), those of cart, checkout and account, which stand for a block of their own. Rules:
docs/rules/catalogue_pages.md, 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.integers import parse_digits
from vetrina.pages.page_features import ShortcodeFunction
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.blocks.collection_arguments import MAX_PER_PAGE
from vetrina.shop.products import model as product_model, product_types

_DEFAULT_LIMIT: Final = 12
_DEFAULT_COLUMNS: Final = 4
_MAX_NAMES: Final = 50  # of terms or products in one shortcode
_YES: Final = ("true", "1", "yes")
_NAMED_ATTRIBUTE: Final = "pa_"
_CARD: Final = (
    "<!-- wp:shop/product-template --><!-- wp:shop/product-image /-->"
    '<!-- wp:post-title {"isLink":true,"level":2,"fontSize":"medium"} /--><!-- wp:shop/product-rating /-->'
    "<!-- wp:shop/product-price /--><!-- wp:shop/product-button /--><!-- /wp:shop/product-template -->"
)
_WHOLE: Final = (
    '<!-- wp:shop/product-image-gallery /--><!-- wp:post-title {"level":2} /--><!-- wp:shop/product-rating /-->'
    "<!-- wp:shop/product-price /--><!-- wp:shop/product-summary /--><!-- wp:shop/add-to-cart-form /-->"
    "<!-- wp:shop/product-meta /-->"
)
_BUTTON: Final = "<!-- wp:shop/product-price /--><!-- wp:shop/product-button /-->"
# By name: what a shortcode of its own is among the lists.
_LISTS: Final[Mapping[str, Mapping[str, str]]] = {
    "products": {},
    "product_category": {},
    "product_attribute": {},
    "recent_products": {"orderby": "date", "order": "desc"},
    "sale_products": {"on_sale": "true"},
    "best_selling_products": {"best_selling": "true"},
    "top_rated_products": {"top_rated": "true"},
    "featured_products": {"visibility": "featured"},
}


def _write_list(work: UnitOfWork, given: Mapping[str, str]) -> str:
    """Return the block of a list of products."""
    limit = given.get("limit") or given.get("per_page") or ""
    size = MAX_PER_PAGE if limit == "-1" else parse_digits(limit) or _DEFAULT_LIMIT
    query: dict[str, Any] = {"perPage": min(size, MAX_PER_PAGE), "postType": "product", **_read_order(given)}
    if given.get("on_sale") in _YES:
        query["onSale"] = True
    if given.get("visibility") == "featured":
        query["featured"] = True
    if "ids" in given or "skus" in given:
        query["handPickedProducts"] = _find_ids(work, given)
        if not query["handPickedProducts"]:
            return ""
    wanted = {product_types.CATEGORY.name: given.get("category", ""), product_types.TAG.name: given.get("tag", "")}
    if chosen := {name: _find_term_ids(work, name, text) for name, text in wanted.items() if text}:
        if not all(chosen.values()):
            return ""  # of a term that is not there, nothing is
        query["taxQuery"] = chosen
    if attribute := given.get("attribute"):
        taxonomy = f"{_NAMED_ATTRIBUTE}{attribute.removeprefix(_NAMED_ATTRIBUTE)}"
        ids = _find_term_ids(work, taxonomy, given.get("terms") or given.get("filter") or "")
        if not ids:
            return ""
        query["attributes"] = [{"taxonomy": taxonomy, "termId": id} for id in ids]
    columns = parse_digits(given.get("columns", "")) or _DEFAULT_COLUMNS
    told = {"query": query, "displayLayout": {"type": "flex", "columns": columns}}
    return _write_block("product-collection", told, _CARD)


def _read_order(given: Mapping[str, str]) -> dict[str, str]:
    if given.get("best_selling") in _YES:
        return {"orderBy": "popularity", "order": "desc"}
    if given.get("top_rated") in _YES:
        return {"orderBy": "rating", "order": "desc"}
    by, dash, down = given.get("orderby", "title").partition("-")
    order = down if dash else given.get("order", "")
    falls = by in ("popularity", "rating", "date") and not order
    return {"orderBy": by, "order": "desc" if falls else order.lower() or "asc"}


def _find_term_ids(work: UnitOfWork, taxonomy: str, text: str) -> list[int]:
    """Return the ids of terms by their slugs or ids, between commas."""
    names = [one.strip().lower() for one in text.split(",")[:_MAX_NAMES]]
    known = attributes.load_terms_by_slug(work, [(taxonomy, name) for name in names])
    found = (term.id if (term := known.get((taxonomy, name))) is not None else parse_digits(name) for name in names)
    return [id for id in found if id]


def _find_ids(work: UnitOfWork, given: Mapping[str, str]) -> list[int]:
    """Return the ids of products by their ids and SKUs."""
    ids = [parse_digits(one.strip()) for one in (given.get("ids") or given.get("id") or "").split(",")[:_MAX_NAMES]]
    for sku in (given.get("skus") or given.get("sku") or "").split(",")[:_MAX_NAMES]:
        found = product_model.find_product_by_sku(work, sku.strip()) if sku.strip() else None
        ids.append(found.record.id if found is not None else None)
    return [id for id in ids if id]


def _write_single(work: UnitOfWork, given: Mapping[str, str], inside: str) -> str:
    ids = _find_ids(work, given)
    return _write_block("single-product", {"productId": ids[0]}, inside) if ids else ""


def _write_block(name: str, told: Mapping[str, Any], inside: str = "") -> str:
    # No value may end the comment that it stands in.
    written = orjson.dumps(told).decode().replace("--", "\\u002d\\u002d").replace(">", "\\u003e")
    return f"<!-- wp:shop/{name} {written} -->{inside}<!-- /wp:shop/{name} -->"


def _build_list_function(first: Mapping[str, str]) -> ShortcodeFunction:
    return lambda work, given: _write_list(work, {**given, **first})


SHORTCODES: Final[Mapping[str, ShortcodeFunction]] = {
    **{name: _build_list_function(first) for name, first in _LISTS.items()},
    "product": lambda work, given: _write_single(work, given, ""),
    "product_page": lambda work, given: _write_single(work, given, _WHOLE),
    "add_to_cart": lambda work, given: _write_single(work, given, _BUTTON),
    "product_categories": lambda work, given: _write_block("product-categories", {}),
}
