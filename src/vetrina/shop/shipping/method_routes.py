"""Routes of shipping methods: those of a zone, and the types of methods; how settings of a method are shown.

Not here: the rules (shop/shipping/methods.py, shop/shipping/zones.py), zones (shop/shipping/routes.py). Rules:
docs/rules/shipping.md, 3; docs/rules/global_parameters.md, 10.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, VIEW, Boolean, Field, Integer, Object, String
from vetrina.rest.resource import Links, ListPage, Operation, TrashUnsupported
from vetrina.rest.route import READ, WRITE, Route
from vetrina.rest.serializer import Serializer, build_link, read_attributes
from vetrina.shop import list_arguments, permissions as shop_permissions
from vetrina.shop.resource import ShopResource
from vetrina.shop.settings import rules as settings
from vetrina.shop.settings.rules import ShopSetting
from vetrina.shop.settings.setting_views import TextView, load_text_view, translate_setting
from vetrina.shop.shipping import routes as zone_routes, zones as shipping_zones
from vetrina.shop.shipping.methods import SHIPPING_METHOD_TYPES, ShippingMethodType
from vetrina.shop.shipping.routes import SHIPPING_PHRASES
from vetrina.shop.shipping.zones import ShippingMethod, ShippingZone

_BOTH: Final = (VIEW, EDIT)


class ShippingMethodTypeNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_shipping_method_invalid"
    message = "There is no way of shipping {kind!r}."


_METHOD_FIELDS: Final[dict[str, Field]] = {
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
_TYPE_FIELDS: Final[dict[str, Field]] = {
    "id": String("Name of the kind.", context=("view",), readonly=True),
    "title": String("What it is called.", context=("view",), readonly=True),
    "description": String("What it does.", context=("view",), readonly=True),
}
_WRITES: Final[dict[str, Field]] = {
    "order": Integer("Place among the methods of the zone.", null="keep"),
    "enabled": Boolean("Whether it is offered.", null="keep"),
    "settings": Object("What is set about it.", null="keep"),
}


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


# -- methods of a zone


def _get_zone(call: Call) -> ShippingZone:
    return shipping_zones.get_zone(call.work, call.args["zone_id"])


def _get_method(call: Call) -> ShippingMethod:
    return shipping_zones.get_zone_method(call.work, _get_zone(call).id, call.args["instance_id"])


def _list_methods(call: Call) -> ListPage[ShippingMethod]:
    found = shipping_zones.list_zone_methods(call.work, _get_zone(call).id)
    return ListPage(found, len(found), size=None)


def _create_method(call: Call) -> Result:
    one = shipping_zones.create_zone_method(call.work, _get_zone(call).id, call.args["method_id"], call.args)
    result = _METHODS.build_result(call, one)
    if "title" in result.body:
        # Clients get the type's own title until they read the method again.
        result.body["title"] = one.method_type.title
    return result


def _update_method(call: Call, old: ShippingMethod) -> ShippingMethod:
    return shipping_zones.update_zone_method(call.work, old, call.args)


def _delete_method(call: Call, old: ShippingMethod) -> None:
    shipping_zones.delete_zone_method(call.work, old)


def _serialize_settings(one: ShippingMethod, view: TextView) -> dict[str, Any]:
    values = one.values
    return {
        name: serialize_setting(
            translate_setting(setting, SHIPPING_PHRASES, view.language), values.get(name, setting.default)
        )
        for name, setting in one.fields(view.work).items()
    }


def _get_title(one: ShippingMethodType, view: TextView) -> str:
    return SHIPPING_PHRASES.translate(view.language, one.title)


def _get_description(one: ShippingMethodType, view: TextView) -> str:
    return SHIPPING_PHRASES.translate(view.language, one.description)


def _build_method_links(call: Call, one: ShippingMethod) -> Links:
    zone = _METHODS.build_collection_url(call).removesuffix("/methods")
    return {**_METHODS.build_usual_links(call, one), "describes": [build_link(zone)]}


_ZONE_ID: Final = {"zone_id": Integer("Number of the zone.")}
_UNKNOWN: Final = (shipping_zones.ShippingZoneNotFound, shipping_zones.ShippingMethodNotFound)
_METHODS: Final = ShopResource(
    title="shipping_zone_method",
    path=f"{zone_routes.ZONES_PATH}/{{zone_id}}/methods",
    above=_ZONE_ID,
    item="{instance_id}",
    key={**_ZONE_ID, "instance_id": Integer("Number of the method.")},
    context=None,
    serializer=Serializer(
        _METHOD_FIELDS,
        {
            **read_attributes("id", "enabled", instance_id="id", order="position", method_id="kind"),
            "method_title": lambda one, view: _get_title(one.method_type, view),
            "method_description": lambda one, view: _get_description(one.method_type, view),
            "title": lambda one, view: one.value("title"),
            "settings": _serialize_settings,
        },
    ),
    load_view=load_text_view,
    build_links=_build_method_links,
    find=_get_method,
    list=Operation(_list_methods, zone_routes.require_zone_view_permission, errors=_UNKNOWN[:1]),
    read=Operation(_get_method, zone_routes.require_zone_view_permission, errors=_UNKNOWN),
    update=Operation(
        _update_method, zone_routes.require_zone_edit_permission, _WRITES, (*_UNKNOWN, settings.InvalidSettingValue)
    ),
    delete=Operation(_delete_method, zone_routes.require_zone_delete_permission, errors=_UNKNOWN),
    force=list_arguments.build_force_argument(trash=False),
    trash_unsupported=TrashUnsupported,
    build_batch_route=None,
)  # fmt: skip


# -- types of methods


def _list_method_types(call: Call) -> ListPage[ShippingMethodType]:
    return ListPage([*SHIPPING_METHOD_TYPES.values()], len(SHIPPING_METHOD_TYPES), size=None)


def _read_method_type(call: Call) -> ShippingMethodType:
    kind = SHIPPING_METHOD_TYPES.get(call.args["id"])
    if kind is None:
        raise ShippingMethodTypeNotFound(kind=call.args["id"])
    return kind


_TYPES: Final[ShopResource[ShippingMethodType]] = ShopResource(
    title="shipping_method",
    path="/shop/v3/shipping_methods",
    item=r"{id:[\w-]+}",
    key={"id": String("Name of the kind.")},
    context=list_arguments.build_context_argument("view"),
    serializer=Serializer(
        _TYPE_FIELDS, {**read_attributes("id"), "title": _get_title, "description": _get_description}
    ),
    load_view=load_text_view,
    methods=READ,
    list=Operation(
        _list_method_types, shop_permissions.require_view_permission,
        {"context": list_arguments.build_context_argument("view")},
    ),
    read=Operation(
        _read_method_type, shop_permissions.require_view_permission, errors=(ShippingMethodTypeNotFound,)
    ),
    build_batch_route=None,
)  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the methods of zones, and of the types of methods."""
    routes = _METHODS.build_routes_by_operation()
    create = Route(
        WRITE, _METHODS.path, _create_method,
        {**_ZONE_ID, "method_id": String("Kind of the method.", required=True), **_WRITES},
        zone_routes.require_zone_create_permission, _METHODS.build_schema,
        errors=(*_UNKNOWN[:1], shipping_zones.ShippingMethodNotCreated, settings.InvalidSettingValue), status=200,
    )  # fmt: skip
    return (routes.pop("list"), create, *routes.values(), *_TYPES.build_routes())
