"""Tax rates and tax classes: list, read, add, change, remove, batch.

Not here: what they mean (shop/taxes/rates.py, shop/taxes/classes.py). Rules: facts, "Taxes, settings, shipping,
gateways, data"; the recordings of taxes.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import ApiError, Fault
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import ABSENT, Array, Asked, Boolean, Field, Integer, String
from vetrina.rest.paging import page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Shape, choice
from vetrina.shop import list_arguments
from vetrina.shop import permissions as shop_permissions
from vetrina.shop.batch_routes import batch_route
from vetrina.shop.taxes import classes as tax_classes
from vetrina.shop.taxes import rates as tax_rates
from vetrina.shop.taxes.classes import TaxClass
from vetrina.shop.taxes.rates import TaxRate

__all__ = ["routes"]

_PATH: Final = "/shop/v3/taxes"
_CLASSES: Final = f"{_PATH}/classes"
_STANDARD: Final = "standard"
_ALLOWED: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]


class NoTrash(ApiError):
    status, code = 501, "shop_rest_trash_not_supported"
    message = "There is no trash for this; send `force` as true to remove it for good."


def _known_class(value: Any, name: str, asked: Asked) -> Fault | None:
    """Refuse a class that does not exist, as a word that is not among those of an enum."""
    known = asked.look(lambda work: [_STANDARD, *(one.slug for one in tax_classes.listed(work))]) or []
    if isinstance(value, str) and value in known:
        return None
    return Fault("rest_not_in_enum", f"{name} is not one of {', '.join(known)}.")


_MEMBERS: dict[str, Field] = {
    "id": Integer("Number of the rate.", readonly=True, context=("view", "edit")),
    "country": String("Country, by its code of two letters; empty for all.", context=("view", "edit")),
    "state": String("State, by its code; empty for all.", context=("view", "edit")),
    "postcode": String("Postcode; `postcodes` takes several.", context=("view", "edit")),
    "city": String("City; `cities` takes several.", context=("view", "edit")),
    "postcodes": Array(
        "Postcodes; `2*` and `10000...10099` name many.", items=String(), context=("view", "edit"), long=True
    ),
    "cities": Array("Cities.", items=String(), context=("view", "edit"), long=True),
    "rate": String("How much, in per cent.", context=("view", "edit")),
    "name": String("Name of the tax.", context=("view", "edit")),
    "priority": Integer("One rate of each priority is taken.", default=1, context=("view", "edit")),
    "compound": Boolean("Whether it is taken of other taxes too.", default=False, context=("view", "edit")),
    "shipping": Boolean("Whether shipping is taxed by it too.", default=True, context=("view", "edit")),
    "order": Integer("Place among rates of one priority.", context=("view", "edit")),
    "class": String(
        "Tax class, by its slug.", default=_STANDARD, context=("view", "edit"), check=_known_class, alone=True
    ),
}
_GETTERS: Final[dict[str, Any]] = {
    "id": lambda rate, view: rate.id,
    "country": lambda rate, view: rate.country,
    "state": lambda rate, view: rate.state,
    "postcode": lambda rate, view: rate.postcodes[-1] if rate.postcodes else "",
    "city": lambda rate, view: rate.cities[-1] if rate.cities else "",
    "postcodes": lambda rate, view: list(rate.postcodes),
    "cities": lambda rate, view: list(rate.cities),
    "rate": lambda rate, view: rate.rate,
    "name": lambda rate, view: rate.name,
    "priority": lambda rate, view: rate.priority,
    "compound": lambda rate, view: rate.compound,
    "shipping": lambda rate, view: rate.shipping,
    "order": lambda rate, view: rate.position,
    "class": lambda rate, view: rate.tax_class or _STANDARD,
}
_SHAPE: Final = Shape(_MEMBERS, _GETTERS)
_CLASS_MEMBERS: dict[str, Field] = {
    "slug": String("Slug of the class.", readonly=True, context=("view", "edit")),
    "name": String("Name of the class.", required=True, context=("view", "edit")),
}
_WRITTEN: Final = {name: field for name, field in _MEMBERS.items() if name != "id"}
_CHANGED: Final = {name: field.but(default=ABSENT) for name, field in _WRITTEN.items()}
_CLASS_WORD: Final = String("Slug of the class.")


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of tax rates and classes."""
    listing = {
        "context": list_arguments.context(),
        **list_arguments.paging(),
        "offset": Integer("Leave out so many from the start.", null="keep"),
        **list_arguments.ordering(tax_rates.ORDERS, "order", "asc"),
        "class": String("Only rates of this class.", null="keep", check=_known_class, alone=True),
    }
    del listing["search"]
    number = {"id": Integer("Number of the rate.")}
    read = {**number, "context": list_arguments.context()}
    gone = (tax_rates.UnknownRate,)
    create = Route(WRITE, _PATH, _created, _WRITTEN, shop_permissions.creating, _schema)
    change = Route(
        CHANGE, f"{_PATH}/{{id}}", _changed, {**number, **_CHANGED}, shop_permissions.editing, _schema, errors=gone
    )
    remove = Route(
        REMOVE,
        f"{_PATH}/{{id}}",
        _removed,
        {**number, "force": list_arguments.force(trash=False)},
        shop_permissions.deleting,
        _schema,
        errors=(tax_rates.RateToRemoveUnknown, NoTrash),
    )
    word = {"slug": _CLASS_WORD}
    unknown = (tax_classes.UnknownClass,)
    return (
        Route(READ, _PATH, _listed, listing, shop_permissions.viewing, _schema, answers="many"),
        create,
        Route(READ, f"{_PATH}/{{id}}", _read, read, shop_permissions.viewing, _schema, errors=gone),
        change,
        remove,
        batch_route(f"{_PATH}/batch", create=create, update=change, delete=remove),
        Route(
            READ,
            _CLASSES,
            _classes,
            {"context": list_arguments.context()},
            shop_permissions.viewing,
            _class_schema,
            answers="many",
        ),
        Route(
            WRITE,
            _CLASSES,
            _class_created,
            {"name": _CLASS_MEMBERS["name"]},
            shop_permissions.creating,
            _class_schema,
            errors=(tax_classes.ClassExists, tax_classes.EmptyClassName),
        ),
        Route(
            READ,
            f"{_CLASSES}/{{slug:\\w[\\w\\s\\-]*}}",
            _class_read,
            {**word, "context": list_arguments.context("view")},
            shop_permissions.viewing,
            _class_schema,
            errors=unknown,
            answers="many",
        ),
        Route(
            REMOVE,
            f"{_CLASSES}/{{slug:\\w[\\w\\s\\-]*}}",
            _class_removed,
            {**word, "force": list_arguments.force(trash=False)},
            shop_permissions.deleting,
            _class_schema,
            errors=(*unknown, NoTrash),
        ),
    )


def _schema() -> dict[str, Any]:
    return _SHAPE.schema("tax")


def _class_schema() -> dict[str, Any]:
    return Shape(_CLASS_MEMBERS, {}).schema("tax_class")


def _members(call: Call, rate: TaxRate) -> dict[str, Any]:
    context = call.args.get("context") or "view"
    return _SHAPE.members(rate, None, context, choice(call.request.raw("_fields")))


def _links(call: Call, rate: TaxRate) -> dict[str, Any]:
    own = call.work.api(f"{_PATH}/{rate.id}")
    return {
        "self": [{"href": own, "targetHints": {"allow": _ALLOWED}}],
        "collection": [{"href": call.work.api(_PATH)}],
    }


def _listed(call: Call) -> Result:
    args = call.args
    per_page, page = args["per_page"], args["page"]
    start = abs(args.get("offset") or 0) or (page - 1) * per_page
    wanted = args.get("class")
    rates, total = tax_rates.page(
        call.work, orderby=args["orderby"], order=args["order"], per_page=per_page, start=start,
        tax_class=None if not wanted else _slug(wanted),
    )  # fmt: skip
    headers, links = page_headers(call, total, per_page, page)
    return Result(
        [{**_members(call, rate), "_links": _links(call, rate)} for rate in rates], headers=headers, links=links
    )


def _read(call: Call) -> Result:
    return _shown(call, tax_rates.get(call.work, call.args["id"]))


def _created(call: Call) -> Result:
    rate = tax_rates.create(call.work, _given(call))
    headers = {"Location": call.work.api(f"{_PATH}/{rate.id}")}
    return Result(_members(call, rate), 201, headers, _links(call, rate))


def _changed(call: Call) -> Result:
    return _shown(call, tax_rates.change(call.work, call.args["id"], _given(call)))


def _removed(call: Call) -> Result:
    if not call.args.get("force"):
        raise NoTrash
    return _shown(call, tax_rates.remove(call.work, call.args["id"]))


def _shown(call: Call, rate: TaxRate) -> Result:
    return Result(_members(call, rate), rels=_links(call, rate), keeps_links=True)


def _given(call: Call) -> dict[str, Any]:
    """Return what a call writes, by the names of a rate; a postcode or city stands for a list, split at semicolons."""
    sent = {name: value for name in _WRITTEN if (value := call.args.get(name)) is not None}
    for one, many in (("postcode", "postcodes"), ("city", "cities")):
        single = sent.pop(one, "")
        if single and many not in sent:
            sent[many] = single.split(";")
    if "order" in sent:
        sent["position"] = sent.pop("order")
    if "class" in sent:
        sent["tax_class"] = _slug(sent.pop("class"))
    return sent


def _slug(word: str) -> str:
    return "" if word == _STANDARD else word


def _class_body(call: Call, one: TaxClass) -> dict[str, Any]:
    return {"slug": one.slug or _STANDARD, "name": one.name}


def _class_links(call: Call) -> dict[str, Any]:
    return {"collection": [{"href": call.work.api(_CLASSES)}]}


def _classes(call: Call) -> Result:
    every = [tax_classes.STANDARD, *tax_classes.listed(call.work)]
    headers, links = page_headers(call, len(every), None)
    body = [{**_class_body(call, one), "_links": _class_links(call)} for one in every]
    return Result(body, headers=headers, links=links)


def _class_read(call: Call) -> Result:
    one = tax_classes.get(call.work, call.args["slug"])
    return Result([{**_class_body(call, one), "_links": _class_links(call)}])


def _class_created(call: Call) -> Result:
    one = tax_classes.create(call.work, call.args["name"])
    headers = {"Location": call.work.api(f"{_CLASSES}/{one.slug}")}
    return Result(_class_body(call, one), 201, headers, _class_links(call))


def _class_removed(call: Call) -> Result:
    if not call.args.get("force"):
        raise NoTrash
    return Result(
        _class_body(call, tax_classes.remove(call.work, call.args["slug"])), rels=_class_links(call), keeps_links=True
    )
