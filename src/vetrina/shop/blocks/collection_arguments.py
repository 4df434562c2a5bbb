"""Which products the blocks of a list ask for; their attributes come from an editor and are not trusted.

They become arguments of the visitors' list of products (shop/storefront/product_arguments.py), so that a block finds
what the interface finds. Some names of attributes begin with a brand, so they are known by their ends. Rules:
docs/rules/catalogue_pages.md, 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Final

import msgspec

from vetrina.content.blocks.block_context import BlockQueryResult
from vetrina.content.records.query import RecordQuery
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import InvalidParam
from vetrina.rest.coercion import coerce_integer
from vetrina.rest.fields import ABSENT
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.blocks.shown_product_views import ShownProduct, note_products
from vetrina.shop.products import listing as product_listing, product_types
from vetrina.shop.products.filters import ProductQuery, ProductTermFilter
from vetrina.shop.products.listing import PRODUCT_ORDERS
from vetrina.shop.settings.rules import get_price_decimals
from vetrina.shop.storefront.product_arguments import build_product_filters, parse_product_query

MAX_PER_PAGE: Final = 100
_DEFAULT_PER_PAGE: Final = 12
_MAX_IDS: Final = 100
_MAX_SEARCH: Final = 200  # characters
_STOCK: Final = ("instock", "outofstock", "onbackorder")
_ARGUMENTS_BY_TAXONOMY: Final = {"product_cat": "category", "product_tag": "tag", "product_brand": "brand"}
_OPERATORS: Final = {"all": "and", "and": "and", "not_in": "not_in"}
_DEFAULTS: Final[Mapping[str, Any]] = {
    name: field.default for name, field in build_product_filters().items() if field.default is not ABSENT
}

# By the name of a collection, and by that of the old block.
COLLECTIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    "best-sellers": {"orderby": "popularity", "order": "desc"},
    "featured": {"featured": True},
    "new-arrivals": {"orderby": "date", "order": "desc"},
    "on-sale": {"on_sale": True},
    "top-rated": {"orderby": "rating", "order": "desc"},
}


def build_arguments(given: Mapping[str, Any], size: int, page: int = 1) -> dict[str, Any]:
    """Return the arguments of the visitors' list with their defaults. size: products on a page."""
    wanted = {**_DEFAULTS, "catalog_visibility": "catalog", **given}
    return {**wanted, "per_page": max(1, min(MAX_PER_PAGE, size)), "page": max(1, page)}


def find_products(
    work: UnitOfWork, args: Mapping[str, Any], groups: Sequence[ProductTermFilter] = ()
) -> tuple[list[ShownProduct], int]:
    """Return one page of the visitors' list, and the total; nothing for arguments that it refuses.

    groups: terms of which the products must have one, beside those of the arguments.
    """
    query = build_query(work, args, groups)
    if query is None:
        return [], 0
    found, total = product_listing.list_products(work, query)
    return note_products(work, found), total


def build_query(
    work: UnitOfWork, args: Mapping[str, Any], groups: Sequence[ProductTermFilter] = ()
) -> ProductQuery | None:
    """Return the query of the visitors' list, None for arguments that it refuses. groups: as for `find_products`."""
    try:
        query = parse_product_query(work, args)
    except InvalidParam:
        return None
    return msgspec.structs.replace(query, groups=(*query.groups, *groups)) if groups else query


def build_result(
    found: list[ShownProduct], total: int, args: Mapping[str, Any], *, number: int = 0, is_main: bool = False
) -> BlockQueryResult:
    """Return products as the result of a query block."""
    query = RecordQuery(
        type=product_types.PRODUCT.name, statuses=("publish",), page=args["page"], per_page=args["per_page"]
    )
    return BlockQueryResult(query, tuple(one.product.record for one in found), total, number, is_main)


def parse_collection(work: UnitOfWork, given: Mapping[str, Any], collection: str, page: int) -> dict[str, Any]:
    """Return the arguments that the `query` of a collection of products stands for. page: of it."""
    size = coerce_integer(given.get("perPage")) or _DEFAULT_PER_PAGE
    out: dict[str, Any] = {**_parse_order(given), **COLLECTIONS.get(collection, {})}
    if isinstance(text := given.get("search"), str) and text:
        out["search"] = text[:_MAX_SEARCH]
    if _find_member(given, "onsale") is True:
        out["on_sale"] = True
    if given.get("featured") is True:
        out["featured"] = True
    stock = _find_member(given, "stockstatus")
    if isinstance(stock, list) and (known := [one for one in _STOCK if one in stock]) and len(known) < len(_STOCK):
        out["stock_status"] = known
    ids = parse_ids(_find_member(given, "handpickedproducts"))
    if ids:
        out["include"] = ids
    if excluded := parse_ids(given.get("exclude")):
        out["exclude"] = excluded
    if skipped := coerce_integer(given.get("offset")):
        out["offset"] = max(0, min(skipped, 1_000_000)) + (page - 1) * max(1, min(MAX_PER_PAGE, size))
    out |= _parse_prices(work, given.get("priceRange"))
    out |= parse_terms(given.get("taxQuery"))
    values = _find_member(given, "attributes")
    out["attributes"] = parse_attribute_values(work, values if isinstance(values, list) else [])
    return build_arguments(out, size, page)


def parse_ids(value: Any) -> list[int]:
    """Return the positive numbers of a list, or of a text that has them between commas."""
    values = value if isinstance(value, list) else value.split(",") if isinstance(value, str) else []
    found = (coerce_integer(one.strip() if isinstance(one, str) else one) for one in values[:_MAX_IDS])
    return [one for one in dict.fromkeys(found) if one is not None and one > 0]


def parse_terms(value: Any) -> dict[str, Any]:
    """Return the arguments for terms by taxonomy: `{"product_cat": [1, 2]}`."""
    given: Mapping[str, Any] = value if isinstance(value, dict) else {}
    if isinstance(inside := given.get("include"), dict):
        given = inside
    found = {name: parse_ids(given.get(taxonomy)) for taxonomy, name in _ARGUMENTS_BY_TAXONOMY.items()}
    return {name: ",".join(map(str, ids)) for name, ids in found.items() if ids}


def parse_operator(value: Any) -> str:
    """Return whether one of some terms is enough."""
    return _OPERATORS.get(value.lower(), "in") if isinstance(value, str) else "in"


def parse_attribute_values(work: UnitOfWork, values: list[Any]) -> list[dict[str, Any]]:
    """Return the arguments for values of shared attributes: `[{"taxonomy": "pa_size", "termId": 3}]`."""
    known = {one.taxonomy for one in attributes.load_attributes(work).values()} if values else set()
    wanted: dict[str, list[int]] = {}
    for one in values[:_MAX_IDS]:
        if isinstance(one, dict):
            taxonomy, id = one.get("taxonomy", one.get("attr_slug")), one.get("termId", one.get("id"))
            number = coerce_integer(id)
            if isinstance(taxonomy, str) and taxonomy in known and number is not None and number > 0:
                wanted.setdefault(taxonomy, []).append(number)
    return [{"attribute": name, "term_id": ids, "operator": "in"} for name, ids in wanted.items()]


def convert_price(work: UnitOfWork, value: Any) -> str:
    """Return a price in the smallest unit of the currency, empty for what is no price."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    try:
        amount = Decimal(str(value).strip().replace(",", ".") or "x").scaleb(get_price_decimals(work))
    except (InvalidOperation, ValueError):
        return ""
    return f"{amount:f}"[:30] if amount.is_finite() and 0 <= amount < 10**15 else ""


def _parse_prices(work: UnitOfWork, value: Any) -> dict[str, str]:
    given: Mapping[str, Any] = value if isinstance(value, dict) else {}
    found = {name: convert_price(work, given.get(name[:3])) for name in ("min_price", "max_price")}
    return {name: text for name, text in found.items() if text}


def _parse_order(given: Mapping[str, Any]) -> dict[str, str]:
    order, by = str(given.get("order")).lower(), str(given.get("orderBy"))
    if by == "sales":
        by = "popularity"
    names = _DEFAULTS if by not in PRODUCT_ORDERS or by in ("random", "post__in", "sales") else {"orderby": by}
    found = str(names.get("orderby") or "date")
    return {"orderby": found, "order": order if order in ("asc", "desc") else "desc" if found == "date" else "asc"}


def _find_member(given: Mapping[str, Any], end: str) -> Any:
    """Return the member whose name ends so, in small letters."""
    return next((value for name, value in given.items() if name.lower().endswith(end)), None)
