"""How an account is shown and written: its members, their getters, the arguments of reads and writes.

Not here: the routes (access/users/routes.py), who sees what (access/users/rights.py).
Rules: facts, "Users".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from vetrina.access.passwords import hashing as password_hashing
from vetrina.access.users import preferences as user_preferences
from vetrina.access.users.avatars import avatar
from vetrina.access.users.listing import SEARCHED
from vetrina.access.users.model import User
from vetrina.access.users.rules import has_shop, rights_of
from vetrina.access.users.text_rules import good_login, locale_of
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError, Fault
from vetrina.kernel.times import iso
from vetrina.rest import common_arguments
from vetrina.rest.coercion import integer, mapping
from vetrina.rest.fields import (
    ABSENT,
    EDIT,
    EMBED,
    NOBODY_ASKS,
    VIEW,
    AnyOf,
    Array,
    Asked,
    Boolean,
    Field,
    Integer,
    Object,
    String,
)
from vetrina.rest.serializer import Getter, Shape

__all__ = [
    "AVATAR_SIZES", "ORDERS", "InvalidMeta", "avatar_urls", "changed_meta", "filters", "members", "removal", "shape_of",
]  # fmt: skip

ORDERS: Final = ("id", "include", "name", "registered_date", "slug", "include_slugs", "email", "url")

_ALL = (VIEW, EMBED, EDIT)
_OWN = (EDIT,)
AVATAR_SIZES: Final = ("24", "48", "96")


class InvalidMeta(ApiError):
    """An extra field has the wrong type."""

    code = "rest_invalid_type"
    message = "{reason}"


# -- faults that a schema cannot say


def _login_fault(value: Any, name: str, asked: Asked) -> Fault | None:
    if good_login(value):
        return None
    text = "A user name has letters of ASCII, digits, single inner blanks and the signs _ . - @ only."
    return Fault("rest_user_invalid_username", text, {"status": 400})


def _password_fault(value: Any, name: str, asked: Asked) -> Fault | None:
    if password_hashing.is_usable(value):
        return None
    text = "A password is not empty and has no backslash."
    return Fault("rest_user_invalid_password", text, {"status": 400})


def _meta_fault(value: Any, name: str, asked: Asked) -> Fault | None:
    return None if isinstance(value, (dict, list)) else Fault("", "Invalid parameter.")


@dataclass(frozen=True)
class _Heir(Integer):
    """Who gets the records of an account that goes: a number, or false or nothing for nobody (0)."""

    def fault(self, value: Any, name: str, asked: Asked = NOBODY_ASKS) -> Fault | None:
        if value in ("", "false") or value is False or self._number(value) is not None:
            return None
        return Fault("rest_invalid_param", f"{name} is the number of a user, or false.", {"status": 400})

    def clean(self, value: Any) -> Any:
        return abs(self._number(value) or 0)

    def _number(self, value: Any) -> int | None:
        return integer(value)


# -- members


_PREFERENCES = Object(
    "Preferences of the editor.",
    {"_modified": String("When the preferences were changed.", format="date-time", context=_OWN)},
    default={},
    context=_OWN,
)


_HINT = String("Whether the hint was put off.", default="", context=(VIEW, EDIT))

_SHOP_FIELDS: dict[str, Field] = {
    "is_super_admin": Boolean("Whether the caller manages all accounts.", context=_OWN, readonly=True),
    user_preferences.MEMBER: Object(
        "What the pages of the administration keep for the user: texts by name, empty to forget one.",
        additional=String(),
        context=_OWN,
        null="keep",
    ),
}


def _fields(frame: Frame) -> dict[str, Field]:
    profile = frame.profile
    locales = tuple(dict.fromkeys(("", "en_US", *map(locale_of, profile.languages))))
    text: dict[str, Any] = {"early": True}
    sizes = {
        size: String(f"Address of the picture at {size} pixels.", format="uri", context=_ALL) for size in AVATAR_SIZES
    }
    own: dict[str, Field] = {
        "id": Integer("Number of the user.", context=_ALL, readonly=True),
        "username": String(
            "Name to sign in with.", context=_OWN, required=True, null="keep", check=_login_fault
        ),
        "name": String("Name to show.", context=_ALL, **text),
        "first_name": String("First name.", context=_OWN, **text),
        "last_name": String("Last name.", context=_OWN, **text),
        "email": String("E-mail address.", format="email", context=_OWN, required=True, null="keep", **text),
        "url": String("Address of the user's home.", format="uri", context=_ALL, **text),
        "description": String("What there is to say of the user.", context=_ALL, **text),
        "link": String("Address of the author's page.", format="uri", context=_ALL, readonly=True),
        "locale": String("Locale of the user.", enum=locales, context=_OWN, **text),
        "nickname": String("Nickname.", context=_OWN, **text),
        "slug": String("Last part of the address of the author's page.", context=_ALL, **text),
        "roles": Array("Roles of the user.", items=String(), context=_OWN, null="keep", **text),
        "registered_date": String("When the user was registered.", format="date-time", context=_OWN, readonly=True),
        "password": String("Password; never shown.", required=True, null="keep", check=_password_fault),
        "capabilities": Object("All that the user may do.", context=_OWN, readonly=True),
        "extra_capabilities": Object("What the user may do besides his roles.", context=_OWN, readonly=True),
        "avatar_urls": Object("Addresses of the user's picture.", sizes, context=_ALL, readonly=True),
        "meta": Object(
            "Extra fields.", _meta_fields(frame), context=(VIEW, EDIT), early=True, null="keep", check=_meta_fault,
            alone=True,
        ),
    }  # fmt: skip
    return {**own, **(_SHOP_FIELDS if has_shop(frame) else {})}


def _meta_fields(frame: Frame) -> dict[str, Field]:
    hints = user_preferences.HINTS if has_shop(frame) else ()
    return {"persisted_preferences": _PREFERENCES, **{name: _HINT.but() for name in hints}}


def _own_rights(user: User, work: Work) -> dict[str, bool]:
    return rights_of(user, has_shop(work.frame))[1]


def _all_rights(user: User, work: Work) -> dict[str, bool]:
    return rights_of(user, has_shop(work.frame))[0]


def avatar_urls(email: str) -> dict[str, str]:
    """Return the addresses of the picture of whoever has an e-mail address, by size in pixels."""
    return {size: avatar(email, int(size)) for size in AVATAR_SIZES}


_GETTERS: dict[str, Getter] = {
    "id": lambda user, work: user.id,
    "username": lambda user, work: user.login,
    "name": lambda user, work: user.name,
    "first_name": lambda user, work: user.first_name,
    "last_name": lambda user, work: user.last_name,
    "email": lambda user, work: user.email,
    "url": lambda user, work: user.url,
    "description": lambda user, work: user.description,
    "link": lambda user, work: f"{work.home()}/author/{user.slug}/",
    "locale": lambda user, work: user.locale or work.option("language"),
    "nickname": lambda user, work: user.nickname,
    "slug": lambda user, work: user.slug,
    "roles": lambda user, work: list(user.roles),
    "registered_date": lambda user, work: f"{iso(user.registered)}+00:00",
    "capabilities": _all_rights,
    "extra_capabilities": _own_rights,
    "avatar_urls": lambda user, work: avatar_urls(user.email),
    "meta": lambda user, work: {
        "persisted_preferences": user.meta.get("persisted_preferences", {}),
        **(user_preferences.read_hints(user) if has_shop(work.frame) else {}),
    },
    "is_super_admin": lambda user, work: work.user.can("delete_users"),
    user_preferences.MEMBER: lambda user, work: user_preferences.read_preferences(user),
}


def shape_of(frame: Frame) -> Shape:
    """Return how the accounts of a site are shown."""
    return Shape(_fields(frame), _GETTERS)


# -- arguments


def members(frame: Frame, creating: bool = False) -> dict[str, Field]:
    """Return the arguments of a write; a new account needs some of them."""
    out: dict[str, Field] = {}
    for name, field in _fields(frame).items():
        if not field.readonly:
            out[name] = field.but(context=(), required=creating and field.required)
    return out


def removal() -> dict[str, Field]:
    """Return the arguments of a removal."""
    return {
        "force": Boolean("Must be true: users have no trash.", default=False, early=True),
        "reassign": _Heir("Number of the user who gets the records; false moves them to the trash.", required=True),
    }


def filters(frame: Frame) -> dict[str, Field]:
    """Return the arguments of the collection."""
    return {
        "context": common_arguments.context(),
        **common_arguments.paging(),
        "exclude": common_arguments.numbers("Leave these users out."),
        "include": common_arguments.numbers("Only these users."),
        "offset": Integer("How many users to pass over.", null="keep"),
        **common_arguments.ordering(ORDERS, default="name", direction="asc"),
        "slug": Array("Only users with one of these slugs.", items=String(), null="keep"),
        "roles": Array("Only users with one of these roles.", items=String(), null="keep"),
        "capabilities": Array("Only users with one of these capabilities.", items=String(), null="keep"),
        "who": String("Only those who may write.", enum=("authors",), null="keep"),
        "has_published_posts": AnyOf(
            "Only users with public records: of any type, or of these.",
            (Boolean(), Array(items=String(enum=tuple(name for name, type in frame.types.items() if type.described)))),
            null="keep",
        ),
        "search_columns": Array("Where to search.", items=String(enum=SEARCHED), default=[], null="keep"),
    }


def changed_meta(frame: Frame, stored: dict[str, Any], given: Any) -> dict[str, Any]:
    """Return the extra fields after a write; null puts a default back, unknown ones are passed over.

    given: as the client sent it, so that what is absent stays absent. Raises InvalidMeta.
    """
    wanted, changed = mapping(given) or {}, dict(stored)
    for name, field in _meta_fields(frame).items():
        value = wanted.get(name, ABSENT)
        if value is None:
            changed.pop(name, None)
        elif value is not ABSENT:
            fault = field.fault(value, f"meta.{name}")
            if fault is not None:
                raise InvalidMeta(reason=fault.message, data=fault.data)
            changed[name] = mapping(value) if isinstance(field, Object) else field.clean(value)
    return changed
