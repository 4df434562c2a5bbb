"""Making, changing and removing roles; nobody gives more than they have.

What a role allows: access/roles/role_rights.py. Rules: docs/rules/roles.md, 2, 4 and 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, func, select

from vetrina.access.registration.rules import get_registration_role
from vetrina.access.roles import store
from vetrina.access.roles.built_in_roles import ADMINISTRATOR, LIMITABLE, NEVER_REGISTERED
from vetrina.access.roles.capability_catalogue import is_capability_name, list_capabilities, list_limited_types
from vetrina.access.roles.role_rights import build_profile_role, is_built_in, list_roles
from vetrina.access.users import rights as user_rights, role_assignment, rules as users
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.accounts import account
from vetrina.core.change_source import Told
from vetrina.core.roles import Role
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure, Fault, InvalidParam

MAX_ROLES: Final = 200  # that are stored
_KINDS = Statement(select(account.c.roles, func.count()).group_by(account.c.roles))
_OF_KINDS = Statement(
    select(account.c.id)
    .where(InList(account.c.roles, "kinds"), account.c.id > bindparam("after"))
    .order_by(account.c.id)
    .limit(bindparam("most"))
)
_PAGE: Final = 200  # accounts that are read at once


class RoleNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_role_invalid_name"
    message = "There is no role {name!r}. GET /access/v1/roles lists them."


class RoleExists(ApiError):
    failure, code = Failure.CONFLICT, "rest_role_exists"
    message = "There is a role {name!r} already. Change that one, or choose another name."


class FixedRole(ApiError):
    """Administrators may do everything, always."""

    failure, code = Failure.FORBIDDEN, "rest_role_fixed"
    message = "The role administrator allows everything; it cannot be changed or removed."


class RoleOfProfile(ApiError):
    """A role of the profile that nobody changed."""

    code = "rest_role_of_profile"
    message = "The role {name} is one of the site's profile and as that says. Change it, or change the profile."


class RoleInUse(ApiError):
    failure, code = Failure.CONFLICT, "rest_role_in_use"
    message = "{count} accounts have the role {name}. Name in `reassign` the role that they get instead."


class TooManyRoles(ApiError):
    code = "rest_too_many_roles"
    message = "There are {count} roles already. Remove some."


class RoleState(msgspec.Struct, frozen=True):
    """A role as the interface shows it.

    origin: `built_in`, `profile` or `stored`. changed: whether what is stored differs from the site's profile.
    accounts: how many have it. modified: seconds since 1970; None where nothing is stored. may_change: whether the
    caller may.
    """

    role: Role
    origin: str
    changed: bool
    accounts: int
    modified: int | None
    may_change: bool


def list_role_states(work: UnitOfWork) -> list[RoleState]:
    """Return all roles."""
    work.uses(store.ROLE_KIND, "user")
    stored, counts = store.list_stored_roles(work.tx), _count_accounts(work)
    return [
        _describe_role(work, role, stored.get(role.name), counts.get(role.name, 0))
        for role in list_roles(work.tx, work.site.roles).values()
    ]


def get_role(work: UnitOfWork, name: str) -> RoleState:
    """Return a role. Raises RoleNotFound."""
    found = next((one for one in list_role_states(work) if one.role.name == name), None)
    if found is None:
        raise RoleNotFound(name=name)
    return found


def create_role(work: UnitOfWork, given: Role, base: str = "", remove: Sequence[str] = ()) -> RoleState:
    """Store a new role and return it.

    base: a role whose capabilities it has, too, as they are now; those that cannot be limited are left out where it is
    limited. remove: capabilities that it has not.
    Raises RoleExists, TooManyRoles, UnknownRole, RoleBeyondCaller, InvalidParam.
    """
    known = list_roles(work.tx, work.site.roles)
    if given.name in known or is_built_in(given.name):
        raise RoleExists(name=given.name)
    if is_capability_name(given.name):
        raise InvalidParam({"name": Fault("rest_role_is_capability", f"{given.name} is a capability; choose another.")})
    stored = store.list_stored_roles(work.tx)
    if len(stored) >= MAX_ROLES:
        raise TooManyRoles(count=len(stored))
    inherited: Iterable[str] = ()
    if base:
        inherited = role_assignment.require_known_roles(work, (base,))[base].capabilities
        if given.is_limited:
            inherited = (one for one in inherited if one in LIMITABLE)
    capabilities = (one for one in dict.fromkeys((*inherited, *given.capabilities)) if one not in remove)
    new = msgspec.structs.replace(given, capabilities=tuple(capabilities))
    _check_role(work, new)
    role_assignment.require_assignable(work, [new])
    store.save_role(work, new, None)
    _describe_change(work, None, new)
    return get_role(work, new.name)


def update_role(work: UnitOfWork, old: RoleState, **members: Any) -> RoleState:
    """Change a role and return it: label, capabilities, types, languages.

    Raises FixedRole, RoleBeyondCaller, InvalidParam.
    """
    _require_changeable(work, old)
    new = msgspec.structs.replace(old.role, **members)
    _check_role(work, new)
    role_assignment.require_assignable(work, [new])
    if new != old.role:
        store.save_role(work, new, store.find_stored_role(work.tx, new.name))
        _describe_change(work, old.role, new)
    return get_role(work, new.name)


def remove_role(work: UnitOfWork, old: RoleState, reassign: str = "") -> None:
    """Remove what is stored of a role: one of the profile is again what that says, another one is gone.

    reassign: the role that its accounts get instead.
    Raises FixedRole, RoleOfProfile, RoleInUse, UnknownRole, RoleBeyondCaller, CannotAssignRole.
    """
    _require_changeable(work, old)
    name = old.role.name
    stored = store.find_stored_role(work.tx, name)
    if stored is None:
        raise RoleOfProfile(name=name)
    before = build_profile_role(work.site.roles, name)
    if before is not None:
        role_assignment.require_assignable(work, [before])
    elif old.accounts:
        if not reassign or reassign == name:
            raise RoleInUse(count=old.accounts, name=name)
        _reassign_accounts(work, name, reassign)
    store.delete_role(work, stored, is_reset=before is not None)
    _describe_change(work, old.role, before)


def _describe_change(work: UnitOfWork, old: Role | None, new: Role | None) -> None:
    """Tell the audit trail what came to a role and what was taken from it; None where it is not there."""
    named, members = new or old, dict[str, Told | None]()
    assert named is not None, "a role is made, changed or removed"
    for name in ("capabilities", "types", "languages"):
        before, after = (set(getattr(one, name)) if one else set[str]() for one in (old, new))
        if before != after:
            members[name] = Told(sorted(before - after), sorted(after - before))
    work.describe(store.ROLE_KIND, named.name, named.label, members)


def _reassign_accounts(work: UnitOfWork, name: str, instead: str) -> None:
    """Give every account of a role another one instead."""
    kinds = [roles for roles, _ in work.tx.all(_KINDS) if name in orjson.loads(roles)]
    after = 0
    while ids := list(work.tx.column(_OF_KINDS, kinds=encode_list(kinds), after=after, most=_PAGE)):
        for id in ids:
            _reassign_account(work, id, name, instead)
        after = ids[-1]


def _reassign_account(work: UnitOfWork, id: int, name: str, instead: str) -> None:
    user = users.find_user(work.tx, id, work.site.roles)
    assert user is not None, "it was read in this transaction"
    roles = tuple(dict.fromkeys(instead if one == name else one for one in user.roles))
    role_assignment.check_roles(work, roles, user)
    if not user_rights.may_promote_user(work.user, user):
        raise role_assignment.CannotAssignRole(roles=instead)
    users.update_user(work, user, roles=roles)


def _require_changeable(work: UnitOfWork, state: RoleState) -> None:
    if state.role.name == ADMINISTRATOR:
        raise FixedRole
    role_assignment.require_assignable(work, [state.role])


def _check_role(work: UnitOfWork, role: Role) -> None:
    """Raise InvalidParam with everything that is wrong in a role."""
    site, faults = work.site, dict[str, Fault]()
    capabilities = [one.name for one in list_capabilities(site)]
    for param, names, known, what in (
        ("capabilities", role.capabilities, capabilities, "capability"),
        ("types", role.types, list_limited_types(site), "content type that a role can be limited to"),
        ("languages", role.languages, site.profile.languages, "language"),
    ):
        unknown = next((one for one in names if one not in known), None)
        if unknown is not None:
            faults[param] = Fault("rest_not_in_enum", f"There is no {what} {unknown!r}; {_suggest(unknown, known)}.")
    if role.is_limited and "capabilities" not in faults:
        fixed = [one for one in role.capabilities if one not in LIMITABLE]
        if fixed:
            message = f"{', '.join(fixed)} cannot be limited to types or languages; leave them out, or send no limits."
            faults["capabilities"] = Fault("rest_capability_not_limitable", message)
    if role.name == get_registration_role(site) and not NEVER_REGISTERED.isdisjoint(role.capabilities):
        message = (
            f"{role.name} is the role of who registers; it can have none of {', '.join(sorted(NEVER_REGISTERED))}."
        )
        faults["capabilities"] = Fault("rest_role_of_registration", message)
    if faults:
        raise InvalidParam(faults)


def _suggest(unknown: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches  # needed only where something is wrong

    near = get_close_matches(unknown, known, n=1)
    return f"did you mean {near[0]!r}?" if near else "GET /access/v1/capabilities lists what there is"


def _describe_role(work: UnitOfWork, role: Role, stored: store.StoredRole | None, accounts: int) -> RoleState:
    roles, name = work.site.roles, role.name
    origin = "profile" if name in roles.declared else "built_in" if name in roles.names else "stored"
    changed = stored is not None and origin != "stored"
    return RoleState(
        role, origin, changed, accounts, stored.modified if stored else None, may_change_role(work, role)
    )  # fmt: skip


def may_change_role(work: UnitOfWork, role: Role) -> bool:
    """Return whether the caller may change a role: nobody one that allows more than they may do."""
    user: User = work.user
    if role.name == ADMINISTRATOR or not (user.can("promote_users") and user.can("manage_options")):
        return False
    return role_assignment.has_role_rights(work, role)


def _count_accounts(work: UnitOfWork) -> dict[str, int]:
    """Return how many accounts have each role."""
    out: dict[str, int] = {}
    for roles, count in work.tx.all(_KINDS):
        for name in orjson.loads(roles):
            out[name] = out.get(name, 0) + count
    return out
