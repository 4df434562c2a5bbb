"""Shipping on its way in: zones, their places, the ways of sending there.

A zone that a site has already under the same name stays as it is, with its places and methods.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.shop.settings.rules import InvalidSettingValue
from vetrina.shop.shipping import zones as shipping_zones
from vetrina.shop.shipping.methods import SHIPPING_METHOD_TYPES
from vetrina.shop.shipping.zones import REST_OF_WORLD, ShippingMethod, ShippingZone
from vetrina.transfer.target.incoming_record import IncomingRecord, RecordSkipped
from vetrina.transfer.target.journal import TERM, ZONE
from vetrina.transfer.target.member_values import list_objects, list_settings, read_flag, read_number, read_text
from vetrina.transfer.target.outcome import Written

_ZONES: Final = "/shop/v3/shipping/zones"
_CLASS_COST: Final = "class_cost_"  # of a setting of a flat rate; the id of a shipping class follows


def write_zone(one: IncomingRecord) -> Written:
    """Write a zone without its places and methods."""
    work = one.work
    if read_number(one.record.id) == REST_OF_WORLD:
        return Written(REST_OF_WORLD, adopted=True)
    name, position = read_text(one.values.get("name")), read_number(one.values.get("order"))
    zones = shipping_zones.list_zones(work)
    old = next((zone for zone in zones if zone.id == one.target), None) if one.target else None
    if old is not None:
        return Written(shipping_zones.update_zone(work, old, name, position).id)
    same = next((zone for zone in zones if zone.id and zone.name == name), None)
    if same is not None:
        one.notes["a shipping zone of the same name was here, and stays as it is"] += 1
        return Written(same.id, adopted=True)
    id = one.choose_id(lambda id: id in {zone.id for zone in zones})
    return Written(shipping_zones.create_zone(work, name, position, id).id)


def write_locations(one: IncomingRecord) -> Written:
    """Write the places of a zone. Raises ReferenceMissing."""
    zone = _require_zone(one)
    if zone.id == REST_OF_WORLD or _is_kept(one):
        return Written(zone.id, adopted=True)
    shipping_zones.save_zone_locations(one.work, zone, list_objects(one.values.get("items")))
    return Written(zone.id)


def write_method(one: IncomingRecord) -> Written:
    """Write a way of sending to a zone. Raises ReferenceMissing, RecordSkipped."""
    work, zone = one.work, _require_zone(one)
    kind = read_text(one.values.get("method_id"))
    if kind not in SHIPPING_METHOD_TYPES:
        raise RecordSkipped(f"there is no way of shipping {kind!r} here")
    if _is_kept(one):
        methods = shipping_zones.list_zone_methods(work, zone.id)
        title = read_text(one.values.get("title"))
        same = next((method for method in methods if (method.kind, method.value("title")) == (kind, title)), None)
        return Written(same.id if same else 0, adopted=True)
    old = shipping_zones.find_method(work, one.target) if one.target else None
    given: dict[str, Any] = {
        "order": read_number(one.values.get("order")), "enabled": read_flag(one.values.get("enabled")),
    }  # fmt: skip
    if old is None:
        id = one.choose_id(lambda id: shipping_zones.find_method(work, id) is not None)
        old = shipping_zones.create_zone_method(work, zone.id, kind, given, id)
    else:
        old = shipping_zones.update_zone_method(work, old, given)
    return Written(_save_settings(one, old).id)


def _save_settings(one: IncomingRecord, method: ShippingMethod) -> ShippingMethod:
    """Return a method with the settings that came; those whose value it does not take are told."""
    for name, value in _map_class_costs(one, list_settings(one.values.get("settings"))).items():
        try:
            method = shipping_zones.update_zone_method(one.work, method, {"settings": {name: value}})
        except InvalidSettingValue:
            one.notes[f"the value of the setting {name!r} of the way of shipping {method.kind!r} does not fit"] += 1
    return method


def _map_class_costs(one: IncomingRecord, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings in which the costs of shipping classes name the classes here."""
    out = {}
    for name, value in settings.items():
        there = name.removeprefix(_CLASS_COST) if name.startswith(_CLASS_COST) else ""
        if there.isdecimal():
            found = one.resolve(TERM, int(there), "shipping class")
            if not found:
                continue
            name = f"{_CLASS_COST}{found}"
        out[name] = value
    return out


def _require_zone(one: IncomingRecord) -> ShippingZone:
    there = read_number(one.record.parent)
    id = one.require(ZONE, there, "zone") if there != REST_OF_WORLD else REST_OF_WORLD
    return shipping_zones.get_zone(one.work, id)


def _is_kept(one: IncomingRecord) -> bool:
    """Return whether the zone was here before; that of all other places where it has methods of its own."""
    there = str(one.record.parent)
    if read_number(there) == REST_OF_WORLD:
        return not one.keep_ids
    entry = one.journal.load_entries(one.work.tx, _ZONES, [there]).get(there)
    return entry is not None and entry.adopted
