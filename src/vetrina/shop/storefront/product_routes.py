"""Products for visitors: list, read by id or slug, data of a collection.

Rules: docs/rules/store_products.md, 2, 3, 4 and 5: unpublished products do not exist for visitors.
"""

from __future__ import annotations

import html
from dataclasses import replace
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from vetrina.content.terms import store as term_store
from vetrina.core.call import Call
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.field_selection import FieldSelection
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String
from vetrina.rest.resource import ListPage, Operation, Resource
from vetrina.rest.response_fields import build_optional_fields, build_text_fields
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer
from vetrina.shop.products import listing as product_listing, model as product_model
from vetrina.shop.products.filters import ProductQuery
from vetrina.shop.products.model import Product
from vetrina.shop.storefront import open_schema, product_views
from vetrina.shop.storefront.amount_views import CURRENCY_FIELDS, MoneySerializer
from vetrina.shop.storefront.product_arguments import build_context_argument, build_product_filters, build_product_query
from vetrina.shop.storefront.product_views import StoreProductView

_STATUSES: Final = ("instock", "outofstock", "onbackorder")


class StoreProductNotFound(ApiError):
    """The product does not exist, or visitors may not see it."""

    failure, code = Failure.NOT_FOUND, "shop_rest_product_invalid_id"
    message = "There is no product with the number {id}."


class ProductSlugNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_product_invalid_slug"
    message = "There is no product with the slug {slug!r}."


def _build_request_path(call: Call) -> str:
    """Return the path and query of a request, escaped for HTML; the default language has no path prefix."""
    path, _, query = call.request.target.partition("?")
    profile = call.work.site.profile
    if call.work.language == profile.default_language:
        path = path.removeprefix(f"/{profile.default_language}")
    written = urlencode(parse_qsl(query, keep_blank_values=True))
    path = call.work.base_path + path
    return html.escape(f"{path}?{written}" if written else path).replace("&amp;", "&#038;")


class _ProductSerializer(Serializer):
    def serialize(
        self, record: Product, view: StoreProductView, context: str, wanted: FieldSelection | None = None
    ) -> dict[str, Any]:
        return view.serialize_product(record)


def build_routes(base: str) -> tuple[Route, ...]:
    """Return the routes of products; base: path of the namespace."""
    products = Resource(
        title="product",
        path=f"{base}/products",
        key={"id": Integer("Number of the product.")},
        serializer=_ProductSerializer(product_views.PRODUCT_FIELDS, {}),
        load_view=lambda call, found: StoreProductView(call.work, found, _build_request_path(call)),
        build_links=lambda call, one: product_views.build_product_links(call.work, one, base),
        find=_get_product,
        list=Operation(_list_products, args=build_product_filters()),
        read=Operation(_get_product, errors=(StoreProductNotFound,), summary="Read one product, by its id."),
        context=build_context_argument(),
        response_fields=open_schema.PRODUCT_RESPONSE_FIELDS,
        keeps_links=True,
        lists_links=True,
        batch=True,
    )
    by_slug = replace(
        products, item="{slug:[\\S]+}", key={"slug": String("Slug of the product.")}, list=None,
        read=Operation(_get_product_by_slug, errors=(ProductSlugNotFound,), summary="Read one product, by its slug."),
    )  # fmt: skip
    return (
        Route(
            READ, f"{products.path}/collection-data", _read_collection_data,
            {**build_product_filters(), **_build_collection_arguments()}, batch=True, answers=_COLLECTION_DATA,
        ),
        *products.build_routes(),
        *by_slug.build_routes(),
    )  # fmt: skip


def _list_products(call: Call) -> ListPage[Product]:
    found, total = product_listing.list_products(call.work, build_product_query(call))
    return ListPage(found, total, size=call.args["per_page"] or 100)


def _get_product(call: Call) -> Product:
    id = call.args["id"]
    return _require_visible_product(call.work, product_model.find_product(call.work, id), StoreProductNotFound(id=id))


def _get_product_by_slug(call: Call) -> Product:
    slug = call.args["slug"]
    query = ProductQuery(statuses=("publish",), slugs=(slug,), limit=1)
    found = next(iter(product_listing.list_products(call.work, query)[0]), None)
    return _require_visible_product(call.work, found, ProductSlugNotFound(slug=slug))


def _require_visible_product(work: UnitOfWork, product: Product | None, unknown: ApiError) -> Product:
    """Return a product that visitors may see: published, with a published parent, and without a password."""
    if product is None or product.record.status != "publish" or product.record.password:
        raise unknown
    if product.is_variation:
        _require_visible_product(work, product_model.find_product(work, product.parent), unknown)
    return product


# -- collection data


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
