"""Shipping: zones, their places and methods, and the kinds of methods that there are.

Not here: what they mean (shop/shipping/zones.py, shop/shipping/methods.py). Rules: facts, "Taxes, settings,
shipping, gateways, data"; the recordings of shipping zones.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import EDIT, VIEW, Boolean, Field, Integer, Object, String
from vetrina.rest.paging import page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Shape, choice, chosen
from vetrina.shop import list_arguments
from vetrina.shop import permissions as shop_permissions
from vetrina.shop.cart import shipping
from vetrina.shop.settings import rules as settings
from vetrina.shop.settings.rules import Setting
from vetrina.shop.shipping import zones as shipping_zones
from vetrina.shop.shipping.methods import KINDS, Kind
from vetrina.shop.shipping.zones import Location, Method, Zone

__all__ = ["routes", "setting_body"]

_ZONES: Final = "/shop/v3/shipping/zones"
_KINDS: Final = "/shop/v3/shipping_methods"
_BOTH: Final = (VIEW, EDIT)
_ALLOWED: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]


class NoTrash(ApiError):
    status, code = 501, "rest_trash_not_supported"
    message = "There is no trash for this; send `force` as true to remove it for good."


class ShippingIsOff(ApiError):
    """The shop ships nothing, and has no zones to look at."""

    status, code = 404, "rest_no_route"
    message = "The shop ships nothing; the setting shop_ship_to_countries says so."


class KindUnknown(ApiError):
    status, code = 404, "shop_rest_shipping_method_invalid"
    message = "There is no way of shipping {kind!r}."


_ZONE: dict[str, Field] = {
    "id": Integer("Number of the zone.", context=_BOTH, readonly=True),
    "name": String("Name of the zone.", context=_BOTH),
    "order": Integer("Place of the zone: the first that an address falls into is taken.", context=_BOTH),
}
_LOCATION: dict[str, Field] = {
    "code": String("Code of the place.", context=_BOTH),
    "type": String("Kind of the place.", context=_BOTH, default="country",
                   enum=("postcode", "state", "country", "continent")),
}  # fmt: skip
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


def _shipping(allow: shop_permissions.Permission) -> shop_permissions.Permission:
    """Return a permission of zones, which are not there in a shop that ships nothing."""

    def asked(call: Call) -> None:
        """Those who run the shop (`manage_shop`)."""
        if not shipping.ships(call.work):
            raise ShippingIsOff
        allow(call)

    return asked


_viewing, _creating, _editing, _deleting = (
    _shipping(allow)
    for allow in (
        shop_permissions.viewing,
        shop_permissions.creating,
        shop_permissions.editing,
        shop_permissions.deleting,
    )
)


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of shipping."""
    zone = {"id": Integer("Number of the zone.")}
    of = {"zone_id": Integer("Number of the zone.")}
    one = {**of, "instance_id": Integer("Number of the method.")}
    name = String("Name of the zone.", null="keep")
    order = Integer("Place of the zone.", null="keep")
    force = list_arguments.force(trash=False)
    parts = {
        "order": Integer("Place among the methods of the zone.", null="keep"),
        "enabled": Boolean("Whether it is offered.", null="keep"),
        "settings": Object("What is set about it.", null="keep"),
    }
    unknown = (shipping_zones.ZoneUnknown,)
    neither = (*unknown, shipping_zones.MethodUnknown)
    kind = {"id": String("Name of the kind.")}
    seen = {"context": list_arguments.context()}
    return (
        Route(READ, _ZONES, _zones, {}, _viewing, _zone_schema, answers="many"),
        Route(WRITE, _ZONES, _zone_created, {"name": name.but(required=True), "order": order}, _creating,
              _zone_schema),
        Route(READ, f"{_ZONES}/{{id}}", _zone_read, {**zone, **seen}, _viewing, _zone_schema, errors=unknown),
        Route(CHANGE, f"{_ZONES}/{{id}}", _zone_changed, {**zone, "name": name, "order": order}, _editing,
              _zone_schema, errors=(*unknown, shipping_zones.RestIsFixed)),
        Route(REMOVE, f"{_ZONES}/{{id}}", _zone_removed, {**zone, "force": force}, _deleting, _zone_schema,
              errors=(*unknown, NoTrash)),
        Route(READ, f"{_ZONES}/{{id}}/locations", _locations, zone, _viewing, _location_schema, errors=unknown,
              answers="many"),
        Route(CHANGE, f"{_ZONES}/{{id}}/locations", _located, zone, _editing, _location_schema,
              errors=(*unknown, shipping_zones.RestHasNoPlaces), answers="many"),
        Route(READ, f"{_ZONES}/{{zone_id}}/methods", _methods, of, _viewing, _method_schema, errors=unknown,
              answers="many"),
        Route(WRITE, f"{_ZONES}/{{zone_id}}/methods", _method_added,
              {**of, "method_id": String("Kind of the method.", required=True), **parts}, _creating,
              _method_schema, errors=(*unknown, shipping_zones.NotCreated, settings.InvalidValue), status=200),
        Route(READ, f"{_ZONES}/{{zone_id}}/methods/{{instance_id}}", _method_read, one, _viewing,
              _method_schema, errors=neither),
        Route(CHANGE, f"{_ZONES}/{{zone_id}}/methods/{{instance_id}}", _method_changed, {**one, **parts},
              _editing, _method_schema, errors=(*neither, settings.InvalidValue)),
        Route(REMOVE, f"{_ZONES}/{{zone_id}}/methods/{{instance_id}}", _method_removed, {**one, "force": force},
              _deleting, _method_schema, errors=(*neither, NoTrash)),
        Route(READ, _KINDS, _kinds, {"context": list_arguments.context("view")}, shop_permissions.viewing, _kind_schema,
              answers="many"),
        Route(READ, f"{_KINDS}/{{id:[\\w-]+}}", _kind_read, {**kind, "context": list_arguments.context("view")},
              shop_permissions.viewing, _kind_schema, errors=(KindUnknown,)),
    )  # fmt: skip


def _zone_schema() -> dict[str, Any]:
    return Shape(_ZONE, {}).schema("shipping_zone")


def _location_schema() -> dict[str, Any]:
    return Shape(_LOCATION, {}).schema("shipping_zone_location")


def _method_schema() -> dict[str, Any]:
    return Shape(_METHOD, {}).schema("shipping_zone_method")


def _kind_schema() -> dict[str, Any]:
    return Shape(_KIND, {}).schema("shipping_method")


def _chosen(call: Call, body: dict[str, Any]) -> dict[str, Any]:
    wanted = choice(call.request.raw("_fields"))
    return body if wanted is None else chosen(body, wanted.tree)


def _many(call: Call, bodies: list[dict[str, Any]]) -> Result:
    """Return a whole list; it has one page."""
    headers, links = page_headers(call, len(bodies), None)
    return Result(bodies, headers=headers, links=links)


# -- zones


def _zone_links(call: Call, zone: Zone) -> dict[str, Any]:
    own = call.work.api(f"{_ZONES}/{zone.id}")
    return {
        "self": [{"href": own, "targetHints": {"allow": _ALLOWED}}],
        "collection": [{"href": call.work.api(_ZONES)}],
        "describedby": [{"href": f"{own}/locations"}],
    }


def _zone(call: Call, zone: Zone, status: int = 200) -> Result:
    body = _chosen(call, {"id": zone.id, "name": zone.name, "order": zone.position})
    return Result(body, status, rels=_zone_links(call, zone), keeps_links=True)


def _zones(call: Call) -> Result:
    every = shipping_zones.listed(call.work)
    return _many(call, [{**_zone(call, zone).body, "_links": _zone_links(call, zone)} for zone in every])


def _zone_read(call: Call) -> Result:
    return _zone(call, shipping_zones.existing(call.work, call.args["id"]))


def _zone_created(call: Call) -> Result:
    zone = shipping_zones.create(call.work, call.args["name"], call.args.get("order") or 0)
    result = _zone(call, zone, 201)
    result.headers["Location"] = call.work.api(f"{_ZONES}/{zone.id}")
    return result


def _zone_changed(call: Call) -> Result:
    old = shipping_zones.existing(call.work, call.args["id"])
    return _zone(call, shipping_zones.change(call.work, old, call.args.get("name"), call.args.get("order")))


def _zone_removed(call: Call) -> Result:
    zone = shipping_zones.existing(call.work, call.args["id"])
    if not call.args.get("force"):
        raise NoTrash
    shipping_zones.remove(call.work, zone)
    return _zone(call, zone)


# -- places


def _location_bodies(call: Call, zone: Zone, found: list[Location]) -> Result:
    own = call.work.api(f"{_ZONES}/{zone.id}")
    links = {"collection": [{"href": f"{own}/locations"}], "describes": [{"href": own}]}
    return _many(call, [{"code": one.code, "type": one.kind, "_links": links} for one in found])


def _locations(call: Call) -> Result:
    zone = shipping_zones.existing(call.work, call.args["id"])
    return _location_bodies(call, zone, shipping_zones.locations(call.work, zone.id))


def _located(call: Call) -> Result:
    """Replace the places of a shipping zone; the body is the list itself."""
    zone = shipping_zones.existing(call.work, call.args["id"])
    return _location_bodies(call, zone, shipping_zones.put_locations(call.work, zone, call.request.items))


# -- methods


def setting_body(one: Setting, value: Any) -> dict[str, Any]:
    """Return a setting of a method or a gateway as answers show it."""
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


def _method_links(call: Call, one: Method) -> dict[str, Any]:
    zone = call.work.api(f"{_ZONES}/{one.zone}")
    return {
        "self": [{"href": f"{zone}/methods/{one.id}", "targetHints": {"allow": _ALLOWED}}],
        "collection": [{"href": f"{zone}/methods"}],
        "describes": [{"href": zone}],
    }


def _method_body(call: Call, one: Method, title: str | None = None) -> dict[str, Any]:
    values = one.values
    return _chosen(
        call,
        {
            "id": one.id,
            "instance_id": one.id,
            "title": one.value("title") if title is None else title,
            "order": one.position,
            "enabled": one.enabled,
            "method_id": one.kind,
            "method_title": one.of.title,
            "method_description": one.of.description,
            "settings": {
                name: setting_body(setting, values.get(name, setting.default))
                for name, setting in one.fields(call.work).items()
            },
        },
    )


def _methods(call: Call) -> Result:
    zone = shipping_zones.existing(call.work, call.args["zone_id"])
    found = shipping_zones.methods_of(call.work, zone.id)
    return _many(call, [{**_method_body(call, one), "_links": _method_links(call, one)} for one in found])


def _method_of(call: Call) -> Method:
    zone = shipping_zones.existing(call.work, call.args["zone_id"])
    return shipping_zones.method(call.work, zone.id, call.args["instance_id"])


def _method_read(call: Call) -> Result:
    one = _method_of(call)
    return Result(_method_body(call, one), rels=_method_links(call, one), keeps_links=True)


def _method_added(call: Call) -> Result:
    zone = shipping_zones.existing(call.work, call.args["zone_id"])
    one = shipping_zones.add_method(call.work, zone.id, call.args["method_id"], call.args)
    # Clients of the interface see the kind's own title until they read the method again.
    return Result(_method_body(call, one, one.of.title), rels=_method_links(call, one), keeps_links=True)


def _method_changed(call: Call) -> Result:
    one = shipping_zones.change_method(call.work, _method_of(call), call.args)
    return Result(_method_body(call, one), rels=_method_links(call, one), keeps_links=True)


def _method_removed(call: Call) -> Result:
    one = _method_of(call)
    if not call.args.get("force"):
        raise NoTrash
    shipping_zones.remove_method(call.work, one)
    return Result(_method_body(call, one), rels=_method_links(call, one), keeps_links=True)


# -- kinds of methods


def _kind_links(call: Call, kind: Kind) -> dict[str, Any]:
    return {
        "self": [{"href": call.work.api(f"{_KINDS}/{kind.id}"), "targetHints": {"allow": ["GET"]}}],
        "collection": [{"href": call.work.api(_KINDS)}],
    }


def _kind_body(call: Call, kind: Kind) -> dict[str, Any]:
    return _chosen(call, {"id": kind.id, "title": kind.title, "description": kind.description})


def _kinds(call: Call) -> Result:
    return _many(call, [{**_kind_body(call, kind), "_links": _kind_links(call, kind)} for kind in KINDS.values()])


def _kind_read(call: Call) -> Result:
    kind = KINDS.get(call.args["id"])
    if kind is None:
        raise KindUnknown(kind=call.args["id"])
    return Result(_kind_body(call, kind), rels=_kind_links(call, kind), keeps_links=True)
