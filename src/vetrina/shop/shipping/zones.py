"""Shipping zones: locations with the same shipping, and the methods that ship there.

The rest of the world is zone 0: it has no locations, cannot be deleted, and is last. Not here: the cost of a method
(shop/shipping/methods.py). Rules: docs/rules/shipping.md, 1, 2 and 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, delete, func, insert, select

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id, claim_id
from vetrina.backends.store import FLAG, JSON, Store
from vetrina.backends.tables.taxes_shipping import shipping_method, shipping_place, shipping_zone
from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.settings import rules as settings
from vetrina.shop.settings.places import CONTINENTS
from vetrina.shop.settings.rules import ShopSetting
from vetrina.shop.shipping import classes as shipping_classes
from vetrina.shop.shipping.methods import (
    FLAT_RATE,
    SHIPPING_METHOD_TYPES,
    ShippingMethodType,
    build_class_cost_settings,
)
from vetrina.shop.taxes.rules import TaxLocation, is_postcode_match

REST_OF_WORLD: Final = 0
_LOCATION_KINDS: Final = ("postcode", "state", "country", "continent")


class ShippingZoneNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_shipping_zone_invalid"
    message = "There is no shipping zone with the number {id}."


class ShippingMethodNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_shipping_zone_method_invalid"
    message = "The zone has no method with the number {id}."


class RestOfWorldIsFixed(ApiError):
    failure, code = Failure.FORBIDDEN, "shop_rest_shipping_zone_invalid_zone"
    # Clients compare this message, so its text is fixed.
    message = 'The "locations not covered by your other zones" zone cannot be updated.'


class RestOfWorldHasNoLocations(ApiError):
    failure, code = Failure.FORBIDDEN, "shop_rest_shipping_zone_locations_invalid_zone"
    message = "The zone of the rest of the world has no places of its own."


class ShippingMethodNotCreated(ApiError):
    code = "shop_rest_shipping_zone_not_created"
    message = "There is no way of shipping {kind!r}; GET /shop/v3/shipping_methods lists them."


class ShippingZone(msgspec.Struct, frozen=True):
    """A zone. position: the first zone that matches an address is used."""

    id: int
    name: str
    position: int


class ShippingLocation(msgspec.Struct, frozen=True):
    """A location of a zone. kind: postcode, state (`US:CA`), country or continent."""

    code: str
    kind: str


class ShippingMethod(msgspec.Struct, frozen=True):
    """A method of a zone. settings: those that differ from the type's defaults."""

    id: int
    zone: int
    kind: str
    position: int
    enabled: bool
    settings: dict[str, Any]

    @property
    def method_type(self) -> ShippingMethodType:
        return SHIPPING_METHOD_TYPES[self.kind]

    def value(self, name: str) -> Any:
        """Return the value of a setting."""
        return self.values.get(name, "")

    def fields(self, work: UnitOfWork) -> dict[str, ShopSetting]:
        """Return the settings that the method has; a flat rate has a cost for each shipping class of the shop."""
        if self.kind != FLAT_RATE:
            return dict(self.method_type.settings)
        return {
            **self.method_type.settings,
            **build_class_cost_settings(shipping_classes.list_shipping_class_names(work)),
        }

    @property
    def values(self) -> dict[str, Any]:
        """Return the values of all settings."""
        first = {
            name: one.default if one.first is None else one.first for name, one in self.method_type.settings.items()
        }
        return {**first, **self.settings}


_ZONE_STORE: Final = Store(shipping_zone, ShippingZone)
_METHOD_STORE: Final = Store(shipping_method, ShippingMethod, {"enabled": FLAG, "settings": JSON})
_ZONES = Statement(select(*_ZONE_STORE.columns).order_by(shipping_zone.c.position, shipping_zone.c.id))
_ZONES_WITH_LOCATIONS = Statement(
    select(*_ZONE_STORE.columns, shipping_place.c.code, shipping_place.c.kind)
    .outerjoin(shipping_place, shipping_place.c.zone == shipping_zone.c.id)
    .order_by(shipping_zone.c.position, shipping_zone.c.id, shipping_place.c.id)
)
_LOCATIONS_OF_ZONE = Statement(
    select(shipping_place.c.code, shipping_place.c.kind)
    .where(shipping_place.c.zone == bindparam("zone"))
    .order_by(shipping_place.c.id)
)
_INSERT_LOCATION = Statement(
    insert(shipping_place).values({column.name: bindparam(column.name) for column in shipping_place.c})
)
_DELETE_LOCATIONS = Statement(delete(shipping_place).where(shipping_place.c.zone == bindparam("zone")))
_METHODS_BY_ZONE = Statement(
    select(*_METHOD_STORE.columns)
    .where(shipping_method.c.zone == bindparam("zone"))
    .order_by(shipping_method.c.position, shipping_method.c.id)
)
_METHOD_COUNT = Statement(select(func.count()).where(shipping_method.c.zone == bindparam("zone")))
_ENABLED_METHOD = Statement(select(shipping_method.c.id).where(shipping_method.c.enabled).limit(1))
_DELETE_ZONE_METHODS = Statement(delete(shipping_method).where(shipping_method.c.zone == bindparam("zone")))
_REST: Final = ShippingZone(REST_OF_WORLD, "Everywhere that no other zone covers", 0)


# -- zones


def list_zones(work: UnitOfWork) -> list[ShippingZone]:
    """Return all zones in order, the rest of the world last."""
    work.uses("shipping")
    return [*_ZONE_STORE.of_rows(work.tx.all(_ZONES)), _REST]


def get_zone(work: UnitOfWork, id: int) -> ShippingZone:
    """Return a zone. Raises ShippingZoneNotFound."""
    work.uses("shipping")
    found = _REST if id == REST_OF_WORLD else _ZONE_STORE.find(work.tx, id)
    if found is None:
        raise ShippingZoneNotFound(id=id)
    return found


def create_zone(work: UnitOfWork, name: str, position: int = 0, id: int = 0) -> ShippingZone:
    """Create a zone. id: a free one that it takes, 0 for the next one."""
    zone = ShippingZone(claim_id(work.tx, id, "shipping_zone"), sanitize_short_text(work.user, name), position)
    _ZONE_STORE.insert(work.tx, zone)
    _note_zone_change(work, zone.id, "created")
    return zone


def update_zone(
    work: UnitOfWork, old: ShippingZone, name: str | None = None, position: int | None = None
) -> ShippingZone:
    """Change a zone. Raises RestOfWorldIsFixed."""
    if old.id == REST_OF_WORLD:
        raise RestOfWorldIsFixed
    name = old.name if name is None else sanitize_short_text(work.user, name)
    new = ShippingZone(old.id, name, old.position if position is None else position)
    _ZONE_STORE.update(work.tx, old, new)
    _note_zone_change(work, new.id, "changed")
    return new


def delete_zone(work: UnitOfWork, one: ShippingZone) -> None:
    """Delete a zone with its locations and methods; the rest of the world is kept."""
    if one.id == REST_OF_WORLD:
        return
    work.tx.run(_DELETE_ZONE_METHODS, zone=one.id)
    _ZONE_STORE.delete(work.tx, one.id)
    _note_zone_change(work, one.id, "removed")


def list_zone_locations(work: UnitOfWork, zone: int) -> list[ShippingLocation]:
    """Return the locations of a zone."""
    work.uses("shipping")
    return [ShippingLocation(*row) for row in work.tx.all(_LOCATIONS_OF_ZONE, zone=zone)]


def save_zone_locations(work: UnitOfWork, zone: ShippingZone, given: Sequence[Any]) -> list[ShippingLocation]:
    """Replace the locations of a zone; invalid ones are dropped. Raises RestOfWorldHasNoLocations."""
    if zone.id == REST_OF_WORLD:
        raise RestOfWorldHasNoLocations
    work.tx.run(_DELETE_LOCATIONS, zone=zone.id)
    for location in given:
        kind = location.get("type", "country") if isinstance(location, Mapping) else ""
        code = str(location.get("code") or "") if isinstance(location, Mapping) else ""
        if kind in _LOCATION_KINDS and code:
            id = allocate_id(work.tx, "shipping_place")
            work.tx.run(_INSERT_LOCATION, id=id, zone=zone.id, kind=kind, code=code)
    _note_zone_change(work, zone.id, "changed")
    return list_zone_locations(work, zone.id)


def find_matching_zone(work: UnitOfWork, place: TaxLocation) -> ShippingZone:
    """Return the first zone that matches a location, or else the rest of the world."""
    work.uses("shipping")
    every: dict[ShippingZone, list[ShippingLocation]] = {}
    for id, name, position, code, kind in work.tx.all(_ZONES_WITH_LOCATIONS):
        found = every.setdefault(ShippingZone(id, name, position), [])
        if code is not None:
            found.append(ShippingLocation(code, kind))
    return next((zone for zone, found in every.items() if _is_in_zone(found, place)), _REST)


def _is_in_zone(locations: Sequence[ShippingLocation], place: TaxLocation) -> bool:
    """Return whether a zone covers a location; postcodes narrow down countries, states and continents."""
    country, state = place.country.upper(), f"{place.country}:{place.state}".upper()
    areas = [one for one in locations if one.kind != "postcode"]
    postcodes = [one.code for one in locations if one.kind == "postcode"]
    if not locations:
        return False
    inside = not areas or any(
        (one.kind == "country" and one.code.upper() == country)
        or (one.kind == "state" and one.code.upper() == state)
        or (one.kind == "continent" and country in CONTINENTS.get(one.code.upper(), ("", ()))[1])
        for one in areas
    )
    return inside and (not postcodes or any(is_postcode_match(one, place.postcode) for one in postcodes))


# -- methods


def list_zone_methods(work: UnitOfWork, zone: int) -> list[ShippingMethod]:
    """Return the methods of a zone in order."""
    work.uses("shipping")
    return _METHOD_STORE.of_rows(work.tx.all(_METHODS_BY_ZONE, zone=zone))


def find_method(work: UnitOfWork, id: int) -> ShippingMethod | None:
    """Return the method with an id, whichever zone it is in; None where there is none."""
    work.uses("shipping")
    return _METHOD_STORE.find(work.tx, id)


def has_shipping_methods(work: UnitOfWork) -> bool:
    """Return whether the shop has any shipping method at all."""
    work.uses("shipping")
    return work.tx.first(_ENABLED_METHOD) is not None


def get_zone_method(work: UnitOfWork, zone: int, id: int) -> ShippingMethod:
    """Return a method of a zone. Raises ShippingMethodNotFound."""
    found = find_method(work, id)
    if found is None or found.zone != zone:
        raise ShippingMethodNotFound(id=id)
    return found


def create_zone_method(work: UnitOfWork, zone: int, kind: str, given: Mapping[str, Any], id: int = 0) -> ShippingMethod:
    """Add a method to a zone. id: a free one that it takes, 0 for the next one.

    Raises ShippingMethodNotCreated, InvalidSettingValue.
    """
    if kind not in SHIPPING_METHOD_TYPES:
        raise ShippingMethodNotCreated(kind=kind)
    position = int(work.tx.value(_METHOD_COUNT, zone=zone) or 0) + 1
    blank = ShippingMethod(claim_id(work.tx, id, "shipping_method"), zone, kind, position, True, {})
    method = _apply_method_changes(work, blank, given)
    _METHOD_STORE.insert(work.tx, method)
    _note_zone_change(work, zone, "changed")
    return method


def update_zone_method(work: UnitOfWork, old: ShippingMethod, given: Mapping[str, Any]) -> ShippingMethod:
    """Change a method. Raises InvalidSettingValue."""
    new = _apply_method_changes(work, old, given)
    _METHOD_STORE.update(work.tx, old, new)
    _note_zone_change(work, new.zone, "changed")
    return new


def delete_zone_method(work: UnitOfWork, one: ShippingMethod) -> None:
    """Delete a method from its zone."""
    _METHOD_STORE.delete(work.tx, one.id)
    _note_zone_change(work, one.zone, "changed")


def _apply_method_changes(work: UnitOfWork, old: ShippingMethod, given: Mapping[str, Any]) -> ShippingMethod:
    values = given.get("settings")
    kept = dict(old.settings)
    fields = old.fields(work) if isinstance(values, Mapping) else {}
    for name, value in values.items() if isinstance(values, Mapping) else ():
        if name in fields:
            kept[name] = settings.validate_setting_value(work, fields[name], value)
    return msgspec.structs.replace(
        old,
        settings=kept,
        position=old.position if given.get("order") is None else int(given["order"]),
        enabled=old.enabled if given.get("enabled") is None else bool(given["enabled"]),
    )


def _note_zone_change(work: UnitOfWork, zone: int, action: str) -> None:
    work.note("shipping", zone, action)
