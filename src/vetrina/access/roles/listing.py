"""The list of roles: where each comes from, how many accounts have it, and who may change it.

Not here: making and changing roles (access/roles/rules.py). Rules: docs/rules/roles.md, 2 and 4.
"""

from __future__ import annotations

import msgspec
import orjson
from sqlalchemy import func, select

from vetrina.access.roles import store
from vetrina.access.roles.built_in_roles import ADMINISTRATOR
from vetrina.access.roles.role_rights import list_roles
from vetrina.access.users import role_assignment
from vetrina.backends.database import Statement
from vetrina.backends.tables.accounts import account
from vetrina.core.roles import Role
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure

ROLE_SETS = Statement(select(account.c.roles, func.count()).group_by(account.c.roles))


class RoleNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_role_invalid_name"
    message = "There is no role {name!r}. GET /access/v1/roles lists them."


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
    for roles, count in work.tx.all(ROLE_SETS):
        for name in orjson.loads(roles):
            out[name] = out.get(name, 0) + count
    return out
