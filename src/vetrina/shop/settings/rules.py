"""The settings of the shop: declared once in settings.toml, read, checked and changed here.

What is in: groups, settings, their choices and values, those of the shop's mails too (shop/mail/mails.py). Not here:
the routes (shop/settings/routes.py), what a setting does (the room that asks for its value). Rules: facts, "Taxes,
settings, shipping, gateways, data": a choice that is not offered is an error, unknown members of a list are dropped,
number fields take any text.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from vetrina.content.text.short_texts import allowed_text
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.kernel.integers import whole
from vetrina.shop.mail import mails
from vetrina.shop.orders import statuses as order_statuses
from vetrina.shop.settings import currencies, places
from vetrina.shop.taxes import classes as tax_classes

__all__ = [
    "CHECKBOX",
    "Group",
    "InvalidGroup",
    "InvalidSetting",
    "InvalidValue",
    "Setting",
    "change",
    "checked",
    "choices",
    "decimals",
    "default",
    "group",
    "groups",
    "is_on",
    "setting",
    "shop_option",
    "value_of",
]

CHECKBOX: Final = "checkbox"
_SELECTS: Final = frozenset({"select", "radio"})
_CLASSES: Final = "shop_tax_classes"  # names, one a line; a class goes only by its own route
_MOST_CLASSES: Final = 100
_LIST: Final = "multiselect"
_MOST_DECIMALS: Final = 6
_ON: Final = frozenset({"yes", True, "1"})


class InvalidGroup(ApiError):
    code = "rest_setting_setting_group_invalid"
    status = 404
    message = "There is no group of settings of that name."


class InvalidSetting(ApiError):
    code = "rest_setting_setting_invalid"
    status = 404
    message = "There is no setting of that name in this group."


class InvalidValue(ApiError):
    code = "rest_setting_value_invalid"
    status = 400
    message = "This setting does not take that value; its options say what it takes."


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting.

    type: text, textarea, email, password, number, color, select, radio, multiselect, checkbox.
    default: None where answers have no such member. default_from: the site option that is the default.
    tip: None where answers have none. first: what a new shop begins with, where that is not the default.
    source: what its choices are made of beside the options: countries, regions, currencies, pages, tax_classes.
    placeholder: an example that an empty field shows.
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


@dataclass(frozen=True, slots=True)
class Group:
    """Settings that belong together. parent: the group that it stands beneath; sub_groups: those beneath it.
    option: the site option that holds all its values as one object; empty: each setting is an option of its own."""

    id: str
    label: str
    settings: Mapping[str, Setting]
    description: str = ""
    parent: str = ""
    sub_groups: tuple[str, ...] = ()
    option: str = ""


_HEADS: Final = {
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
def groups() -> Mapping[str, Group]:
    """Return every group by its name, in the order of the interface."""
    told = tomllib.loads((files(__package__) / "settings.toml").read_text(encoding="utf-8"))
    beneath = {"email": tuple(f"email_{mail.id}" for mail in mails.MAILS)}
    out = {
        id: Group(id, label, {one["id"]: _setting(one) for one in told.get(id, ())}, sub_groups=beneath.get(id, ()))
        for id, label in _HEADS.items()
    }
    for mail in mails.MAILS:
        own = {
            one["id"]: _setting({**one, **mail.own.get(one["id"], {})}) for one in told["mail"] if mail.has(one["id"])
        }
        id = f"email_{mail.id}"
        out[id] = Group(id, mail.title, own, mail.description, parent="email", option=f"shop_{mail.id}_settings")
    return out


@cache
def _by_id() -> Mapping[str, Setting]:
    return {id: one for group in groups().values() if not group.option for id, one in group.settings.items()}


@cache
def _firsts() -> Mapping[str, Any]:
    """Return what settings begin with, of those that do not follow another option; they are asked for all the time."""
    return {
        id: one.first if one.first is not None else one.default
        for id, one in _by_id().items()
        if one.first is not None or not one.default_from
    }


def group(id: str) -> Group:
    """Return a group, which may have no settings. Raises InvalidGroup."""
    found = groups().get(id)
    if found is None:
        raise InvalidGroup
    return found


def setting(group_id: str, id: str) -> Setting:
    """Return a setting of a group. Raises InvalidGroup, InvalidSetting."""
    found = group(group_id).settings.get(id)
    if found is None:
        raise InvalidSetting
    return found


def default(work: Work, one: Setting) -> Any:
    """Return the default of a setting."""
    return work.option(one.default_from) if one.default_from else one.default


def shop_option(work: Work, id: str) -> Any:
    """Return the value of a setting by its id alone: what was stored, or what a new shop begins with."""
    stored = work.stored_option(id)
    if stored is not None:
        return stored
    firsts = _firsts()
    return firsts[id] if id in firsts else _begins_with(work, _by_id()[id])


def is_on(work: Work, id: str) -> bool:
    """Say whether a check box is set."""
    return shop_option(work, id) in _ON


def decimals(work: Work) -> int:
    """Return how many decimals amounts are shown with; a value that is no number counts as none."""
    written = str(shop_option(work, "shop_price_num_decimals"))
    return min(whole(written) or 0, _MOST_DECIMALS)


def value_of(work: Work, of: Group, one: Setting) -> Any:
    """Return the value of a setting of a group."""
    stored = (work.stored_option(of.option) or {}).get(one.id) if of.option else work.stored_option(one.id)
    return stored if stored is not None else _begins_with(work, one)


def change(work: Work, of: Group, one: Setting, given: Any) -> Any:
    """Change a setting and return its value as it was stored. Raises InvalidValue."""
    stored = checked(work, one, given)
    if of.option:
        work.set_option(of.option, {**(work.stored_option(of.option) or {}), one.id: stored})
    else:
        work.set_option(one.id, stored)
    if one.id == _CLASSES:
        tax_classes.make_missing(work, str(stored).splitlines())
    return stored


def choices(work: Work, one: Setting) -> Mapping[str, str] | None:
    """Return what a setting may be set to, by value with a label; None where it takes anything."""
    if one.source:
        return {**(one.options or {}), **_SOURCES[one.source](work)}
    return one.options


def _begins_with(work: Work, one: Setting) -> Any:
    return one.first if one.first is not None else default(work, one)


def checked(work: Work, one: Setting, given: Any) -> Any:
    """Return the value of a setting as it is stored. Raises InvalidValue."""
    if one.type == _LIST:
        if not isinstance(given, list):
            raise InvalidValue
        offered = choices(work, one) or {}
        return [member for member in given if isinstance(member, str) and member in offered]
    if one.type == CHECKBOX:
        # The interface shows a JSON true as it was sent; it means yes.
        if given in ("yes", "no") or given is True:
            return given
        raise InvalidValue
    if isinstance(given, (list, dict)):
        raise InvalidValue
    if one.type in _SELECTS:
        wanted = "" if given is None else str(given)
        if given is None or wanted not in (choices(work, one) or {}):
            raise InvalidValue
        return wanted
    if one.id == _CLASSES and len(str(given).splitlines()) > _MOST_CLASSES:
        raise InvalidValue
    return "" if given is None else allowed_text(work.user, str(given))


def _pages(work: Work) -> Mapping[str, str]:
    return {str(id): title for id, title in places.pages(work)}


_SOURCES: Final[Mapping[str, Callable[[Work], Mapping[str, str]]]] = {
    "countries": lambda work: places.countries(),
    "regions": lambda work: places.regions(),
    "currencies": lambda work: currencies.labels(),
    "pages": _pages,
    "tax_classes": lambda work: {"": "Standard", **{one.slug: one.name for one in tax_classes.listed(work)}},
    "statuses": lambda work: order_statuses.NAMES,
}


def _setting(told: Mapping[str, Any]) -> Setting:
    """Return a setting as the file tells it; `tip = false`: answers have none, without the key: the description."""
    tip = told.get("tip")
    return Setting(
        id=told["id"],
        label=told["label"],
        type=told["type"],
        default=told.get("default"),
        default_from=told.get("default_from", ""),
        description=told.get("description", ""),
        tip=None if tip is False else told.get("description", "") if tip is None else tip,
        options=told.get("options"),
        source=told.get("from", ""),
        first=told.get("first"),
    )
