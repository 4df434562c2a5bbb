"""Routes of roles: list, read, make, change, remove; and the list of the capabilities that there are.

Rules: docs/rules/roles.md, 5.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from vetrina.access.roles import rules
from vetrina.access.roles.capability_catalogue import list_capabilities
from vetrina.access.roles.permissions import (
    CannotManageRoles,
    CannotViewRoles,
    require_manage_permission,
    require_view_permission,
)
from vetrina.access.roles.profile_roles import NAME_PATTERN
from vetrina.access.roles.rules import RoleState
from vetrina.access.users.last_administrator import LastAdministrator
from vetrina.access.users.role_assignment import CannotAssignRole, RoleBeyondCaller, UnknownRole
from vetrina.core.call import Call
from vetrina.core.roles import Role
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.times import format_iso
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, Boolean, Field, Integer, Object, String
from vetrina.rest.resource import Links, ListPage, Operation, Resource
from vetrina.rest.route import CHANGE, READ, REMOVE, Route
from vetrina.rest.serializer import Serializer, build_link

PATH: Final = "/access/v1/roles"
_CAPABILITIES_PATH: Final = "/access/v1/capabilities"
_ALL: Final = (VIEW, EDIT, EMBED)
_LISTS: Final = ("capabilities", "types", "languages")
_MAX_ITEMS: Final = 500
_FIELDS: Final[dict[str, Field]] = {
    "name": String("Name of the role.", context=_ALL, readonly=True),
    "label": String("What people call it.", context=_ALL, min_length=1, max_length=100),
    "capabilities": Array(
        "What accounts with it may do; GET /access/v1/capabilities says what there is.",
        items=String(max_length=100), context=_ALL, max_items=_MAX_ITEMS,
    ),
    "types": Array(
        "The content types that its capabilities count for; empty for all.", items=String(max_length=100),
        context=_ALL, max_items=_MAX_ITEMS,
    ),
    "languages": Array(
        "The languages that its capabilities count for; empty for all.", items=String(max_length=20), context=_ALL,
        max_items=_MAX_ITEMS,
    ),
    "origin": String(
        "`built_in`, `profile` where the site's profile declares it, `stored` where it was made over the interface.",
        enum=("built_in", "profile", "stored"), context=_ALL, readonly=True,
    ),
    "changed": Boolean("Whether it differs from what the site's profile says.", context=_ALL, readonly=True),
    "editable": Boolean("Whether you may change it.", context=_ALL, readonly=True),
    "accounts": Integer("How many accounts have it.", context=_ALL, readonly=True),
    "modified_gmt": String(
        "When it was last changed over the interface, in GMT; null for never.", format="date-time", nullable=True,
        context=_ALL, readonly=True,
    ),
}  # fmt: skip
_GETTERS: Final[dict[str, Any]] = {
    "name": lambda one, work: one.role.name,
    "label": lambda one, work: one.role.label,
    "capabilities": lambda one, work: list(one.role.capabilities),
    "types": lambda one, work: list(one.role.types),
    "languages": lambda one, work: list(one.role.languages),
    "origin": lambda one, work: one.origin,
    "changed": lambda one, work: one.changed,
    "editable": lambda one, work: one.may_change,
    "accounts": lambda one, work: one.accounts,
    "modified_gmt": lambda one, work: None if one.modified is None else format_iso(one.modified),
}
_CAPABILITY: Final = Object(
    properties={
        "name": String("Name of the capability."),
        "description": String("What it allows."),
        "types": Array("The content types that it is about.", items=String()),
        "limitable": Boolean("Whether a role can limit it to content types or languages."),
        "yours": Boolean("Whether you have it everywhere, so that you may give it."),
    }
)


def _find_role(call: Call) -> RoleState:
    return rules.get_role(call.work, str(call.args.get("name", "")))


def _list_roles(call: Call) -> ListPage[RoleState]:
    return ListPage(rules.list_role_states(call.work))


def _create_role(call: Call) -> RoleState:
    args = call.args
    given = Role(args["name"], args["label"].strip(), *(_read_names(args.get(name)) for name in _LISTS))
    return rules.create_role(call.work, given, args.get("base") or "", _read_names(args.get("remove")))


def _update_role(call: Call, old: RoleState) -> RoleState:
    args = call.args
    members: dict[str, Any] = {name: _read_names(args[name]) for name in _LISTS if name in args.given_names}
    if "label" in args.given_names:
        members["label"] = args["label"].strip()
    return rules.update_role(call.work, old, **members)


def _delete_role(call: Call, old: RoleState) -> None:
    rules.remove_role(call.work, old, call.args.get("reassign") or "")


def _read_names(given: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(given or ()))


def _list_all_capabilities(site: SiteContext, call: Call) -> Result:
    """List the capabilities that there are, with what each allows."""
    user = call.work.user
    return Result(
        [
            {
                "name": one.name,
                "description": one.description,
                "types": list(one.types),
                "limitable": one.limitable,
                "yours": user.can(one.name),
            }
            for one in list_capabilities(site)
        ]
    )


def _build_links(call: Call, one: RoleState) -> Links:
    work: UnitOfWork = call.work
    allowed = ["GET", *(CHANGE if one.may_change else ())]
    if one.may_change and one.modified is not None:
        allowed += REMOVE
    return {
        "self": [build_link(work.api(f"{PATH}/{one.role.name}"), targetHints={"allow": allowed})],
        "collection": [build_link(work.api(PATH))],
    }


def _build_resource() -> Resource[RoleState]:
    members: dict[str, Field] = {
        name: member.replace(context=()) for name, member in _FIELDS.items() if not member.readonly
    }
    made: dict[str, Field] = {
        "name": String(
            "Name of the role, which never changes: a letter, then letters, digits or `_`, lower case.", required=True,
            pattern=f"^{NAME_PATTERN}$",
        ),
        **members,
        "label": members["label"].replace(required=True),
        "base": String("A role whose capabilities it has, too, as they are now.", max_length=60),
        "remove": Array("Capabilities of `base` that it has not.", items=String(max_length=100), max_items=_MAX_ITEMS),
    }  # fmt: skip
    seen, missing = (CannotViewRoles,), rules.RoleNotFound
    refused = (CannotManageRoles, RoleBeyondCaller)
    return Resource(
        title="role",
        path=PATH,
        item=f"{{name:{NAME_PATTERN}}}",
        key={"name": String("Name of the role.")},
        identify=lambda one: one.role.name,
        serializer=Serializer(_FIELDS, _GETTERS),
        find=_find_role,
        force=None,
        deleted="previous",
        build_links=_build_links,
        list=Operation(
            _list_roles, require_view_permission, errors=seen, summary="List the roles that accounts can have."
        ),
        create=Operation(
            _create_role, require_manage_permission, made,
            (*refused, rules.RoleExists, rules.TooManyRoles, UnknownRole), summary="Make a role.",
        ),
        read=Operation(_find_role, require_view_permission, errors=(*seen, missing), summary="Read a role."),
        update=Operation(
            _update_role, require_manage_permission, members, (*refused, missing, rules.FixedRole),
            summary="Change a role; what it allows counts at the next request of the accounts that have it.",
        ),
        delete=Operation(
            _delete_role, require_manage_permission,
            {"reassign": String("The role that its accounts get instead, where it has some.", max_length=60)},
            (
                *refused, missing, rules.FixedRole, rules.RoleOfProfile, rules.RoleInUse, UnknownRole, CannotAssignRole,
                LastAdministrator,
            ),
            summary="Remove a role; one of the site's profile is again what that says.",
        ),
    )  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of roles."""
    return (
        *_build_resource().build_routes(),
        Route(
            READ, _CAPABILITIES_PATH, partial(_list_all_capabilities, site), {}, require_view_permission,
            errors=(CannotViewRoles,), answers=Array(items=_CAPABILITY),
        ),
    )  # fmt: skip
