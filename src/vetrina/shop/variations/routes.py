"""Routes of the variations of a product, and of variations across all products.

Not here: members and arguments (shop/products/schema.py), serialization (shop/products/views.py). Rules:
docs/rules/variations.md, 4 and 5.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import Failure
from vetrina.rest.call import Result
from vetrina.rest.derived_routes import RunRoute, derive_route
from vetrina.rest.fields import Boolean, Field, Integer, Object
from vetrina.rest.preconditions import WriteGuard
from vetrina.rest.resource import ListPage, Operation
from vetrina.rest.route import WRITE, Route, build_pattern
from vetrina.shop import list_arguments
from vetrina.shop.permissions import build_item_permissions, require_create_permission, require_view_permission
from vetrina.shop.products import cost_schema, listing as product_listing, model as product_model
from vetrina.shop.products.image_arguments import add_image_fetching
from vetrina.shop.products.list_arguments import build_variation_query
from vetrina.shop.products.member_views import VARIATION_SERIALIZER
from vetrina.shop.products.model import Product, ProductNotFound
from vetrina.shop.products.product_codes import InvalidGlobalId, InvalidSku
from vetrina.shop.products.schema import VARIATION_FIELDS, build_variation_filters, build_write_arguments
from vetrina.shop.products.views import build_standalone_variation_links, build_variation_links, load_product_view
from vetrina.shop.record_state_views import compute_product_state
from vetrina.shop.resource import ShopResource
from vetrina.shop.variations import rules as variations
from vetrina.shop.variations.rules import VariationNotFound

_GENERATE_ANSWER: Final = Object(properties={
    "count": Integer("How many were made."), "deleted_count": Integer("How many of the others were removed."),
})  # fmt: skip


class VariationToUpdateNotFound(VariationNotFound):
    """The variation to change does not exist."""

    failure = Failure.INVALID


# -- rights: the handler reports an unknown variation, to every caller


def _has_variation(call: Call) -> bool:
    id = call.args.get("id")
    found = product_model.find_product(call.work, id) if isinstance(id, int) else None
    return found is not None and found.is_variation


_may_view, _may_edit, _may_delete = build_item_permissions(_has_variation)


# -- handlers


def _get_parent_product(call: Call) -> Product:
    """Return the product of the variations. Raises ProductNotFound."""
    found = product_model.get_product(call.work, call.args.get("product_id"))
    if found.is_variation:
        raise ProductNotFound(id=found.id)
    return found


def _get_variation(call: Call) -> Product:
    return variations.get_variation(call.work, call.args.get("product_id"), call.args.get("id"))


def _get_variation_to_update(call: Call) -> Product:
    try:
        return _get_variation(call)
    except VariationNotFound:
        raise VariationToUpdateNotFound(id=call.args.get("id")) from None


def _list_variations(call: Call) -> ListPage[Product]:
    return _list_page(call, _get_parent_product(call).id)


def _list_all_variations(call: Call) -> ListPage[Product]:
    return _list_page(call, None)


def _list_page(call: Call, parent: int | None) -> ListPage[Product]:
    found, total = product_listing.list_products(call.work, build_variation_query(call, parent))
    return ListPage(found, list_arguments.compute_reported_total(total, found, call.args))


def _create_variation(call: Call) -> Product:
    return variations.create_variation(call.work, _get_parent_product(call), call.args)


def _update_variation(call: Call, old: Product) -> Product:
    return variations.update_variation(call.work, _get_parent_product(call), old, call.args)


def _delete_variation(call: Call, old: Product) -> None:
    if call.args["force"]:
        variations.delete_variation(call.work, old)
    else:
        variations.trash_variation(call.work, old)


def _generate_variations(call: Call) -> Result:
    """Create the missing variations of a product, one for each combination of its options."""
    above = _get_parent_product(call)
    created, removed = variations.generate_variations(
        call.work, above, without_others=bool(call.args.get("delete")), first=call.args.get("default_values")
    )
    return Result({"count": created, **({"deleted_count": removed} if call.args.get("delete") else {})})


def _adapt_creation(route: Route) -> Route:
    def around(call: Call, run: RunRoute) -> Result:
        result = run(call)
        # As the interface does: the pattern of the path parameter stands in place of the product's id.
        path = build_pattern("/shop/v3/products/{product_id}/variations")
        result.headers["Location"] = call.work.api(f"{path}/{result.body['id']}")
        return result

    return add_image_fetching(derive_route(route, around))


_ABOVE: Final = {"product_id": Integer("Number of the product.")}
_CREATE_ARGUMENTS: Final = build_write_arguments(VARIATION_FIELDS, creating=True)
_UPDATE_ARGUMENTS: Final = build_write_arguments(VARIATION_FIELDS, creating=False)
_WRITE_ERRORS: Final = (InvalidSku, InvalidGlobalId)
VARIATIONS: Final = ShopResource(
    title="product_variation",
    path="/shop/v3/products/{product_id}/variations",
    above=_ABOVE,
    key={**_ABOVE, "id": Integer("Number of the variation.")},
    serializer=VARIATION_SERIALIZER,
    load_view=load_product_view,
    lists_links=False,
    build_links=build_variation_links,
    response_fields=cost_schema.PRODUCT_COST_FIELDS,
    guard=WriteGuard(compute_product_state, attrgetter("record.modified_gmt")),
    find=_get_variation,
    list=Operation(_list_variations, require_view_permission, build_variation_filters(), (ProductNotFound,)),
    create=Operation(
        _create_variation, require_create_permission, _CREATE_ARGUMENTS, (ProductNotFound, *_WRITE_ERRORS),
        adapt=_adapt_creation,
    ),
    read=Operation(_get_variation, _may_view, errors=(VariationNotFound,)),
    update=Operation(
        _update_variation, _may_edit, _UPDATE_ARGUMENTS, (VariationToUpdateNotFound, *_WRITE_ERRORS),
        find=_get_variation_to_update, adapt=add_image_fetching,
    ),
    delete=Operation(_delete_variation, _may_delete, errors=(VariationNotFound, variations.VariationAlreadyTrashed)),
)  # fmt: skip
ALL_VARIATIONS: Final = ShopResource(
    title=VARIATIONS.title,
    path="/shop/v3/variations",
    key={},
    serializer=VARIATION_SERIALIZER,
    load_view=load_product_view,
    lists_links=False,
    build_links=build_standalone_variation_links,
    response_fields=VARIATIONS.response_fields,
    find=_get_variation,
    list=Operation(
        _list_all_variations, require_view_permission, build_variation_filters(),
        summary="List the variations of all products.",
    ),
    build_batch_route=None,
)  # fmt: skip
_GENERATE_ARGUMENTS: Final[dict[str, Field]] = {
    **_ABOVE,
    **_CREATE_ARGUMENTS,
    "delete": Boolean("Whether to remove variations that are no combination of the options."),
    "default_values": Object("Members of those that are made.", dict(_UPDATE_ARGUMENTS)),
}


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of variations."""
    return (
        *VARIATIONS.build_routes(),
        Route(
            WRITE, f"{VARIATIONS.path}/generate", _generate_variations, _GENERATE_ARGUMENTS, require_create_permission,
            errors=(ProductNotFound,), answers=_GENERATE_ANSWER,
        ),
    )  # fmt: skip


def build_all_variations_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the route of the variations of all products."""
    return ALL_VARIATIONS.build_routes()
