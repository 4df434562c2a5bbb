"""Routes of products: list, read, create, change, delete, duplicate; related products.

Not here: members and arguments (shop/products/schema.py), serialization (shop/products/views.py), variations
(shop/variations/routes.py). Rules: docs/rules/products.md, 1; docs/rules/shop_requests.md, 4 and 5.
"""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Field, Integer, Object, String
from vetrina.rest.paging import build_page_headers, compute_page_offset
from vetrina.rest.preconditions import WriteGuard
from vetrina.rest.resource import ListPage, Operation
from vetrina.rest.route import READ, WRITE, Route
from vetrina.shop import list_arguments, meta_data
from vetrina.shop.permissions import build_item_permissions, require_create_permission, require_view_permission
from vetrina.shop.products import (
    copies as product_copies,
    cost_schema,
    listing as product_listing,
    model as product_model,
    rules as products,
)
from vetrina.shop.products.image_arguments import add_image_fetching
from vetrina.shop.products.list_arguments import build_product_query
from vetrina.shop.products.member_views import PRODUCT_SERIALIZER
from vetrina.shop.products.model import Product, ProductNotFound
from vetrina.shop.products.product_codes import InvalidGlobalId, InvalidSku, SkuInTrash
from vetrina.shop.products.schema import PRODUCT_FIELDS, build_product_filters, build_write_arguments
from vetrina.shop.products.views import ShopProductView, build_product_links, load_product_view
from vetrina.shop.record_state_views import compute_product_state
from vetrina.shop.resource import ShopResource

_WRITE_ERRORS: Final = (InvalidSku, InvalidGlobalId)


class ProductToUpdateNotFound(ProductNotFound):
    """The product to change does not exist."""

    failure = Failure.INVALID


class ProductIsVariation(ApiError):
    """A variation is written through the routes below its product."""

    failure, code = Failure.NOT_FOUND, "shop_rest_invalid_product_id"
    message = "{id} is a variation; write it at /products/{parent}/variations/{id}."


# -- rights: the handler reports an unknown product, to every caller


def _find_product(call: Call) -> Product | None:
    """Return the product that a request names, loaded once."""
    id = call.args.get("id")
    if not isinstance(id, int):
        return None
    if ("product", id) not in call.lookups:
        call.lookups["product", id] = product_model.find_product(call.work, id)
    found: Product | None = call.lookups["product", id]
    return found


def _get_product(call: Call, unknown: type[ProductNotFound] = ProductNotFound) -> Product:
    """Return the product that a request names. Raises `unknown`."""
    found = _find_product(call)
    if found is None:
        raise unknown(id=call.args.get("id"))
    return found


def _get_writable_product(call: Call, unknown: type[ProductNotFound] = ProductNotFound) -> Product:
    """Return the product that a write names. Raises `unknown`, ProductIsVariation."""
    found = _get_product(call, unknown)
    if found.is_variation:
        raise ProductIsVariation(id=found.id, parent=found.parent)
    return found


_may_view, _may_edit, _may_delete = build_item_permissions(_find_product)


# -- handlers


def _list_products(call: Call) -> ListPage[Product]:
    found, total = product_listing.list_products(call.work, build_product_query(call))
    return ListPage(found, list_arguments.compute_reported_total(total, found, call.args))


def _create_product(call: Call) -> Product:
    return products.create_product(call.work, call.args)


def _update_product(call: Call, old: Product) -> Product:
    return products.update_product(call.work, old, call.args)


def _delete_product(call: Call, old: Product) -> None:
    if call.args["force"]:
        products.delete_product(call.work, old)
    else:
        products.trash_product(call.work, old)


def _list_related_products(call: Call) -> Result:
    """List the ids of products related to one."""
    one = _get_product(call)
    return Result({"related_ids": ShopProductView(call.work, [one], "view").related_ids[one.id]})


def _suggest_products(call: Call) -> Result:
    """Suggest products of the requested categories and tags."""
    args = call.args
    for name, own in (("categories", "category"), ("tags", "tag")):
        if args.get(name):
            args[own] = ",".join(map(str, args[name]))
    args["per_page"], args["page"] = args["limit"], 1
    found, _ = product_listing.list_products(call.work, build_product_query(call))
    return PRODUCTS.build_list_result(call, ListPage(found, None))


def _duplicate_product(call: Call) -> Result:
    """Duplicate a product as a draft, with its variations."""
    copy = product_copies.duplicate_product(call.work, _get_writable_product(call), call.args)
    return PRODUCTS.build_result(call, copy)


def _list_field_names(call: Call) -> Result:
    """List the names of custom fields that products have."""
    args = call.args
    found, total = meta_data.list_meta_names(
        call.work, "product", args.get("search") or "", descending=args["order"] == "desc", limit=args["per_page"],
        offset=compute_page_offset(args),
    )  # fmt: skip
    headers, links = build_page_headers(call, total, args["per_page"], args["page"])
    return Result(found, headers=headers, links=links)


_UPDATE_ARGUMENTS: Final = build_write_arguments(PRODUCT_FIELDS, creating=False)
PRODUCTS: Final = ShopResource(
    title="product",
    path="/shop/v3/products",
    key={"id": Integer("Number of the product.")},
    serializer=PRODUCT_SERIALIZER,
    load_view=load_product_view,
    lists_links=False,
    build_links=build_product_links,
    response_fields=cost_schema.PRODUCT_COST_FIELDS,
    guard=WriteGuard(compute_product_state, attrgetter("record.modified_gmt")),
    find=_get_writable_product,
    list=Operation(_list_products, require_view_permission, build_product_filters()),
    create=Operation(
        _create_product, require_create_permission, build_write_arguments(PRODUCT_FIELDS, creating=True),
        (*_WRITE_ERRORS, SkuInTrash), adapt=add_image_fetching,
    ),
    read=Operation(_get_product, _may_view, errors=(ProductNotFound,)),
    update=Operation(
        _update_product, _may_edit, _UPDATE_ARGUMENTS, (ProductToUpdateNotFound, ProductIsVariation, *_WRITE_ERRORS),
        find=partial(_get_writable_product, unknown=ProductToUpdateNotFound), adapt=add_image_fetching,
    ),
    delete=Operation(_delete_product, _may_delete, errors=(ProductNotFound, products.ProductAlreadyTrashed)),
)  # fmt: skip
_ITEM: Final = f"{PRODUCTS.path}/{{id}}"
_SUGGESTION_ARGUMENTS: Final[dict[str, Field]] = {
    **build_product_filters(),
    "categories": list_arguments.build_id_filter("Categories of which the products are."),
    "tags": list_arguments.build_id_filter("Tags of which the products have one."),
    "limit": Integer("Most products that the answer may hold.", default=5, minimum=1, maximum=100, null="keep"),
}
_NAME_ARGUMENTS: Final[dict[str, Field]] = {
    "context": String("Scope under which the request is made.", null="keep"),
    **list_arguments.build_paging_arguments(),
    "order": String("Order of the names.", default="asc", enum=("asc", "desc"), null="keep"),
}


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of products."""
    schema, shows = PRODUCTS.build_schema, PRODUCTS.response_fields
    return (
        *PRODUCTS.build_routes(),
        Route(
            READ, f"{_ITEM}/related", _list_related_products, PRODUCTS.key, _may_view, errors=(ProductNotFound,),
            answers=Object(properties={"related_ids": Array("Numbers of products.", items=Integer())}),
        ),
        Route(
            READ, f"{PRODUCTS.path}/suggested-products", _suggest_products, _SUGGESTION_ARGUMENTS,
            require_view_permission, schema, response_fields=shows,
        ),
        Route(
            WRITE, f"{_ITEM}/duplicate", _duplicate_product, {**PRODUCTS.key, **_UPDATE_ARGUMENTS},
            require_create_permission, schema, errors=(ProductNotFound,), status=200, response_fields=shows,
        ),
        Route(
            READ, f"{PRODUCTS.path}/custom-fields/names", _list_field_names, _NAME_ARGUMENTS, require_view_permission,
            answers=Array(items=String()),
        ),
    )  # fmt: skip
