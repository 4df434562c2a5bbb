"""Filters of the storefront's product list, and the query made of them.

Only published and visible products are found; a list by category includes those hidden from the catalogue. Prices are
in the smallest unit of the currency. Rules: docs/rules/store_products.md, 1 and 2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from vetrina.content.search.terms import parse_search
from vetrina.content.types.model import Taxonomy
from vetrina.core.call import Call
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money, slugs, times
from vetrina.kernel.errors import Fault, InvalidParam
from vetrina.rest.common_arguments import build_context_argument as context_argument
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String
from vetrina.rest.list_limits import check_filter_terms
from vetrina.rest.paging import compute_page_offset
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.products import product_types, stock as product_stock
from vetrina.shop.products.filters import ProductQuery, ProductTermFilter
from vetrina.shop.settings import rules as settings

_MAX_DIGITS: Final = 15
_LEADING_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]{1,15}\.?[0-9]{0,6}|\.[0-9]{1,6})(?:[eE][+-]?[0-9]{1,2})?")
_ORDERS: Final = (
    "date", "modified", "id", "include", "title", "slug", "price", "popularity", "rating", "menu_order",
    "comment_count",
)  # fmt: skip
_OPERATORS: Final = ("in", "not_in", "and")
_DATES: Final = ("date", "date_gmt", "modified", "modified_gmt")
_TAXONOMIES_BY_ARGUMENT: Final[tuple[tuple[str, Taxonomy], ...]] = (
    ("category", product_types.CATEGORY), ("brand", product_types.BRAND), ("tag", product_types.TAG),
)  # fmt: skip
_CATALOG_VISIBILITIES: Final = ("visible", "catalog")
_SEARCH_VISIBILITIES: Final = ("visible", "search")
_MAX_PER_PAGE: Final = 100  # the page size for `per_page` 0


def build_context_argument(*more: str) -> String:
    """Return the `context` argument; visitors get the same members in every context."""
    out: String = context_argument("view", *more, "edit").replace(early=False)
    return out


def build_paging_arguments(per_page: int | None = 10) -> dict[str, Field]:
    """Return the paging arguments of a list."""
    words: dict[str, Any] = {} if per_page is None else {"default": per_page}
    return {
        "page": Integer("Page of the list.", default=1, minimum=1, null="keep"),
        "per_page": Integer(
            "Most items that the answer may hold; 0 for as many as may be.", minimum=0, maximum=100, null="keep",
            **words,
        ),
    }  # fmt: skip


def build_id_filter(help: str) -> Array:
    """Return a filter by a list of ids; an empty list filters nothing."""
    return Array(help, items=Integer(), default=[], null="keep")


def build_product_filters() -> dict[str, Field]:
    """Return the arguments of a product list, in the order of the index."""
    out: dict[str, Field] = {
        "context": build_context_argument(),
        **build_paging_arguments(),
        "search": String("Only those that match this text.", null="keep"),
        "slug": String("Only those with these slugs, parted by commas.", null="keep", parted=True),
        "after": String("Only those from after this moment.", format="date-time", null="keep"),
        "before": String("Only those from before this moment.", format="date-time", null="keep"),
        "date_column": String("What these moments are compared with.", enum=_DATES, default="date", null="keep"),
        "exclude": build_id_filter("None of these numbers."),
        "include": build_id_filter("Only these numbers."),
        "offset": Integer("How many to pass over.", null="keep"),
        "order": String("Which way the order runs.", enum=("asc", "desc"), default="desc", null="keep"),
        "orderby": String("Sort by this.", enum=_ORDERS, default="date", null="keep"),
        "parent": build_id_filter("Only variations of these products."),
        "parent_exclude": build_id_filter("No variations of these products."),
        "type": String("Only this kind.", enum=("simple", "grouped", "external", "variable", "variation"), null="keep"),
        "sku": String("Only those with these stock numbers, parted by commas.", null="keep", parted=True),
        "featured": Boolean("Only those that the shop puts forward, or no such.", null="keep"),
    }
    for name, taxonomy in _TAXONOMIES_BY_ARGUMENT:
        said = taxonomy.label.lower()
        out[name] = String(f"Only those of these {said}: numbers or slugs, parted by commas.", null="keep", parted=True)
        out[f"{name}_operator"] = String(
            f"Whether one of the {said} is enough, none may be, or all must be there.", enum=_OPERATORS, default="in",
            null="keep",
        )  # fmt: skip
    return {
        **out,
        "on_sale": Boolean("Only those on sale, or those not.", null="keep"),
        "min_price": String("Only from this price on, in the smallest unit of the currency.", null="keep"),
        "max_price": String("Only up to this price, in the smallest unit of the currency.", null="keep"),
        "stock_status": Array(
            "Only those in one of these.", items=String(enum=("instock", "outofstock", "onbackorder")), default=[],
            null="keep",
        ),
        "attributes": Array(
            "Only those with these values of shared attributes.",
            items=Object(
                properties={
                    "attribute": String("Name of the attribute's taxonomy: `pa_size`."),
                    "term_id": Array("Numbers of values.", items=Integer()),
                    "slug": Array("Slugs of values.", items=String()),
                    "operator": String("Whether one is enough, none may be, or all must be there.", enum=_OPERATORS),
                }
            ),
            default=[],
            null="keep",
            max_items=20,
        ),
        "attribute_relation": String(
            "Whether the values of one attribute are enough, or all must fit.", enum=("in", "and"), default="and",
            null="keep",
        ),
        "catalog_visibility": String(
            "Only those that are to be seen there.", enum=("any", "visible", "catalog", "search", "hidden"),
            null="keep",
        ),
        "rating": Array(
            "Only those with one of these stars.", items=Integer(enum=(1, 2, 3, 4, 5)), default=[], null="keep"
        ),
    }  # fmt: skip


def build_product_query(call: Call) -> ProductQuery:
    """Return the query of a request. Raises InvalidParam."""
    return parse_product_query(call.work, call.args)


def parse_product_query(work: UnitOfWork, args: Mapping[str, Any]) -> ProductQuery:
    """Return the query of arguments as `build_product_filters` describes them. Raises InvalidParam."""
    size = args["per_page"] or _MAX_PER_PAGE
    kind, skus = args.get("type"), _split_texts(args.get("sku"))
    of_parts = kind == "variation" or bool(args["parent"])
    types = ("product", "product_variation") if skus and not kind else ("product_variation" if of_parts else "product",)
    column = args["date_column"]
    bounds = {name: _parse_local_timestamp(work, args, name, column) for name in ("after", "before")}
    prefix = "modified_" if column.startswith("modified") else ""
    dates: dict[str, Any] = {prefix + name: bound for name, bound in bounds.items() if bound is not None}
    return ProductQuery(
        types=types, statuses=("publish",), kinds=(kind,) if kind and kind != "variation" else (),
        include=tuple(args["include"]), exclude=tuple(args["exclude"]), parent=tuple(args["parent"]),
        parent_exclude=tuple(args["parent_exclude"]),
        slugs=tuple(slugs.slugify(one) for one in _split_texts(args.get("slug"))),
        skus=tuple(one.lower() for one in skus), search=parse_search(args.get("search") or ""), open_texts=True,
        groups=(*_build_taxonomy_filters(work, args), *_build_attribute_filters(work, args)),
        featured=args.get("featured"), on_sale=args.get("on_sale"), price_from=_parse_price(work, args, "min_price"),
        price_to=_parse_price(work, args, "max_price"), stock_statuses=_parse_stock_statuses(work, args),
        visibilities=_parse_visibilities(args, of_parts=of_parts), ratings=tuple(args["rating"]),
        open_parent="product_variation" in types, orderby=args["orderby"], descending=args["order"] == "desc",
        limit=size, offset=compute_page_offset(args, size), **dates,
    )  # fmt: skip


def _parse_stock_statuses(work: UnitOfWork, args: Any) -> tuple[str, ...]:
    """Return the requested stock statuses; a shop may hide products out of stock unless requested."""
    wanted = tuple(args["stock_status"])
    if wanted or not settings.is_setting_on(work, "shop_hide_out_of_stock_items"):
        return wanted
    return tuple(status for status in product_stock.STATUSES if status != product_stock.OUT_OF_STOCK)


def _parse_local_timestamp(work: UnitOfWork, args: Any, name: str, column: str) -> int | None:
    """Return a date filter in local seconds. Raises InvalidParam for an invalid date."""
    written = args.get(name)
    if not written:
        return None
    settle = work.zone.resolve_gmt if column.endswith("_gmt") else work.zone.resolve_local
    try:
        return settle(times.parse_date_time(written))[0]
    except ValueError as error:
        raise InvalidParam({name: Fault("rest_invalid_date", str(error))}) from None


def _parse_visibilities(args: Any, *, of_parts: bool) -> tuple[str, ...]:
    match args.get("catalog_visibility"):
        case "any":
            return ()
        case "visible":
            return ("visible",)
        case "catalog":
            return _CATALOG_VISIBILITIES
        case "search":
            return _SEARCH_VISIBILITIES
        case "hidden":
            return ("hidden",)
    if of_parts or args.get("category") or args["include"] or args.get("sku") or args.get("slug"):
        return ()
    return _SEARCH_VISIBILITIES if args.get("search") else _CATALOG_VISIBILITIES


def _split_texts(value: str | None) -> list[str]:
    return [part.strip() for part in (value or "").split(",") if part.strip()]


def _parse_price(work: UnitOfWork, args: Any, name: str) -> int | None:
    """Return a price bound, None where there is none. Raises InvalidParam for a text that is not a number."""
    text = (args.get(name) or "").strip()
    if text in ("", "0"):
        return None
    found = _LEADING_NUMBER.match(text)
    if found is None:
        raise InvalidParam({name: Fault("rest_invalid_type", f"{name} is no amount in the smallest unit.")})
    # An amount too large to store is above every price.
    amount = money.parse_amount(found[0])
    amount = money.MAX_AMOUNT.copy_sign(-1 if text[0] == "-" else 1) if amount is None else amount
    return money.encode_amount(amount.scaleb(-settings.get_price_decimals(work)))


def _build_taxonomy_filters(work: UnitOfWork, args: Any) -> list[ProductTermFilter]:
    out: list[ProductTermFilter] = []
    for name, taxonomy in _TAXONOMIES_BY_ARGUMENT:
        names = _split_texts(args.get(name))
        if not names:
            continue
        ids = _find_term_ids(work, taxonomy.name, names)
        out += _build_term_filter(taxonomy.name, ids, args[f"{name}_operator"], children=taxonomy.hierarchical)
        check_filter_terms(name, len(out), work.site.profile.limits.filter_terms)
    return out


def _find_term_ids(work: UnitOfWork, taxonomy: str, names: list[str]) -> tuple[int, ...]:
    """Return the term ids of ids or slugs; 0, which matches nothing, for an unknown one."""
    named = [one for one in names if not one.isdecimal()]
    found = attributes.load_terms_by_slug(work, ((taxonomy, one) for one in named)) if named else {}
    out = []
    for one in names:
        if one.isdecimal():
            out.append(int(one) if len(one) <= _MAX_DIGITS else 0)
        else:
            term = found.get((taxonomy, one))
            out.append(term.id if term else 0)
    return tuple(out)


def _build_term_filter(
    taxonomy: str, ids: tuple[int, ...], operator: str | None, *, children: bool = False
) -> list[ProductTermFilter]:
    if operator == "and":
        return [ProductTermFilter(taxonomy, (id,), children=children) for id in dict.fromkeys(ids)]
    return [ProductTermFilter(taxonomy, ids, children=children, without=operator == "not_in")]


def _build_attribute_filters(work: UnitOfWork, args: Any) -> list[ProductTermFilter]:
    out: list[ProductTermFilter] = []
    filters = args["attributes"]
    if not filters:
        return out
    known = {one.taxonomy for one in attributes.load_attributes(work).values()}
    for one in filters:
        taxonomy = str(one.get("attribute") or "")
        if taxonomy not in known:
            continue
        names = [*(str(id) for id in one.get("term_id") or ()), *(str(slug) for slug in one.get("slug") or ())]
        if names:
            out += _build_term_filter(taxonomy, _find_term_ids(work, taxonomy, names), one.get("operator"))
    check_filter_terms("attributes", len(out), work.site.profile.limits.filter_terms)
    if args["attribute_relation"] == "in" and len(out) > 1 and not any(one.without for one in out):
        return [ProductTermFilter("", tuple(id for one in out for id in one.ids))]
    return out
