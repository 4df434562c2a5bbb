"""Routes of the attributes that products share.

Not here: their terms (shop/groupings/routes.py), the attributes of one product (shop/products/views.py). Rules:
docs/rules/variations.md, 1.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, VIEW, Boolean, Field, Integer, String
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Serializer, build_link, parse_field_selection
from vetrina.shop import list_arguments
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.attributes.rules import (
    AttributeNotFound,
    CannotCreateAttribute,
    CannotEditAttribute,
    ProductAttribute,
)
from vetrina.shop.batch_routes import build_batch_route
from vetrina.shop.permissions import (
    require_create_permission,
    require_delete_permission,
    require_edit_permission,
    require_view_permission,
)

__all__ = ["PATH", "build_routes"]

PATH: Final = "/shop/v3/products/attributes"
_ITEM: Final = f"{PATH}/{{id}}"
_BOTH: Final = (VIEW, EDIT)
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]

_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the attribute.", context=_BOTH, readonly=True),
    "name": String("Name of the attribute.", context=_BOTH),
    "slug": String("Slug of the attribute.", context=_BOTH),
    "type": String("Type of the attribute.", enum=("select",), default="select", context=_BOTH),
    "order_by": String("How its terms are sorted.", enum=attributes.TERM_ORDERS, default="menu_order", context=_BOTH),
    "has_archives": Boolean("Whether its terms have pages.", default=False, context=_BOTH),
}
_SERIALIZER: Final = Serializer(
    _FIELDS,
    {
        "id": lambda one, view: one.id,
        "name": lambda one, view: one.name,
        "slug": lambda one, view: one.taxonomy,
        "type": lambda one, view: one.type,
        "order_by": lambda one, view: one.order_by,
        "has_archives": lambda one, view: one.has_archives,
    },
)


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of shared attributes."""
    id = {"id": Integer("Number of the attribute.")}
    new = {name: field.replace(context=(), required=name == "name") for name, field in _FIELDS.items() if name != "id"}
    changes = {name: field.replace(required=False, default=String().default) for name, field in new.items()}
    numbered = Boolean("Whether the slug that the name makes may get a number.", default=False, null="keep")
    create = Route(
        WRITE,
        PATH,
        _create_attribute,
        {**new, "generate_slug": numbered},
        require_create_permission,
        _build_attribute_schema,
        errors=(CannotCreateAttribute,),
    )
    change = Route(
        CHANGE,
        _ITEM,
        _update_attribute,
        {**id, **changes},
        require_edit_permission,
        _build_attribute_schema,
        errors=(AttributeNotFound, CannotEditAttribute),
    )
    force = Boolean("Attributes have no trash.", default=True, null="keep")
    remove = Route(
        REMOVE,
        _ITEM,
        _delete_attribute,
        {**id, "force": force},
        require_delete_permission,
        _build_attribute_schema,
        errors=(AttributeNotFound,),
    )
    return (
        Route(
            READ,
            PATH,
            _list_attributes,
            {"context": list_arguments.build_context_argument()},
            require_view_permission,
            _build_attribute_schema,
            answers="many",
        ),
        create,
        Route(
            READ,
            _ITEM,
            _read_attribute,
            {**id, "context": list_arguments.build_context_argument()},
            require_view_permission,
            _build_attribute_schema,
            errors=(AttributeNotFound,),
        ),
        change,
        remove,
        build_batch_route(f"{PATH}/batch", create=create, update=change, delete=remove),
    )


def _build_attribute_schema() -> dict[str, Any]:
    return _SERIALIZER.schema("product_attribute")


def _build_links(work: UnitOfWork, one: ProductAttribute) -> dict[str, Any]:
    collection = work.api(PATH)
    return {
        "self": [build_link(f"{collection}/{one.id}", targetHints={"allow": _METHODS})],
        "collection": [build_link(collection)],
    }


def _list_attributes(call: Call) -> Result:
    work = call.work
    found = list(attributes.load_attributes(work).values())
    wanted = parse_field_selection(call.request.raw("_fields"))
    body = [_SERIALIZER.serialize(one, None, call.args["context"], wanted) for one in found]
    if wanted is None or wanted.has_links():
        for one, members in zip(found, body, strict=True):
            members["_links"] = _build_links(work, one)
    # The list always has exactly one page, even when it is empty.
    return Result(body, headers={"X-CMS-Total": len(found), "X-CMS-TotalPages": 1})


def _build_attribute_result(call: Call, one: ProductAttribute, context: str = "edit", status: int = 200) -> Result:
    body = _SERIALIZER.serialize(one, None, context, parse_field_selection(call.request.raw("_fields")))
    return Result(body, status, rels=_build_links(call.work, one), keeps_links=True)


def _read_attribute(call: Call) -> Result:
    return _build_attribute_result(call, attributes.get_attribute(call.work, call.args["id"]), call.args["context"])


def _create_attribute(call: Call) -> Result:
    new = attributes.create_attribute(call.work, call.args)
    result = _build_attribute_result(call, new, status=201)
    result.headers["Location"] = call.work.api(f"{PATH}/{new.id}")
    return result


def _update_attribute(call: Call) -> Result:
    return _build_attribute_result(
        call,
        attributes.update_attribute(call.work, attributes.get_attribute(call.work, call.args.get("id")), call.args),
    )


def _delete_attribute(call: Call) -> Result:
    old = attributes.get_attribute(call.work, call.args.get("id"))
    attributes.delete_attribute(call.work, old)
    return _build_attribute_result(call, old)
