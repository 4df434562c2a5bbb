"""Routes of shipping methods: those of a zone, and the types of methods; how settings of a method are shown.

Not here: the rules (shop/shipping/methods.py, shop/shipping/zones.py), zones (shop/shipping/routes.py). Rules:
docs/rules/shipping.md, 3.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, VIEW, Boolean, Field, Integer, Object, String
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Serializer
from vetrina.shop import list_arguments, permissions as shop_permissions
from vetrina.shop.settings import rules as settings
from vetrina.shop.settings.rules import ShopSetting
from vetrina.shop.shipping import routes as zone_routes, zones as shipping_zones
from vetrina.shop.shipping.methods import SHIPPING_METHOD_TYPES, ShippingMethodType
from vetrina.shop.shipping.zones import ShippingMethod

__all__ = ["build_routes", "serialize_setting"]

_KINDS: Final = "/shop/v3/shipping_methods"
_BOTH: Final = (VIEW, EDIT)
_ALLOWED: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]


class ShippingMethodTypeNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_shipping_method_invalid"
    message = "There is no way of shipping {kind!r}."


_METHOD: dict[str, Field] = {
    "id": Integer("Number of the method.", context=_BOTH, readonly=True),
    "instance_id": Integer("Number of the method.", context=_BOTH, readonly=True),
    "title": String("What customers see.", context=_BOTH, readonly=True),
    "order": Integer("Place among the methods of the zone.", context=_BOTH),
    "enabled": Boolean("Whether it is offered.", context=_BOTH),
    "method_id": String("Kind of the method.", context=_BOTH, readonly=True),
    "method_title": String("Name of the kind.", context=_BOTH, readonly=True),
    "method_description": String("What the kind does.", context=_BOTH, readonly=True),
    "settings": Object("What is set about it.", context=_BOTH),
}
_KIND: dict[str, Field] = {
    "id": String("Name of the kind.", context=("view",), readonly=True),
    "title": String("What it is called.", context=("view",), readonly=True),
    "description": String("What it does.", context=("view",), readonly=True),
}


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the methods of zones, and of the types of methods."""
    of = {"zone_id": Integer("Number of the zone.")}
    one = {**of, "instance_id": Integer("Number of the method.")}
    force = list_arguments.build_force_argument(trash=False)
    parts = {
        "order": Integer("Place among the methods of the zone.", null="keep"),
        "enabled": Boolean("Whether it is offered.", null="keep"),
        "settings": Object("What is set about it.", null="keep"),
    }
    unknown = (shipping_zones.ShippingZoneNotFound,)
    neither = (*unknown, shipping_zones.ShippingMethodNotFound)
    kind = {"id": String("Name of the kind.")}
    return (
        Route(
            READ,
            f"{zone_routes.ZONES}/{{zone_id}}/methods",
            _list_methods,
            of,
            zone_routes.require_zone_view_permission,
            _build_method_schema,
            errors=unknown,
            answers="many",
        ),
        Route(
            WRITE,
            f"{zone_routes.ZONES}/{{zone_id}}/methods",
            _create_method,
            {**of, "method_id": String("Kind of the method.", required=True), **parts},
            zone_routes.require_zone_create_permission,
            _build_method_schema,
            errors=(*unknown, shipping_zones.ShippingMethodNotCreated, settings.InvalidSettingValue),
            status=200,
        ),
        Route(
            READ,
            f"{zone_routes.ZONES}/{{zone_id}}/methods/{{instance_id}}",
            _read_method,
            one,
            zone_routes.require_zone_view_permission,
            _build_method_schema,
            errors=neither,
        ),
        Route(
            CHANGE,
            f"{zone_routes.ZONES}/{{zone_id}}/methods/{{instance_id}}",
            _update_method,
            {**one, **parts},
            zone_routes.require_zone_edit_permission,
            _build_method_schema,
            errors=(*neither, settings.InvalidSettingValue),
        ),
        Route(
            REMOVE,
            f"{zone_routes.ZONES}/{{zone_id}}/methods/{{instance_id}}",
            _delete_method,
            {**one, "force": force},
            zone_routes.require_zone_delete_permission,
            _build_method_schema,
            errors=(*neither, zone_routes.ShippingTrashUnsupported),
        ),
        Route(
            READ,
            _KINDS,
            _list_method_types,
            {"context": list_arguments.build_context_argument("view")},
            shop_permissions.require_view_permission,
            _build_method_type_schema,
            answers="many",
        ),
        Route(
            READ,
            f"{_KINDS}/{{id:[\\w-]+}}",
            _read_method_type,
            {**kind, "context": list_arguments.build_context_argument("view")},
            shop_permissions.require_view_permission,
            _build_method_type_schema,
            errors=(ShippingMethodTypeNotFound,),
        ),
    )


def _build_method_schema() -> dict[str, Any]:
    return Serializer(_METHOD, {}).schema("shipping_zone_method")


def _build_method_type_schema() -> dict[str, Any]:
    return Serializer(_KIND, {}).schema("shipping_method")


def serialize_setting(one: ShopSetting, value: Any) -> dict[str, Any]:
    """Return a serialized setting of a method or a gateway."""
    body: dict[str, Any] = {
        "id": one.id,
        "label": one.label,
        "description": one.description,
        "type": one.type,
        "value": value,
        "default": one.default,
        "tip": one.tip or "",
        "placeholder": one.placeholder,
    }
    if one.options is not None:
        body["options"] = dict(one.options)
    return body


def _build_method_links(call: Call, one: ShippingMethod) -> dict[str, Any]:
    zone = call.work.api(f"{zone_routes.ZONES}/{one.zone}")
    return {
        "self": [{"href": f"{zone}/methods/{one.id}", "targetHints": {"allow": _ALLOWED}}],
        "collection": [{"href": f"{zone}/methods"}],
        "describes": [{"href": zone}],
    }


def _serialize_method(call: Call, one: ShippingMethod, title: str | None = None) -> dict[str, Any]:
    values = one.values
    return zone_routes.select_requested_fields(
        call,
        {
            "id": one.id,
            "instance_id": one.id,
            "title": one.value("title") if title is None else title,
            "order": one.position,
            "enabled": one.enabled,
            "method_id": one.kind,
            "method_title": one.method_type.title,
            "method_description": one.method_type.description,
            "settings": {
                name: serialize_setting(setting, values.get(name, setting.default))
                for name, setting in one.fields(call.work).items()
            },
        },
    )


def _list_methods(call: Call) -> Result:
    zone = shipping_zones.get_zone(call.work, call.args["zone_id"])
    found = shipping_zones.list_zone_methods(call.work, zone.id)
    return zone_routes.build_list_result(
        call, [{**_serialize_method(call, one), "_links": _build_method_links(call, one)} for one in found]
    )


def _get_method(call: Call) -> ShippingMethod:
    zone = shipping_zones.get_zone(call.work, call.args["zone_id"])
    return shipping_zones.get_zone_method(call.work, zone.id, call.args["instance_id"])


def _read_method(call: Call) -> Result:
    one = _get_method(call)
    return Result(_serialize_method(call, one), rels=_build_method_links(call, one), keeps_links=True)


def _create_method(call: Call) -> Result:
    zone = shipping_zones.get_zone(call.work, call.args["zone_id"])
    one = shipping_zones.create_zone_method(call.work, zone.id, call.args["method_id"], call.args)
    # Clients get the type's own title until they read the method again.
    return Result(
        _serialize_method(call, one, one.method_type.title), rels=_build_method_links(call, one), keeps_links=True
    )


def _update_method(call: Call) -> Result:
    one = shipping_zones.update_zone_method(call.work, _get_method(call), call.args)
    return Result(_serialize_method(call, one), rels=_build_method_links(call, one), keeps_links=True)


def _delete_method(call: Call) -> Result:
    one = _get_method(call)
    if not call.args.get("force"):
        raise zone_routes.ShippingTrashUnsupported
    shipping_zones.delete_zone_method(call.work, one)
    return Result(_serialize_method(call, one), rels=_build_method_links(call, one), keeps_links=True)


# -- types of methods


def _build_method_type_links(call: Call, kind: ShippingMethodType) -> dict[str, Any]:
    return {
        "self": [{"href": call.work.api(f"{_KINDS}/{kind.id}"), "targetHints": {"allow": ["GET"]}}],
        "collection": [{"href": call.work.api(_KINDS)}],
    }


def _serialize_method_type(call: Call, kind: ShippingMethodType) -> dict[str, Any]:
    return zone_routes.select_requested_fields(
        call, {"id": kind.id, "title": kind.title, "description": kind.description}
    )


def _list_method_types(call: Call) -> Result:
    return zone_routes.build_list_result(
        call,
        [
            {**_serialize_method_type(call, kind), "_links": _build_method_type_links(call, kind)}
            for kind in SHIPPING_METHOD_TYPES.values()
        ],
    )


def _read_method_type(call: Call) -> Result:
    kind = SHIPPING_METHOD_TYPES.get(call.args["id"])
    if kind is None:
        raise ShippingMethodTypeNotFound(kind=call.args["id"])
    return Result(_serialize_method_type(call, kind), rels=_build_method_type_links(call, kind), keeps_links=True)
