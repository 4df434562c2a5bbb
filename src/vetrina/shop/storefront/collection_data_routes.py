"""What the products of a list have in common, for filters: prices, and counts by stock, stars and terms.

Rules: docs/rules/store_products.md, 5.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.content.terms import store as term_store
from vetrina.core.call import Call
from vetrina.kernel import money
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String
from vetrina.rest.response_fields import build_optional_fields, build_text_fields
from vetrina.rest.route import READ, Route
from vetrina.shop.products import listing as product_listing
from vetrina.shop.storefront.amount_views import CURRENCY_FIELDS, MoneySerializer
from vetrina.shop.storefront.product_arguments import build_product_filters, build_product_query

_STATUSES: Final = ("instock", "outofstock", "onbackorder")


def build_routes(base: str) -> tuple[Route, ...]:
    """Return the route of collection data; base: path of the namespace."""
    return (
        Route(
            READ, f"{base}/products/collection-data", _read_collection_data,
            {**build_product_filters(), **_build_collection_arguments()}, batch=True, answers=_COLLECTION_DATA,
        ),
    )  # fmt: skip


def _build_collection_arguments() -> dict[str, Field]:
    return {
        "calculate_price_range": Boolean("Whether to tell the lowest and the highest price.", default=False),
        "calculate_stock_status_counts": Boolean("Whether to count by stock status.", default=False),
        "calculate_attribute_counts": Array(
            "Count by the values of these attributes.",
            items=Object(
                properties={
                    "taxonomy": String("Name of the attribute's taxonomy: `pa_size`."),
                    "query_type": String("Whether values are alternatives.", enum=("and", "or")),
                }
            ),
            default=[],
            max_items=20,
        ),
        "calculate_rating_counts": Boolean("Whether to count by stars.", default=False),
        "calculate_taxonomy_counts": Array(
            "Count by the terms of these taxonomies.", items=String("Name of a taxonomy."), default=[], max_items=20
        ),
    }


_TERM_COUNTS: Final = Array(items=Object(properties={"term": Integer("Number of the term."), "count": Integer()}))


_COLLECTION_DATA: Final = Object(
    "What the products of a collection have in common; null for what was not asked for.",
    build_optional_fields({
        "price_range": Object(
            "The lowest and the highest price.", {"min_price": String(), "max_price": String(), **CURRENCY_FIELDS}
        ),
        "attribute_counts": _TERM_COUNTS.replace(help="How many have each value."),
        "rating_counts": Array(
            "How many have so many stars.", items=Object(properties={"rating": Integer(), "count": Integer()})
        ),
        "stock_status_counts": Array(
            "How many are in each stock status.", items=Object(properties=build_text_fields("status", "count"))
        ),
        "taxonomy_counts": _TERM_COUNTS.replace(help="How many have each term."),
    }, None),
)  # fmt: skip


def _read_collection_data(call: Call) -> Result:
    """Count the products of a list by price, stock, rating and attribute, for filters."""
    work, args, query = call.work, call.args, build_product_query(call)
    body: dict[str, Any] = dict.fromkeys(_COLLECTION_DATA.properties)
    if args["calculate_price_range"]:
        bounds = next(iter(product_listing.compute_product_facets(work, query, "price")), (None, None))
        amounts = MoneySerializer(work)
        low, high = (amounts.format_minor_units(money.decode_amount(bound or 0)) for bound in bounds)
        body["price_range"] = {"min_price": low, "max_price": high, **amounts.members}
    if args["calculate_stock_status_counts"]:
        found = dict(product_listing.compute_product_facets(work, query, "stock_status"))
        body["stock_status_counts"] = [
            {"status": status, "count": str(found.get(status, 0))} for status in _STATUSES
        ]  # fmt: skip
    if args["calculate_rating_counts"]:
        stars: dict[int, int] = {}
        for hundredths, count in product_listing.compute_product_facets(work, query, "rating"):
            star = (hundredths + 50) // 100
            stars[star] = stars.get(star, 0) + count
        body["rating_counts"] = [{"rating": star, "count": stars[star]} for star in sorted(stars)]
    wanted = [str(one.get("taxonomy") or "") for one in args["calculate_attribute_counts"]]
    if wanted:
        body["attribute_counts"] = _count_by_term(call, query, wanted)
    if args["calculate_taxonomy_counts"]:
        body["taxonomy_counts"] = _count_by_term(call, query, args["calculate_taxonomy_counts"])
    return Result(body)


def _count_by_term(call: Call, query: Any, taxonomies: list[str]) -> list[dict[str, int]]:
    work = call.work
    work.uses(*taxonomies)
    counts = dict(product_listing.compute_product_facets(work, query, "term"))
    known = term_store.find_terms(work.tx, sorted(counts))
    return [
        {"term": id, "count": count}
        for id, count in sorted(counts.items())
        if id in known and known[id].taxonomy in taxonomies
    ]
