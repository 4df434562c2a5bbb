"""Products: list, read, create, change, remove, copy; what goes together.

Not here: members and arguments (shop/products/schema.py), how one is shown (shop/products/views.py), variations
(shop/variations/routes.py). Rules: facts, "Products"; the recordings of the second deployment.
"""

from __future__ import annotations

from typing import Any

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Integer, Object, String
from vetrina.rest.paging import page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import choice
from vetrina.shop import list_arguments, meta_data
from vetrina.shop.batch_routes import batch_route
from vetrina.shop.permissions import creating, of_known, viewing
from vetrina.shop.products import (
    copies as product_copies,
)
from vetrina.shop.products import cost_schema
from vetrina.shop.products import (
    listing as product_listing,
)
from vetrina.shop.products import (
    model as product_model,
)
from vetrina.shop.products import (
    rules as products,
)
from vetrina.shop.products.image_arguments import taking_images
from vetrina.shop.products.input import InvalidGlobalId, InvalidSku, SkuInTrash
from vetrina.shop.products.member_views import PRODUCT_SHAPE
from vetrina.shop.products.model import Product, ProductUnknown
from vetrina.shop.products.query_arguments import product_query
from vetrina.shop.products.schema import PRODUCT, product_filters, writes
from vetrina.shop.products.views import View, listed, product_links, shown

__all__ = ["PATH", "routes"]

PATH = "/shop/v3/products"
_ITEM = f"{PATH}/{{id}}"
_WRITE_ERRORS = (InvalidSku, InvalidGlobalId)


class NoSuchProduct(ProductUnknown):
    """A product that somebody wants to change is not there."""

    status = 400


class IsVariation(ApiError):
    """A variation is written below its product."""

    status, code = 404, "shop_rest_invalid_product_id"
    message = "{id} is a variation; write it at /products/{parent}/variations/{id}."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of products."""
    id = {"id": Integer("Number of the product.")}
    create = Route(
        WRITE, PATH, _created, writes(PRODUCT, creating=True), creating, _schema,
        errors=(*_WRITE_ERRORS, SkuInTrash),
    )  # fmt: skip
    change = Route(
        CHANGE, _ITEM, _changed, {**id, **writes(PRODUCT, creating=False)}, _may_edit, _schema,
        errors=(NoSuchProduct, IsVariation, *_WRITE_ERRORS),
    )  # fmt: skip
    create, change = taking_images(create), taking_images(change)
    remove = Route(
        REMOVE, _ITEM, _removed, {**id, "force": list_arguments.force()}, _may_remove, _schema,
        errors=(ProductUnknown, products.AlreadyTrashed),
    )  # fmt: skip
    create, change, remove = cost_schema.showing((create, change, remove), _schema, cost_schema.OF_PRODUCT)
    suggested = {
        **product_filters(),
        "categories": list_arguments.numbers("Categories of which the products are."),
        "tags": list_arguments.numbers("Tags of which the products have one."),
        "limit": Integer("Most products that the answer may hold.", default=5, minimum=1, maximum=100, null="keep"),
    }
    names = {
        "context": String("Scope under which the request is made.", null="keep"),
        **list_arguments.paging(),
        "order": String("Order of the names.", default="asc", enum=("asc", "desc"), null="keep"),
    }
    every = (
        Route(READ, PATH, _listed, product_filters(), viewing, _schema),
        create,
        Route(
            READ,
            _ITEM,
            _read,
            {**id, "context": list_arguments.context()},
            _may_read,
            _schema,
            errors=(ProductUnknown,),
        ),
        change,
        remove,
        batch_route(f"{PATH}/batch", create=create, update=change, delete=remove),
        Route(
            READ,
            f"{_ITEM}/related",
            _related,
            id,
            _may_read,
            errors=(ProductUnknown,),
            answers=Object(properties={"related_ids": Array("Numbers of products.", items=Integer())}),
        ),
        Route(READ, f"{PATH}/suggested-products", _suggested, suggested, viewing, _schema),
        Route(
            WRITE,
            f"{_ITEM}/duplicate",
            _duplicated,
            {**id, **writes(PRODUCT, creating=False)},
            creating,
            _schema,
            errors=(ProductUnknown,),
            status=200,
        ),
        Route(READ, f"{PATH}/custom-fields/names", _field_names, names, viewing, answers=Array(items=String())),
    )
    return cost_schema.showing(every, _schema, cost_schema.OF_PRODUCT)


def _schema() -> dict[str, Any]:
    return PRODUCT_SHAPE.schema("product")


# -- rights: a product that is not there is told by the handler, to whoever asks


def _found(call: Call) -> Product | None:
    """Return the product that a call names, looked up once."""
    id = call.args.get("id")
    if not isinstance(id, int):
        return None
    if ("product", id) not in call.kept:
        call.kept["product", id] = product_model.by_id(call.work, id)
    found: Product | None = call.kept["product", id]
    return found


def _existing(call: Call, unknown: type[ProductUnknown] = ProductUnknown) -> Product:
    """Return the product that a call names. Raises ProductUnknown."""
    found = _found(call)
    if found is None:
        raise unknown(id=call.args.get("id"))
    return found


def _writable(call: Call, unknown: type[ProductUnknown] = ProductUnknown) -> Product:
    """Return the product that a write names. Raises ProductUnknown, IsVariation."""
    found = _existing(call, unknown)
    if found.is_variation:
        raise IsVariation(id=found.id, parent=found.parent)
    return found


_may_read, _may_edit, _may_remove = of_known(_found)


# -- handlers


def _listed(call: Call) -> Result:
    query = product_query(call)
    found, total = product_listing.listed_page(call.work, query)
    headers, links = page_headers(
        call, list_arguments.total_told(total, found, call.args), query.limit, call.args["page"]
    )
    return Result(_list_of(call, found), headers=headers, links=links)


def _list_of(call: Call, found: list[Product]) -> list[dict[str, Any]]:
    view = View(call.work, found, call.args.get("context") or "view", call.args)
    return listed(view, PRODUCT_SHAPE, product_links, choice(call.request.raw("_fields")))


def _read(call: Call) -> Result:
    return _item(call, _existing(call), call.args["context"])


def _item(call: Call, one: Product, context: str = "edit", status: int = 200) -> Result:
    work: Work = call.work
    view = View(work, [one], context, call.args)
    body = shown(view, PRODUCT_SHAPE, choice(call.request.raw("_fields")))
    return Result(body, status, rels=product_links(work, one), keeps_links=True)


def _created(call: Call) -> Result:
    new = products.create(call.work, call.args)
    result = _item(call, new, status=201)
    result.headers["Location"] = call.work.api(f"{PATH}/{new.id}")
    return result


def _changed(call: Call) -> Result:
    return _item(call, products.change(call.work, _writable(call, NoSuchProduct), call.args))


def _removed(call: Call) -> Result:
    work: Work = call.work
    old = _writable(call)
    result = _item(call, old)
    if call.args["force"]:
        products.remove(work, old)
    else:
        products.trash(work, old)
    return result


def _related(call: Call) -> Result:
    """List the numbers of products related to one."""
    one = _existing(call)
    return Result({"related_ids": View(call.work, [one], "view").related[one.id]})


def _suggested(call: Call) -> Result:
    """Suggest products of the categories and tags that are asked for."""
    args = call.args
    for name, own in (("categories", "category"), ("tags", "tag")):
        if args.get(name):
            args[own] = ",".join(map(str, args[name]))
    args["per_page"], args["page"] = args["limit"], 1
    found, _ = product_listing.listed_page(call.work, product_query(call))
    return Result(_list_of(call, found))


def _duplicated(call: Call) -> Result:
    """Copy a product as a draft, with its variations."""
    work: Work = call.work
    return _item(call, product_copies.duplicate(work, _writable(call), call.args))


def _field_names(call: Call) -> Result:
    """List the names of custom fields that products have."""
    args = call.args
    size, page = args["per_page"], args["page"]
    found, total = meta_data.names(
        call.work, "product", args.get("search") or "", descending=args["order"] == "desc", limit=size,
        start=(page - 1) * size,
    )  # fmt: skip
    headers, links = page_headers(call, total, size, page)
    return Result(found, headers=headers, links=links)
