"""Routes of shipping: zones and their locations; who may see and change a zone.

Not here: the rules (shop/shipping/zones.py), the methods of a zone (shop/shipping/method_routes.py). Rules:
docs/rules/shipping.md, 1 and 2; docs/rules/global_parameters.md, 10.
"""

from __future__ import annotations

from typing import Final

from vetrina.core.call import Call
from vetrina.core.phrases import Phrases
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, VIEW, Field, Integer, String
from vetrina.rest.resource import Links, ListPage, Operation, TrashUnsupported
from vetrina.rest.route import CHANGE, Route
from vetrina.rest.serializer import Serializer, build_link, read_attributes
from vetrina.shop import list_arguments, permissions as shop_permissions
from vetrina.shop.cart import shipping
from vetrina.shop.resource import ShopResource
from vetrina.shop.settings.setting_views import TextView, load_text_view
from vetrina.shop.shipping import zones as shipping_zones
from vetrina.shop.shipping.zones import REST_OF_WORLD, ShippingLocation, ShippingZone, ShippingZoneNotFound

SHIPPING_PHRASES: Final = Phrases(__package__)
ZONES_PATH: Final = "/shop/v3/shipping/zones"
_BOTH: Final = (VIEW, EDIT)


class ShippingDisabled(ApiError):
    """Shipping is disabled, and the shop has no zones."""

    failure, code = Failure.NOT_FOUND, "rest_no_route"
    message = "The shop ships nothing; the setting shop_ship_to_countries says so."


_ID: Final = {"id": Integer("Number of the zone.")}
_ZONE_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the zone.", context=_BOTH, readonly=True, unset=(0,)),
    "name": String("Name of the zone.", context=_BOTH),
    "order": Integer("Place of the zone: the first that an address falls into is taken.", context=_BOTH),
}
_LOCATION_FIELDS: Final[dict[str, Field]] = {
    "code": String("Code of the place.", context=_BOTH),
    "type": String("Kind of the place.", context=_BOTH, default="country",
                   enum=("postcode", "state", "country", "continent")),
}  # fmt: skip
_WRITES: Final[dict[str, Field]] = {
    "name": String("Name of the zone.", null="keep"),
    "order": Integer("Place of the zone.", null="keep"),
}


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


# -- zones


def _get_zone(call: Call) -> ShippingZone:
    return shipping_zones.get_zone(call.work, call.args["id"])


def _list_zones(call: Call) -> ListPage[ShippingZone]:
    every = shipping_zones.list_zones(call.work)
    return ListPage(every, len(every), size=None)


def _create_zone(call: Call) -> ShippingZone:
    return shipping_zones.create_zone(call.work, call.args["name"], call.args.get("order") or 0)


def _update_zone(call: Call, old: ShippingZone) -> ShippingZone:
    return shipping_zones.update_zone(call.work, old, call.args.get("name"), call.args.get("order"))


def _delete_zone(call: Call, old: ShippingZone) -> None:
    shipping_zones.delete_zone(call.work, old)


def _get_zone_name(zone: ShippingZone, view: TextView) -> str:
    # The others are called as somebody named them.
    return SHIPPING_PHRASES.translate(view.language, zone.name) if zone.id == REST_OF_WORLD else zone.name


def _build_zone_links(call: Call, zone: ShippingZone) -> Links:
    locations = f"{_ZONES.build_url(call, zone)}/locations"
    return {**_ZONES.build_usual_links(call, zone), "describedby": [build_link(locations)]}


_ZONES: Final = ShopResource(
    title="shipping_zone",
    path=ZONES_PATH,
    key=_ID,
    serializer=Serializer(_ZONE_FIELDS, {**read_attributes("id", order="position"), "name": _get_zone_name}),
    load_view=load_text_view,
    build_links=_build_zone_links,
    find=_get_zone,
    list=Operation(_list_zones, require_zone_view_permission),
    create=Operation(
        _create_zone, require_zone_create_permission, {**_WRITES, "name": _WRITES["name"].replace(required=True)}
    ),
    read=Operation(_get_zone, require_zone_view_permission, errors=(ShippingZoneNotFound,)),
    update=Operation(
        _update_zone, require_zone_edit_permission, _WRITES, (ShippingZoneNotFound, shipping_zones.RestOfWorldIsFixed)
    ),
    delete=Operation(_delete_zone, require_zone_delete_permission, errors=(ShippingZoneNotFound,)),
    force=list_arguments.build_force_argument(trash=False),
    trash_unsupported=TrashUnsupported,
    build_batch_route=None,
)


# -- locations


def _list_locations(call: Call) -> ListPage[ShippingLocation]:
    found = shipping_zones.list_zone_locations(call.work, _get_zone(call).id)
    return ListPage(found, len(found), size=None)


def _replace_locations(call: Call) -> Result:
    """Replace the locations of a shipping zone; the body is the list itself."""
    saved = shipping_zones.save_zone_locations(call.work, _get_zone(call), call.request.items)
    return _LOCATIONS.build_list_result(call, ListPage(saved, len(saved), size=None))


def _build_location_links(call: Call, location: ShippingLocation) -> Links:
    collection = _LOCATIONS.build_collection_url(call)
    return {
        "collection": [build_link(collection)], "describes": [build_link(collection.removesuffix("/locations"))]
    }  # fmt: skip


_LOCATIONS: Final = ShopResource(
    title="shipping_zone_location",
    path=f"{ZONES_PATH}/{{id}}/locations",
    above=_ID,
    serializer=Serializer(_LOCATION_FIELDS, read_attributes("code", type="kind")),
    build_links=_build_location_links,
    list=Operation(_list_locations, require_zone_view_permission, errors=(ShippingZoneNotFound,)),
    build_batch_route=None,
)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of zones and their locations."""
    replace = Route(
        CHANGE, _LOCATIONS.path, _replace_locations, _ID, require_zone_edit_permission, _LOCATIONS.build_schema,
        errors=(ShippingZoneNotFound, shipping_zones.RestOfWorldHasNoLocations), answers="many",
    )  # fmt: skip
    return (*_ZONES.build_routes(), *_LOCATIONS.build_routes(), replace)
