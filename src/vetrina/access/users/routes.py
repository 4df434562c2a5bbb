"""Users: collection, item, and the caller's own account.

Fields and arguments: access/users/schema.py. Permissions: access/users/permissions.py. Rules: docs/rules/users.md, 5, 6
and 8, docs/rules/kinds.md, 1 and 7 and docs/rules/custom_fields.md, 8.
"""

from __future__ import annotations

from functools import partial
from typing import Any, cast

import msgspec

from vetrina.access.users import (
    listing as user_listing,
    preferences as user_preferences,
    rights as user_rights,
    role_assignment,
    rules as users,
    schema as user_schema,
)
from vetrina.access.users.last_administrator import LastAdministrator
from vetrina.access.users.listing import UserFilters
from vetrina.access.users.permissions import (
    OWN_PATH,
    CannotCreateUser,
    CannotDeleteUser,
    CannotEditUser,
    CannotEditUserRoles,
    CannotFilterUsers,
    CannotListAuthors,
    CannotViewUser,
    ForbiddenUserContext,
    ForbiddenUserOrder,
    UserNotFound,
    get_user,
    require_create_permission,
    require_delete_permission,
    require_list_permission,
    require_read_permission,
    require_update_permission,
)
from vetrina.content.custom_fields import account_views
from vetrina.content.records import deleted_accounts
from vetrina.content.text import sanitizing
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, Field, Integer
from vetrina.rest.paging import compute_page_offset
from vetrina.rest.resource import Links, ListPage, Operation, Resource, TrashUnsupported
from vetrina.rest.route import CHANGE, REMOVE, Route, allow_anyone
from vetrina.rest.serializer import build_link

_COLLECTION = "/cms/v2/users"
_PUBLIC_COLUMNS = ("id", "name", "slug", "username")
_PLAIN_MEMBERS = ("slug", "url", "locale", "password")
_NAME_MEMBERS = ("name", "first_name", "last_name", "nickname")


class AuthenticationRequired(ApiError):
    failure, code = Failure.UNAUTHENTICATED, "rest_not_logged_in"
    message = "Send credentials: this route answers about the account that they name."


class UserExists(ApiError):
    code = "rest_user_exists"
    message = "A new user gets its number from the site; leave `id` out."


_WRITE_ERRORS = (
    users.ChangedEmailTaken, users.UserUrlTooLong, users.UserSlugTaken, users.UserSlugTooLong,
    role_assignment.UnknownRole, role_assignment.CannotAssignRole, role_assignment.RoleBeyondCaller, LastAdministrator,
    user_schema.InvalidUserMeta,
)  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of users."""
    users_of_site = build_resource(site)
    routes = users_of_site.build_routes_by_operation()
    own = routes["read"].replace(
        path=OWN_PATH, handler=partial(_read_own_user, users_of_site), args={"context": users_of_site.context},
        allow=allow_anyone, errors=(AuthenticationRequired,),
    )  # fmt: skip
    written = (routes["update"], routes["delete"])
    return tuple(routes.values()) + tuple(
        one.replace(path=OWN_PATH, args={name: arg for name, arg in one.args.items() if name != "id"}, batch=None)
        for one in (own, *written)
    )


def build_resource(site: SiteContext) -> Resource[User]:
    """Return the accounts of a site as a resource."""
    removal = user_schema.build_delete_arguments()
    return Resource(
        title="user",
        path=_COLLECTION,
        key={"id": Integer("Number of the user.", early=True)},
        serializer=account_views.build_account_serializer(site, user_schema.build_user_serializer(site)),
        load_view=account_views.load_account_view,
        find=get_user,
        force=removal.pop("force"),
        trash_unsupported=TrashUnsupported,
        deleted="previous",
        batch=True,
        build_links=_build_links,
        list=Operation(
            _list_users, require_list_permission, user_schema.build_list_arguments(site),
            (CannotFilterUsers, ForbiddenUserContext, ForbiddenUserOrder, CannotListAuthors),
        ),
        create=Operation(
            _create_user, require_create_permission, _build_write_arguments(site, creating=True),
            (CannotCreateUser, UserExists, users.LoginTaken, users.LoginTooLong, users.EmailTaken, *_WRITE_ERRORS),
            adapt=_run_in_thread,
        ),
        read=Operation(
            _read_user, require_read_permission, errors=(UserNotFound, ForbiddenUserContext, CannotViewUser)
        ),
        update=Operation(
            _update_user, require_update_permission, _build_write_arguments(site),
            (UserNotFound, CannotEditUser, CannotEditUserRoles, users.LoginNotChangeable, *_WRITE_ERRORS),
            adapt=_run_in_thread,
        ),
        delete=Operation(
            _delete_user, require_delete_permission, removal,
            (UserNotFound, CannotDeleteUser, users.InvalidReassignUser, LastAdministrator),
            summary="Delete an account for good; its records are reassigned or moved to the trash.",
        ),
    )  # fmt: skip


def _build_write_arguments(site: SiteContext, creating: bool = False) -> dict[str, Field]:
    return account_views.add_account_arguments(site, user_schema.build_write_arguments(site, creating))


def _run_in_thread(route: Route) -> Route:
    # Writes may hash a password, which takes 40 ms.
    return route.replace(slow=True)


def _list_users(call: Call) -> ListPage[User]:
    work, args = call.work, call.args
    size, number = args["per_page"], args["page"]
    if offset := abs(args.get("offset") or 0):
        number = -(-offset // size) + 1
    published = user_listing.list_publishing_types(work, args.get("has_published_posts"), args.get("who"))
    call.lookups["listed_as_public"] = published is not None
    work.uses("user", *user_listing.list_public_types(work.site))
    filters = UserFilters(
        search=args.get("search") or "", columns=_select_search_columns(call),
        include=tuple(map(abs, args["include"])), exclude=tuple(map(abs, args["exclude"])),
        slugs=tuple(slug.lower() for slug in args.get("slug") or ()), roles=tuple(args.get("roles") or ()),
        capabilities=tuple(args.get("capabilities") or ()), authors=args.get("who") == "authors", published=published,
        orderby=args["orderby"], descending=args["order"] == "desc", limit=size,
        offset=compute_page_offset(args, zero_counts=False),
    )  # fmt: skip
    found, total = user_listing.list_users(work, filters)
    return ListPage([_translate_user(call, one) for one in found], total, number)


def _read_user(call: Call) -> User:
    return _translate_user(call, get_user(call))


def _read_own_user(of: Resource[User], call: Call) -> Result:
    """Read the caller's own account."""
    if not call.work.user:
        raise AuthenticationRequired
    return of.build_result(call, _read_user(call))


def _create_user(call: Call) -> User:
    work, args = call.work, call.args
    if call.raw.get("id"):
        raise UserExists
    given = _build_members(call, {}, creating=True)
    if given.get("roles"):
        role_assignment.check_roles(work, given["roles"], None)
    else:
        given.pop("roles", None)
        role_assignment.check_roles(work, (work.site.profile.default_role,), None)
    user = users.create_user(work, args["username"], args["email"], **given)
    args["context"] = EDIT
    return user


def _update_user(call: Call, user: User) -> User:
    work, args = call.work, call.args
    if (login := args.get("username")) and login != user.login:
        raise users.LoginNotChangeable(login=user.login)
    given = _build_members(call, user.meta)
    if "roles" in given:
        role_assignment.check_roles(work, given["roles"], user)
    user = users.update_user(work, user, args.get("email") or "", **given)
    call.lookups["user"] = user
    args["context"] = EDIT
    return user


def _delete_user(call: Call, user: User) -> None:
    work, heir = call.work, call.args["reassign"]
    if heir:
        users.require_heir(work, user, heir)
        deleted_accounts.reassign_records(work, user.id, heir)
    else:
        deleted_accounts.trash_records_of_author(work, user.id)
    users.delete_user(work, user)
    call.lookups.pop("user", None)


def _build_links(call: Call, user: User) -> Links:
    work = call.work
    allowed = ["GET"] if call.lookups.get("listed_as_public") or user_rights.may_view_user(work, user) else []
    if user_rights.may_edit_user(work.user, user):
        allowed += CHANGE
    if user_rights.may_delete_user(work.user, user):
        allowed += REMOVE
    return {
        "self": [build_link(work.api(f"{_COLLECTION}/{user.id}"), targetHints={"allow": allowed})],
        "collection": [build_link(work.api(_COLLECTION))],
        **account_views.build_account_links(work, user),
    }


def _select_search_columns(call: Call) -> tuple[str, ...]:
    columns = tuple(call.args["search_columns"])
    if call.work.user.can("list_users"):
        return columns
    return tuple(name for name in columns if name in _PUBLIC_COLUMNS) or _PUBLIC_COLUMNS


def _translate_user(call: Call, user: User) -> User:
    """Return an account with texts in the work's language; in the editing view the stored ones."""
    work = call.work
    if call.args["context"] == EDIT or work.language == work.site.profile.default_language:
        return user
    name, description = work.get_translated_member(user, "name"), work.get_translated_member(user, "description")
    if (name, description) == (user.name, user.description):
        return user
    return msgspec.structs.replace(user, name=name, description=description)


def _build_members(call: Call, meta: dict[str, Any], creating: bool = False) -> users.UserMembers:
    """Return the sanitized values that the client sent; meta: the stored one."""
    args = call.args
    given: dict[str, Any] = {name: args[name] for name in _PLAIN_MEMBERS if name in args.given_names}
    for name in _NAME_MEMBERS:
        if name in args.given_names:
            given[name] = sanitizing.sanitize_term_name(args[name])
    if "description" in args.given_names:
        given["description"] = sanitizing.sanitize_term_description(args["description"]).strip()
    if "roles" in args.given_names:
        given["roles"] = tuple(dict.fromkeys(args["roles"]))
    if "meta" in args.given_names:
        given["meta"] = user_schema.merge_user_meta(call.work.site, meta, call.raw["meta"])
    if user_preferences.PREFERENCES_MEMBER in args.given_names:
        given["meta"] = user_preferences.merge_preferences(
            given.get("meta", meta), args[user_preferences.PREFERENCES_MEMBER]
        )
    written: dict[str, Any] = {name: call.raw[name] for name in ("meta", "ext") if name in args.given_names}
    known = user_schema.list_meta_names(call.work.site)
    merged = account_views.merge_account_fields(call.work, given.get("meta", meta), written, known, creating)
    if merged is not None:
        given["meta"] = merged
    return cast(users.UserMembers, given)
