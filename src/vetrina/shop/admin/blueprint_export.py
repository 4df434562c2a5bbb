"""Blueprints: the settings of a shop as a list of steps that another shop can import one by one.

Builds the steps of an export. Secrets (settings of the type `password`) are never included, nor are settings that refer
to records of this site, whose ids mean nothing elsewhere. Not here: importing a step
(shop/admin/blueprint_import.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

import orjson

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design.themes import active_theme
from vetrina.shop.admin import coming_soon, modules as admin_modules, onboarding_profile, option_names
from vetrina.shop.payments import gateways
from vetrina.shop.settings import rules as settings
from vetrina.shop.settings.rules import SettingGroup, ShopSetting
from vetrina.shop.shipping import classes as shipping_classes, zones as shipping_zones
from vetrina.shop.taxes import classes as tax_classes, rate_store as tax_rates
from vetrina.shop.taxes.rate_store import TaxRate

BlueprintStep = dict[str, Any]

FEATURE_SETTING: Final = "shop_feature_blueprint_enabled"
CLASS_COST: Final = "class_cost:"  # prefix of the name of a shipping class's cost, before the slug of the class
MAX_ENTRIES: Final = 500  # entries of one step; the rest goes into further steps
MAX_LOCATIONS: Final = 10_000  # places of a zone

_SEALED: Final = "password"
_SEVERAL: Final = "multiselect"
_RECORDS: Final = "pages"  # source of settings that refer to records
_FILE: Final = "_image"  # suffix of the names of settings that refer to files of this site
_OWN_COST: Final = "class_cost_"
_WORD: Final = re.compile(r"set(?:[A-Z]{2}(?=[A-Z])|Shop(?=[A-Z]))?(?:Settings(?=[A-Z]))?([A-Z]\w*)", re.ASCII)
_PERSONAL: Final = frozenset({"store_email"})  # in the onboarding profile


def is_blueprint_enabled(work: UnitOfWork) -> bool:
    """Return whether the feature is enabled for the shop."""
    return settings.is_setting_on(work, FEATURE_SETTING)


def is_import_allowed(work: UnitOfWork) -> bool:
    """Return whether steps may be imported: a shop open to customers keeps the settings that they see."""
    return is_blueprint_enabled(work) and coming_soon.is_coming_soon(work)


def parse_part(name: str) -> str:
    """Return the part of a shop that a name means, empty for none: `general`, `setSettingsGeneral`."""
    if name == "setSettings" or re.fullmatch(r"set(?:[A-Z]{2}|Shop)Settings", name):
        return "settings"
    match = _WORD.fullmatch(name)
    wanted = (match[1] if match else name).replace("-", "").replace("_", "").lower()
    wanted = _PART_ALIASES.get(wanted, wanted)
    return wanted if wanted in BLUEPRINT_PARTS else ""


def export_blueprint(
    work: UnitOfWork, parts: Iterable[str], plugins: Iterable[str], names: Iterable[str]
) -> list[BlueprintStep]:
    """Return the steps of an export. parts: of PARTS. plugins, names: modules and themes; unknown ones are skipped."""
    wanted = {part for part in parts if part != "settings"}
    if "settings" in parts:
        wanted |= BLUEPRINT_PARTS.keys() - {"settings"}
    out = [*_iterate_module_steps(work, plugins), *_iterate_theme_steps(work, names)]
    for part, make in BLUEPRINT_PARTS.items():
        if part in wanted:
            out += make(work)
    return out


# -- modules and themes


def _iterate_module_steps(work: UnitOfWork, slugs: Iterable[str]) -> Iterator[BlueprintStep]:
    have, on = admin_modules.list_installed_modules(work), admin_modules.list_active_modules(work)
    for slug in dict.fromkeys(slugs):
        if slug in have:
            yield {
                "step": "installPlugin", "pluginData": {"resource": "module", "slug": slug},
                "options": {"activate": slug in on},
            }  # fmt: skip


def _iterate_theme_steps(work: UnitOfWork, names: Iterable[str]) -> Iterator[BlueprintStep]:
    have, now = active_theme.list_installed_themes(work.site), active_theme.get_active_theme(work.site).name
    for name in dict.fromkeys(names):
        if name in have:
            yield {
                "step": "installTheme", "themeData": {"resource": "theme", "slug": name},
                "options": {"activate": name == now},
            }  # fmt: skip


# -- settings


def _is_exported(one: ShopSetting) -> bool:
    return one.type != _SEALED and one.source != _RECORDS and not one.id.endswith(_FILE)


def _build_option_steps(values: Mapping[str, Any]) -> list[BlueprintStep]:
    return [{"step": "setSiteOptions", "options": dict(values)}] if values else []


def _normalize_value(one: ShopSetting, value: Any) -> Any:
    """Return a value in writable form: an empty multiselect is an empty list, an unset checkbox is no."""
    if one.type == settings.CHECKBOX:
        return value if value in ("yes", True) else "no"
    return [] if one.type == _SEVERAL and not isinstance(value, list) else value


def _collect_values(work: UnitOfWork, group: SettingGroup) -> dict[str, Any]:
    """Return the exported values of a group; those that follow the site's own options only where they were set."""
    stored = work.stored_option(group.option) or {} if group.option else None
    return {
        id: _normalize_value(one, settings.get_setting_value(work, group, one))
        for id, one in group.settings.items()
        if _is_exported(one)
        and not (one.default_from and (work.stored_option(id) if stored is None else stored.get(id)) is None)
    }


def _build_group_exporter(id: str) -> Callable[[UnitOfWork], list[BlueprintStep]]:
    def make(work: UnitOfWork) -> list[BlueprintStep]:
        return _build_option_steps(_collect_values(work, settings.load_setting_groups()[id]))

    return make


def _build_mail_steps(work: UnitOfWork) -> list[BlueprintStep]:
    found: dict[str, Any] = {}
    for group in settings.load_setting_groups().values():
        if group.id == "email":
            found |= _collect_values(work, group)
        elif group.parent == "email":
            found[group.option] = _collect_values(work, group)
    return _build_option_steps(found)


def _build_visibility_steps(work: UnitOfWork) -> list[BlueprintStep]:
    names = (coming_soon.COMING_SOON_OPTION, "shop_store_pages_only")  # the key of the private link is a secret
    stored = ((name, work.stored_option(name)) for name in names)
    return _build_option_steps({name: value for name, value in stored if value is not None})


def _build_task_steps(work: UnitOfWork) -> list[BlueprintStep]:
    names = sorted(name for name in option_names.ALLOWED_OPTIONS if name.startswith("shop_task_list_"))
    stored = ((name, work.stored_option(name)) for name in names)
    return _build_option_steps({name: value for name, value in stored if _is_plain_value(value)})


def _build_profile_steps(work: UnitOfWork) -> list[BlueprintStep]:
    members = {
        name: value
        for name, value in onboarding_profile.load_profile(work).items()
        if name not in _PERSONAL and _is_plain_value(value)
    }
    return _build_option_steps({onboarding_profile.PROFILE_OPTION: members} if members else {})


def _is_plain_value(value: Any) -> bool:
    """Return whether a value is a text, a boolean, a number or a list of texts."""
    return isinstance(value, str | bool | int) or (
        isinstance(value, list) and all(isinstance(one, str) for one in value)
    )


# -- taxes, shipping, payment methods


def _build_tax_rate_steps(work: UnitOfWork) -> list[BlueprintStep]:
    classes = [one.name for one in tax_classes.list_tax_classes(work)]
    every = tax_rates.load_tax_rates_by_id(work, tax_rates.list_tax_rate_ids(work)).values()
    rates = [_serialize_rate(one) for one in sorted(every, key=lambda one: one.id)]
    return [{"step": "setTaxRates", "classes": classes, "rates": some} for some in _iterate_batches(rates)]


def _serialize_rate(one: TaxRate) -> dict[str, Any]:
    return {
        "country": one.country, "state": one.state, "postcodes": list(one.postcodes), "cities": list(one.cities),
        "rate": one.rate, "name": one.name, "priority": one.priority, "compound": one.compound,
        "shipping": one.shipping, "order": one.position, "class": one.tax_class or "standard",
    }  # fmt: skip


def list_rate_keys(work: UnitOfWork) -> set[str]:
    """Return the keys of the shop's tax rates."""
    return {
        build_rate_key(_serialize_rate(one))
        for one in tax_rates.load_tax_rates_by_id(work, tax_rates.list_tax_rate_ids(work)).values()
    }


def build_rate_key(rate: Mapping[str, Any]) -> str:
    """Return the key that two tax rates share when all their members are equal."""
    return orjson.dumps({**_serialize_rate(TaxRate()), **rate}, option=orjson.OPT_SORT_KEYS).decode()


def list_shipping_classes(work: UnitOfWork) -> list[dict[str, Any]]:
    """Return the shipping classes with their ids."""
    return [{"id": id, "name": name, "slug": slug} for id, name, slug in shipping_classes.list_shipping_classes(work)]


def _build_shipping_steps(work: UnitOfWork) -> list[BlueprintStep]:
    slugs = {one["id"]: one["slug"] for one in list_shipping_classes(work)}
    classes = [{"name": one["name"], "slug": one["slug"]} for one in list_shipping_classes(work)]
    zones = [
        {
            "name": zone.name,
            "order": zone.position,
            "is_rest": zone.id == shipping_zones.REST_OF_WORLD,
            "locations": [
                {"code": one.code, "type": one.kind} for one in shipping_zones.list_zone_locations(work, zone.id)
            ],
            "methods": [
                {
                    "method_id": one.kind,
                    "order": one.position,
                    "enabled": one.enabled,
                    "settings": _replace_ids_by_slugs(one.settings, slugs),
                }
                for one in shipping_zones.list_zone_methods(work, zone.id)
            ],
        }
        for zone in shipping_zones.list_zones(work)
    ]
    return [{"step": "setShippingZones", "classes": classes, "zones": some} for some in _iterate_batches(zones)]


def _replace_ids_by_slugs(values: Mapping[str, Any], slugs: Mapping[int, str]) -> dict[str, Any]:
    """Return the settings of a method with the costs of classes keyed by slug."""
    out = {}
    for name, value in values.items():
        number = name.removeprefix(_OWN_COST)
        if number != name and number.isdecimal():
            if int(number) in slugs:
                out[CLASS_COST + slugs[int(number)]] = value
        else:
            out[name] = value
    return out


def _build_gateway_steps(work: UnitOfWork) -> list[BlueprintStep]:
    found = {}
    for configured in gateways.list_gateways(work):
        values = {
            name: configured.values[name] for name, one in configured.gateway.settings.items() if _is_exported(one)
        }
        # The shipping methods that a payment method goes with are given by local ids here.
        values = {
            name: value for name, value in values.items() if configured.gateway.settings[name].source != "shipping"
        }
        entry: dict[str, Any] = {
            "enabled": configured.enabled,
            "description": configured.description,
            "settings": values,
        }
        found[configured.gateway.id] = entry if configured.order is None else {**entry, "order": configured.order}
    return [{"step": "setPaymentGateways", "gateways": found}]


def _iterate_batches(rows: list[Any]) -> Iterator[list[Any]]:
    """Yield rows in batches of a step's size, at least one batch."""
    rest = iter(rows)
    first = list(islice(rest, MAX_ENTRIES))
    yield first
    while some := list(islice(rest, MAX_ENTRIES)):
        yield some


BLUEPRINT_PARTS: Final[Mapping[str, Callable[[UnitOfWork], list[BlueprintStep]]]] = {
    "settings": lambda work: [],
    "general": _build_group_exporter("general"),
    "products": _build_group_exporter("products"),
    "taxrates": _build_tax_rate_steps,
    "tax": _build_group_exporter("tax"),
    "shipping": lambda work: [*_build_shipping_steps(work), *_build_group_exporter("shipping")(work)],
    "payments": _build_gateway_steps,
    "account": _build_group_exporter("account"),
    "emails": _build_mail_steps,
    "integrations": _build_group_exporter("integration"),
    "sitevisibility": _build_visibility_steps,
    "pointofsale": _build_group_exporter("point-of-sale"),
    "advanced": _build_group_exporter("advanced"),
    "analytics": _build_group_exporter("shop_admin"),
    "taskoptions": _build_task_steps,
    "coreprofileroptions": _build_profile_steps,
}
_PART_ALIASES: Final = {
    "paymentgateways": "payments", "checkout": "payments", "email": "emails", "accounts": "account",
    "integration": "integrations", "shopadmin": "analytics", "taxes": "tax", "shippingzones": "shipping",
    "coreprofiler": "coreprofileroptions",
}  # fmt: skip
