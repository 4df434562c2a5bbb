"""The schema of an account: its fields, their getters, the arguments of reads and writes.

Who sees what: access/users/rights.py. Rules: docs/rules/users.md, 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from vetrina.access.passwords import hashing as password_hashing
from vetrina.access.users import preferences as user_preferences
from vetrina.access.users.avatars import build_avatar_url
from vetrina.access.users.listing import USER_SEARCH_COLUMNS
from vetrina.access.users.rules import compute_user_rights
from vetrina.access.users.text_rules import is_valid_login, language_to_locale
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure, Fault
from vetrina.kernel.times import format_iso
from vetrina.rest import common_arguments
from vetrina.rest.coercion import coerce_integer, coerce_object
from vetrina.rest.fields import (
    ABSENT,
    EDIT,
    EMBED,
    EMPTY_VALIDATION_CONTEXT,
    VIEW,
    AnyOf,
    Array,
    Boolean,
    Field,
    Integer,
    Object,
    String,
    ValidationContext,
)
from vetrina.rest.serializer import MemberGetter, Serializer

ORDERS: Final = ("id", "include", "name", "registered_date", "slug", "include_slugs", "email", "url")

_ALL = (VIEW, EMBED, EDIT)
_OWN = (EDIT,)
AVATAR_SIZES: Final = ("24", "48", "96")


class InvalidUserMeta(ApiError):
    """A meta value has the wrong type."""

    code = "rest_invalid_type"
    message = "{reason}"


# -- validation beyond the schema


def _check_login(value: Any, name: str, context: ValidationContext) -> Fault | None:
    if is_valid_login(value):
        return None
    text = "A user name has letters of ASCII, digits, single inner blanks and the signs _ . - @ only."
    return Fault("rest_user_invalid_username", text, {"status": Failure.INVALID})


def _check_password(value: Any, name: str, context: ValidationContext) -> Fault | None:
    if password_hashing.is_usable_password(value):
        return None
    text = "A password is not empty and has no backslash."
    return Fault("rest_user_invalid_password", text, {"status": Failure.INVALID})


def _check_meta(value: Any, name: str, context: ValidationContext) -> Fault | None:
    return None if isinstance(value, (dict, list)) else Fault("", "Invalid parameter.")


@dataclass(frozen=True)
class _ReassignField(Integer):
    """The account that takes over the records of a deleted one: an id, or false or empty for none (0)."""

    def fault(self, value: Any, name: str, asked: ValidationContext = EMPTY_VALIDATION_CONTEXT) -> Fault | None:
        if value in ("", "false") or value is False or self._parse_number(value) is not None:
            return None
        return Fault("rest_invalid_param", f"{name} is the number of a user, or false.", {"status": Failure.INVALID})

    def clean(self, value: Any) -> Any:
        return abs(self._parse_number(value) or 0)

    def _parse_number(self, value: Any) -> int | None:
        return coerce_integer(value)


# -- fields


_PREFERENCES = Object(
    "Preferences of the editor.",
    {"_modified": String("When the preferences were changed.", format="date-time", context=_OWN, optional=True)},
    default={},
    context=_OWN,
)


_HINT_FIELD = String("Whether the hint was put off.", default="", context=(VIEW, EDIT))

# Those that a site has where one of its modules asks for them.
_OPTIONAL_FIELDS: dict[str, Field] = {
    "is_super_admin": Boolean("Whether the caller manages all accounts.", context=_OWN, readonly=True),
    user_preferences.PREFERENCES_MEMBER: Object(
        "What the pages of the administration keep for the user: texts by name, empty to forget one.",
        additional=String(),
        context=_OWN,
        null="keep",
    ),
}


def _build_fields(site: SiteContext) -> dict[str, Field]:
    profile = site.profile
    locales = tuple(dict.fromkeys(("", "en_US", *map(language_to_locale, profile.languages))))
    text: dict[str, Any] = {"early": True}
    sizes = {
        size: String(f"Address of the picture at {size} pixels.", format="uri", context=_ALL) for size in AVATAR_SIZES
    }
    own: dict[str, Field] = {
        "id": Integer("Number of the user.", context=_ALL, readonly=True),
        "username": String("Name to sign in with.", context=_OWN, required=True, null="keep", check=_check_login),
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
        "password": String("Password; never shown.", required=True, null="keep", check=_check_password),
        "capabilities": Object("All that the user may do.", context=_OWN, readonly=True),
        "extra_capabilities": Object("What the user may do besides his roles.", context=_OWN, readonly=True),
        "avatar_urls": Object("Addresses of the user's picture.", sizes, context=_ALL, readonly=True),
        "meta": Object(
            "Extra fields.",
            _build_meta_fields(site),
            context=(VIEW, EDIT),
            early=True,
            null="keep",
            check=_check_meta,
            alone=True,
        ),
    }
    return {**own, **{name: field for name, field in _OPTIONAL_FIELDS.items() if name in site.account_members}}


def list_meta_names(site: SiteContext) -> list[str]:
    """Return the names of the registered fields of `meta`."""
    return [*_build_meta_fields(site)]


def _build_meta_fields(site: SiteContext) -> dict[str, Field]:
    return {"persisted_preferences": _PREFERENCES, **{name: _HINT_FIELD.replace() for name in _list_hints(site)}}


def _list_hints(site: SiteContext) -> list[str]:
    return [name for name in user_preferences.HINT_MEMBERS if name in site.account_members]


def _list_own_rights(user: User, work: UnitOfWork) -> dict[str, bool]:
    return compute_user_rights(user)[1]


def _list_all_rights(user: User, work: UnitOfWork) -> dict[str, bool]:
    return compute_user_rights(user)[0]


def build_avatar_urls(email: str) -> dict[str, str]:
    """Return the avatar URLs for an e-mail address, by size in pixels."""
    return {size: build_avatar_url(email, int(size)) for size in AVATAR_SIZES}


_GETTERS: dict[str, MemberGetter] = {
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
    "registered_date": lambda user, work: f"{format_iso(user.registered)}+00:00",
    "capabilities": _list_all_rights,
    "extra_capabilities": _list_own_rights,
    "avatar_urls": lambda user, work: build_avatar_urls(user.email),
    "meta": lambda user, work: {
        "persisted_preferences": user.meta.get("persisted_preferences", {}),
        **(user_preferences.load_hints(user) if _list_hints(work.site) else {}),
    },
    "is_super_admin": lambda user, work: work.user.can("delete_users"),
    user_preferences.PREFERENCES_MEMBER: lambda user, work: user_preferences.load_preferences(user),
}


def build_user_serializer(site: SiteContext) -> Serializer:
    """Return the serializer of a site's accounts."""
    return Serializer(_build_fields(site), _GETTERS)


# -- arguments


def build_write_arguments(site: SiteContext, creating: bool = False) -> dict[str, Field]:
    """Return the arguments of a write; some are required for a new account."""
    out: dict[str, Field] = {}
    for name, field in _build_fields(site).items():
        if not field.readonly:
            out[name] = field.replace(context=(), required=creating and field.required)
    return out


def build_delete_arguments() -> dict[str, Field]:
    """Return the arguments of a deletion."""
    return {
        "force": Boolean("Must be true: users have no trash.", default=False, early=True),
        "reassign": _ReassignField(
            "Number of the user who gets the records; false moves them to the trash.", required=True
        ),
    }


def build_list_arguments(site: SiteContext) -> dict[str, Field]:
    """Return the arguments of the collection."""
    return {
        "context": common_arguments.build_context_argument(),
        **common_arguments.build_paging_arguments(),
        "exclude": common_arguments.build_number_list("Leave these users out."),
        "include": common_arguments.build_number_list("Only these users."),
        "offset": Integer("How many users to pass over.", null="keep"),
        **common_arguments.build_ordering_arguments(ORDERS, default="name", direction="asc"),
        "slug": Array("Only users with one of these slugs.", items=String(), null="keep"),
        "roles": Array("Only users with one of these roles.", items=String(), null="keep"),
        "capabilities": Array("Only users with one of these capabilities.", items=String(), null="keep"),
        "who": String("Only those who may write.", enum=("authors",), null="keep"),
        "has_published_posts": AnyOf(
            "Only users with public records: of any type, or of these.",
            (Boolean(), Array(items=String(enum=tuple(name for name, type in site.types.items() if type.described)))),
            null="keep",
        ),
        "search_columns": Array("Where to search.", items=String(enum=USER_SEARCH_COLUMNS), default=[], null="keep"),
    }


def merge_user_meta(site: SiteContext, stored: dict[str, Any], given: Any) -> dict[str, Any]:
    """Return the meta after a write; null resets a value to its default, unknown keys are ignored.

    given: as the client sent it, so that absent keys stay absent. Raises InvalidUserMeta.
    """
    wanted, changed = coerce_object(given) or {}, dict(stored)
    for name, field in _build_meta_fields(site).items():
        value = wanted.get(name, ABSENT)
        if value is None:
            changed.pop(name, None)
        elif value is not ABSENT:
            fault = field.fault(value, f"meta.{name}")
            if fault is not None:
                raise InvalidUserMeta(reason=fault.message, data=fault.data)
            changed[name] = coerce_object(value) if isinstance(field, Object) else field.clean(value)
    return changed
