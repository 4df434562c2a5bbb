"""Tax rates and tax classes: list, read, create, change, remove, batch.

Not here: what they mean (shop/taxes/rate_store.py, shop/taxes/classes.py). Rules: docs/rules/taxes.md, 1 and 2.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest.call import Result
from vetrina.rest.fields import Integer, String
from vetrina.rest.paging import compute_page_offset
from vetrina.rest.preconditions import WriteGuard, build_state_word
from vetrina.rest.resource import Links, ListPage, Operation
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer, build_link, read_attributes
from vetrina.shop import list_arguments, permissions as shop_permissions
from vetrina.shop.resource import ShopResource, ShopTrashUnsupported
from vetrina.shop.taxes import classes as tax_classes, rate_store as tax_rates
from vetrina.shop.taxes.classes import TaxClass
from vetrina.shop.taxes.rate_store import TaxRate, TaxRateQuery
from vetrina.shop.taxes.schema import (
    CLASS_FIELDS,
    CREATE_ARGUMENTS,
    LIST_ARGUMENTS,
    RATE_FIELDS,
    STANDARD,
    UPDATE_ARGUMENTS,
)

_PATH: Final = "/shop/v3/taxes"


# -- rates


def _get_rate(call: Call) -> TaxRate:
    return tax_rates.get_tax_rate(call.work, call.args["id"])


def _get_rate_to_delete(call: Call) -> TaxRate:
    return tax_rates.get_tax_rate_to_delete(call.work, call.args["id"])


def _list_rates(call: Call) -> ListPage[TaxRate]:
    args = call.args
    wanted = args.get("class")
    query = TaxRateQuery(
        tax_class=_parse_class_slug(wanted) if wanted else None, orderby=args["orderby"],
        descending=args["order"] == "desc", limit=args["per_page"], offset=compute_page_offset(args, zero_counts=False),
    )  # fmt: skip
    return ListPage(*tax_rates.list_tax_rates(call.work, query))


def _create_rate(call: Call) -> TaxRate:
    return tax_rates.create_tax_rate(call.work, _parse_rate_values(call))


def _update_rate(call: Call, old: TaxRate) -> TaxRate:
    return tax_rates.update_tax_rate(call.work, old, _parse_rate_values(call))


def _delete_rate(call: Call, old: TaxRate) -> None:
    tax_rates.delete_tax_rate(call.work, old)


def _parse_rate_values(call: Call) -> dict[str, Any]:
    """Return the values that a call writes, by fields of TaxRate; texts of postcodes and cities are split at `;`."""
    sent = {name: value for name in CREATE_ARGUMENTS if (value := call.args.get(name)) is not None}
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
    return "" if word == STANDARD else word


def _compute_rate_state(rate: TaxRate, view: Any) -> str:
    return build_state_word(rate.id, rate)


_RATE_SERIALIZER: Final = Serializer(
    RATE_FIELDS,
    {
        **read_attributes(
            "id", "country", "state", "rate", "name", "priority", "compound", "shipping", order="position"
        ),
        "postcode": lambda rate, view: rate.postcodes[-1] if rate.postcodes else "",
        "city": lambda rate, view: rate.cities[-1] if rate.cities else "",
        "postcodes": lambda rate, view: list(rate.postcodes),
        "cities": lambda rate, view: list(rate.cities),
        "class": lambda rate, view: rate.tax_class or STANDARD,
    },
)
_RATES: Final = ShopResource(
    title="tax",
    path=_PATH,
    key={"id": Integer("Number of the rate.")},
    serializer=_RATE_SERIALIZER,
    find=_get_rate,
    guard=WriteGuard(_compute_rate_state, in_links=True),
    list=Operation(_list_rates, shop_permissions.require_view_permission, LIST_ARGUMENTS),
    create=Operation(_create_rate, shop_permissions.require_create_permission, CREATE_ARGUMENTS),
    read=Operation(_get_rate, shop_permissions.require_view_permission, errors=(tax_rates.TaxRateNotFound,)),
    update=Operation(
        _update_rate, shop_permissions.require_edit_permission, UPDATE_ARGUMENTS, (tax_rates.TaxRateNotFound,)
    ),
    delete=Operation(
        _delete_rate, shop_permissions.require_delete_permission, errors=(tax_rates.TaxRateToDeleteNotFound,),
        find=_get_rate_to_delete,
    ),
    force=list_arguments.build_force_argument(trash=False),
    trash_unsupported=ShopTrashUnsupported,
    before_finding=True,
    written_context="view",
)  # fmt: skip


# -- classes


def _get_class(call: Call) -> TaxClass:
    return tax_classes.get_tax_class(call.work, call.args["slug"])


def _list_classes(call: Call) -> ListPage[TaxClass]:
    every = [tax_classes.STANDARD_TAX_CLASS, *tax_classes.list_tax_classes(call.work)]
    return ListPage(every, len(every), size=None)


def _read_class(call: Call) -> Result:
    return Result(_CLASSES.build_list_result(call, ListPage((_get_class(call),), None)).body)


def _create_class(call: Call) -> TaxClass:
    return tax_classes.create_tax_class(call.work, call.args["name"])


def _delete_class(call: Call, old: TaxClass) -> None:
    tax_classes.delete_tax_class(call.work, old)


def _build_class_links(call: Call, tax_class: TaxClass) -> Links:
    return {"collection": [build_link(_CLASSES.build_collection_url(call))]}


_SLUG: Final = {"slug": String("Slug of the class.")}
_CLASSES: Final = ShopResource(
    title="tax_class",
    path=f"{_PATH}/classes",
    item=r"{slug:\w[\w\s\-]*}",
    key=_SLUG,
    identify=attrgetter("slug"),
    serializer=Serializer(CLASS_FIELDS, {**read_attributes("name"), "slug": lambda one, view: one.slug or STANDARD}),
    build_links=_build_class_links,
    find=_get_class,
    list=Operation(
        _list_classes, shop_permissions.require_view_permission, {"context": list_arguments.build_context_argument()}
    ),
    create=Operation(
        _create_class, shop_permissions.require_create_permission, {"name": CLASS_FIELDS["name"]},
        (tax_classes.TaxClassExists, tax_classes.EmptyTaxClassName),
    ),
    delete=Operation(
        _delete_class, shop_permissions.require_delete_permission, errors=(tax_classes.TaxClassNotFound,)
    ),
    force=list_arguments.build_force_argument(trash=False),
    trash_unsupported=ShopTrashUnsupported,
    before_finding=True,
    build_batch_route=None,
)  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of tax rates and classes."""
    classes = _CLASSES.build_routes_by_operation()
    # A class is read as a list of one.
    read = Route(
        READ, f"{_CLASSES.path}/{_CLASSES.item}", _read_class,
        {**_SLUG, "context": list_arguments.build_context_argument("view")}, shop_permissions.require_view_permission,
        _CLASSES.build_schema, errors=(tax_classes.TaxClassNotFound,), answers="many",
    )  # fmt: skip
    return (*_RATES.build_routes(), classes["list"], classes["create"], read, classes["delete"])
