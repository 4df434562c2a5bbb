"""Permissions of the user routes: who may list, see, create, change and remove users, and the errors.

Not here: the rights themselves (access/users/rights.py), the routes (access/users/routes.py). Rules:
docs/rules/users.md, 6, 8 and 9.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.users import listing as user_listing, rights as user_rights, rules as users
from vetrina.core.call import Call
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure, PermissionDenied
from vetrina.rest.fields import EDIT

OWN_PATH: Final = "/cms/v2/users/me"
ACCOUNT_PATH: Final = "/access/v1/account"  # where people find their own account beside its sessions and addresses
_OWN_PATHS: Final = frozenset({OWN_PATH, ACCOUNT_PATH})
_PRIVILEGED_ORDERS = frozenset({"email", "registered_date"})


class UserNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_user_invalid_id"
    message = "There is no user with the number {id}."


class CannotViewUser(PermissionDenied):
    """The account has no public records, and the caller may not list users."""

    code = "rest_user_cannot_view"
    message = "You may not see this user."


class CannotFilterUsers(PermissionDenied):
    code = "rest_user_cannot_view"
    message = "You may not filter users by {name}."


class ForbiddenUserContext(PermissionDenied):
    code = "rest_forbidden_context"
    message = "You may not see users in context edit; leave `context` out."


class ForbiddenUserOrder(PermissionDenied):
    code = "rest_forbidden_orderby"
    message = "You may not sort users by {orderby}."


class CannotListAuthors(PermissionDenied):
    code = "rest_forbidden_who"
    message = "You may not list those who may write."


class CannotCreateUser(PermissionDenied):
    code = "rest_cannot_create_user"
    message = "You may not make users."


class CannotEditUser(PermissionDenied):
    code = "rest_cannot_edit"
    message = "You may not change this user."


class CannotEditUserRoles(PermissionDenied):
    code = "rest_cannot_edit_roles"
    message = "You may not change the roles of this user."


class CannotDeleteUser(PermissionDenied):
    code = "rest_user_cannot_delete"
    message = "You may not remove this user."


def get_user(call: Call) -> User:
    """Return the account in the path. Raises UserNotFound."""
    work = call.work
    id = work.user.id if call.route.path in _OWN_PATHS else call.args.get("id")
    cached: User | None = call.lookups.get("user")
    if cached is not None and cached.id == id:
        return cached
    work.uses_items("user", (id,) if isinstance(id, int) else ())
    found = users.find_user(work.tx, id, work.site.roles) if isinstance(id, int) and id > 0 else None
    if found is None:
        raise UserNotFound(id=id)
    call.lookups["user"] = found
    return found


def require_list_permission(call: Call) -> None:
    """Everybody, the authors of public records; filters by role and the editing view need `list_users`."""
    caller, args = call.work.user, call.args
    if not caller.can("list_users"):
        for name in ("roles", "capabilities"):
            if args.get(name):
                raise CannotFilterUsers(bool(caller), name=name)
        if args.get("context") == EDIT:
            raise ForbiddenUserContext(bool(caller))
        if args.get("orderby") in _PRIVILEGED_ORDERS:
            raise ForbiddenUserOrder(bool(caller), orderby=args["orderby"])
    if args.get("who") == "authors" and not caller.can_somewhere("edit_posts"):
        raise CannotListAuthors(bool(caller))


def require_create_permission(call: Call) -> None:
    """Those who create accounts (`create_users`)."""
    caller = call.work.user
    if not caller.can("create_users"):
        raise CannotCreateUser(bool(caller))


def require_read_permission(call: Call) -> None:
    """The account itself, and everybody when it has public records; others need `list_users`."""
    work = call.work
    user = get_user(call)
    if call.args.get("context") == EDIT and not user_rights.may_edit_user(work.user, user):
        raise ForbiddenUserContext(bool(work.user))
    if not user_rights.may_view_user(work, user):
        raise CannotViewUser(bool(work.user))


def require_update_permission(call: Call) -> None:
    """The account itself, and those who may edit it (`edit_users`); roles need `promote_users`."""
    caller, user = call.work.user, get_user(call)
    if call.args.get("roles") is not None and not user_rights.may_promote_user(caller, user):
        raise CannotEditUserRoles(bool(caller))
    if not user_rights.may_edit_user(caller, user):
        raise CannotEditUser(bool(caller))


def require_delete_permission(call: Call) -> None:
    """Those who delete accounts (`delete_users`)."""
    caller = call.work.user
    if not user_rights.may_delete_user(caller, get_user(call)):
        raise CannotDeleteUser(bool(caller))


def list_publishing_types(call: Call) -> tuple[str, ...] | None:
    """Return the types of which an account must have a public record to be listed, None for no such condition."""
    work = call.work
    may_list, types = call.work.user.can("list_users"), call.args.get("has_published_posts")
    public = user_listing.list_public_types(work.site)
    if types is True:
        return public
    if types:
        # Other callers must not learn by this filter who wrote unpublished records.
        return tuple(types) if may_list else tuple(name for name in types if name in public)
    return None if may_list or call.args.get("who") == "authors" else public
