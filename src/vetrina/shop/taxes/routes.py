"""Tax rates and tax classes: list, read, create, change, remove, batch.

Not here: what they mean (shop/taxes/rates.py, shop/taxes/classes.py). Rules: docs/rules/taxes.md, 1 and 2.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext
from vetrina.kernel.errors import ApiError, Failure, Fault
from vetrina.rest.call import Result
from vetrina.rest.fields import ABSENT, Array, Boolean, Field, Integer, String, ValidationContext
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Serializer, parse_field_selection
from vetrina.shop import list_arguments, permissions as shop_permissions
from vetrina.shop.batch_routes import build_batch_route
from vetrina.shop.taxes import classes as tax_classes, rates as tax_rates
from vetrina.shop.taxes.classes import TaxClass
from vetrina.shop.taxes.rates import TaxRate

__all__ = ["build_routes"]

_PATH: Final = "/shop/v3/taxes"
_CLASSES: Final = f"{_PATH}/classes"
_STANDARD: Final = "standard"
_ALLOWED: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]


class TaxTrashUnsupported(ApiError):
    failure, code = Failure.NOT_IMPLEMENTED, "shop_rest_trash_not_supported"
    message = "There is no trash for this; send `force` as true to remove it for good."


def _find_class_fault(value: Any, name: str, context: ValidationContext) -> Fault | None:
    """Refuse a class that does not exist, like a value outside an enum."""
    known = (
        context.query_store(lambda work: [_STANDARD, *(one.slug for one in tax_classes.list_tax_classes(work))]) or []
    )
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
        "Tax class, by its slug.", default=_STANDARD, context=("view", "edit"), check=_find_class_fault, alone=True
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
_SERIALIZER: Final = Serializer(_MEMBERS, _GETTERS)
_CLASS_MEMBERS: dict[str, Field] = {
    "slug": String("Slug of the class.", readonly=True, context=("view", "edit")),
    "name": String("Name of the class.", required=True, context=("view", "edit")),
}
_WRITE_ARGUMENTS: Final = {name: field for name, field in _MEMBERS.items() if name != "id"}
_UPDATE_ARGUMENTS: Final = {name: field.replace(default=ABSENT) for name, field in _WRITE_ARGUMENTS.items()}
_CLASS_SLUG: Final = String("Slug of the class.")


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of tax rates and classes."""
    listing = {
        "context": list_arguments.build_context_argument(),
        **list_arguments.build_paging_arguments(),
        "offset": Integer("Leave out so many from the start.", null="keep"),
        **list_arguments.build_sort_arguments(tax_rates.TAX_RATE_ORDERS, "order", "asc"),
        "class": String("Only rates of this class.", null="keep", check=_find_class_fault, alone=True),
    }
    del listing["search"]
    number = {"id": Integer("Number of the rate.")}
    read = {**number, "context": list_arguments.build_context_argument()}
    gone = (tax_rates.TaxRateNotFound,)
    create = Route(
        WRITE, _PATH, _create_rate, _WRITE_ARGUMENTS, shop_permissions.require_create_permission, _build_tax_rate_schema
    )
    change = Route(
        CHANGE,
        f"{_PATH}/{{id}}",
        _update_rate,
        {**number, **_UPDATE_ARGUMENTS},
        shop_permissions.require_edit_permission,
        _build_tax_rate_schema,
        errors=gone,
    )
    remove = Route(
        REMOVE,
        f"{_PATH}/{{id}}",
        _delete_rate,
        {**number, "force": list_arguments.build_force_argument(trash=False)},
        shop_permissions.require_delete_permission,
        _build_tax_rate_schema,
        errors=(tax_rates.TaxRateToDeleteNotFound, TaxTrashUnsupported),
    )
    word = {"slug": _CLASS_SLUG}
    unknown = (tax_classes.TaxClassNotFound,)
    return (
        Route(
            READ,
            _PATH,
            _list_rates,
            listing,
            shop_permissions.require_view_permission,
            _build_tax_rate_schema,
            answers="many",
        ),
        create,
        Route(
            READ,
            f"{_PATH}/{{id}}",
            _read_rate,
            read,
            shop_permissions.require_view_permission,
            _build_tax_rate_schema,
            errors=gone,
        ),
        change,
        remove,
        build_batch_route(f"{_PATH}/batch", create=create, update=change, delete=remove),
        Route(
            READ,
            _CLASSES,
            _list_classes,
            {"context": list_arguments.build_context_argument()},
            shop_permissions.require_view_permission,
            _build_tax_class_schema,
            answers="many",
        ),
        Route(
            WRITE,
            _CLASSES,
            _create_class,
            {"name": _CLASS_MEMBERS["name"]},
            shop_permissions.require_create_permission,
            _build_tax_class_schema,
            errors=(tax_classes.TaxClassExists, tax_classes.EmptyTaxClassName),
        ),
        Route(
            READ,
            f"{_CLASSES}/{{slug:\\w[\\w\\s\\-]*}}",
            _read_class,
            {**word, "context": list_arguments.build_context_argument("view")},
            shop_permissions.require_view_permission,
            _build_tax_class_schema,
            errors=unknown,
            answers="many",
        ),
        Route(
            REMOVE,
            f"{_CLASSES}/{{slug:\\w[\\w\\s\\-]*}}",
            _delete_class,
            {**word, "force": list_arguments.build_force_argument(trash=False)},
            shop_permissions.require_delete_permission,
            _build_tax_class_schema,
            errors=(*unknown, TaxTrashUnsupported),
        ),
    )


def _build_tax_rate_schema() -> dict[str, Any]:
    return _SERIALIZER.schema("tax")


def _build_tax_class_schema() -> dict[str, Any]:
    return Serializer(_CLASS_MEMBERS, {}).schema("tax_class")


def _serialize_rate(call: Call, rate: TaxRate) -> dict[str, Any]:
    context = call.args.get("context") or "view"
    return _SERIALIZER.serialize(rate, None, context, parse_field_selection(call.request.raw("_fields")))


def _build_links(call: Call, rate: TaxRate) -> dict[str, Any]:
    own = call.work.api(f"{_PATH}/{rate.id}")
    return {
        "self": [{"href": own, "targetHints": {"allow": _ALLOWED}}],
        "collection": [{"href": call.work.api(_PATH)}],
    }


def _list_rates(call: Call) -> Result:
    args = call.args
    per_page, page = args["per_page"], args["page"]
    start = abs(args.get("offset") or 0) or (page - 1) * per_page
    wanted = args.get("class")
    rates, total = tax_rates.list_tax_rates(
        call.work, orderby=args["orderby"], order=args["order"], per_page=per_page, start=start,
        tax_class=None if not wanted else _parse_class_slug(wanted),
    )  # fmt: skip
    headers, links = build_page_headers(call, total, per_page, page)
    return Result(
        [{**_serialize_rate(call, rate), "_links": _build_links(call, rate)} for rate in rates],
        headers=headers,
        links=links,
    )


def _read_rate(call: Call) -> Result:
    return _build_rate_result(call, tax_rates.get_tax_rate(call.work, call.args["id"]))


def _create_rate(call: Call) -> Result:
    rate = tax_rates.create_tax_rate(call.work, _parse_rate_values(call))
    headers = {"Location": call.work.api(f"{_PATH}/{rate.id}")}
    return Result(_serialize_rate(call, rate), 201, headers, _build_links(call, rate))


def _update_rate(call: Call) -> Result:
    return _build_rate_result(call, tax_rates.update_tax_rate(call.work, call.args["id"], _parse_rate_values(call)))


def _delete_rate(call: Call) -> Result:
    if not call.args.get("force"):
        raise TaxTrashUnsupported
    return _build_rate_result(call, tax_rates.delete_tax_rate(call.work, call.args["id"]))


def _build_rate_result(call: Call, rate: TaxRate) -> Result:
    return Result(_serialize_rate(call, rate), rels=_build_links(call, rate), keeps_links=True)


def _parse_rate_values(call: Call) -> dict[str, Any]:
    """Return the values that a call writes, by fields of TaxRate; texts of postcodes and cities are split at `;`."""
    sent = {name: value for name in _WRITE_ARGUMENTS if (value := call.args.get(name)) is not None}
    for one, many in (("postcode", "postcodes"), ("city", "cities")):
        single = sent.pop(one, "")
        if single and many not in sent:
            sent[many] = single.split(";")
    if "order" in sent:
        sent["position"] = sent.pop("order")
    if "class" in sent:
        sent["tax_class"] = _parse_class_slug(sent.pop("class"))
    return sent


def _parse_class_slug(word: str) -> str:
    return "" if word == _STANDARD else word


def _serialize_class(call: Call, tax_class: TaxClass) -> dict[str, Any]:
    return {"slug": tax_class.slug or _STANDARD, "name": tax_class.name}


def _build_class_links(call: Call) -> dict[str, Any]:
    return {"collection": [{"href": call.work.api(_CLASSES)}]}


def _list_classes(call: Call) -> Result:
    every = [tax_classes.STANDARD_TAX_CLASS, *tax_classes.list_tax_classes(call.work)]
    headers, links = build_page_headers(call, len(every), None)
    body = [{**_serialize_class(call, one), "_links": _build_class_links(call)} for one in every]
    return Result(body, headers=headers, links=links)


def _read_class(call: Call) -> Result:
    one = tax_classes.get_tax_class(call.work, call.args["slug"])
    return Result([{**_serialize_class(call, one), "_links": _build_class_links(call)}])


def _create_class(call: Call) -> Result:
    one = tax_classes.create_tax_class(call.work, call.args["name"])
    headers = {"Location": call.work.api(f"{_CLASSES}/{one.slug}")}
    return Result(_serialize_class(call, one), 201, headers, _build_class_links(call))


def _delete_class(call: Call) -> Result:
    if not call.args.get("force"):
        raise TaxTrashUnsupported
    return Result(
        _serialize_class(call, tax_classes.delete_tax_class(call.work, call.args["slug"])),
        rels=_build_class_links(call),
        keeps_links=True,
    )
