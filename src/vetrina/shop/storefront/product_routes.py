"""Products for visitors: list, read by id or slug.

Not here: which products visitors may see (shop/storefront/visible_products.py), data of a collection
(shop/storefront/collection_data_routes.py). Rules: docs/rules/store_products.md, 2 and 3.
"""

from __future__ import annotations

import html
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from vetrina.core.call import Call
from vetrina.rest.field_selection import FieldSelection
from vetrina.rest.fields import Integer, String
from vetrina.rest.resource import ListPage, Operation, Resource
from vetrina.rest.route import Route
from vetrina.rest.serializer import Serializer
from vetrina.shop.products import listing as product_listing, model as product_model
from vetrina.shop.products.filters import ProductQuery
from vetrina.shop.products.model import Product
from vetrina.shop.storefront import open_schema, product_views
from vetrina.shop.storefront.product_arguments import build_context_argument, build_product_filters, build_product_query
from vetrina.shop.storefront.product_views import StoreProductView
from vetrina.shop.storefront.visible_products import ProductSlugNotFound, StoreProductNotFound, require_visible_product


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
        *products.build_routes(),
        *by_slug.build_routes(),
    )  # fmt: skip


def _list_products(call: Call) -> ListPage[Product]:
    found, total = product_listing.list_products(call.work, build_product_query(call))
    return ListPage(found, total, size=call.args["per_page"] or 100)


def _get_product(call: Call) -> Product:
    id = call.args["id"]
    return require_visible_product(call.work, product_model.find_product(call.work, id), StoreProductNotFound(id=id))


def _get_product_by_slug(call: Call) -> Product:
    slug = call.args["slug"]
    query = ProductQuery(statuses=("publish",), slugs=(slug,), limit=1)
    found = next(iter(product_listing.list_products(call.work, query)[0]), None)
    return require_visible_product(call.work, found, ProductSlugNotFound(slug=slug))
