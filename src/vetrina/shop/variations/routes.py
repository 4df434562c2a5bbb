"""Variations of a product, and variations across all products.

Not here: members and arguments (shop/products/schema.py), how one is shown (shop/products/views.py).
Rules: facts, "Attributes, variations"; the recordings of the second deployment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vetrina.core.unit_of_work import Frame, Work
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Boolean, Integer, Object
from vetrina.rest.paging import page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import choice
from vetrina.shop import list_arguments
from vetrina.shop.batch_routes import batch_route
from vetrina.shop.permissions import creating, viewing
from vetrina.shop.products import cost_schema
from vetrina.shop.products import listing as product_listing
from vetrina.shop.products import model as product_model
from vetrina.shop.products.image_arguments import taking_images
from vetrina.shop.products.input import InvalidGlobalId, InvalidSku
from vetrina.shop.products.member_views import VARIATION_SHAPE
from vetrina.shop.products.model import Product, ProductUnknown
from vetrina.shop.products.query_arguments import variation_query
from vetrina.shop.products.schema import VARIATION, variation_filters, writes
from vetrina.shop.products.views import View, across_links, listed, shown, variation_links
from vetrina.shop.rights import CannotDelete, CannotEdit, CannotView, require
from vetrina.shop.variations import rules as variations
from vetrina.shop.variations.rules import VariationUnknown

__all__ = ["PATH", "across", "routes"]

PATH = "/shop/v3/products/{product_id}/variations"
_ITEM = f"{PATH}/{{id}}"
_ACROSS = "/shop/v3/variations"
_GENERATED = Object(properties={
    "count": Integer("How many were made."), "deleted_count": Integer("How many of the others were removed."),
})  # fmt: skip


class NoSuchVariation(VariationUnknown):
    """A variation that somebody wants to change is not there."""

    status = 400


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of variations."""
    above = {"product_id": Integer("Number of the product.")}
    id = {**above, "id": Integer("Number of the variation.")}
    new, changes = writes(VARIATION, creating=True), writes(VARIATION, creating=False)
    errors = (InvalidSku, InvalidGlobalId)
    create = Route(
        WRITE, PATH, _created, {**above, **new}, creating, _schema, errors=(ProductUnknown, *errors),
    )  # fmt: skip
    change = Route(
        CHANGE, _ITEM, _changed, {**id, **changes}, _may_edit, _schema, errors=(NoSuchVariation, *errors),
    )  # fmt: skip
    create, change = taking_images(create), taking_images(change)
    remove = Route(
        REMOVE, _ITEM, _removed, {**id, "force": list_arguments.force()}, _may_remove, _schema,
        errors=(VariationUnknown, variations.AlreadyTrashed),
    )  # fmt: skip
    create, change, remove = cost_schema.showing((create, change, remove), _schema, cost_schema.OF_PRODUCT)
    generate = {
        **above,
        **new,
        "delete": Boolean("Whether to remove variations that are no combination of the options."),
        "default_values": Object("Members of those that are made.", dict(changes)),
    }
    every = (
        Route(READ, PATH, _listed, {**above, **variation_filters()}, viewing, _schema, errors=(ProductUnknown,)),
        create,
        Route(
            READ,
            _ITEM,
            _read,
            {**id, "context": list_arguments.context()},
            _may_read,
            _schema,
            errors=(VariationUnknown,),
        ),
        change,
        remove,
        batch_route(f"{PATH}/batch", create=create, update=change, delete=remove),
        Route(WRITE, f"{PATH}/generate", _generated, generate, creating, errors=(ProductUnknown,), answers=_GENERATED),
    )
    return cost_schema.showing(every, _schema, cost_schema.OF_PRODUCT)


def across(frame: Frame) -> tuple[Route, ...]:
    """Return the route of the variations of all products."""
    every = (Route(READ, _ACROSS, _listed_across, variation_filters(), viewing, _schema),)
    return cost_schema.showing(every, _schema, cost_schema.OF_PRODUCT)


def _schema() -> dict[str, Any]:
    return VARIATION_SHAPE.schema("product_variation")


# -- rights: a variation that is not there is told by the handler, to whoever asks


def _exists(call: Call) -> bool:
    id = call.args.get("id")
    found = product_model.by_id(call.work, id) if isinstance(id, int) else None
    return found is not None and found.is_variation


def _may_read(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    if _exists(call):
        require(call.work.user, CannotView)


def _may_edit(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    if _exists(call):
        require(call.work.user, CannotEdit)


def _may_remove(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    if _exists(call):
        require(call.work.user, CannotDelete)


# -- handlers


def _above(call: Call) -> Product:
    """Return the product whose variations are meant. Raises ProductUnknown."""
    found = product_model.existing(call.work, call.args.get("product_id"))
    if found.is_variation:
        raise ProductUnknown(id=found.id)
    return found


def _listed(call: Call) -> Result:
    return _page(call, _above(call).id, variation_links)


def _listed_across(call: Call) -> Result:
    """List the variations of all products, a page at a time."""
    return _page(call, None, across_links)


def _page(call: Call, parent: int | None, links_of: Callable[[Work, Product], dict[str, Any]]) -> Result:
    query = variation_query(call, parent)
    found, total = product_listing.listed_page(call.work, query)
    view = View(call.work, found, call.args["context"], call.args)
    body = listed(view, VARIATION_SHAPE, links_of, choice(call.request.raw("_fields")))
    headers, links = page_headers(
        call, list_arguments.total_told(total, found, call.args), query.limit, call.args["page"]
    )
    return Result(body, headers=headers, links=links)


def _existing(call: Call) -> Product:
    return variations.existing(call.work, call.args.get("product_id"), call.args.get("id"))


def _read(call: Call) -> Result:
    return _item(call, _existing(call), call.args["context"])


def _item(call: Call, one: Product, context: str = "edit", status: int = 200) -> Result:
    work: Work = call.work
    body = shown(View(work, [one], context, call.args), VARIATION_SHAPE, choice(call.request.raw("_fields")))
    return Result(body, status, rels=variation_links(work, one), keeps_links=True)


def _created(call: Call) -> Result:
    new = variations.create(call.work, _above(call), call.args)
    result = _item(call, new, status=201)
    # As the interface writes it: the hole of the route stands where the number of the product would.
    result.headers["Location"] = call.work.api(f"/shop/v3/products/(?P<product_id>[\\d]+)/variations/{new.id}")
    return result


def _changed(call: Call) -> Result:
    try:
        old = _existing(call)
    except VariationUnknown:
        raise NoSuchVariation(id=call.args.get("id")) from None
    return _item(call, variations.change(call.work, _above(call), old, call.args))


def _removed(call: Call) -> Result:
    old = _existing(call)
    result = _item(call, old)
    if call.args["force"]:
        variations.remove(call.work, old)
    else:
        variations.trash(call.work, old)
    return result


def _generated(call: Call) -> Result:
    """Make the variations of a product that are missing, one for each combination of its values."""
    above = _above(call)
    made, removed = variations.generate(
        call.work, above, without_others=bool(call.args.get("delete")), first=call.args.get("default_values")
    )
    return Result({"count": made, **({"deleted_count": removed} if call.args.get("delete") else {})})
