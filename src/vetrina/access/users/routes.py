"""Users: collection, item, and the caller's own account.

Not here: their members (access/users/schema.py), application passwords (access/app_passwords/routes.py), the rules
(domain/access). Rules: facts, "Users" and "Rules that hold for several kinds".
"""

from __future__ import annotations

from typing import Any, cast

import msgspec

from vetrina.access.users import (
    listing as user_listing,
)
from vetrina.access.users import (
    preferences as user_preferences,
)
from vetrina.access.users import (
    rights as user_rights,
)
from vetrina.access.users import (
    rules as users,
)
from vetrina.access.users import schema as user_schema
from vetrina.access.users.listing import Filters
from vetrina.access.users.model import User
from vetrina.content.records import rules as records
from vetrina.content.text import sanitizing
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError, Refused
from vetrina.rest import common_arguments
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import EDIT, Integer
from vetrina.rest.paging import page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route, anyone
from vetrina.rest.serializer import Shape, choice, link

__all__ = ["NotSignedIn", "UserUnknown", "routes"]

_COLLECTION = "/cms/v2/users"
_ITEM = f"{_COLLECTION}/{{id}}"
_OWN = f"{_COLLECTION}/me"
_LISTERS_ORDERS = frozenset({"email", "registered_date"})
_PUBLIC_COLUMNS = ("id", "name", "slug", "username")
_PLAIN = ("slug", "url", "locale", "password")
_NAMES = ("name", "first_name", "last_name", "nickname")


class UserUnknown(ApiError):
    status, code = 404, "rest_user_invalid_id"
    message = "There is no user with the number {id}."


class NotSignedIn(ApiError):
    status, code = 401, "rest_not_logged_in"
    message = "Send credentials: this route answers about the account that they name."


class CannotView(Refused):
    """The account wrote nothing that is public, and the caller may not list users."""

    code = "rest_user_cannot_view"
    message = "You may not see this user."


class CannotFilter(Refused):
    code = "rest_user_cannot_view"
    message = "You may not filter users by {name}."


class ForbiddenContext(Refused):
    code = "rest_forbidden_context"
    message = "You may not see users in context edit; leave `context` out."


class ForbiddenOrder(Refused):
    code = "rest_forbidden_orderby"
    message = "You may not sort users by {orderby}."


class ForbiddenWho(Refused):
    code = "rest_forbidden_who"
    message = "You may not list those who may write."


class CannotCreate(Refused):
    code = "rest_cannot_create_user"
    message = "You may not make users."


class CannotEdit(Refused):
    code = "rest_cannot_edit"
    message = "You may not change this user."


class CannotEditRoles(Refused):
    code = "rest_cannot_edit_roles"
    message = "You may not change the roles of this user."


class CannotDelete(Refused):
    code = "rest_user_cannot_delete"
    message = "You may not remove this user."


class UserExists(ApiError):
    code = "rest_user_exists"
    message = "A new user gets its number from the site; leave `id` out."


class NoTrash(ApiError):
    status, code = 501, "rest_trash_not_supported"
    message = "Users have no trash. Send force=true to remove this one for good."


class InvalidHeir(ApiError):
    """The records cannot go to an account that is unknown, or that goes itself."""

    code = "rest_user_invalid_reassign"
    message = "The records cannot be given to the user {id}; name another, or send reassign=false."


_WRITE_ERRORS = (
    users.AddressTaken, users.AddressTooLong, users.SlugTaken, users.SlugTooLong, user_rights.UnknownRole,
    user_rights.WrongRole, user_schema.InvalidMeta,
)  # fmt: skip


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of users."""
    room = _Users(frame)
    number = {"id": Integer("Number of the user.", early=True)}
    reading = {"context": common_arguments.context()}
    writing, removal = user_schema.members(frame), user_schema.removal()
    changing = (UserUnknown, CannotEdit, CannotEditRoles, users.LoginFixed, *_WRITE_ERRORS)
    removing = (UserUnknown, CannotDelete, NoTrash, InvalidHeir)
    # Writes may hash a password, which takes a thread 40 ms.
    return (
        Route(READ, _COLLECTION, room.listed, user_schema.filters(frame), room.may_list, room.schema, batch=True,
              errors=(CannotFilter, ForbiddenContext, ForbiddenOrder, ForbiddenWho)),
        Route(WRITE, _COLLECTION, room.created, user_schema.members(frame, creating=True), room.may_create, room.schema,
              batch=True, slow=True,
              errors=(CannotCreate, UserExists, users.LoginTaken, users.LoginTooLong, users.EmailTaken,
                      *_WRITE_ERRORS)),
        Route(READ, _ITEM, room.read, {**number, **reading}, room.may_see, room.schema, batch=True,
              errors=(UserUnknown, ForbiddenContext, CannotView)),
        Route(CHANGE, _ITEM, room.changed, {**number, **writing}, room.may_change, room.schema, batch=True, slow=True,
              errors=changing),
        Route(REMOVE, _ITEM, room.removed, {**number, **removal}, room.may_remove, room.schema, batch=True,
              errors=removing),
        Route(READ, _OWN, room.read_own, reading, anyone, room.schema, errors=(NotSignedIn,)),
        Route(CHANGE, _OWN, room.changed, writing, room.may_change, room.schema, slow=True, errors=changing),
        Route(REMOVE, _OWN, room.removed, removal, room.may_remove, room.schema, errors=removing),
    )  # fmt: skip


class _Users:
    """The routes of a site's users."""

    def __init__(self, frame: Frame) -> None:
        self.shape: Shape = user_schema.shape_of(frame)

    def schema(self) -> dict[str, Any]:
        """Return the schema of a user, as OPTIONS shows it."""
        return self.shape.schema("user")

    # -- rights

    def _user(self, call: Call) -> User:
        """Return the account that the call is about. Raises UserUnknown."""
        work: Work = call.work
        id = work.user.id if call.route.path == _OWN else call.args.get("id")
        kept: User | None = call.kept.get("user")
        if kept is not None and kept.id == id:
            return kept
        work.uses("user", *user_listing.public_kinds(work.frame))
        found = users.by_id(work.tx, id, users.has_shop(work.frame)) if isinstance(id, int) and id > 0 else None
        if found is None:
            raise UserUnknown(id=id)
        call.kept["user"] = found
        return found

    def may_list(self, call: Call) -> None:
        """Everybody, the authors of public records; filters by role and the editing view need `list_users`."""
        caller, args = call.work.user, call.args
        if not caller.can("list_users"):
            for name in ("roles", "capabilities"):
                if args.get(name):
                    raise CannotFilter(bool(caller), name=name)
            if args.get("context") == EDIT:
                raise ForbiddenContext(bool(caller))
            if args.get("orderby") in _LISTERS_ORDERS:
                raise ForbiddenOrder(bool(caller), orderby=args["orderby"])
        if args.get("who") == "authors" and not caller.can("edit_posts"):
            raise ForbiddenWho(bool(caller))

    def may_create(self, call: Call) -> None:
        """Those who make accounts (`create_users`)."""
        caller = call.work.user
        if not caller.can("create_users"):
            raise CannotCreate(bool(caller))

    def may_see(self, call: Call) -> None:
        """The account itself, and everybody when it has public records; others need `list_users`."""
        work: Work = call.work
        user = self._user(call)
        if call.args.get("context") == EDIT and not user_rights.may_edit(work.user, user):
            raise ForbiddenContext(bool(work.user))
        if not user_rights.may_see(work, user):
            raise CannotView(bool(work.user))

    def may_change(self, call: Call) -> None:
        """The account itself, and those who may change it (`edit_users`); roles need `promote_users`."""
        caller, user = call.work.user, self._user(call)
        if call.args.get("roles") is not None and not user_rights.may_promote(caller, user):
            raise CannotEditRoles(bool(caller))
        if not user_rights.may_edit(caller, user):
            raise CannotEdit(bool(caller))

    def may_remove(self, call: Call) -> None:
        """Those who remove accounts (`delete_users`)."""
        caller = call.work.user
        if not user_rights.may_remove(caller, self._user(call)):
            raise CannotDelete(bool(caller))

    # -- handlers

    def listed(self, call: Call) -> Result:
        work: Work = call.work
        args = call.args
        size, page = args["per_page"], args["page"]
        skipped = (page - 1) * size
        if asked := abs(args.get("offset") or 0):
            skipped, page = asked, -(-asked // size) + 1
        published = _published(call)
        call.work.uses("user", *user_listing.public_kinds(call.work.frame))
        found, total = user_listing.found(
            work,
            Filters(
                search=args.get("search") or "",
                columns=_columns(call),
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
        wanted = choice(call.request.raw("_fields"))
        body = [
            self.shape.members(_spoken(work, user, args["context"]), work, args["context"], wanted) for user in found
        ]
        if wanted is None or wanted.names_links():
            for user, members in zip(found, body, strict=True):
                members["_links"] = _links(work, user, public=published is not None)
        headers, links = page_headers(call, total, size, page)
        return Result(body, headers=headers, links=links)

    def read(self, call: Call) -> Result:
        return self._item(call, self._user(call), call.args["context"])

    def read_own(self, call: Call) -> Result:
        """Read the caller's own account."""
        if not call.work.user:
            raise NotSignedIn
        return self._item(call, self._user(call), call.args["context"])

    def created(self, call: Call) -> Result:
        work: Work = call.work
        args = call.args
        if call.raw.get("id"):
            raise UserExists
        given = _members(call, {})
        if given.get("roles"):
            user_rights.check_roles(work, given["roles"], None)
        else:
            given.pop("roles", None)
        user = users.create(work, args["username"], args["email"], **given)
        args["context"] = EDIT
        result = self._item(call, user, EDIT)
        result.status = 201
        result.headers["Location"] = work.api(f"{_COLLECTION}/{user.id}")
        return result

    def changed(self, call: Call) -> Result:
        work: Work = call.work
        args, user = call.args, self._user(call)
        if (login := args.get("username")) and login != user.login:
            raise users.LoginFixed(login=user.login)
        given = _members(call, user.meta)
        if "roles" in given:
            user_rights.check_roles(work, given["roles"], user)
        user = users.change(work, user, args.get("email") or "", **given)
        call.kept["user"] = user
        args["context"] = EDIT
        return self._item(call, user, EDIT)

    def removed(self, call: Call) -> Result:
        """Remove an account for good; its records go to another or into the trash."""
        work: Work = call.work
        user, heir = self._user(call), call.args["reassign"]
        if not call.args["force"]:
            raise NoTrash
        if heir and (heir == user.id or users.by_id(work.tx, heir) is None):
            raise InvalidHeir(id=heir)
        previous = self.shape.members(user, work, EDIT)
        if heir:
            records.reassign(work, user.id, heir)
        else:
            records.trash_of(work, user.id)
        users.remove(work, user)
        call.kept.pop("user", None)
        return Result({"deleted": True, "previous": previous})

    def _item(self, call: Call, user: User, context: str) -> Result:
        wanted = choice(call.request.raw("_fields"))
        body = self.shape.members(_spoken(call.work, user, context), call.work, context, wanted)
        return Result(body, rels=_links(call.work, user))


def _links(work: Work, user: User, public: bool = False) -> dict[str, Any]:
    """Return the links of an account; public: it is known that everybody may see it."""
    allowed = ["GET"] if public or user_rights.may_see(work, user) else []
    if user_rights.may_edit(work.user, user):
        allowed += CHANGE
    if user_rights.may_remove(work.user, user):
        allowed += REMOVE
    return {
        "self": [link(work.api(f"{_COLLECTION}/{user.id}"), targetHints={"allow": allowed})],
        "collection": [link(work.api(_COLLECTION))],
    }


def _published(call: Call) -> tuple[str, ...] | None:
    """Return of which types an account must have a public record to be listed, None for no such condition."""
    work: Work = call.work
    lister, asked = call.work.user.can("list_users"), call.args.get("has_published_posts")
    public = user_listing.public_kinds(work.frame)
    if asked is True:
        return public
    if asked:
        # Others may not learn by this filter who wrote what is not public.
        return tuple(asked) if lister else tuple(name for name in asked if name in public)
    return None if lister or call.args.get("who") == "authors" else public


def _columns(call: Call) -> tuple[str, ...]:
    asked = tuple(call.args["search_columns"])
    if call.work.user.can("list_users"):
        return asked
    return tuple(name for name in asked if name in _PUBLIC_COLUMNS) or _PUBLIC_COLUMNS


def _spoken(work: Work, user: User, context: str) -> User:
    """Return an account as readers of the work's language see it; who edits sees what is stored."""
    if context == EDIT or work.language == work.frame.profile.default_language:
        return user
    name, description = work.shown_of(user, "name"), work.shown_of(user, "description")
    if (name, description) == (user.name, user.description):
        return user
    return msgspec.structs.replace(user, name=name, description=description)


def _members(call: Call, meta: dict[str, Any]) -> users.Members:
    """Return what the client gave, cleaned; meta: the extra fields so far."""
    args = call.args
    given: dict[str, Any] = {name: args[name] for name in _PLAIN if name in args.given}
    for name in _NAMES:
        if name in args.given:
            given[name] = sanitizing.term_name(args[name])
    if "description" in args.given:
        given["description"] = sanitizing.term_description(args["description"]).strip()
    if "roles" in args.given:
        given["roles"] = tuple(dict.fromkeys(args["roles"]))
    if "meta" in args.given:
        given["meta"] = user_schema.changed_meta(call.work.frame, meta, call.raw["meta"])
    if user_preferences.MEMBER in args.given:
        given["meta"] = user_preferences.change_preferences(given.get("meta", meta), args[user_preferences.MEMBER])
    return cast(users.Members, given)
