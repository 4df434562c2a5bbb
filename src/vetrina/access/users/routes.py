"""Users: collection, item, and the caller's own account.

Fields and arguments: access/users/schema.py. Permissions: access/users/permissions.py. Rules: docs/rules/users.md, 5, 6
and 8 and docs/rules/kinds.md, 1 and 7.
"""

from __future__ import annotations

from typing import Any, cast

import msgspec

from vetrina.access.users import (
    listing as user_listing,
    preferences as user_preferences,
    rights as user_rights,
    rules as users,
    schema as user_schema,
)
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
from vetrina.content.records import rules as records
from vetrina.content.text import sanitizing
from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest import common_arguments
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, Integer
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route, allow_anyone
from vetrina.rest.serializer import Serializer, build_link, parse_field_selection

__all__ = ["AuthenticationRequired", "build_routes"]

_COLLECTION = "/cms/v2/users"
_ITEM = f"{_COLLECTION}/{{id}}"
_PUBLIC_COLUMNS = ("id", "name", "slug", "username")
_PLAIN_MEMBERS = ("slug", "url", "locale", "password")
_NAME_MEMBERS = ("name", "first_name", "last_name", "nickname")


class AuthenticationRequired(ApiError):
    failure, code = Failure.UNAUTHENTICATED, "rest_not_logged_in"
    message = "Send credentials: this route answers about the account that they name."


class UserExists(ApiError):
    code = "rest_user_exists"
    message = "A new user gets its number from the site; leave `id` out."


class UserTrashUnsupported(ApiError):
    failure, code = Failure.NOT_IMPLEMENTED, "rest_trash_not_supported"
    message = "Users have no trash. Send force=true to remove this one for good."


class InvalidReassignUser(ApiError):
    """Records can only be reassigned to an existing account other than the deleted one."""

    code = "rest_user_invalid_reassign"
    message = "The records cannot be given to the user {id}; name another, or send reassign=false."


_WRITE_ERRORS = (
    users.ChangedEmailTaken, users.UserUrlTooLong, users.UserSlugTaken, users.UserSlugTooLong, user_rights.UnknownRole,
    user_rights.CannotAssignRole, user_schema.InvalidUserMeta,
)  # fmt: skip


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of users."""
    handlers = _UserRoutes(frame)
    number = {"id": Integer("Number of the user.", early=True)}
    reading = {"context": common_arguments.build_context_argument()}
    writing, removal = user_schema.build_write_arguments(frame), user_schema.build_delete_arguments()
    changing = (UserNotFound, CannotEditUser, CannotEditUserRoles, users.LoginNotChangeable, *_WRITE_ERRORS)
    removing = (UserNotFound, CannotDeleteUser, UserTrashUnsupported, InvalidReassignUser)
    # Writes may hash a password, which takes 40 ms in a thread.
    return (
        Route(
            READ,
            _COLLECTION,
            handlers.list_users,
            user_schema.build_list_arguments(frame),
            require_list_permission,
            handlers.build_schema,
            batch=True,
            errors=(CannotFilterUsers, ForbiddenUserContext, ForbiddenUserOrder, CannotListAuthors),
        ),
        Route(
            WRITE,
            _COLLECTION,
            handlers.create_user,
            user_schema.build_write_arguments(frame, creating=True),
            require_create_permission,
            handlers.build_schema,
            batch=True,
            slow=True,
            errors=(
                CannotCreateUser,
                UserExists,
                users.LoginTaken,
                users.LoginTooLong,
                users.EmailTaken,
                *_WRITE_ERRORS,
            ),
        ),
        Route(
            READ,
            _ITEM,
            handlers.read_user,
            {**number, **reading},
            require_read_permission,
            handlers.build_schema,
            batch=True,
            errors=(UserNotFound, ForbiddenUserContext, CannotViewUser),
        ),
        Route(
            CHANGE,
            _ITEM,
            handlers.update_user,
            {**number, **writing},
            require_update_permission,
            handlers.build_schema,
            batch=True,
            slow=True,
            errors=changing,
        ),
        Route(
            REMOVE,
            _ITEM,
            handlers.delete_user,
            {**number, **removal},
            require_delete_permission,
            handlers.build_schema,
            batch=True,
            errors=removing,
        ),
        Route(
            READ,
            OWN_PATH,
            handlers.read_own_user,
            reading,
            allow_anyone,
            handlers.build_schema,
            errors=(AuthenticationRequired,),
        ),
        Route(
            CHANGE,
            OWN_PATH,
            handlers.update_user,
            writing,
            require_update_permission,
            handlers.build_schema,
            slow=True,
            errors=changing,
        ),
        Route(
            REMOVE,
            OWN_PATH,
            handlers.delete_user,
            removal,
            require_delete_permission,
            handlers.build_schema,
            errors=removing,
        ),
    )


class _UserRoutes:
    """The routes of a site's users."""

    def __init__(self, frame: SiteContext) -> None:
        self.serializer: Serializer = user_schema.build_user_serializer(frame)

    def build_schema(self) -> dict[str, Any]:
        """Return the schema of a user, as in OPTIONS."""
        return self.serializer.schema("user")

    # -- handlers

    def list_users(self, call: Call) -> Result:
        work = call.work
        args = call.args
        size, page = args["per_page"], args["page"]
        skipped = (page - 1) * size
        if offset := abs(args.get("offset") or 0):
            skipped, page = offset, -(-offset // size) + 1
        published = _list_publishing_types(call)
        call.work.uses("user", *user_listing.list_public_types(call.work.frame))
        found, total = user_listing.list_users(
            work,
            UserFilters(
                search=args.get("search") or "",
                columns=_select_search_columns(call),
                include=tuple(map(abs, args["include"])),
                exclude=tuple(map(abs, args["exclude"])),
                slugs=tuple(slug.lower() for slug in args.get("slug") or ()),
                roles=tuple(args.get("roles") or ()),
                capabilities=tuple(args.get("capabilities") or ()),
                authors=args.get("who") == "authors",
                published=published,
                order_by=args["orderby"],
                descending=args["order"] == "desc",
                size=size,
                skipped=skipped,
            ),
        )
        wanted = parse_field_selection(call.request.raw("_fields"))
        body = [
            self.serializer.serialize(_translate_user(work, user, args["context"]), work, args["context"], wanted)
            for user in found
        ]
        if wanted is None or wanted.has_links():
            for user, members in zip(found, body, strict=True):
                members["_links"] = _build_links(work, user, public=published is not None)
        headers, links = build_page_headers(call, total, size, page)
        return Result(body, headers=headers, links=links)

    def read_user(self, call: Call) -> Result:
        return self._build_user_result(call, get_user(call), call.args["context"])

    def read_own_user(self, call: Call) -> Result:
        """Read the caller's own account."""
        if not call.work.user:
            raise AuthenticationRequired
        return self._build_user_result(call, get_user(call), call.args["context"])

    def create_user(self, call: Call) -> Result:
        work = call.work
        args = call.args
        if call.raw.get("id"):
            raise UserExists
        given = _build_members(call, {})
        if given.get("roles"):
            user_rights.check_roles(work, given["roles"], None)
        else:
            given.pop("roles", None)
        user = users.create_user(work, args["username"], args["email"], **given)
        args["context"] = EDIT
        result = self._build_user_result(call, user, EDIT)
        result.status = 201
        result.headers["Location"] = work.api(f"{_COLLECTION}/{user.id}")
        return result

    def update_user(self, call: Call) -> Result:
        work = call.work
        args, user = call.args, get_user(call)
        if (login := args.get("username")) and login != user.login:
            raise users.LoginNotChangeable(login=user.login)
        given = _build_members(call, user.meta)
        if "roles" in given:
            user_rights.check_roles(work, given["roles"], user)
        user = users.update_user(work, user, args.get("email") or "", **given)
        call.lookups["user"] = user
        args["context"] = EDIT
        return self._build_user_result(call, user, EDIT)

    def delete_user(self, call: Call) -> Result:
        """Delete an account for good; its records are reassigned or moved to the trash."""
        work = call.work
        user, heir = get_user(call), call.args["reassign"]
        if not call.args["force"]:
            raise UserTrashUnsupported
        if heir and (heir == user.id or users.find_user(work.tx, heir) is None):
            raise InvalidReassignUser(id=heir)
        previous = self.serializer.serialize(user, work, EDIT)
        if heir:
            records.reassign_records(work, user.id, heir)
        else:
            records.trash_records_of_author(work, user.id)
        users.delete_user(work, user)
        call.lookups.pop("user", None)
        return Result({"deleted": True, "previous": previous})

    def _build_user_result(self, call: Call, user: User, context: str) -> Result:
        wanted = parse_field_selection(call.request.raw("_fields"))
        body = self.serializer.serialize(_translate_user(call.work, user, context), call.work, context, wanted)
        return Result(body, rels=_build_links(call.work, user))


def _build_links(work: UnitOfWork, user: User, public: bool = False) -> dict[str, Any]:
    """Return the links of an account; public: it is known to be public."""
    allowed = ["GET"] if public or user_rights.may_view_user(work, user) else []
    if user_rights.may_edit_user(work.user, user):
        allowed += CHANGE
    if user_rights.may_delete_user(work.user, user):
        allowed += REMOVE
    return {
        "self": [build_link(work.api(f"{_COLLECTION}/{user.id}"), targetHints={"allow": allowed})],
        "collection": [build_link(work.api(_COLLECTION))],
    }


def _list_publishing_types(call: Call) -> tuple[str, ...] | None:
    """Return the types of which an account must have a public record to be listed, None for no such condition."""
    work = call.work
    may_list, types = call.work.user.can("list_users"), call.args.get("has_published_posts")
    public = user_listing.list_public_types(work.frame)
    if types is True:
        return public
    if types:
        # Other callers must not learn by this filter who wrote unpublished records.
        return tuple(types) if may_list else tuple(name for name in types if name in public)
    return None if may_list or call.args.get("who") == "authors" else public


def _select_search_columns(call: Call) -> tuple[str, ...]:
    columns = tuple(call.args["search_columns"])
    if call.work.user.can("list_users"):
        return columns
    return tuple(name for name in columns if name in _PUBLIC_COLUMNS) or _PUBLIC_COLUMNS


def _translate_user(work: UnitOfWork, user: User, context: str) -> User:
    """Return an account with texts in the work's language; in the editing view the stored ones."""
    if context == EDIT or work.language == work.frame.profile.default_language:
        return user
    name, description = work.get_translated_member(user, "name"), work.get_translated_member(user, "description")
    if (name, description) == (user.name, user.description):
        return user
    return msgspec.structs.replace(user, name=name, description=description)


def _build_members(call: Call, meta: dict[str, Any]) -> users.UserMembers:
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
        given["meta"] = user_schema.merge_user_meta(call.work.frame, meta, call.raw["meta"])
    if user_preferences.PREFERENCES_MEMBER in args.given_names:
        given["meta"] = user_preferences.merge_preferences(
            given.get("meta", meta), args[user_preferences.PREFERENCES_MEMBER]
        )
    return cast(users.UserMembers, given)
