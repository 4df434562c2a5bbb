"""Products for visitors: the list, one by its number or slug, and what a collection has in common.

Rules: facts, "Visitors' interface"; OVERRIDES 12: what is not published is not there.
"""

from __future__ import annotations

import html
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String
from vetrina.rest.paging import page_headers
from vetrina.rest.response_fields import texts
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Shape
from vetrina.shop.products import listing as product_listing
from vetrina.shop.products import model as product_model
from vetrina.shop.products.filters import ProductQuery
from vetrina.shop.products.model import Product
from vetrina.shop.storefront import open_schema, product_views
from vetrina.shop.storefront.amount_views import CURRENCY, Amounts
from vetrina.shop.storefront.product_arguments import context, filters, query_of
from vetrina.shop.storefront.product_views import ProductsView

__all__ = ["SlugUnknown", "Unknown", "routes"]

_STATUSES: Final = ("instock", "outofstock", "onbackorder")
_SHAPE: Final = Shape(product_views.FIELDS, {})


class Unknown(ApiError):
    """There is no such product, or visitors may not see it."""

    status, code = 404, "shop_rest_product_invalid_id"
    message = "There is no product with the number {id}."


class SlugUnknown(ApiError):
    status, code = 404, "shop_rest_product_invalid_slug"
    message = "There is no product with the slug {slug!r}."


def _here(call: Call) -> str:
    """Return the address of a request without its host, as HTML; the default language has no directory in it."""
    path, _, asked = call.request.target.partition("?")
    profile = call.work.frame.profile
    if call.work.language == profile.default_language:
        path = path.removeprefix(f"/{profile.default_language}")
    written = urlencode(parse_qsl(asked, keep_blank_values=True))
    return html.escape(f"{path}?{written}" if written else path).replace("&amp;", "&#038;")


def routes(base: str) -> tuple[Route, ...]:
    """Return the routes of products; base: the address of the namespace."""
    path = f"{base}/products"

    def listed(call: Call) -> Result:
        found, total = product_listing.listed_page(call.work, query_of(call))
        headers, links = page_headers(call, total, call.args["per_page"] or 100, call.args["page"])
        return Result(product_views.listed(call.work, found, base, _here(call)), headers=headers, links=links)

    def shown(call: Call, one: Product) -> Result:
        body = ProductsView(call.work, (one,), _here(call)).members(one)
        return Result(body, rels=product_views.links(call.work, one, base), keeps_links=True)

    def by_number(call: Call) -> Result:
        """Read one product, by its number."""
        return shown(
            call, _visible(call.work, product_model.by_id(call.work, call.args["id"]), Unknown(id=call.args["id"]))
        )

    def by_slug(call: Call) -> Result:
        """Read one product, by its slug."""
        slug = call.args["slug"]
        return shown(call, _visible(call.work, _of_slug(call.work, slug), SlugUnknown(slug=slug)))

    return (
        Route(READ, f"{path}/collection-data", _collection, {**filters(), **_asked()}, batch=True, answers=_DATA),
        Route(READ, path, listed, filters(), batch=True, schema=_schema, shows=open_schema.PRODUCT),
        Route(
            READ, f"{path}/{{id}}", by_number, {"id": Integer("Number of the product."), "context": context()},
            batch=True, schema=_schema, shows=open_schema.PRODUCT, errors=(Unknown,),
        ),
        Route(
            READ, f"{path}/{{slug:[\\S]+}}", by_slug, {"slug": String("Slug of the product."), "context": context()},
            batch=True, schema=_schema, shows=open_schema.PRODUCT, errors=(SlugUnknown,),
        ),
    )  # fmt: skip


def _schema() -> dict[str, Any]:
    return _SHAPE.schema("product")


def _visible(work: Work, one: Product | None, unknown: ApiError) -> Product:
    """Return a product that visitors may see: published, as is what it belongs to, and open to everybody."""
    if one is None or one.record.status != "publish" or one.record.password:
        raise unknown
    if one.is_variation:
        _visible(work, product_model.by_id(work, one.parent), unknown)
    return one


def _of_slug(work: Work, slug: str) -> Product | None:
    query = ProductQuery(statuses=("publish",), slugs=(slug,), limit=1)
    return next(iter(product_listing.listed_page(work, query)[0]), None)


# -- what a collection has in common


def _asked() -> dict[str, Field]:
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


_TERMS: Final = Array(items=Object(properties={"term": Integer("Number of the term."), "count": Integer()}))
_DATA: Final = Object(
    "What the products of a collection have in common; null for what was not asked for.",
    {
        "price_range": Object(
            "The lowest and the highest price.", {"min_price": String(), "max_price": String(), **CURRENCY}
        ),
        "attribute_counts": _TERMS.but(help="How many have each value."),
        "rating_counts": Array(
            "How many have so many stars.", items=Object(properties={"rating": Integer(), "count": Integer()})
        ),
        "stock_status_counts": Array(
            "How many are in each stock status.", items=Object(properties=texts("status", "count"))
        ),
        "taxonomy_counts": _TERMS.but(help="How many have each term."),
    },
)


def _collection(call: Call) -> Result:
    """Count the products of a list by price, stock, rating and attribute, for filters."""
    work, args, query = call.work, call.args, query_of(call)
    body: dict[str, Any] = dict.fromkeys(_DATA.properties)
    if args["calculate_price_range"]:
        bounds = next(iter(product_listing.tallied(work, query, "price")), (None, None))
        amounts = Amounts(work)
        low, high = (amounts.minor(money.loaded(bound or 0)) for bound in bounds)
        body["price_range"] = {"min_price": low, "max_price": high, **amounts.members}
    if args["calculate_stock_status_counts"]:
        found = dict(product_listing.tallied(work, query, "stock_status"))
        body["stock_status_counts"] = [
            {"status": status, "count": str(found.get(status, 0))} for status in _STATUSES
        ]  # fmt: skip
    if args["calculate_rating_counts"]:
        stars: dict[int, int] = {}
        for hundredths, count in product_listing.tallied(work, query, "rating"):
            star = (hundredths + 50) // 100
            stars[star] = stars.get(star, 0) + count
        body["rating_counts"] = [{"rating": star, "count": stars[star]} for star in sorted(stars)]
    wanted = [str(one.get("taxonomy") or "") for one in args["calculate_attribute_counts"]]
    if wanted:
        body["attribute_counts"] = _by_term(call, query, wanted)
    if args["calculate_taxonomy_counts"]:
        body["taxonomy_counts"] = _by_term(call, query, args["calculate_taxonomy_counts"])
    return Result(body)


def _by_term(call: Call, query: Any, taxonomies: list[str]) -> list[dict[str, int]]:
    work: Work = call.work
    work.uses(*taxonomies)
    counts = dict(product_listing.tallied(work, query, "term"))
    known = term_store.by_ids(work.tx, sorted(counts))
    return [
        {"term": id, "count": count}
        for id, count in sorted(counts.items())
        if id in known and known[id].taxonomy in taxonomies
    ]
