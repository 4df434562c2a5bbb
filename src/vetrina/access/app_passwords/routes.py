"""Application passwords of a user: collection, item, and the one in use.

Rules: docs/rules/authentication.md, 6 and 7: permissions are checked before existence, and there are no totals.
"""

from __future__ import annotations

from typing import Any

from vetrina.access.app_passwords import rules as app_passwords
from vetrina.access.app_passwords.rules import AppPassword
from vetrina.access.users import rights as user_rights, rules as users
from vetrina.access.users.permissions import UserNotFound
from vetrina.access.users.routes import AuthenticationRequired
from vetrina.content.text import sanitizing
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure, PermissionDenied
from vetrina.kernel.times import format_iso
from vetrina.rest.call import Result
from vetrina.rest.coercion import coerce_integer
from vetrina.rest.common_arguments import build_context_argument
from vetrina.rest.fields import EDIT, EMBED, VIEW, Boolean, Field, Integer, Object, OneOf, String
from vetrina.rest.resource import Links, ListPage, Operation, Resource, build_write_arguments
from vetrina.rest.route import CHANGE, READ, REMOVE, Route
from vetrina.rest.serializer import Serializer, build_link, read_attributes

_ITEM_METHODS = [*READ, *CHANGE, *REMOVE]
_DELETED_COUNT = Object(properties={"deleted": Boolean(), "count": Integer("How many were removed.")})


class AppPasswordNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_application_password_not_found"
    message = "The user has no application password {uuid!r}."


class NoAppPasswordInUse(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_no_authenticated_app_password"
    message = "This request was not signed in with an application password."


class CannotListAppPasswords(PermissionDenied):
    code = "rest_cannot_list_application_passwords"
    message = "You may not list the application passwords of this user."


class CannotCreateAppPassword(PermissionDenied):
    code = "rest_cannot_create_application_passwords"
    message = "You may not make application passwords for this user."


class CannotReadAppPassword(PermissionDenied):
    code = "rest_cannot_read_application_password"
    message = "You may not read this application password."


class CannotEditAppPassword(PermissionDenied):
    code = "rest_cannot_edit_application_password"
    message = "You may not change this application password."


class CannotDeleteAppPassword(PermissionDenied):
    code = "rest_cannot_delete_application_password"
    message = "You may not remove this application password."


class CannotDeleteAllAppPasswords(PermissionDenied):
    code = "rest_cannot_delete_application_passwords"
    message = "You may not remove the application passwords of this user."


class CannotIntrospectAppPassword(PermissionDenied):
    code = "rest_cannot_introspect_app_password_for_non_authenticated_user"
    message = "You may only ask for the application password of your own request."


_ALL = (VIEW, EDIT, EMBED)
_FULL = (VIEW, EDIT)
_FIELDS: dict[str, Field] = {
    "uuid": String("UUID of the application password.", format="uuid", context=_ALL, readonly=True),
    "app_id": OneOf(
        "UUID that the program gave itself, the same on every site; may be empty.",
        (String(format="uuid"), String(enum=("",))), types=("string",), context=_ALL, early=True, null="keep",
    ),
    "name": String(
        "Name of the application password.", required=True, min_length=1, pattern=r".*\S.*", context=_ALL, early=True,
        null="keep",
    ),
    "password": String("The password, shown when it is made and never again.", context=(EDIT,), readonly=True),
    "created": String("When it was made, in GMT.", format="date-time", context=_FULL, readonly=True),
    "last_used": String(
        "When it was last used, in GMT.", format="date-time", nullable=True, context=_FULL, readonly=True
    ),
    "last_ip": String("From which address it was last used.", format="ip", nullable=True, context=_FULL, readonly=True),
}  # fmt: skip
_SERIALIZER = Serializer(
    _FIELDS,
    {
        **read_attributes("uuid", "app_id", "name", "last_ip"),
        "created": lambda item, work: format_iso(item.created),
        "last_used": lambda item, work: None if item.last_used is None else format_iso(item.last_used),
    },
)


# -- permissions


def _get_owner(call: Call) -> User:
    """Return the user in the path. Raises AuthenticationRequired, UserNotFound."""
    work = call.work
    user_id = call.raw.get("user_id")
    if user_id == "me" and not work.user:
        raise AuthenticationRequired
    # Loaded even if it is the caller: another request may have deleted the account since sign-in.
    id = work.user.id if user_id == "me" else coerce_integer(user_id) or 0
    cached: User | None = call.lookups.get("owner")
    if cached is not None and cached.id == id:
        return cached
    found = users.find_user(work.tx, id, work.site.roles) if id > 0 else None
    if found is None:
        raise UserNotFound(id=user_id)
    call.lookups["owner"] = found
    return found


def _build_edit_permission(refusal: type[PermissionDenied]) -> Any:
    """Return the permission of users who may edit the owner's account."""

    def allow(call: Call) -> None:
        """The account itself, and those who may edit it (`edit_users`)."""
        caller = call.work.user
        if not user_rights.may_edit_user(caller, _get_owner(call)):
            raise refusal(bool(caller))

    return allow


def _require_introspect_permission(call: Call) -> None:
    """The account itself."""
    caller = call.work.user
    if _get_owner(call).id != caller.id:
        raise CannotIntrospectAppPassword(bool(caller))


# -- what the routes do


def _find_app_password(call: Call) -> AppPassword:
    uuid = str(call.raw.get("uuid"))
    found = app_passwords.find_app_password(call.work.tx, _get_owner(call).id, uuid)
    if found is None:
        raise AppPasswordNotFound(uuid=uuid)
    return found


def _list_app_passwords(call: Call) -> ListPage[AppPassword]:
    return ListPage(app_passwords.list_app_passwords(call.work.tx, _get_owner(call).id))


def _create_app_password(call: Call) -> AppPassword:
    name = sanitizing.sanitize_plain_text(call.args["name"])
    item, call.lookups["password"] = app_passwords.create_app_password(
        call.work, _get_owner(call).id, name, call.args.get("app_id") or ""
    )
    return item


def _add_password(call: Call, item: AppPassword, view: Any, result: Result) -> None:
    if "password" in call.lookups:
        result.body["password"] = call.lookups["password"]


def _update_app_password(call: Call, item: AppPassword) -> AppPassword:
    return app_passwords.rename_app_password(
        call.work, item, sanitizing.sanitize_plain_text(call.args.get("name") or "")
    )


def _delete_app_password(call: Call, item: AppPassword) -> None:
    app_passwords.revoke_app_password(call.work, item)


def _delete_all_app_passwords(call: Call) -> Result:
    """Revoke every application password of an account."""
    return Result({"deleted": True, "count": app_passwords.revoke_all_app_passwords(call.work, _get_owner(call).id)})


def _read_current_app_password(call: Call) -> Result:
    """Return the application password by which the caller signed in."""
    work = call.work
    used = work.user.app_password
    item = app_passwords.find_app_password(work.tx, work.user.id, used) if used else None
    if item is None:
        raise NoAppPasswordInUse
    return APP_PASSWORDS.build_result(call, item)


def _build_app_password_url(call: Call, item: AppPassword) -> str:
    url: str = call.work.api(f"/cms/v2/users/{item.account}/application-passwords/{item.uuid}")
    return url


def _build_links(call: Call, item: AppPassword) -> Links:
    # Read access to an application password implies all other operations on it.
    return {"self": [build_link(_build_app_password_url(call, item), targetHints={"allow": _ITEM_METHODS})]}


_OWNER_ERRORS = (UserNotFound, AuthenticationRequired)
_WRITES = build_write_arguments(_FIELDS)

APP_PASSWORDS = Resource(
    title="application-password",
    path=r"/cms/v2/users/{user_id:(?:[\d]+|me)}/application-passwords",
    item=r"{uuid:[\w\-]+}",
    key={},
    serializer=_SERIALIZER,
    find=_find_app_password,
    force=None,
    deleted="previous",
    build_links=_build_links,
    build_item_url=_build_app_password_url,
    finish_result=_add_password,
    list=Operation(
        _list_app_passwords, _build_edit_permission(CannotListAppPasswords), {"context": build_context_argument()},
        (*_OWNER_ERRORS, CannotListAppPasswords),
        summary="List the application passwords of an account, without the passwords.",
    ),
    create=Operation(
        _create_app_password, _build_edit_permission(CannotCreateAppPassword), _WRITES,
        (*_OWNER_ERRORS, CannotCreateAppPassword, app_passwords.EmptyAppPasswordName),
        summary="Create an application password; only this response contains it.",
    ),
    read=Operation(
        _find_app_password, _build_edit_permission(CannotReadAppPassword),
        errors=(*_OWNER_ERRORS, CannotReadAppPassword, AppPasswordNotFound),
        summary="Read one application password's name and last use.",
    ),
    update=Operation(
        _update_app_password, _build_edit_permission(CannotEditAppPassword),
        {name: field.replace(required=False) for name, field in _WRITES.items()},
        (*_OWNER_ERRORS, CannotEditAppPassword, AppPasswordNotFound), summary="Rename an application password.",
    ),
    delete=Operation(
        _delete_app_password, _build_edit_permission(CannotDeleteAppPassword),
        errors=(*_OWNER_ERRORS, CannotDeleteAppPassword, AppPasswordNotFound),
        summary="Revoke an application password.",
    ),
)  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of application passwords."""
    of, schema = APP_PASSWORDS.build_routes_by_operation(), APP_PASSWORDS.build_schema
    return (
        of["list"],
        of["create"],
        Route(
            REMOVE, APP_PASSWORDS.path, _delete_all_app_passwords, {},
            _build_edit_permission(CannotDeleteAllAppPasswords), schema, answers=_DELETED_COUNT,
            errors=(*_OWNER_ERRORS, CannotDeleteAllAppPasswords),
        ),
        Route(
            READ, f"{APP_PASSWORDS.path}/introspect", _read_current_app_password,
            {"context": build_context_argument()}, _require_introspect_permission, schema,
            errors=(*_OWNER_ERRORS, CannotIntrospectAppPassword, NoAppPasswordInUse),
        ),
        of["read"],
        of["update"],
        of["delete"],
    )  # fmt: skip
