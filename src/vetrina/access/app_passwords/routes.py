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
from vetrina.core.unit_of_work import SiteContext
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure, PermissionDenied
from vetrina.kernel.times import format_iso
from vetrina.rest import common_arguments
from vetrina.rest.call import Result
from vetrina.rest.coercion import coerce_integer
from vetrina.rest.fields import EDIT, EMBED, VIEW, Boolean, Field, Integer, Object, OneOf, String
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Serializer, build_link, parse_field_selection

__all__ = ["build_routes"]

_COLLECTION = r"/cms/v2/users/{user_id:(?:[\d]+|me)}/application-passwords"
_ITEM = rf"{_COLLECTION}/{{uuid:[\w\-]+}}"
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
        (String(format="uuid"), String(enum=("",))),
        types=("string",),
        context=_ALL,
        early=True,
        null="keep",
    ),
    "name": String(
        "Name of the application password.",
        required=True,
        min_length=1,
        pattern=r".*\S.*",
        context=_ALL,
        early=True,
        null="keep",
    ),
    "password": String("The password, shown when it is made and never again.", context=(EDIT,), readonly=True),
    "created": String("When it was made, in GMT.", format="date-time", context=_FULL, readonly=True),
    "last_used": String(
        "When it was last used, in GMT.", format="date-time", nullable=True, context=_FULL, readonly=True
    ),
    "last_ip": String("From which address it was last used.", format="ip", nullable=True, context=_FULL, readonly=True),
}
_SERIALIZER = Serializer(
    _FIELDS,
    {
        "uuid": lambda item, work: item.uuid,
        "app_id": lambda item, work: item.app_id,
        "name": lambda item, work: item.name,
        "created": lambda item, work: format_iso(item.created),
        "last_used": lambda item, work: None if item.last_used is None else format_iso(item.last_used),
        "last_ip": lambda item, work: item.last_ip,
    },
)


def _build_app_password_schema() -> dict[str, Any]:
    return _SERIALIZER.schema("application-password")


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of application passwords."""
    reading = {"context": common_arguments.build_context_argument()}
    written = {"app_id": _FIELDS["app_id"].replace(context=()), "name": _FIELDS["name"].replace(context=())}
    changed = {name: field.replace(required=False) for name, field in written.items()}
    whose = (UserNotFound, AuthenticationRequired)
    return (
        Route(
            READ,
            _COLLECTION,
            _list_app_passwords,
            reading,
            _build_edit_permission(CannotListAppPasswords),
            _build_app_password_schema,
            answers="many",
            errors=(*whose, CannotListAppPasswords),
        ),
        Route(
            WRITE,
            _COLLECTION,
            _create_app_password,
            written,
            _build_edit_permission(CannotCreateAppPassword),
            _build_app_password_schema,
            errors=(*whose, CannotCreateAppPassword, app_passwords.EmptyAppPasswordName),
        ),
        Route(
            REMOVE,
            _COLLECTION,
            _delete_all_app_passwords,
            {},
            _build_edit_permission(CannotDeleteAllAppPasswords),
            _build_app_password_schema,
            answers=_DELETED_COUNT,
            errors=(*whose, CannotDeleteAllAppPasswords),
        ),
        Route(
            READ,
            f"{_COLLECTION}/introspect",
            _read_current_app_password,
            reading,
            _require_introspect_permission,
            _build_app_password_schema,
            errors=(*whose, CannotIntrospectAppPassword, NoAppPasswordInUse),
        ),
        Route(
            READ,
            _ITEM,
            _read_app_password,
            reading,
            _build_edit_permission(CannotReadAppPassword),
            _build_app_password_schema,
            errors=(*whose, CannotReadAppPassword, AppPasswordNotFound),
        ),
        Route(
            CHANGE,
            _ITEM,
            _update_app_password,
            changed,
            _build_edit_permission(CannotEditAppPassword),
            _build_app_password_schema,
            errors=(*whose, CannotEditAppPassword, AppPasswordNotFound),
        ),
        Route(
            REMOVE,
            _ITEM,
            _delete_app_password,
            {},
            _build_edit_permission(CannotDeleteAppPassword),
            _build_app_password_schema,
            errors=(*whose, CannotDeleteAppPassword, AppPasswordNotFound),
        ),
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
    found = users.find_user(work.tx, id, work.frame.administrator_capabilities) if id > 0 else None
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


# -- handlers


def _list_app_passwords(call: Call) -> Result:
    """List the application passwords of an account, without the passwords."""
    owner, context = _get_owner(call), call.args["context"]
    wanted = parse_field_selection(call.request.raw("_fields"))
    body = []
    for item in app_passwords.list_app_passwords(call.work.tx, owner.id):
        members = _SERIALIZER.serialize(item, call.work, context, wanted)
        if wanted is None or wanted.has_links():
            members["_links"] = _build_links(call, item)
        body.append(members)
    return Result(body)


def _create_app_password(call: Call) -> Result:
    """Create an application password; only this response contains it."""
    work = call.work
    name = sanitizing.sanitize_plain_text(call.args["name"])
    item, password = app_passwords.create_app_password(work, _get_owner(call).id, name, call.args.get("app_id") or "")
    result = _build_app_password_result(call, item, EDIT)
    result.body["password"] = password
    result.status = 201
    result.headers["Location"] = _build_app_password_url(call, item)
    return result


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
    return _build_app_password_result(call, item, call.args["context"])


def _read_app_password(call: Call) -> Result:
    """Read one application password's name and last use."""
    return _build_app_password_result(call, _get_app_password(call), call.args["context"])


def _update_app_password(call: Call) -> Result:
    """Rename an application password."""
    item = app_passwords.rename_app_password(
        call.work, _get_app_password(call), sanitizing.sanitize_plain_text(call.args.get("name") or "")
    )
    return _build_app_password_result(call, item, EDIT)


def _delete_app_password(call: Call) -> Result:
    """Revoke an application password."""
    item = _get_app_password(call)
    previous = _SERIALIZER.serialize(item, call.work, EDIT)
    app_passwords.revoke_app_password(call.work, item)
    return Result({"deleted": True, "previous": previous})


def _get_app_password(call: Call) -> AppPassword:
    uuid = str(call.raw.get("uuid"))
    found = app_passwords.find_app_password(call.work.tx, _get_owner(call).id, uuid)
    if found is None:
        raise AppPasswordNotFound(uuid=uuid)
    return found


def _build_app_password_result(call: Call, item: AppPassword, context: str) -> Result:
    body = _SERIALIZER.serialize(item, call.work, context, parse_field_selection(call.request.raw("_fields")))
    return Result(body, rels=_build_links(call, item))


def _build_app_password_url(call: Call, item: AppPassword) -> str:
    work = call.work
    return work.api(f"/cms/v2/users/{item.account}/application-passwords/{item.uuid}")


def _build_links(call: Call, item: AppPassword) -> dict[str, Any]:
    # Read access to an application password implies all other operations on it.
    return {"self": [build_link(_build_app_password_url(call, item), targetHints={"allow": _ITEM_METHODS})]}
