"""Routes of shipping: zones and their locations; who may see and change a zone.

Not here: the rules (shop/shipping/zones.py), the methods of a zone (shop/shipping/method_routes.py). Rules:
docs/rules/shipping.md, 1 and 2.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, VIEW, Field, Integer, String
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Serializer, parse_field_selection, select_fields
from vetrina.shop import list_arguments, permissions as shop_permissions
from vetrina.shop.cart import shipping
from vetrina.shop.shipping import zones as shipping_zones
from vetrina.shop.shipping.zones import ShippingLocation, ShippingZone

__all__ = [
    "ZONES",
    "ShippingTrashUnsupported",
    "build_list_result",
    "build_routes",
    "require_zone_create_permission",
    "require_zone_delete_permission",
    "require_zone_edit_permission",
    "require_zone_view_permission",
    "select_requested_fields",
]

ZONES: Final = "/shop/v3/shipping/zones"
_BOTH: Final = (VIEW, EDIT)
_ALLOWED: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]


class ShippingTrashUnsupported(ApiError):
    failure, code = Failure.NOT_IMPLEMENTED, "rest_trash_not_supported"
    message = "There is no trash for this; send `force` as true to remove it for good."


class ShippingDisabled(ApiError):
    """Shipping is disabled, and the shop has no zones."""

    failure, code = Failure.NOT_FOUND, "rest_no_route"
    message = "The shop ships nothing; the setting shop_ship_to_countries says so."


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


def _require_shipping(allow: shop_permissions.PermissionCheck) -> shop_permissions.PermissionCheck:
    """Return a permission check for zones, which do not exist while shipping is disabled."""

    def asked(call: Call) -> None:
        """Those who run the shop (`manage_shop`)."""
        if not shipping.is_shipping_enabled(call.work):
            raise ShippingDisabled
        allow(call)

    return asked


(
    require_zone_view_permission,
    require_zone_create_permission,
    require_zone_edit_permission,
    require_zone_delete_permission,
) = (
    _require_shipping(allow)
    for allow in (
        shop_permissions.require_view_permission,
        shop_permissions.require_create_permission,
        shop_permissions.require_edit_permission,
        shop_permissions.require_delete_permission,
    )
)


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of zones and their locations."""
    zone = {"id": Integer("Number of the zone.")}
    name = String("Name of the zone.", null="keep")
    order = Integer("Place of the zone.", null="keep")
    force = list_arguments.build_force_argument(trash=False)
    unknown = (shipping_zones.ShippingZoneNotFound,)
    seen = {"context": list_arguments.build_context_argument()}
    return (
        Route(READ, ZONES, _list_zones, {}, require_zone_view_permission, _build_zone_schema, answers="many"),
        Route(
            WRITE,
            ZONES,
            _create_zone,
            {"name": name.replace(required=True), "order": order},
            require_zone_create_permission,
            _build_zone_schema,
        ),
        Route(
            READ,
            f"{ZONES}/{{id}}",
            _read_zone,
            {**zone, **seen},
            require_zone_view_permission,
            _build_zone_schema,
            errors=unknown,
        ),
        Route(
            CHANGE,
            f"{ZONES}/{{id}}",
            _update_zone,
            {**zone, "name": name, "order": order},
            require_zone_edit_permission,
            _build_zone_schema,
            errors=(*unknown, shipping_zones.RestOfWorldIsFixed),
        ),
        Route(
            REMOVE,
            f"{ZONES}/{{id}}",
            _delete_zone,
            {**zone, "force": force},
            require_zone_delete_permission,
            _build_zone_schema,
            errors=(*unknown, ShippingTrashUnsupported),
        ),
        Route(
            READ,
            f"{ZONES}/{{id}}/locations",
            _list_locations,
            zone,
            require_zone_view_permission,
            _build_location_schema,
            errors=unknown,
            answers="many",
        ),
        Route(
            CHANGE,
            f"{ZONES}/{{id}}/locations",
            _replace_locations,
            zone,
            require_zone_edit_permission,
            _build_location_schema,
            errors=(*unknown, shipping_zones.RestOfWorldHasNoLocations),
            answers="many",
        ),
    )


def _build_zone_schema() -> dict[str, Any]:
    return Serializer(_ZONE, {}).schema("shipping_zone")


def _build_location_schema() -> dict[str, Any]:
    return Serializer(_LOCATION, {}).schema("shipping_zone_location")


def select_requested_fields(call: Call, body: dict[str, Any]) -> dict[str, Any]:
    """Return the members of a record that `_fields` asks for."""
    wanted = parse_field_selection(call.request.raw("_fields"))
    return body if wanted is None else select_fields(body, wanted.tree)


def build_list_result(call: Call, bodies: list[dict[str, Any]]) -> Result:
    """Return the response of a complete list, which has one page."""
    headers, links = build_page_headers(call, len(bodies), None)
    return Result(bodies, headers=headers, links=links)


# -- zones


def _build_zone_links(call: Call, zone: ShippingZone) -> dict[str, Any]:
    own = call.work.api(f"{ZONES}/{zone.id}")
    return {
        "self": [{"href": own, "targetHints": {"allow": _ALLOWED}}],
        "collection": [{"href": call.work.api(ZONES)}],
        "describedby": [{"href": f"{own}/locations"}],
    }


def _build_zone_result(call: Call, zone: ShippingZone, status: int = 200) -> Result:
    body = select_requested_fields(call, {"id": zone.id, "name": zone.name, "order": zone.position})
    return Result(body, status, rels=_build_zone_links(call, zone), keeps_links=True)


def _list_zones(call: Call) -> Result:
    every = shipping_zones.list_zones(call.work)
    return build_list_result(
        call, [{**_build_zone_result(call, zone).body, "_links": _build_zone_links(call, zone)} for zone in every]
    )


def _read_zone(call: Call) -> Result:
    return _build_zone_result(call, shipping_zones.get_zone(call.work, call.args["id"]))


def _create_zone(call: Call) -> Result:
    zone = shipping_zones.create_zone(call.work, call.args["name"], call.args.get("order") or 0)
    result = _build_zone_result(call, zone, 201)
    result.headers["Location"] = call.work.api(f"{ZONES}/{zone.id}")
    return result


def _update_zone(call: Call) -> Result:
    old = shipping_zones.get_zone(call.work, call.args["id"])
    return _build_zone_result(
        call, shipping_zones.update_zone(call.work, old, call.args.get("name"), call.args.get("order"))
    )


def _delete_zone(call: Call) -> Result:
    zone = shipping_zones.get_zone(call.work, call.args["id"])
    if not call.args.get("force"):
        raise ShippingTrashUnsupported
    shipping_zones.delete_zone(call.work, zone)
    return _build_zone_result(call, zone)


# -- locations


def _build_locations_result(call: Call, zone: ShippingZone, locations: list[ShippingLocation]) -> Result:
    own = call.work.api(f"{ZONES}/{zone.id}")
    links = {"collection": [{"href": f"{own}/locations"}], "describes": [{"href": own}]}
    return build_list_result(call, [{"code": one.code, "type": one.kind, "_links": links} for one in locations])


def _list_locations(call: Call) -> Result:
    zone = shipping_zones.get_zone(call.work, call.args["id"])
    return _build_locations_result(call, zone, shipping_zones.list_zone_locations(call.work, zone.id))


def _replace_locations(call: Call) -> Result:
    """Replace the locations of a shipping zone; the body is the list itself."""
    zone = shipping_zones.get_zone(call.work, call.args["id"])
    return _build_locations_result(call, zone, shipping_zones.save_zone_locations(call.work, zone, call.request.items))
