"""Shipping zones: places that things are sent to alike, with the methods by which they are sent there.

The rest of the world is zone 0: it has no places, is never removed, and stands last.
Not here: what a method costs (shop/shipping/methods.py). Rules: facts, "Taxes, settings, shipping, gateways, data".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, delete, func, insert, select, update

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.tables.taxes_shipping import shipping_method, shipping_place, shipping_zone
from vetrina.content.text.short_texts import allowed_text
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.shop.settings import rules as settings
from vetrina.shop.settings.places import CONTINENTS
from vetrina.shop.settings.rules import Setting
from vetrina.shop.shipping import classes as shipping_classes
from vetrina.shop.shipping.methods import FLAT, KINDS, Kind, class_costs
from vetrina.shop.taxes.rules import Place, matches_postcode

__all__ = [
    "REST", "Location", "Method", "MethodUnknown", "NotCreated", "RestHasNoPlaces", "RestIsFixed", "Zone",
    "ZoneUnknown", "add_method", "change", "change_method", "create", "existing", "has_methods", "listed", "locations",
    "method", "methods_of", "put_locations", "remove", "remove_method", "zone_at",
]  # fmt: skip

REST: Final = 0
_REST_NAME: Final = "Everywhere that no other zone covers"
_PLACES: Final = ("postcode", "state", "country", "continent")


class ZoneUnknown(ApiError):
    status, code = 404, "shop_rest_shipping_zone_invalid"
    message = "There is no shipping zone with the number {id}."


class MethodUnknown(ApiError):
    status, code = 404, "shop_rest_shipping_zone_method_invalid"
    message = "The zone has no method with the number {id}."


class RestIsFixed(ApiError):
    status, code = 403, "shop_rest_shipping_zone_invalid_zone"
    # Clients compare this sentence, so it is the one that they know.
    message = 'The "locations not covered by your other zones" zone cannot be updated.'


class RestHasNoPlaces(ApiError):
    status, code = 403, "shop_rest_shipping_zone_locations_invalid_zone"
    message = "The zone of the rest of the world has no places of its own."


class NotCreated(ApiError):
    code = "shop_rest_shipping_zone_not_created"
    message = "There is no way of shipping {kind!r}; GET /shop/v3/shipping_methods lists them."


class Zone(msgspec.Struct, frozen=True):
    """A zone. position: the first zone that an address falls into is taken."""

    id: int
    name: str
    position: int


class Location(msgspec.Struct, frozen=True):
    """A place of a zone. kind: postcode, state (`US:CA`), country or continent."""

    code: str
    kind: str


class Method(msgspec.Struct, frozen=True):
    """A method of a zone. settings: what differs from the kind's defaults."""

    id: int
    zone: int
    kind: str
    position: int
    enabled: bool
    settings: dict[str, Any]

    @property
    def of(self) -> Kind:
        return KINDS[self.kind]

    def value(self, name: str) -> Any:
        """Return what is set."""
        return self.values.get(name, "")

    def fields(self, work: Work) -> dict[str, Setting]:
        """Return what may be set of it; a flat rate has a cost for each shipping class that the shop has."""
        if self.kind != FLAT:
            return dict(self.of.settings)
        return {**self.of.settings, **class_costs(shipping_classes.names(work))}

    @property
    def values(self) -> dict[str, Any]:
        """Return everything that is set."""
        first = {name: one.default if one.first is None else one.first for name, one in self.of.settings.items()}
        return {**first, **self.settings}


_ZONES = Statement(select(*shipping_zone.c).order_by(shipping_zone.c.position, shipping_zone.c.id))
_ZONES_WITH_PLACES = Statement(
    select(*shipping_zone.c, shipping_place.c.code, shipping_place.c.kind)
    .outerjoin(shipping_place, shipping_place.c.zone == shipping_zone.c.id)
    .order_by(shipping_zone.c.position, shipping_zone.c.id, shipping_place.c.id)
)
_ZONE = Statement(select(*shipping_zone.c).where(shipping_zone.c.id == bindparam("id")))
_INSERT = Statement(insert(shipping_zone).values({column.name: bindparam(column.name) for column in shipping_zone.c}))
_UPDATE = Statement(
    update(shipping_zone)
    .where(shipping_zone.c.id == bindparam("of"))
    .values(name=bindparam("name"), position=bindparam("position"))
)
_REMOVE = Statement(delete(shipping_zone).where(shipping_zone.c.id == bindparam("id")))
_PLACES_OF = Statement(
    select(shipping_place.c.zone, shipping_place.c.code, shipping_place.c.kind).order_by(shipping_place.c.id)
)
_INSERT_PLACE = Statement(
    insert(shipping_place).values({column.name: bindparam(column.name) for column in shipping_place.c})
)
_REMOVE_PLACES = Statement(delete(shipping_place).where(shipping_place.c.zone == bindparam("zone")))
_METHODS = Statement(
    select(*shipping_method.c)
    .where(shipping_method.c.zone == bindparam("zone"))
    .order_by(shipping_method.c.position, shipping_method.c.id)
)
_COUNT = Statement(select(func.count()).where(shipping_method.c.zone == bindparam("zone")))
_METHOD = Statement(
    select(*shipping_method.c).where(
        shipping_method.c.id == bindparam("id"), shipping_method.c.zone == bindparam("zone")
    )
)
_ENABLED = Statement(select(shipping_method.c.id).where(shipping_method.c.enabled).limit(1))
_INSERT_METHOD = Statement(
    insert(shipping_method).values({column.name: bindparam(column.name) for column in shipping_method.c})
)
_UPDATE_METHOD = Statement(
    update(shipping_method)
    .where(shipping_method.c.id == bindparam("of"))
    .values(position=bindparam("position"), enabled=bindparam("enabled"), settings=bindparam("settings"))
)
_REMOVE_METHOD = Statement(delete(shipping_method).where(shipping_method.c.id == bindparam("id")))
_REMOVE_METHODS = Statement(delete(shipping_method).where(shipping_method.c.zone == bindparam("zone")))


# -- zones


def listed(work: Work) -> list[Zone]:
    """Return all zones in their order, the rest of the world last."""
    work.uses("shipping")
    return [*(Zone(*row) for row in work.tx.all(_ZONES)), Zone(REST, _REST_NAME, 0)]


def existing(work: Work, id: int) -> Zone:
    """Return a zone. Raises ZoneUnknown."""
    work.uses("shipping")
    if id == REST:
        return Zone(REST, _REST_NAME, 0)
    row = work.tx.first(_ZONE, id=id)
    if row is None:
        raise ZoneUnknown(id=id)
    return Zone(*row)


def create(work: Work, name: str, position: int = 0) -> Zone:
    """Make a zone."""
    made = Zone(next_number(work.tx, "shipping_zone"), allowed_text(work.user, name), position)
    work.tx.run(_INSERT, **msgspec.structs.asdict(made))
    _noted(work, made.id, "created")
    return made


def change(work: Work, old: Zone, name: str | None = None, position: int | None = None) -> Zone:
    """Change a zone. Raises RestIsFixed."""
    if old.id == REST:
        raise RestIsFixed
    name = old.name if name is None else allowed_text(work.user, name)
    new = Zone(old.id, name, old.position if position is None else position)
    work.tx.run(_UPDATE, of=new.id, name=new.name, position=new.position)
    _noted(work, new.id, "changed")
    return new


def remove(work: Work, one: Zone) -> None:
    """Remove a zone with its places and methods; the rest of the world stays."""
    if one.id == REST:
        return
    work.tx.run(_REMOVE_METHODS, zone=one.id)
    work.tx.run(_REMOVE, id=one.id)
    _noted(work, one.id, "removed")


def locations(work: Work, zone: int) -> list[Location]:
    """Return the places of a zone."""
    return _all_locations(work).get(zone, [])


def put_locations(work: Work, zone: Zone, given: Sequence[Any]) -> list[Location]:
    """Give a zone these places and no others; what names no place is dropped. Raises RestHasNoPlaces."""
    if zone.id == REST:
        raise RestHasNoPlaces
    work.tx.run(_REMOVE_PLACES, zone=zone.id)
    for told in given:
        kind = told.get("type", "country") if isinstance(told, Mapping) else ""
        code = str(told.get("code") or "") if isinstance(told, Mapping) else ""
        if kind in _PLACES and code:
            id = next_number(work.tx, "shipping_place")
            work.tx.run(_INSERT_PLACE, id=id, zone=zone.id, kind=kind, code=code)
    _noted(work, zone.id, "changed")
    return locations(work, zone.id)


def zone_at(work: Work, place: Place) -> Zone:
    """Return the first zone that a place falls into, the rest of the world where none does."""
    work.uses("shipping")
    every: dict[Zone, list[Location]] = {}
    for id, name, position, code, kind in work.tx.all(_ZONES_WITH_PLACES):
        found = every.setdefault(Zone(id, name, position), [])
        if code is not None:
            found.append(Location(code, kind))
    return next((zone for zone, found in every.items() if _covers(found, place)), Zone(REST, _REST_NAME, 0))


def _all_locations(work: Work) -> dict[int, list[Location]]:
    work.uses("shipping")
    out: dict[int, list[Location]] = {}
    for zone, code, kind in work.tx.all(_PLACES_OF):
        out.setdefault(zone, []).append(Location(code, kind))
    return out


def _covers(found: Sequence[Location], place: Place) -> bool:
    """Say whether a zone covers a place; postcodes narrow what countries, states and continents say."""
    country, state = place.country.upper(), f"{place.country}:{place.state}".upper()
    areas = [one for one in found if one.kind != "postcode"]
    postcodes = [one.code for one in found if one.kind == "postcode"]
    if not found:
        return False
    inside = not areas or any(
        (one.kind == "country" and one.code.upper() == country)
        or (one.kind == "state" and one.code.upper() == state)
        or (one.kind == "continent" and country in CONTINENTS.get(one.code.upper(), ("", ()))[1])
        for one in areas
    )
    return inside and (not postcodes or any(matches_postcode(one, place.postcode) for one in postcodes))


# -- methods


def methods_of(work: Work, zone: int) -> list[Method]:
    """Return the methods of a zone in their order."""
    work.uses("shipping")
    return [_of_row(row) for row in work.tx.all(_METHODS, zone=zone)]


def has_methods(work: Work) -> bool:
    """Say whether the shop has any way of shipping at all."""
    work.uses("shipping")
    return work.tx.first(_ENABLED) is not None


def method(work: Work, zone: int, id: int) -> Method:
    """Return a method of a zone. Raises MethodUnknown."""
    work.uses("shipping")
    row = work.tx.first(_METHOD, id=id, zone=zone)
    if row is None:
        raise MethodUnknown(id=id)
    return _of_row(row)


def add_method(work: Work, zone: int, kind: str, given: Mapping[str, Any]) -> Method:
    """Give a zone a method. Raises NotCreated, settings.InvalidValue."""
    if kind not in KINDS:
        raise NotCreated(kind=kind)
    position = int(work.tx.value(_COUNT, zone=zone) or 0) + 1
    blank = Method(next_number(work.tx, "shipping_method"), zone, kind, position, True, {})
    made = _with(work, blank, given)
    work.tx.run(_INSERT_METHOD, **_row(made))
    _noted(work, zone, "changed")
    return made


def change_method(work: Work, old: Method, given: Mapping[str, Any]) -> Method:
    """Change a method. Raises settings.InvalidValue."""
    new = _with(work, old, given)
    row = _row(new)
    work.tx.run(_UPDATE_METHOD, of=new.id, position=row["position"], enabled=row["enabled"], settings=row["settings"])
    _noted(work, new.zone, "changed")
    return new


def remove_method(work: Work, one: Method) -> None:
    """Take a method away from its zone."""
    work.tx.run(_REMOVE_METHOD, id=one.id)
    _noted(work, one.zone, "changed")


def _with(work: Work, old: Method, given: Mapping[str, Any]) -> Method:
    told = given.get("settings")
    kept = dict(old.settings)
    fields = old.fields(work) if isinstance(told, Mapping) else {}
    for name, value in told.items() if isinstance(told, Mapping) else ():
        if name in fields:
            kept[name] = settings.checked(work, fields[name], value)
    return msgspec.structs.replace(
        old,
        settings=kept,
        position=old.position if given.get("order") is None else int(given["order"]),
        enabled=old.enabled if given.get("enabled") is None else bool(given["enabled"]),
    )


def _of_row(row: Any) -> Method:
    id, zone, kind, position, enabled, written = row
    return Method(id, zone, kind, position, bool(enabled), orjson.loads(written))


def _row(one: Method) -> dict[str, Any]:
    return {**msgspec.structs.asdict(one), "settings": orjson.dumps(one.settings).decode()}


def _noted(work: Work, zone: int, action: str) -> None:
    work.note("shipping", zone, action)
