"""The arguments by which visitors choose products, and the query that they make.

Only what is published and meant to be seen is found; a list by category shows hidden ones of it too. Prices are asked
for in the smallest unit of the currency. Rules: facts, "Visitors' interface"; the root of the namespace.
"""

from __future__ import annotations

import re
from typing import Any, Final

from vetrina.content.search.terms import parse
from vetrina.content.types.model import Taxonomy
from vetrina.core.unit_of_work import Work
from vetrina.kernel import money, slugs, times
from vetrina.kernel.errors import Fault, InvalidParam
from vetrina.rest.call import Call
from vetrina.rest.common_arguments import context as context_argument
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String
from vetrina.rest.list_limits import refuse_many
from vetrina.rest.paging import start_of
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.products import product_types
from vetrina.shop.products import stock as product_stock
from vetrina.shop.products.filters import InGroup, ProductQuery
from vetrina.shop.settings import rules as settings

__all__ = ["context", "filters", "numbers", "paging", "query_of"]

_MOST_DIGITS: Final = 15
_LEADING_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]{1,15}\.?[0-9]{0,6}|\.[0-9]{1,6})(?:[eE][+-]?[0-9]{1,2})?")
_ORDERS: Final = (
    "date", "modified", "id", "include", "title", "slug", "price", "popularity", "rating", "menu_order",
    "comment_count",
)  # fmt: skip
_OPERATORS: Final = ("in", "not_in", "and")
_DATES: Final = ("date", "date_gmt", "modified", "modified_gmt")
_GROUPS: Final[tuple[tuple[str, Taxonomy], ...]] = (
    ("category", product_types.CATEGORY), ("brand", product_types.BRAND), ("tag", product_types.TAG),
)  # fmt: skip
_SEEN: Final = ("visible", "catalog")
_FOUND: Final = ("visible", "search")
_ALL_AT_ONCE: Final = 100  # what `per_page` 0 gives, so that nobody asks for everything


def context(*more: str) -> String:
    """Return the argument that says who reads; visitors see the same in all of them."""
    out: String = context_argument("view", *more, "edit").but(early=False)
    return out


def paging(per_page: int | None = 10) -> dict[str, Field]:
    """Return the arguments that choose a page of a list."""
    words: dict[str, Any] = {} if per_page is None else {"default": per_page}
    return {
        "page": Integer("Page of the list.", default=1, minimum=1, null="keep"),
        "per_page": Integer(
            "Most items that the answer may hold; 0 for as many as may be.", minimum=0, maximum=100, null="keep",
            **words,
        ),
    }  # fmt: skip


def numbers(help: str) -> Array:
    """Return a list of numbers as a filter; an empty one filters nothing."""
    return Array(help, items=Integer(), default=[], null="keep")


def filters() -> dict[str, Field]:
    """Return the arguments of a list of products, in the order of the index."""
    out: dict[str, Field] = {
        "context": context(),
        **paging(),
        "search": String("Only those that match this text.", null="keep"),
        "slug": String("Only those with these slugs, parted by commas.", null="keep", parted=True),
        "after": String("Only those from after this moment.", format="date-time", null="keep"),
        "before": String("Only those from before this moment.", format="date-time", null="keep"),
        "date_column": String("What these moments are compared with.", enum=_DATES, default="date", null="keep"),
        "exclude": numbers("None of these numbers."),
        "include": numbers("Only these numbers."),
        "offset": Integer("How many to pass over.", null="keep"),
        "order": String("Which way the order runs.", enum=("asc", "desc"), default="desc", null="keep"),
        "orderby": String("Sort by this.", enum=_ORDERS, default="date", null="keep"),
        "parent": numbers("Only variations of these products."),
        "parent_exclude": numbers("No variations of these products."),
        "type": String("Only this kind.", enum=("simple", "grouped", "external", "variable", "variation"), null="keep"),
        "sku": String("Only those with these stock numbers, parted by commas.", null="keep", parted=True),
        "featured": Boolean("Only those that the shop puts forward, or no such.", null="keep"),
    }
    for name, taxonomy in _GROUPS:
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


def query_of(call: Call) -> ProductQuery:
    """Return the query that a request makes."""
    work, args = call.work, call.args
    size = args["per_page"] or _ALL_AT_ONCE
    kind, skus = args.get("type"), _texts(args.get("sku"))
    of_parts = kind == "variation" or bool(args["parent"])
    types = ("product", "product_variation") if skus and not kind else ("product_variation" if of_parts else "product",)
    column = args["date_column"]
    bounds = {name: _moment(work, args, name, column) for name in ("after", "before")}
    prefix = "modified_" if column.startswith("modified") else ""
    dates: dict[str, Any] = {prefix + name: bound for name, bound in bounds.items() if bound is not None}
    return ProductQuery(
        types=types,
        statuses=("publish",),
        kinds=(kind,) if kind and kind != "variation" else (),
        include=tuple(args["include"]),
        exclude=tuple(args["exclude"]),
        parent=tuple(args["parent"]),
        parent_exclude=tuple(args["parent_exclude"]),
        slugs=tuple(slugs.slugify(one) for one in _texts(args.get("slug"))),
        skus=tuple(one.lower() for one in skus),
        search=parse(args.get("search") or ""),
        open_texts=True,
        groups=(*_groups(work, args), *_attributes(work, args)),
        featured=args.get("featured"),
        on_sale=args.get("on_sale"),
        price_from=_price(work, args, "min_price"),
        price_to=_price(work, args, "max_price"),
        stock_statuses=_stock(work, args),
        visibilities=_visibilities(args, of_parts=of_parts),
        ratings=tuple(args["rating"]),
        open_parent="product_variation" in types,
        orderby=args["orderby"],
        descending=args["order"] == "desc",
        limit=size,
        start=start_of(args, size),
        **dates,
    )


def _stock(work: Work, args: Any) -> tuple[str, ...]:
    """Return the stock statuses that are wanted; a shop may leave out what is not in stock unless it is asked for."""
    wanted = tuple(args["stock_status"])
    if wanted or not settings.is_on(work, "shop_hide_out_of_stock_items"):
        return wanted
    return tuple(status for status in product_stock.STATUSES if status != product_stock.OUT_OF_STOCK)


def _moment(work: Work, args: Any, name: str, column: str) -> int | None:
    """Return a moment in local seconds. Raises InvalidParam for one that no calendar has."""
    written = args.get(name)
    if not written:
        return None
    settle = work.zone.settle_gmt if column.endswith("_gmt") else work.zone.settle
    try:
        return settle(times.parse(written))[0]
    except ValueError as error:
        raise InvalidParam({name: Fault("rest_invalid_date", str(error))}) from None


def _visibilities(args: Any, *, of_parts: bool) -> tuple[str, ...]:
    match args.get("catalog_visibility"):
        case "any":
            return ()
        case "visible":
            return ("visible",)
        case "catalog":
            return _SEEN
        case "search":
            return _FOUND
        case "hidden":
            return ("hidden",)
    if of_parts or args.get("category") or args["include"] or args.get("sku") or args.get("slug"):
        return ()
    return _FOUND if args.get("search") else _SEEN


def _texts(value: str | None) -> list[str]:
    return [part.strip() for part in (value or "").split(",") if part.strip()]


def _price(work: Work, args: Any, name: str) -> int | None:
    """Return a bound of prices, None where there is none. Raises InvalidParam for a text that names no number."""
    text = (args.get(name) or "").strip()
    if text in ("", "0"):
        return None
    found = _LEADING_NUMBER.match(text)
    if found is None:
        raise InvalidParam({name: Fault("rest_invalid_type", f"{name} is no amount in the smallest unit.")})
    # What is too much to be kept is above every price.
    amount = money.parsed(found[0])
    amount = money.LARGEST.copy_sign(-1 if text[0] == "-" else 1) if amount is None else amount
    return money.stored(amount.scaleb(-settings.decimals(work)))


def _groups(work: Work, args: Any) -> list[InGroup]:
    out: list[InGroup] = []
    for name, taxonomy in _GROUPS:
        asked = _texts(args.get(name))
        if not asked:
            continue
        ids = _ids(work, taxonomy.name, asked)
        out += _filter(taxonomy.name, ids, args[f"{name}_operator"], children=taxonomy.hierarchical)
        refuse_many(name, len(out), work.frame.profile.limits.filter_terms)
    return out


def _ids(work: Work, taxonomy: str, asked: list[str]) -> tuple[int, ...]:
    """Return the numbers of terms that are named by number or slug; 0, which nothing has, for one that is unknown."""
    named = [one for one in asked if not one.isdecimal()]
    found = attributes.terms_by_slug(work, ((taxonomy, one) for one in named)) if named else {}
    out = []
    for one in asked:
        if one.isdecimal():
            out.append(int(one) if len(one) <= _MOST_DIGITS else 0)
        else:
            term = found.get((taxonomy, one))
            out.append(term.id if term else 0)
    return tuple(out)


def _filter(taxonomy: str, ids: tuple[int, ...], operator: str | None, *, children: bool = False) -> list[InGroup]:
    if operator == "and":
        return [InGroup(taxonomy, (id,), children=children) for id in dict.fromkeys(ids)]
    return [InGroup(taxonomy, ids, children=children, without=operator == "not_in")]


def _attributes(work: Work, args: Any) -> list[InGroup]:
    out: list[InGroup] = []
    told = args["attributes"]
    if not told:
        return out
    known = {one.taxonomy for one in attributes.known(work).values()}
    for one in told:
        taxonomy = str(one.get("attribute") or "")
        if taxonomy not in known:
            continue
        asked = [*(str(id) for id in one.get("term_id") or ()), *(str(slug) for slug in one.get("slug") or ())]
        if asked:
            out += _filter(taxonomy, _ids(work, taxonomy, asked), one.get("operator"))
    refuse_many("attributes", len(out), work.frame.profile.limits.filter_terms)
    if args["attribute_relation"] == "in" and len(out) > 1 and not any(one.without for one in out):
        return [InGroup("", tuple(id for one in out for id in one.ids))]
    return out
