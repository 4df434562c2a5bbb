"""Turns the arguments of a list into the query of products or variations.

Rules: docs/rules/products.md, 8 and 9; docs/rules/shop_requests.md, 6.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from vetrina.content.search.terms import parse_search
from vetrina.core.call import Call
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money, slugs
from vetrina.kernel.folding import fold_text
from vetrina.rest.list_limits import check_filter_terms
from vetrina.rest.paging import compute_page_offset
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.list_arguments import parse_local_timestamp
from vetrina.shop.products import prices as product_prices, product_types
from vetrina.shop.products.filters import UNTRASHED_STATUSES, ProductQuery, ProductTermFilter

_TAXONOMIES_BY_ARGUMENT: Final = (
    ("category", product_types.CATEGORY),
    ("tag", product_types.TAG),
    ("brand", product_types.BRAND),
    ("shipping_class", product_types.SHIPPING_CLASS),
)


def build_product_query(call: Call) -> ProductQuery:
    """Return the query of a list of products."""
    args, work = call.args, call.work
    query = _build_common_query(call)
    mixed = any(args.get(name) for name in ("sku", "search_sku", "global_unique_id", "with_variations"))
    # A search in named fields replaces the general search.
    in_fields = bool(args.get("search_fields") and query.search is not None)
    kinds_asked = tuple(args.get("include_types") or ()) or ((args["type"],) if args.get("type") else ())
    return msgspec.structs.replace(
        query, types=("product", "product_variation") if mixed else ("product",), kinds=kinds_asked,
        without_kinds=tuple(args.get("exclude_types") or ()), featured=args.get("featured"),
        groups=(*_build_term_filters(args), *_build_attribute_filters(work, args)),
        part_of_sku=(args.get("search_sku") or "").lower(),
        name_or_sku="" if in_fields else fold_text(args.get("search_name_or_sku") or ""),
        search_in=tuple(args.get("search_fields") or ()),
    )  # fmt: skip


def build_variation_query(call: Call, parent: int | None = None) -> ProductQuery:
    """Return the query of a list of variations; parent: only of this product."""
    query = _build_common_query(call)
    return msgspec.structs.replace(
        query, types=("product_variation",), parent=query.parent if parent is None else (parent,),
        has_price=call.args.get("has_price"), choices=_parse_choices(call.work, call.args.get("attributes") or ()),
    )  # fmt: skip


def _build_common_query(call: Call) -> ProductQuery:
    args = call.args
    return ProductQuery(
        statuses=_parse_statuses(args), include=tuple(args["include"]), exclude=tuple(args["exclude"]),
        parent=tuple(args.get("parent") or ()), parent_exclude=tuple(args.get("parent_exclude") or ()),
        slugs=tuple(slugs.slugify(one) for one in _split_texts(args.get("slug"))),
        skus=tuple(one.lower() for one in _split_texts(args.get("sku"))),
        global_ids=tuple(_split_texts(args.get("global_unique_id"))), search=parse_search(args.get("search") or ""),
        after=parse_local_timestamp(call, "after"), before=parse_local_timestamp(call, "before"),
        modified_after=parse_local_timestamp(call, "modified_after"),
        modified_before=parse_local_timestamp(call, "modified_before"), on_sale=args.get("on_sale"),
        tax_class=_parse_tax_class(args.get("tax_class")), virtual=args.get("virtual"),
        downloadable=args.get("downloadable"), stock_status=args.get("stock_status") or "",
        stock_statuses=args.get("stock_statuses") or (), price_from=_parse_amount(args.get("min_price")),
        price_to=_parse_amount(args.get("max_price")), orderby=args["orderby"], descending=args["order"] == "desc",
        limit=args["per_page"], offset=compute_page_offset(args),
    )  # fmt: skip


def _parse_tax_class(text: str | None) -> str | None:
    """Return the requested tax class, empty for the standard one; a variation that inherits one has none of its own."""
    return None if not text else "" if text == "standard" else text


def _parse_statuses(args: Any) -> tuple[str, ...]:
    several = args.get("include_status")
    asked = tuple(several) if several else (args.get("status") or "any",)
    statuses = UNTRASHED_STATUSES if "any" in asked else asked
    without = args.get("exclude_status") or ()
    return tuple(status for status in statuses if status not in without)


def _split_texts(value: str | None) -> list[str]:
    return [part.strip() for part in (value or "").split(",") if part.strip()]


def _parse_ids(value: str | None) -> tuple[int, ...]:
    return tuple(int(part) if part.isdecimal() and len(part) < 16 else 0 for part in _split_texts(value))


def _parse_amount(value: str | None) -> int | None:
    found = product_prices.parse_price(product_prices.normalize_price(value)) if value else None
    return None if found is None else money.encode_amount(found)


def _build_term_filters(args: Any) -> list[ProductTermFilter]:
    return [
        ProductTermFilter(taxonomy.name, numbers, children=taxonomy.hierarchical)
        for name, taxonomy in _TAXONOMIES_BY_ARGUMENT
        if (numbers := _parse_ids(args.get(name)))
    ]


def _build_attribute_filters(work: UnitOfWork, args: Any) -> list[ProductTermFilter]:
    """Return the filter by terms of a shared attribute; an unknown one filters nothing."""
    slug, terms = args.get("attribute") or "", _parse_ids(args.get("attribute_term"))
    if not slug or not terms:
        return []
    known = {one.taxonomy for one in attributes.load_attributes(work).values()}
    return [ProductTermFilter(slug, terms)] if slug in known else []


def _parse_choices(work: UnitOfWork, choices: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
    out = []
    shared = {one.taxonomy for one in attributes.load_attributes(work).values()} if choices else set()
    for one in choices:
        key = slugs.slugify(str(one.get("attribute") or ""))
        options = [str(option) for option in (one.get("terms") or ([one["term"]] if one.get("term") else []))]
        for candidate in (key, attributes.TAXONOMY_PREFIX + key):
            if candidate in shared:
                key, options = candidate, [slugs.slugify(option) for option in options]
                break
        if key and options:
            out.append((key, tuple(dict.fromkeys(options))))
    check_filter_terms("attributes", sum(len(options) for _, options in out), work.site.profile.limits.filter_terms)
    return tuple(out)
