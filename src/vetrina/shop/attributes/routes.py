"""Routes of the attributes that products share.

Not here: their terms (shop/groupings/routes.py), the attributes of one product (shop/products/views.py). Rules:
docs/rules/variations.md, 1.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest.call import Result
from vetrina.rest.fields import ABSENT, EDIT, VIEW, Boolean, Field, Integer, String
from vetrina.rest.preconditions import WriteGuard, build_state_word
from vetrina.rest.resource import ListPage, Operation, build_write_arguments
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer, read_attributes
from vetrina.shop import list_arguments, permissions as shop_permissions
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.attributes.rules import (
    AttributeNotFound,
    CannotCreateAttribute,
    CannotEditAttribute,
    ProductAttribute,
)
from vetrina.shop.resource import ShopResource

PATH: Final = "/shop/v3/products/attributes"
_BOTH: Final = (VIEW, EDIT)

_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the attribute.", context=_BOTH, readonly=True),
    "name": String("Name of the attribute.", context=_BOTH),
    "slug": String("Slug of the attribute.", context=_BOTH),
    "type": String("Type of the attribute.", enum=("select",), default="select", context=_BOTH),
    "order_by": String("How its terms are sorted.", enum=attributes.TERM_ORDERS, default="menu_order", context=_BOTH),
    "has_archives": Boolean("Whether its terms have pages.", default=False, context=_BOTH),
}
_CREATE_ARGUMENTS: Final = {
    **build_write_arguments(_FIELDS, required=("name",)),
    "generate_slug": Boolean("Whether the slug that the name makes may get a number.", default=False, null="keep"),
}


def _list_attributes(call: Call) -> Result:
    found = list(attributes.load_attributes(call.work).values())
    result = _ATTRIBUTES.build_list_result(call, ListPage(found, len(found), size=None))
    # The list always has exactly one page, even when it is empty.
    result.headers["X-CMS-TotalPages"] = 1
    return result


def _get_attribute(call: Call) -> ProductAttribute:
    return attributes.get_attribute(call.work, call.args.get("id"))


def _create_attribute(call: Call) -> ProductAttribute:
    return attributes.create_attribute(call.work, call.args)


def _update_attribute(call: Call, old: ProductAttribute) -> ProductAttribute:
    return attributes.update_attribute(call.work, old, call.args)


def _delete_attribute(call: Call, old: ProductAttribute) -> None:
    attributes.delete_attribute(call.work, old)


def _compute_attribute_state(attribute: ProductAttribute, view: Any) -> str:
    return build_state_word(attribute.id, attribute)


_ATTRIBUTES: Final = ShopResource(
    title="product_attribute",
    path=PATH,
    key={"id": Integer("Number of the attribute.")},
    serializer=Serializer(
        _FIELDS, read_attributes("id", "name", "type", "order_by", "has_archives", slug="taxonomy")
    ),
    find=_get_attribute,
    guard=WriteGuard(_compute_attribute_state, in_links=True),
    create=Operation(
        _create_attribute, shop_permissions.require_create_permission, _CREATE_ARGUMENTS, (CannotCreateAttribute,)
    ),
    read=Operation(_get_attribute, shop_permissions.require_view_permission, errors=(AttributeNotFound,)),
    update=Operation(
        _update_attribute, shop_permissions.require_edit_permission,
        build_write_arguments(_FIELDS, default=ABSENT), (AttributeNotFound, CannotEditAttribute),
    ),
    delete=Operation(_delete_attribute, shop_permissions.require_delete_permission, errors=(AttributeNotFound,)),
    force=Boolean("Attributes have no trash.", default=True, null="keep"),
)  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of shared attributes."""
    list_route = Route(
        READ, PATH, _list_attributes, {"context": list_arguments.build_context_argument()},
        shop_permissions.require_view_permission, _ATTRIBUTES.build_schema, answers="many",
    )  # fmt: skip
    return (list_route, *_ATTRIBUTES.build_routes())
