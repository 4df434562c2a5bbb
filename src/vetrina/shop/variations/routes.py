"""Routes of the variations of a product, and of variations across all products.

Not here: members and arguments (shop/products/schema.py), serialization (shop/products/views.py). Rules:
docs/rules/variations.md, 4 and 5.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.kernel.errors import Failure
from vetrina.rest.call import Result
from vetrina.rest.fields import Boolean, Integer, Object
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import parse_field_selection
from vetrina.shop import list_arguments
from vetrina.shop.batch_routes import build_batch_route
from vetrina.shop.permissions import require_create_permission, require_view_permission
from vetrina.shop.products import cost_schema, listing as product_listing, model as product_model
from vetrina.shop.products.image_arguments import add_image_fetching
from vetrina.shop.products.input import InvalidGlobalId, InvalidSku
from vetrina.shop.products.member_views import VARIATION_SERIALIZER
from vetrina.shop.products.model import Product, ProductNotFound
from vetrina.shop.products.query_arguments import build_variation_query
from vetrina.shop.products.schema import VARIATION_FIELDS, build_variation_filters, build_write_arguments
from vetrina.shop.products.views import (
    ShopProductView,
    build_standalone_variation_links,
    build_variation_links,
    serialize_product,
    serialize_products,
)
from vetrina.shop.rights import CannotDeleteShopItem, CannotEditShopItem, CannotViewShop, require_shop_capability
from vetrina.shop.variations import rules as variations
from vetrina.shop.variations.rules import VariationNotFound

__all__ = ["PATH", "build_all_variations_routes", "build_routes"]

PATH = "/shop/v3/products/{product_id}/variations"
_ITEM = f"{PATH}/{{id}}"
_ALL_VARIATIONS_PATH = "/shop/v3/variations"
_GENERATE_ANSWER = Object(properties={
    "count": Integer("How many were made."), "deleted_count": Integer("How many of the others were removed."),
})  # fmt: skip


class VariationToUpdateNotFound(VariationNotFound):
    """The variation to change does not exist."""

    failure = Failure.INVALID


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of variations."""
    above = {"product_id": Integer("Number of the product.")}
    id = {**above, "id": Integer("Number of the variation.")}
    new, changes = (
        build_write_arguments(VARIATION_FIELDS, creating=True),
        build_write_arguments(VARIATION_FIELDS, creating=False),
    )
    errors = (InvalidSku, InvalidGlobalId)
    create = Route(
        WRITE,
        PATH,
        _create_variation,
        {**above, **new},
        require_create_permission,
        _build_variation_schema,
        errors=(ProductNotFound, *errors),
    )
    change = Route(
        CHANGE,
        _ITEM,
        _update_variation,
        {**id, **changes},
        _require_variation_edit_permission,
        _build_variation_schema,
        errors=(VariationToUpdateNotFound, *errors),
    )
    create, change = add_image_fetching(create), add_image_fetching(change)
    remove = Route(
        REMOVE,
        _ITEM,
        _delete_variation,
        {**id, "force": list_arguments.build_force_argument()},
        _require_variation_delete_permission,
        _build_variation_schema,
        errors=(VariationNotFound, variations.VariationAlreadyTrashed),
    )
    create, change, remove = cost_schema.add_response_fields(
        (create, change, remove), _build_variation_schema, cost_schema.PRODUCT_COST_FIELDS
    )
    generate = {
        **above,
        **new,
        "delete": Boolean("Whether to remove variations that are no combination of the options."),
        "default_values": Object("Members of those that are made.", dict(changes)),
    }
    every = (
        Route(
            READ,
            PATH,
            _list_variations,
            {**above, **build_variation_filters()},
            require_view_permission,
            _build_variation_schema,
            errors=(ProductNotFound,),
        ),
        create,
        Route(
            READ,
            _ITEM,
            _read_variation,
            {**id, "context": list_arguments.build_context_argument()},
            _require_variation_view_permission,
            _build_variation_schema,
            errors=(VariationNotFound,),
        ),
        change,
        remove,
        build_batch_route(f"{PATH}/batch", create=create, update=change, delete=remove),
        Route(
            WRITE,
            f"{PATH}/generate",
            _generate_variations,
            generate,
            require_create_permission,
            errors=(ProductNotFound,),
            answers=_GENERATE_ANSWER,
        ),
    )
    return cost_schema.add_response_fields(every, _build_variation_schema, cost_schema.PRODUCT_COST_FIELDS)


def build_all_variations_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the route of the variations of all products."""
    every = (
        Route(
            READ,
            _ALL_VARIATIONS_PATH,
            _list_all_variations,
            build_variation_filters(),
            require_view_permission,
            _build_variation_schema,
        ),
    )
    return cost_schema.add_response_fields(every, _build_variation_schema, cost_schema.PRODUCT_COST_FIELDS)


def _build_variation_schema() -> dict[str, Any]:
    return VARIATION_SERIALIZER.schema("product_variation")


# -- rights: the handler reports an unknown variation, to every caller


def _has_variation(call: Call) -> bool:
    id = call.args.get("id")
    found = product_model.find_product(call.work, id) if isinstance(id, int) else None
    return found is not None and found.is_variation


def _require_variation_view_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    if _has_variation(call):
        require_shop_capability(call.work.user, CannotViewShop)


def _require_variation_edit_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    if _has_variation(call):
        require_shop_capability(call.work.user, CannotEditShopItem)


def _require_variation_delete_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    if _has_variation(call):
        require_shop_capability(call.work.user, CannotDeleteShopItem)


# -- handlers


def _get_parent_product(call: Call) -> Product:
    """Return the product of the variations. Raises ProductNotFound."""
    found = product_model.get_product(call.work, call.args.get("product_id"))
    if found.is_variation:
        raise ProductNotFound(id=found.id)
    return found


def _list_variations(call: Call) -> Result:
    return _build_page_result(call, _get_parent_product(call).id, build_variation_links)


def _list_all_variations(call: Call) -> Result:
    """List the variations of all products."""
    return _build_page_result(call, None, build_standalone_variation_links)


def _build_page_result(
    call: Call, parent: int | None, links_of: Callable[[UnitOfWork, Product], dict[str, Any]]
) -> Result:
    query = build_variation_query(call, parent)
    found, total = product_listing.list_products(call.work, query)
    view = ShopProductView(call.work, found, call.args["context"], call.args)
    body = serialize_products(view, VARIATION_SERIALIZER, links_of, parse_field_selection(call.request.raw("_fields")))
    headers, links = build_page_headers(
        call, list_arguments.compute_reported_total(total, found, call.args), query.limit, call.args["page"]
    )
    return Result(body, headers=headers, links=links)


def _get_variation(call: Call) -> Product:
    return variations.get_variation(call.work, call.args.get("product_id"), call.args.get("id"))


def _read_variation(call: Call) -> Result:
    return _build_variation_result(call, _get_variation(call), call.args["context"])


def _build_variation_result(call: Call, one: Product, context: str = "edit", status: int = 200) -> Result:
    work = call.work
    body = serialize_product(
        ShopProductView(work, [one], context, call.args),
        VARIATION_SERIALIZER,
        parse_field_selection(call.request.raw("_fields")),
    )
    return Result(body, status, rels=build_variation_links(work, one), keeps_links=True)


def _create_variation(call: Call) -> Result:
    new = variations.create_variation(call.work, _get_parent_product(call), call.args)
    result = _build_variation_result(call, new, status=201)
    # As the interface does: the pattern of the path parameter stands in place of the product's id.
    result.headers["Location"] = call.work.api(f"/shop/v3/products/(?P<product_id>[\\d]+)/variations/{new.id}")
    return result


def _update_variation(call: Call) -> Result:
    try:
        old = _get_variation(call)
    except VariationNotFound:
        raise VariationToUpdateNotFound(id=call.args.get("id")) from None
    return _build_variation_result(
        call, variations.update_variation(call.work, _get_parent_product(call), old, call.args)
    )


def _delete_variation(call: Call) -> Result:
    old = _get_variation(call)
    result = _build_variation_result(call, old)
    if call.args["force"]:
        variations.delete_variation(call.work, old)
    else:
        variations.trash_variation(call.work, old)
    return result


def _generate_variations(call: Call) -> Result:
    """Create the missing variations of a product, one for each combination of its options."""
    above = _get_parent_product(call)
    created, removed = variations.generate_variations(
        call.work, above, without_others=bool(call.args.get("delete")), first=call.args.get("default_values")
    )
    return Result({"count": created, **({"deleted_count": removed} if call.args.get("delete") else {})})
