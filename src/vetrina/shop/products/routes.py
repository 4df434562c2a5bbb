"""Routes of products: list, read, create, change, delete, duplicate; related products.

Not here: members and arguments (shop/products/schema.py), serialization (shop/products/views.py), variations
(shop/variations/routes.py). Rules: docs/rules/products.md, 1; docs/rules/shop_requests.md, 4 and 5.
"""

from __future__ import annotations

from typing import Any

from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Integer, Object, String
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import parse_field_selection
from vetrina.shop import list_arguments, meta_data
from vetrina.shop.batch_routes import build_batch_route
from vetrina.shop.permissions import build_item_permissions, require_create_permission, require_view_permission
from vetrina.shop.products import (
    copies as product_copies,
    cost_schema,
    listing as product_listing,
    model as product_model,
    rules as products,
)
from vetrina.shop.products.image_arguments import add_image_fetching
from vetrina.shop.products.input import InvalidGlobalId, InvalidSku, SkuInTrash
from vetrina.shop.products.member_views import PRODUCT_SERIALIZER
from vetrina.shop.products.model import Product, ProductNotFound
from vetrina.shop.products.query_arguments import build_product_query
from vetrina.shop.products.schema import PRODUCT_FIELDS, build_product_filters, build_write_arguments
from vetrina.shop.products.views import ShopProductView, build_product_links, serialize_product, serialize_products

__all__ = ["PATH", "build_routes"]

PATH = "/shop/v3/products"
_ITEM = f"{PATH}/{{id}}"
_WRITE_ERRORS = (InvalidSku, InvalidGlobalId)


class ProductToUpdateNotFound(ProductNotFound):
    """The product to change does not exist."""

    failure = Failure.INVALID


class ProductIsVariation(ApiError):
    """A variation is written through the routes below its product."""

    failure, code = Failure.NOT_FOUND, "shop_rest_invalid_product_id"
    message = "{id} is a variation; write it at /products/{parent}/variations/{id}."


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of products."""
    id = {"id": Integer("Number of the product.")}
    create = Route(
        WRITE,
        PATH,
        _create_product,
        build_write_arguments(PRODUCT_FIELDS, creating=True),
        require_create_permission,
        _build_product_schema,
        errors=(*_WRITE_ERRORS, SkuInTrash),
    )
    change = Route(
        CHANGE,
        _ITEM,
        _update_product,
        {**id, **build_write_arguments(PRODUCT_FIELDS, creating=False)},
        _require_product_edit_permission,
        _build_product_schema,
        errors=(ProductToUpdateNotFound, ProductIsVariation, *_WRITE_ERRORS),
    )
    create, change = add_image_fetching(create), add_image_fetching(change)
    remove = Route(
        REMOVE,
        _ITEM,
        _delete_product,
        {**id, "force": list_arguments.build_force_argument()},
        _require_product_delete_permission,
        _build_product_schema,
        errors=(ProductNotFound, products.ProductAlreadyTrashed),
    )
    create, change, remove = cost_schema.add_response_fields(
        (create, change, remove), _build_product_schema, cost_schema.PRODUCT_COST_FIELDS
    )
    suggested = {
        **build_product_filters(),
        "categories": list_arguments.build_id_filter("Categories of which the products are."),
        "tags": list_arguments.build_id_filter("Tags of which the products have one."),
        "limit": Integer("Most products that the answer may hold.", default=5, minimum=1, maximum=100, null="keep"),
    }
    names = {
        "context": String("Scope under which the request is made.", null="keep"),
        **list_arguments.build_paging_arguments(),
        "order": String("Order of the names.", default="asc", enum=("asc", "desc"), null="keep"),
    }
    every = (
        Route(READ, PATH, _list_products, build_product_filters(), require_view_permission, _build_product_schema),
        create,
        Route(
            READ,
            _ITEM,
            _read_product,
            {**id, "context": list_arguments.build_context_argument()},
            _require_product_view_permission,
            _build_product_schema,
            errors=(ProductNotFound,),
        ),
        change,
        remove,
        build_batch_route(f"{PATH}/batch", create=create, update=change, delete=remove),
        Route(
            READ,
            f"{_ITEM}/related",
            _list_related_products,
            id,
            _require_product_view_permission,
            errors=(ProductNotFound,),
            answers=Object(properties={"related_ids": Array("Numbers of products.", items=Integer())}),
        ),
        Route(
            READ,
            f"{PATH}/suggested-products",
            _suggest_products,
            suggested,
            require_view_permission,
            _build_product_schema,
        ),
        Route(
            WRITE,
            f"{_ITEM}/duplicate",
            _duplicate_product,
            {**id, **build_write_arguments(PRODUCT_FIELDS, creating=False)},
            require_create_permission,
            _build_product_schema,
            errors=(ProductNotFound,),
            status=200,
        ),
        Route(
            READ,
            f"{PATH}/custom-fields/names",
            _list_field_names,
            names,
            require_view_permission,
            answers=Array(items=String()),
        ),
    )
    return cost_schema.add_response_fields(every, _build_product_schema, cost_schema.PRODUCT_COST_FIELDS)


def _build_product_schema() -> dict[str, Any]:
    return PRODUCT_SERIALIZER.schema("product")


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


_require_product_view_permission, _require_product_edit_permission, _require_product_delete_permission = (
    build_item_permissions(_find_product)
)


# -- handlers


def _list_products(call: Call) -> Result:
    query = build_product_query(call)
    found, total = product_listing.list_products(call.work, query)
    headers, links = build_page_headers(
        call, list_arguments.compute_reported_total(total, found, call.args), query.limit, call.args["page"]
    )
    return Result(_serialize_page(call, found), headers=headers, links=links)


def _serialize_page(call: Call, products: list[Product]) -> list[dict[str, Any]]:
    view = ShopProductView(call.work, products, call.args.get("context") or "view", call.args)
    return serialize_products(
        view, PRODUCT_SERIALIZER, build_product_links, parse_field_selection(call.request.raw("_fields"))
    )


def _read_product(call: Call) -> Result:
    return _build_product_result(call, _get_product(call), call.args["context"])


def _build_product_result(call: Call, one: Product, context: str = "edit", status: int = 200) -> Result:
    work = call.work
    view = ShopProductView(work, [one], context, call.args)
    body = serialize_product(view, PRODUCT_SERIALIZER, parse_field_selection(call.request.raw("_fields")))
    return Result(body, status, rels=build_product_links(work, one), keeps_links=True)


def _create_product(call: Call) -> Result:
    new = products.create_product(call.work, call.args)
    result = _build_product_result(call, new, status=201)
    result.headers["Location"] = call.work.api(f"{PATH}/{new.id}")
    return result


def _update_product(call: Call) -> Result:
    return _build_product_result(
        call, products.update_product(call.work, _get_writable_product(call, ProductToUpdateNotFound), call.args)
    )


def _delete_product(call: Call) -> Result:
    work = call.work
    old = _get_writable_product(call)
    result = _build_product_result(call, old)
    if call.args["force"]:
        products.delete_product(work, old)
    else:
        products.trash_product(work, old)
    return result


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
    return Result(_serialize_page(call, found))


def _duplicate_product(call: Call) -> Result:
    """Duplicate a product as a draft, with its variations."""
    work = call.work
    return _build_product_result(call, product_copies.duplicate_product(work, _get_writable_product(call), call.args))


def _list_field_names(call: Call) -> Result:
    """List the names of custom fields that products have."""
    args = call.args
    size, page = args["per_page"], args["page"]
    found, total = meta_data.list_meta_names(
        call.work, "product", args.get("search") or "", descending=args["order"] == "desc", limit=size,
        start=(page - 1) * size,
    )  # fmt: skip
    headers, links = build_page_headers(call, total, size, page)
    return Result(found, headers=headers, links=links)
