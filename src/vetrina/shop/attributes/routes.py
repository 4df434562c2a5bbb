"""Attributes that products share.

Not here: their terms (shop/groupings/routes.py), the attributes of one product (shop/products/views.py).
Rules: facts, "Attributes, variations".
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import EDIT, VIEW, Boolean, Field, Integer, String
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Shape, choice, link
from vetrina.shop import list_arguments
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.attributes.rules import Attribute, AttributeUnknown, CannotBeChanged, CannotBeMade
from vetrina.shop.batch_routes import batch_route
from vetrina.shop.permissions import creating, deleting, editing, viewing

__all__ = ["PATH", "routes"]

PATH: Final = "/shop/v3/products/attributes"
_ITEM: Final = f"{PATH}/{{id}}"
_BOTH: Final = (VIEW, EDIT)
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]

_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the attribute.", context=_BOTH, readonly=True),
    "name": String("Name of the attribute.", context=_BOTH),
    "slug": String("Slug of the attribute.", context=_BOTH),
    "type": String("Type of the attribute.", enum=("select",), default="select", context=_BOTH),
    "order_by": String("How its terms are sorted.", enum=attributes.ORDERS, default="menu_order", context=_BOTH),
    "has_archives": Boolean("Whether its terms have pages.", default=False, context=_BOTH),
}
_SHAPE: Final = Shape(
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


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of shared attributes."""
    id = {"id": Integer("Number of the attribute.")}
    new = {name: field.but(context=(), required=name == "name") for name, field in _FIELDS.items() if name != "id"}
    changes = {name: field.but(required=False, default=String().default) for name, field in new.items()}
    numbered = Boolean("Whether the slug that the name makes may get a number.", default=False, null="keep")
    create = Route(WRITE, PATH, _created, {**new, "generate_slug": numbered}, creating, _schema, errors=(CannotBeMade,))
    change = Route(
        CHANGE, _ITEM, _changed, {**id, **changes}, editing, _schema, errors=(AttributeUnknown, CannotBeChanged)
    )
    force = Boolean("Attributes have no trash.", default=True, null="keep")
    remove = Route(REMOVE, _ITEM, _removed, {**id, "force": force}, deleting, _schema, errors=(AttributeUnknown,))
    return (
        Route(READ, PATH, _listed, {"context": list_arguments.context()}, viewing, _schema, answers="many"),
        create,
        Route(
            READ,
            _ITEM,
            _read,
            {**id, "context": list_arguments.context()},
            viewing,
            _schema,
            errors=(AttributeUnknown,),
        ),
        change,
        remove,
        batch_route(f"{PATH}/batch", create=create, update=change, delete=remove),
    )


def _schema() -> dict[str, Any]:
    return _SHAPE.schema("product_attribute")


def _links(work: Work, one: Attribute) -> dict[str, Any]:
    collection = work.api(PATH)
    return {
        "self": [link(f"{collection}/{one.id}", targetHints={"allow": _METHODS})],
        "collection": [link(collection)],
    }


def _listed(call: Call) -> Result:
    work: Work = call.work
    found = list(attributes.known(work).values())
    wanted = choice(call.request.raw("_fields"))
    body = [_SHAPE.members(one, None, call.args["context"], wanted) for one in found]
    if wanted is None or wanted.names_links():
        for one, members in zip(found, body, strict=True):
            members["_links"] = _links(work, one)
    # All of them stand on one page, an empty one too.
    return Result(body, headers={"X-CMS-Total": len(found), "X-CMS-TotalPages": 1})


def _item(call: Call, one: Attribute, context: str = "edit", status: int = 200) -> Result:
    body = _SHAPE.members(one, None, context, choice(call.request.raw("_fields")))
    return Result(body, status, rels=_links(call.work, one), keeps_links=True)


def _read(call: Call) -> Result:
    return _item(call, attributes.existing(call.work, call.args["id"]), call.args["context"])


def _created(call: Call) -> Result:
    new = attributes.create(call.work, call.args)
    result = _item(call, new, status=201)
    result.headers["Location"] = call.work.api(f"{PATH}/{new.id}")
    return result


def _changed(call: Call) -> Result:
    return _item(call, attributes.change(call.work, attributes.existing(call.work, call.args.get("id")), call.args))


def _removed(call: Call) -> Result:
    old = attributes.existing(call.work, call.args.get("id"))
    attributes.remove(call.work, old)
    return _item(call, old)
