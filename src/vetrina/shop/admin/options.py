"""Options of the administration, read and written by name.

Texts, numbers and booleans are returned as text, lists and objects unchanged; what was never set is false. Options that
are settings of the shop are validated as such. Not here: the names (shop/admin/option_names.py). Rules:
docs/rules/shop_admin.md, 6 and 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

from vetrina.content.site_settings import rules as site_settings
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design.themes import active_theme
from vetrina.kernel.errors import ApiError
from vetrina.kernel.integers import parse_digits
from vetrina.rest.coercion import coerce_object
from vetrina.shop.admin.option_names import ALLOWED_OPTIONS, GATEWAY_OPTIONS, SITE_OPTIONS
from vetrina.shop.customers.retention import RETENTION_OPTIONS, is_retention_period
from vetrina.shop.payments import gateways
from vetrina.shop.settings import rules as settings
from vetrina.shop.settings.rules import ShopSetting

_MODIFICATIONS: Final = "theme_mods_"
_ORDER_OF_GATEWAYS: Final = "shop_gateway_order"
_LIST: Final = "multiselect"
_YES: Final = frozenset({"yes", "1", True})


class MalformedOption(ApiError):
    code = "shop_rest_cannot_update"
    message = "{name} is {form}; send it as one."


def is_option_allowed(work: UnitOfWork, name: str) -> bool:
    """Return whether the administration may access an option of this name."""
    return name in ALLOWED_OPTIONS or name == f"{_MODIFICATIONS}{active_theme.get_active_theme(work.site).name}"


def load_options(work: UnitOfWork, names: Iterable[str]) -> dict[str, Any]:
    """Return the values of options by name, False for those never set."""
    return {name: _load_option(work, name) for name in names}


def save_options(work: UnitOfWork, given: Mapping[str, Any]) -> dict[str, bool]:
    """Store options and return by name whether the value changed. Raises InvalidSettingValue, MalformedOption."""
    return {name: _save_option(work, name, value) for name, value in given.items()}


def _load_option(work: UnitOfWork, name: str) -> Any:
    if name in SITE_OPTIONS:
        return work.raw_option(SITE_OPTIONS[name])
    if name in _load_settings():
        return _format_value(settings.get_shop_option(work, name))
    stored = work.stored_option(name)
    return False if stored is None else stored


def _save_option(work: UnitOfWork, name: str, value: Any) -> bool:
    before = _load_option(work, name)
    new = _format_value(value)
    if name in SITE_OPTIONS:
        site_settings.update_site_settings(work, {SITE_OPTIONS[name]: new if isinstance(new, str) else ""})
        return bool(_load_option(work, name) != before)
    if name in GATEWAY_OPTIONS:
        return _save_gateway(work, name, value)
    if name in RETENTION_OPTIONS:
        new = _parse_period(name, value)
    if name == _ORDER_OF_GATEWAYS:
        _save_gateway_order(work, value)
    if name in _load_settings():
        new = _check_setting(work, _load_settings()[name], value)
    if new == before:
        return False
    work.set_option(name, new)
    return True


def _check_setting(work: UnitOfWork, one: ShopSetting, value: Any) -> Any:
    """Return a setting's value in stored form. Raises InvalidSettingValue, MalformedOption."""
    if isinstance(value, list | dict) and not (one.type == _LIST and isinstance(value, list)):
        raise MalformedOption(name=one.id, form="a text")
    if one.type == settings.CHECKBOX and isinstance(value, bool):
        value = "yes" if value else "no"
    return settings.validate_setting_value(work, one, value)


def _save_gateway(work: UnitOfWork, name: str, value: Any) -> bool:
    members = coerce_object(value)
    if members is None:
        raise MalformedOption(name=name, form="an object of settings")
    before = work.stored_option(name)
    given: dict[str, Any] = {
        "settings": {key: members[key] for key in members if key not in ("enabled", "description")}
    }
    if "enabled" in members:
        given["enabled"] = members["enabled"] in _YES
    if isinstance(members.get("description"), str):
        given["description"] = members["description"]
    gateways.update_gateway(work, gateways.get_gateway(work, GATEWAY_OPTIONS[name]), given)
    return bool(work.stored_option(name) != before)


def _save_gateway_order(work: UnitOfWork, value: Any) -> None:
    """Set the positions of payment methods from an object by id; skips invalid positions and unknown ids."""
    places = coerce_object(value)
    if places is None:
        raise MalformedOption(name=_ORDER_OF_GATEWAYS, form="an object of numbers by the ways of paying")
    for id in gateways.list_gateway_ids(work.site.profile):
        place = parse_digits(str(places.get(id, "")))
        if place is not None:
            gateways.update_gateway(work, gateways.get_gateway(work, id), {"order": place})


def _parse_period(name: str, value: Any) -> dict[str, Any]:
    """Return a retention period in stored form. Raises MalformedOption."""
    period = coerce_object(value)
    if period is None or not is_retention_period(period):
        raise MalformedOption(name=name, form="an object of `number` and `unit`: days, weeks, months or years")
    return {"number": str(period.get("number") or ""), "unit": period["unit"]}


def _format_value(value: Any) -> Any:
    """Return a value as it is returned later."""
    if isinstance(value, list | dict):
        return value
    if isinstance(value, bool) or value is None:
        return "1" if value else ""
    return str(value)


@cache
def _load_settings() -> Mapping[str, ShopSetting]:
    """Return the options that are settings of the shop."""
    every = (
        one for group in settings.load_setting_groups().values() if not group.option for one in group.settings.values()
    )
    return {one.id: one for one in every if one.id in ALLOWED_OPTIONS}
