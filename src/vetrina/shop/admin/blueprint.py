"""Blueprints: what is set about a shop as a list of steps, which another shop can take over one by one.

Made here: the steps of an export. Secrets (settings of the type `password`) are never among them, nor are settings
that name records of this site, for their numbers mean nothing elsewhere. Not here: carrying out a step
(shop/admin/blueprint_step_routes.py). Rules: issue 21; names and shapes of steps are those that clients know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

import orjson

from vetrina.core.unit_of_work import Work
from vetrina.design.themes import rules as themes
from vetrina.shop.admin import coming_soon, onboarding_profile, option_names
from vetrina.shop.admin import modules as admin_modules
from vetrina.shop.payments import gateways
from vetrina.shop.settings import rules as settings
from vetrina.shop.settings.rules import Group, Setting
from vetrina.shop.shipping import classes as shipping_classes
from vetrina.shop.shipping import zones as shipping_zones
from vetrina.shop.taxes import classes as tax_classes
from vetrina.shop.taxes import rates as tax_rates
from vetrina.shop.taxes.rates import TaxRate

__all__ = [
    "CLASS_COST", "MOST", "MOST_PLACES", "PARTS", "Step", "export", "is_import_allowed", "is_on", "known_rates",
    "part_of", "rate_key", "shipping_classes_of",
]  # fmt: skip

Step = dict[str, Any]

FEATURE: Final = "shop_feature_blueprint_enabled"
CLASS_COST: Final = "class_cost:"  # begins the name of what a shipping class costs, before the slug of the class
MOST: Final = 500  # entries of one step; more stand in several
MOST_PLACES: Final = 10_000  # places of a zone

_SEALED: Final = "password"
_SEVERAL: Final = "multiselect"
_RECORDS: Final = "pages"  # source of settings that name records
_FILE: Final = "_image"  # ends the names of settings that name files of this site
_OWN_COST: Final = "class_cost_"
_WORD: Final = re.compile(r"set(?:[A-Z]{2}(?=[A-Z])|Shop(?=[A-Z]))?(?:Settings(?=[A-Z]))?([A-Z]\w*)", re.ASCII)
_PERSONAL: Final = frozenset({"store_email"})  # of the profile of the business


def is_on(work: Work) -> bool:
    """Say whether the shop has this feature switched on."""
    return settings.is_on(work, FEATURE)


def is_import_allowed(work: Work) -> bool:
    """Say whether steps are taken: a shop that customers are in keeps the settings that they see."""
    return is_on(work) and coming_soon.is_on(work)


def part_of(name: str) -> str:
    """Return the part of a shop that a name means, empty for none: `general`, `setSettingsGeneral`."""
    if name == "setSettings" or re.fullmatch(r"set(?:[A-Z]{2}|Shop)Settings", name):
        return "settings"
    match = _WORD.fullmatch(name)
    wanted = (match[1] if match else name).replace("-", "").replace("_", "").lower()
    wanted = _ALSO.get(wanted, wanted)
    return wanted if wanted in PARTS else ""


def export(work: Work, parts: Iterable[str], plugins: Iterable[str], names: Iterable[str]) -> list[Step]:
    """Return steps. parts: of PARTS. plugins, names: modules and themes; those that are not here are left out."""
    wanted = {part for part in parts if part != "settings"}
    if "settings" in parts:
        wanted |= PARTS.keys() - {"settings"}
    out = [*_modules(work, plugins), *_themes(work, names)]
    for part, make in PARTS.items():
        if part in wanted:
            out += make(work)
    return out


# -- modules and themes


def _modules(work: Work, slugs: Iterable[str]) -> Iterator[Step]:
    have, on = admin_modules.installed(work), admin_modules.active(work)
    for slug in dict.fromkeys(slugs):
        if slug in have:
            yield {
                "step": "installPlugin", "pluginData": {"resource": "module", "slug": slug},
                "options": {"activate": slug in on},
            }  # fmt: skip


def _themes(work: Work, names: Iterable[str]) -> Iterator[Step]:
    have, now = themes.installed(work.frame), themes.active(work.frame).name
    for name in dict.fromkeys(names):
        if name in have:
            yield {
                "step": "installTheme", "themeData": {"resource": "theme", "slug": name},
                "options": {"activate": name == now},
            }  # fmt: skip


# -- settings


def _is_carried(one: Setting) -> bool:
    return one.type != _SEALED and one.source != _RECORDS and not one.id.endswith(_FILE)


def _options(found: Mapping[str, Any]) -> list[Step]:
    return [{"step": "setSiteOptions", "options": dict(found)}] if found else []


def _describe_value(one: Setting, value: Any) -> Any:
    """Return a value as it may be written: of several choices none is an empty list, a box that is not set a no."""
    if one.type == settings.CHECKBOX:
        return value if value in ("yes", True) else "no"
    return [] if one.type == _SEVERAL and not isinstance(value, list) else value


def _values(work: Work, group: Group) -> dict[str, Any]:
    """Return what is carried of a group; what follows the site's own options, only where it was set."""
    stored = work.stored_option(group.option) or {} if group.option else None
    return {
        id: _describe_value(one, settings.value_of(work, group, one))
        for id, one in group.settings.items()
        if _is_carried(one)
        and not (one.default_from and (work.stored_option(id) if stored is None else stored.get(id)) is None)
    }


def _group(id: str) -> Callable[[Work], list[Step]]:
    def make(work: Work) -> list[Step]:
        return _options(_values(work, settings.groups()[id]))

    return make


def _mails(work: Work) -> list[Step]:
    found: dict[str, Any] = {}
    for group in settings.groups().values():
        if group.id == "email":
            found |= _values(work, group)
        elif group.parent == "email":
            found[group.option] = _values(work, group)
    return _options(found)


def _visibility(work: Work) -> list[Step]:
    names = (coming_soon.ON, "shop_store_pages_only")  # the key of the private link is a secret
    stored = ((name, work.stored_option(name)) for name in names)
    return _options({name: value for name, value in stored if value is not None})


def _tasks(work: Work) -> list[Step]:
    names = sorted(name for name in option_names.ALLOWED if name.startswith("shop_task_list_"))
    stored = ((name, work.stored_option(name)) for name in names)
    return _options({name: value for name, value in stored if _is_plain(value)})


def _profile(work: Work) -> list[Step]:
    said = {
        name: value
        for name, value in onboarding_profile.stored(work).items()
        if name not in _PERSONAL and _is_plain(value)
    }
    return _options({onboarding_profile.PROFILE: said} if said else {})


def _is_plain(value: Any) -> bool:
    """Say whether a value is a text, a truth, a number or a list of texts."""
    return isinstance(value, str | bool | int) or (
        isinstance(value, list) and all(isinstance(one, str) for one in value)
    )


# -- taxes, shipping, ways of paying


def _tax_rates(work: Work) -> list[Step]:
    classes = [one.name for one in tax_classes.listed(work)]
    every = tax_rates.by_ids(work, tax_rates.ids(work)).values()
    rates = [_rate(one) for one in sorted(every, key=lambda one: one.id)]
    return [{"step": "setTaxRates", "classes": classes, "rates": some} for some in _pieces(rates)]


def _rate(one: TaxRate) -> dict[str, Any]:
    return {
        "country": one.country, "state": one.state, "postcodes": list(one.postcodes), "cities": list(one.cities),
        "rate": one.rate, "name": one.name, "priority": one.priority, "compound": one.compound,
        "shipping": one.shipping, "order": one.position, "class": one.tax_class or "standard",
    }  # fmt: skip


def known_rates(work: Work) -> set[str]:
    """Return the keys of the rates that the shop has."""
    return {rate_key(_rate(one)) for one in tax_rates.by_ids(work, tax_rates.ids(work)).values()}


def rate_key(told: Mapping[str, Any]) -> str:
    """Return what two rates share that are alike in every member."""
    return orjson.dumps({**_rate(TaxRate()), **told}, option=orjson.OPT_SORT_KEYS).decode()


def shipping_classes_of(work: Work) -> list[dict[str, Any]]:
    """Return the shipping classes with their numbers."""
    return [{"id": id, "name": name, "slug": slug} for id, name, slug in shipping_classes.slugs(work)]


def _shipping(work: Work) -> list[Step]:
    slugs = {one["id"]: one["slug"] for one in shipping_classes_of(work)}
    classes = [{"name": one["name"], "slug": one["slug"]} for one in shipping_classes_of(work)]
    zones = [
        {
            "name": zone.name, "order": zone.position, "is_rest": zone.id == shipping_zones.REST,
            "locations": [{"code": one.code, "type": one.kind} for one in shipping_zones.locations(work, zone.id)],
            "methods": [
                {"method_id": one.kind, "order": one.position, "enabled": one.enabled,
                 "settings": _by_slug(one.settings, slugs)}
                for one in shipping_zones.methods_of(work, zone.id)
            ],
        }
        for zone in shipping_zones.listed(work)
    ]  # fmt: skip
    return [{"step": "setShippingZones", "classes": classes, "zones": some} for some in _pieces(zones)]


def _by_slug(values: Mapping[str, Any], slugs: Mapping[int, str]) -> dict[str, Any]:
    """Return what is set about a method with the costs of classes by their slugs."""
    out = {}
    for name, value in values.items():
        number = name.removeprefix(_OWN_COST)
        if number != name and number.isdecimal():
            if int(number) in slugs:
                out[CLASS_COST + slugs[int(number)]] = value
        else:
            out[name] = value
    return out


def _gateways(work: Work) -> list[Step]:
    found = {}
    for held in gateways.listed(work):
        values = {name: held.values[name] for name, one in held.of.settings.items() if _is_carried(one)}
        # Which methods of zones a way of paying goes with is told by their numbers here.
        values = {name: value for name, value in values.items() if held.of.settings[name].source != "shipping"}
        told: dict[str, Any] = {"enabled": held.enabled, "description": held.description, "settings": values}
        found[held.of.id] = told if held.order is None else {**told, "order": held.order}
    return [{"step": "setPaymentGateways", "gateways": found}]


def _pieces(rows: list[Any]) -> Iterator[list[Any]]:
    """Return rows in pieces that a step may have, one at least."""
    rest = iter(rows)
    first = list(islice(rest, MOST))
    yield first
    while some := list(islice(rest, MOST)):
        yield some


PARTS: Final[Mapping[str, Callable[[Work], list[Step]]]] = {
    "settings": lambda work: [],
    "general": _group("general"),
    "products": _group("products"),
    "taxrates": _tax_rates,
    "tax": _group("tax"),
    "shipping": lambda work: [*_shipping(work), *_group("shipping")(work)],
    "payments": _gateways,
    "account": _group("account"),
    "emails": _mails,
    "integrations": _group("integration"),
    "sitevisibility": _visibility,
    "pointofsale": _group("point-of-sale"),
    "advanced": _group("advanced"),
    "analytics": _group("shop_admin"),
    "taskoptions": _tasks,
    "coreprofileroptions": _profile,
}
_ALSO: Final = {
    "paymentgateways": "payments", "checkout": "payments", "email": "emails", "accounts": "account",
    "integration": "integrations", "shopadmin": "analytics", "taxes": "tax", "shippingzones": "shipping",
    "coreprofiler": "coreprofileroptions",
}  # fmt: skip
