"""The settings of the shop: declared once in settings.toml; read, validated and changed here.

Includes groups, settings, their choices and values, also those of the shop's mails (shop/mail/mails.py). Not here: the
routes (shop/settings/routes.py), the effect of a setting. Rules: docs/rules/shop_settings.md, 1 and 2: a choice that is
not offered is an error, unknown members of a list are dropped, number fields accept any text.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.integers import parse_digits
from vetrina.shop.mail import mails
from vetrina.shop.orders import statuses as order_statuses
from vetrina.shop.settings import currencies, places
from vetrina.shop.taxes import classes as tax_classes

CHECKBOX: Final = "checkbox"
_SELECT_TYPES: Final = frozenset({"select", "radio"})
_TAX_CLASSES_SETTING: Final = "shop_tax_classes"  # names, one per line; a class is deleted only by its own route
STANDARD_TAX_CLASS: Final = "Standard"  # what the class without a slug is called
_MAX_TAX_CLASSES: Final = 100
_MULTISELECT: Final = "multiselect"
_MAX_DECIMALS: Final = 6
_ON_VALUES: Final = frozenset({"yes", True, "1"})


class InvalidSettingGroup(ApiError):
    code = "rest_setting_setting_group_invalid"
    failure = Failure.NOT_FOUND
    message = "There is no group of settings of that name."


class InvalidShopSetting(ApiError):
    code = "rest_setting_setting_invalid"
    failure = Failure.NOT_FOUND
    message = "There is no setting of that name in this group."


class InvalidSettingValue(ApiError):
    code = "rest_setting_value_invalid"
    failure = Failure.INVALID
    message = "This setting does not take that value; its options say what it takes."


@dataclass(frozen=True, slots=True)
class ShopSetting:
    """One setting.

    type: text, textarea, email, password, number, color, select, radio, multiselect, checkbox. default: None where
    responses have no such member. default_from: the site option that is the default. tip: None where responses have
    none. first: the initial value in a new shop, where it is not the default. source: what its choices come from beside
    the options: countries, regions, currencies, pages, tax_classes. placeholder: an example displayed in an empty
    field. named: what somebody called the thing that it is about, the {name} of its label.
    """

    id: str
    label: str
    type: str
    default: Any = None
    default_from: str = ""
    description: str = ""
    tip: str | None = None
    options: Mapping[str, str] | None = None
    source: str = ""
    first: Any = None
    placeholder: str = ""
    named: str = ""


@dataclass(frozen=True, slots=True)
class SettingGroup:
    """Settings that belong together.

    parent: the parent group; sub_groups: child groups. option: the site option that stores all its values as one
    object; empty: each setting is an option of its own.
    """

    id: str
    label: str
    settings: Mapping[str, ShopSetting]
    description: str = ""
    parent: str = ""
    sub_groups: tuple[str, ...] = ()
    option: str = ""


_GROUP_LABELS: Final = {
    "shop_admin": "Shop Admin",
    "general": "General",
    "products": "Products",
    "tax": "Tax",
    "shipping": "Shipping",
    "checkout": "Payments",
    "account": "Accounts &amp; Privacy",
    "email": "Emails",
    "integration": "Integration",
    "site-visibility": "Site visibility",
    "point-of-sale": "Point of Sale",
    "advanced": "Advanced",
}


@cache
def load_setting_groups() -> Mapping[str, SettingGroup]:
    """Return every group by id, in the order of the interface."""
    tables = tomllib.loads((files(__package__) / "settings.toml").read_text(encoding="utf-8"))
    beneath = {"email": tuple(f"email_{mail.id}" for mail in mails.MAIL_TYPES)}
    out = {
        id: SettingGroup(
            id, label, {one["id"]: _build_setting(one) for one in tables.get(id, ())}, sub_groups=beneath.get(id, ())
        )
        for id, label in _GROUP_LABELS.items()
    }
    for mail in mails.MAIL_TYPES:
        own = {
            one["id"]: _build_setting({**one, **mail.own.get(one["id"], {})})
            for one in tables["mail"]
            if mail.has_setting(one["id"])
        }
        id = f"email_{mail.id}"
        out[id] = SettingGroup(id, mail.title, own, mail.description, parent="email", option=f"shop_{mail.id}_settings")
    return out


@cache
def _index_settings() -> Mapping[str, ShopSetting]:
    return {
        id: one for group in load_setting_groups().values() if not group.option for id, one in group.settings.items()
    }


@cache
def _load_initial_values() -> Mapping[str, Any]:
    """Return the initial values of settings that do not follow another option; cached, as they are read often."""
    return {
        id: one.first if one.first is not None else one.default
        for id, one in _index_settings().items()
        if one.first is not None or not one.default_from
    }


def get_setting_group(id: str) -> SettingGroup:
    """Return a group, which may have no settings. Raises InvalidSettingGroup."""
    found = load_setting_groups().get(id)
    if found is None:
        raise InvalidSettingGroup
    return found


def get_setting(group_id: str, id: str) -> ShopSetting:
    """Return a setting of a group. Raises InvalidSettingGroup, InvalidShopSetting."""
    found = get_setting_group(group_id).settings.get(id)
    if found is None:
        raise InvalidShopSetting
    return found


def get_setting_default(work: UnitOfWork, one: ShopSetting) -> Any:
    """Return the default of a setting."""
    return work.option(one.default_from) if one.default_from else one.default


def get_shop_option(work: UnitOfWork, id: str) -> Any:
    """Return the value of a setting by its id alone: the stored one, or the initial value."""
    stored = work.stored_option(id)
    if stored is not None:
        return stored
    firsts = _load_initial_values()
    return firsts[id] if id in firsts else _get_initial_value(work, _index_settings()[id])


def is_setting_on(work: UnitOfWork, id: str) -> bool:
    """Return whether a checkbox is set."""
    return get_shop_option(work, id) in _ON_VALUES


def get_price_decimals(work: UnitOfWork) -> int:
    """Return the number of decimals of displayed amounts; a value that is not a number counts as 0."""
    written = str(get_shop_option(work, "shop_price_num_decimals"))
    return min(parse_digits(written) or 0, _MAX_DECIMALS)


def get_setting_value(work: UnitOfWork, group: SettingGroup, one: ShopSetting) -> Any:
    """Return the value of a setting of a group."""
    stored = (work.stored_option(group.option) or {}).get(one.id) if group.option else work.stored_option(one.id)
    return stored if stored is not None else _get_initial_value(work, one)


def update_setting(work: UnitOfWork, group: SettingGroup, one: ShopSetting, given: Any) -> Any:
    """Change a setting and return its stored value. Raises InvalidSettingValue."""
    stored = validate_setting_value(work, one, given)
    if group.option:
        work.set_option(group.option, {**(work.stored_option(group.option) or {}), one.id: stored})
    else:
        work.set_option(one.id, stored)
    if one.id == _TAX_CLASSES_SETTING:
        tax_classes.create_missing_tax_classes(work, str(stored).splitlines())
    return stored


def list_setting_choices(work: UnitOfWork, one: ShopSetting) -> Mapping[str, str] | None:
    """Return the choices of a setting, labels by value; None where it takes anything."""
    if one.source:
        return {**(one.options or {}), **_CHOICE_SOURCES[one.source](work)}
    return one.options


def _get_initial_value(work: UnitOfWork, one: ShopSetting) -> Any:
    return one.first if one.first is not None else get_setting_default(work, one)


def validate_setting_value(work: UnitOfWork, one: ShopSetting, given: Any) -> Any:
    """Return the value of a setting in stored form. Raises InvalidSettingValue."""
    if one.type == _MULTISELECT:
        if not isinstance(given, list):
            raise InvalidSettingValue
        offered = list_setting_choices(work, one) or {}
        return [member for member in given if isinstance(member, str) and member in offered]
    if one.type == CHECKBOX:
        # The interface returns a JSON true as it was sent; it means yes.
        if given in ("yes", "no") or given is True:
            return given
        raise InvalidSettingValue
    if isinstance(given, (list, dict)):
        raise InvalidSettingValue
    if one.type in _SELECT_TYPES:
        wanted = "" if given is None else str(given)
        if given is None or wanted not in (list_setting_choices(work, one) or {}):
            raise InvalidSettingValue
        return wanted
    if one.id == _TAX_CLASSES_SETTING and len(str(given).splitlines()) > _MAX_TAX_CLASSES:
        raise InvalidSettingValue
    return "" if given is None else sanitize_short_text(work.user, str(given))


def _list_page_choices(work: UnitOfWork) -> Mapping[str, str]:
    return {str(id): title for id, title in places.list_published_pages(work)}


_CHOICE_SOURCES: Final[Mapping[str, Callable[[UnitOfWork], Mapping[str, str]]]] = {
    "countries": lambda work: places.list_countries(),
    "regions": lambda work: places.list_regions(),
    "currencies": lambda work: currencies.build_currency_labels(),
    "pages": _list_page_choices,
    "tax_classes": lambda work: {
        "": STANDARD_TAX_CLASS,
        **{one.slug: one.name for one in tax_classes.list_tax_classes(work)},
    },
    "statuses": lambda work: order_statuses.STATUS_NAMES,
}


def _build_setting(table: Mapping[str, Any]) -> ShopSetting:
    """Return a setting from its table in the file; `tip = false`: responses have none; no key: the description."""
    tip = table.get("tip")
    return ShopSetting(
        id=table["id"],
        label=table["label"],
        type=table["type"],
        default=table.get("default"),
        default_from=table.get("default_from", ""),
        description=table.get("description", ""),
        tip=None if tip is False else table.get("description", "") if tip is None else tip,
        options=table.get("options"),
        source=table.get("from", ""),
        first=table.get("first"),
    )
