"""Options of the administration, read and written by name.

Texts, numbers and truth values come back as text, lists and objects as they are; what was never set is false. Options
that are settings of the shop are checked as those are. Not here: which names there are (shop/admin/option_names.py).
Rules: facts, "Options".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

from vetrina.content.site_settings import rules as site_settings
from vetrina.core.unit_of_work import Work
from vetrina.design.themes import rules as themes
from vetrina.kernel.errors import ApiError
from vetrina.kernel.integers import whole
from vetrina.rest.coercion import mapping
from vetrina.shop.admin.option_names import ALLOWED, GATEWAYS, PERIODS, SITE
from vetrina.shop.customers.retention import is_period
from vetrina.shop.payments import gateways
from vetrina.shop.settings import rules as settings
from vetrina.shop.settings.rules import Setting

__all__ = ["Malformed", "is_allowed", "read", "write"]

_MODIFICATIONS: Final = "theme_mods_"
_ORDER_OF_GATEWAYS: Final = "shop_gateway_order"
_LIST: Final = "multiselect"
_YES: Final = frozenset({"yes", "1", True})


class Malformed(ApiError):
    code = "shop_rest_cannot_update"
    message = "{name} is {form}; send it as one."


def is_allowed(work: Work, name: str) -> bool:
    """Say whether the administration may touch an option of this name."""
    return name in ALLOWED or name == f"{_MODIFICATIONS}{themes.active(work.frame).name}"


def read(work: Work, names: Iterable[str]) -> dict[str, Any]:
    """Return the values of options by name, False for those that were never set."""
    return {name: _value(work, name) for name in names}


def write(work: Work, given: Mapping[str, Any]) -> dict[str, bool]:
    """Store options and return by name whether the value became another one. Raises InvalidValue, Malformed."""
    return {name: _put(work, name, value) for name, value in given.items()}


def _value(work: Work, name: str) -> Any:
    if name in SITE:
        return work.raw_option(SITE[name])
    if name in _settings():
        return _as_text(settings.shop_option(work, name))
    stored = work.stored_option(name)
    return False if stored is None else stored


def _put(work: Work, name: str, value: Any) -> bool:
    before = _value(work, name)
    new = _as_text(value)
    if name in SITE:
        site_settings.change(work, {SITE[name]: new if isinstance(new, str) else ""})
        return bool(_value(work, name) != before)
    if name in GATEWAYS:
        return _put_gateway(work, name, value)
    if name in PERIODS:
        new = _period(name, value)
    if name == _ORDER_OF_GATEWAYS:
        _put_order_of_gateways(work, value)
    if name in _settings():
        new = _checked(work, _settings()[name], value)
    if new == before:
        return False
    work.set_option(name, new)
    return True


def _checked(work: Work, one: Setting, value: Any) -> Any:
    """Return a setting's value as it is kept. Raises InvalidValue, Malformed."""
    if isinstance(value, list | dict) and not (one.type == _LIST and isinstance(value, list)):
        raise Malformed(name=one.id, form="a text")
    if one.type == settings.CHECKBOX and isinstance(value, bool):
        value = "yes" if value else "no"
    return settings.checked(work, one, value)


def _put_gateway(work: Work, name: str, value: Any) -> bool:
    told = mapping(value)
    if told is None:
        raise Malformed(name=name, form="an object of settings")
    before = work.stored_option(name)
    given: dict[str, Any] = {"settings": {key: told[key] for key in told if key not in ("enabled", "description")}}
    if "enabled" in told:
        given["enabled"] = told["enabled"] in _YES
    if isinstance(told.get("description"), str):
        given["description"] = told["description"]
    gateways.change(work, gateways.existing(work, GATEWAYS[name]), given)
    return bool(work.stored_option(name) != before)


def _put_order_of_gateways(work: Work, value: Any) -> None:
    """Give ways of paying the places that an object names by them; what is no number or no way is passed over."""
    places = mapping(value)
    if places is None:
        raise Malformed(name=_ORDER_OF_GATEWAYS, form="an object of numbers by the ways of paying")
    for id in gateways.ids(work.frame.profile):
        place = whole(str(places.get(id, "")))
        if place is not None:
            gateways.change(work, gateways.existing(work, id), {"order": place})


def _period(name: str, value: Any) -> dict[str, Any]:
    """Return a time for which something is kept, as it is stored. Raises Malformed."""
    told = mapping(value)
    if told is None or not is_period(told):
        raise Malformed(name=name, form="an object of `number` and `unit`: days, weeks, months or years")
    return {"number": str(told.get("number") or ""), "unit": told["unit"]}


def _as_text(value: Any) -> Any:
    """Return a value as it comes back later."""
    if isinstance(value, list | dict):
        return value
    if isinstance(value, bool) or value is None:
        return "1" if value else ""
    return str(value)


@cache
def _settings() -> Mapping[str, Setting]:
    """Return the options that are settings of the shop."""
    every = (one for group in settings.groups().values() if not group.option for one in group.settings.values())
    return {one.id: one for one in every if one.id in ALLOWED}
