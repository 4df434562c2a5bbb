"""From the arguments of a list to the query of products or variations.

Rules: facts, "Other" (filters seen) and "Lists".
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from vetrina.content.search.terms import parse
from vetrina.core.unit_of_work import Work
from vetrina.kernel import money, slugs
from vetrina.kernel.folding import fold
from vetrina.rest.call import Call
from vetrina.rest.list_limits import refuse_many
from vetrina.rest.paging import start_of
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.list_arguments import moment
from vetrina.shop.products import prices as product_prices
from vetrina.shop.products import product_types
from vetrina.shop.products.filters import ANY, InGroup, ProductQuery

__all__ = ["product_query", "variation_query"]

_GROUPINGS: Final = (
    ("category", product_types.CATEGORY),
    ("tag", product_types.TAG),
    ("brand", product_types.BRAND),
    ("shipping_class", product_types.SHIPPING_CLASS),
)


def product_query(call: Call) -> ProductQuery:
    """Return the query of a list of products."""
    args, work = call.args, call.work
    query = _common(call)
    mixed = any(args.get(name) for name in ("sku", "search_sku", "global_unique_id", "with_variations"))
    # A search in named fields is the only search.
    named = bool(args.get("search_fields") and query.search is not None)
    kinds_asked = tuple(args.get("include_types") or ()) or ((args["type"],) if args.get("type") else ())
    return msgspec.structs.replace(
        query,
        types=("product", "product_variation") if mixed else ("product",),
        kinds=kinds_asked,
        without_kinds=tuple(args.get("exclude_types") or ()),
        featured=args.get("featured"),
        groups=(*_groups(args), *_attribute(work, args)),
        part_of_sku=(args.get("search_sku") or "").lower(),
        name_or_sku="" if named else fold(args.get("search_name_or_sku") or ""),
        search_in=tuple(args.get("search_fields") or ()),
    )


def variation_query(call: Call, parent: int | None = None) -> ProductQuery:
    """Return the query of a list of variations; parent: of this product only."""
    query = _common(call)
    return msgspec.structs.replace(
        query,
        types=("product_variation",),
        parent=query.parent if parent is None else (parent,),
        has_price=call.args.get("has_price"),
        choices=_choices(call.work, call.args.get("attributes") or ()),
    )


def _common(call: Call) -> ProductQuery:
    args = call.args
    return ProductQuery(
        statuses=_statuses(args),
        include=tuple(args["include"]),
        exclude=tuple(args["exclude"]),
        parent=tuple(args.get("parent") or ()),
        parent_exclude=tuple(args.get("parent_exclude") or ()),
        slugs=tuple(slugs.slugify(one) for one in _texts(args.get("slug"))),
        skus=tuple(one.lower() for one in _texts(args.get("sku"))),
        global_ids=tuple(_texts(args.get("global_unique_id"))),
        search=parse(args.get("search") or ""),
        after=moment(call, "after"),
        before=moment(call, "before"),
        modified_after=moment(call, "modified_after"),
        modified_before=moment(call, "modified_before"),
        on_sale=args.get("on_sale"),
        tax_class=_tax_class(args.get("tax_class")),
        virtual=args.get("virtual"),
        downloadable=args.get("downloadable"),
        stock_status=args.get("stock_status") or "",
        stock_statuses=args.get("stock_statuses") or (),
        price_from=_amount(args.get("min_price")),
        price_to=_amount(args.get("max_price")),
        orderby=args["orderby"],
        descending=args["order"] == "desc",
        limit=args["per_page"],
        start=start_of(args),
    )


def _tax_class(asked: str | None) -> str | None:
    """Return the tax class that is asked for; a variation that follows its product has none of its own."""
    return None if not asked else "" if asked == "standard" else asked


def _statuses(args: Any) -> tuple[str, ...]:
    several = args.get("include_status")
    asked = tuple(several) if several else (args.get("status") or "any",)
    statuses = ANY if "any" in asked else asked
    without = args.get("exclude_status") or ()
    return tuple(status for status in statuses if status not in without)


def _texts(value: str | None) -> list[str]:
    return [part.strip() for part in (value or "").split(",") if part.strip()]


def _numbers(value: str | None) -> tuple[int, ...]:
    return tuple(int(part) if part.isdecimal() and len(part) < 16 else 0 for part in _texts(value))


def _amount(value: str | None) -> int | None:
    found = product_prices.amount(product_prices.written(value)) if value else None
    return None if found is None else money.stored(found)


def _groups(args: Any) -> list[InGroup]:
    return [
        InGroup(taxonomy.name, numbers, children=taxonomy.hierarchical)
        for name, taxonomy in _GROUPINGS
        if (numbers := _numbers(args.get(name)))
    ]


def _attribute(work: Work, args: Any) -> list[InGroup]:
    """Return the filter by terms of a shared attribute; one that is unknown filters nothing."""
    slug, terms = args.get("attribute") or "", _numbers(args.get("attribute_term"))
    if not slug or not terms:
        return []
    known = {one.taxonomy for one in attributes.known(work).values()}
    return [InGroup(slug, terms)] if slug in known else []


def _choices(work: Work, asked: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
    out = []
    shared = {one.taxonomy for one in attributes.known(work).values()} if asked else set()
    for one in asked:
        key = slugs.slugify(str(one.get("attribute") or ""))
        options = [str(option) for option in (one.get("terms") or ([one["term"]] if one.get("term") else []))]
        for candidate in (key, attributes.PREFIX + key):
            if candidate in shared:
                key, options = candidate, [slugs.slugify(option) for option in options]
                break
        if key and options:
            out.append((key, tuple(dict.fromkeys(options))))
    refuse_many("attributes", sum(len(options) for _, options in out), work.frame.profile.limits.filter_terms)
    return tuple(out)
