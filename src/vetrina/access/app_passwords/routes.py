"""Application passwords of a user: collection, item, and the one in use.

Not here: how they are kept and compared (access/app_passwords/rules.py, access/sign_in/rules.py).
Rules: facts, "Application passwords": rights are asked before existence, and there are no totals.
"""

from __future__ import annotations

from typing import Any

from vetrina.access.app_passwords import rules as app_passwords
from vetrina.access.app_passwords.rules import AppPassword
from vetrina.access.users import rights as user_rights
from vetrina.access.users import rules as users
from vetrina.access.users.model import User
from vetrina.access.users.routes import NotSignedIn, UserUnknown
from vetrina.content.text import sanitizing
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError, Refused
from vetrina.kernel.times import iso
from vetrina.rest import common_arguments
from vetrina.rest.call import Call, Result
from vetrina.rest.coercion import integer
from vetrina.rest.fields import EDIT, EMBED, VIEW, Boolean, Field, Integer, Object, OneOf, String
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Shape, choice, link

__all__ = ["routes"]

_COLLECTION = r"/cms/v2/users/{user_id:(?:[\d]+|me)}/application-passwords"
_ITEM = rf"{_COLLECTION}/{{uuid:[\w\-]+}}"
_ITEM_METHODS = [*READ, *CHANGE, *REMOVE]
_COUNTED = Object(properties={"deleted": Boolean(), "count": Integer("How many were removed.")})


class Unknown(ApiError):
    status, code = 404, "rest_application_password_not_found"
    message = "The user has no application password {uuid!r}."


class NoneInUse(ApiError):
    status, code = 404, "rest_no_authenticated_app_password"
    message = "This request was not signed in with an application password."


class CannotList(Refused):
    code = "rest_cannot_list_application_passwords"
    message = "You may not list the application passwords of this user."


class CannotCreate(Refused):
    code = "rest_cannot_create_application_passwords"
    message = "You may not make application passwords for this user."


class CannotRead(Refused):
    code = "rest_cannot_read_application_password"
    message = "You may not read this application password."


class CannotEdit(Refused):
    code = "rest_cannot_edit_application_password"
    message = "You may not change this application password."


class CannotDelete(Refused):
    code = "rest_cannot_delete_application_password"
    message = "You may not remove this application password."


class CannotDeleteAll(Refused):
    code = "rest_cannot_delete_application_passwords"
    message = "You may not remove the application passwords of this user."


class CannotIntrospect(Refused):
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
_SHAPE = Shape(
    _FIELDS,
    {
        "uuid": lambda item, work: item.uuid,
        "app_id": lambda item, work: item.app_id,
        "name": lambda item, work: item.name,
        "created": lambda item, work: iso(item.created),
        "last_used": lambda item, work: None if item.last_used is None else iso(item.last_used),
        "last_ip": lambda item, work: item.last_ip,
    },
)


def _schema() -> dict[str, Any]:
    return _SHAPE.schema("application-password")


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of application passwords."""
    reading = {"context": common_arguments.context()}
    written = {"app_id": _FIELDS["app_id"].but(context=()), "name": _FIELDS["name"].but(context=())}
    changed = {name: field.but(required=False) for name, field in written.items()}
    whose = (UserUnknown, NotSignedIn)
    return (
        Route(READ, _COLLECTION, _listed, reading, _may(CannotList), _schema, answers="many",
              errors=(*whose, CannotList)),
        Route(WRITE, _COLLECTION, _created, written, _may(CannotCreate), _schema,
              errors=(*whose, CannotCreate, app_passwords.EmptyName)),
        Route(REMOVE, _COLLECTION, _removed_all, {}, _may(CannotDeleteAll), _schema, answers=_COUNTED,
              errors=(*whose, CannotDeleteAll)),
        Route(READ, f"{_COLLECTION}/introspect", _in_use, reading, _may_introspect, _schema,
              errors=(*whose, CannotIntrospect, NoneInUse)),
        Route(READ, _ITEM, _read, reading, _may(CannotRead), _schema, errors=(*whose, CannotRead, Unknown)),
        Route(CHANGE, _ITEM, _changed, changed, _may(CannotEdit), _schema, errors=(*whose, CannotEdit, Unknown)),
        Route(REMOVE, _ITEM, _removed, {}, _may(CannotDelete), _schema, errors=(*whose, CannotDelete, Unknown)),
    )  # fmt: skip


# -- rights


def _owner(call: Call) -> User:
    """Return the user whose application passwords are meant. Raises NotSignedIn, UserUnknown."""
    work: Work = call.work
    asked = call.raw.get("user_id")
    if asked == "me" and not work.user:
        raise NotSignedIn
    # Looked up even where it is the caller: another request may have removed him since he was named.
    id = work.user.id if asked == "me" else integer(asked) or 0
    kept: User | None = call.kept.get("owner")
    if kept is not None and kept.id == id:
        return kept
    found = users.by_id(work.tx, id, users.has_shop(work.frame)) if id > 0 else None
    if found is None:
        raise UserUnknown(id=asked)
    call.kept["owner"] = found
    return found


def _may(refusal: type[Refused]) -> Any:
    """Return the permission of those who may write the owner's account."""

    def allow(call: Call) -> None:
        """The account itself, and those who may change it (`edit_users`)."""
        caller = call.work.user
        if not user_rights.may_edit(caller, _owner(call)):
            raise refusal(bool(caller))

    return allow


def _may_introspect(call: Call) -> None:
    """The account itself."""
    caller = call.work.user
    if _owner(call).id != caller.id:
        raise CannotIntrospect(bool(caller))


# -- handlers


def _listed(call: Call) -> Result:
    """List the application passwords of an account, without the passwords."""
    owner, context = _owner(call), call.args["context"]
    wanted = choice(call.request.raw("_fields"))
    body = []
    for item in app_passwords.of_account(call.work.tx, owner.id):
        members = _SHAPE.members(item, call.work, context, wanted)
        if wanted is None or wanted.names_links():
            members["_links"] = _links(call, item)
        body.append(members)
    return Result(body)


def _created(call: Call) -> Result:
    """Make an application password; this answer alone shows it."""
    work: Work = call.work
    name = sanitizing.plain(call.args["name"])
    made, password = app_passwords.create(work, _owner(call).id, name, call.args.get("app_id") or "")
    result = _shown(call, made, EDIT)
    result.body["password"] = password
    result.status = 201
    result.headers["Location"] = _address(call, made)
    return result


def _removed_all(call: Call) -> Result:
    """Revoke every application password of an account."""
    return Result({"deleted": True, "count": app_passwords.revoke_all(call.work, _owner(call).id)})


def _in_use(call: Call) -> Result:
    """Tell by which application password the caller signed in."""
    work: Work = call.work
    used = work.user.app_password
    item = app_passwords.by_uuid(work.tx, work.user.id, used) if used else None
    if item is None:
        raise NoneInUse
    return _shown(call, item, call.args["context"])


def _read(call: Call) -> Result:
    """Read one application password's name and last use."""
    return _shown(call, _item(call), call.args["context"])


def _changed(call: Call) -> Result:
    """Rename an application password."""
    item = app_passwords.rename(call.work, _item(call), sanitizing.plain(call.args.get("name") or ""))
    return _shown(call, item, EDIT)


def _removed(call: Call) -> Result:
    """Revoke an application password."""
    item = _item(call)
    previous = _SHAPE.members(item, call.work, EDIT)
    app_passwords.revoke(call.work, item)
    return Result({"deleted": True, "previous": previous})


def _item(call: Call) -> AppPassword:
    uuid = str(call.raw.get("uuid"))
    found = app_passwords.by_uuid(call.work.tx, _owner(call).id, uuid)
    if found is None:
        raise Unknown(uuid=uuid)
    return found


def _shown(call: Call, item: AppPassword, context: str) -> Result:
    body = _SHAPE.members(item, call.work, context, choice(call.request.raw("_fields")))
    return Result(body, rels=_links(call, item))


def _address(call: Call, item: AppPassword) -> str:
    work: Work = call.work
    return work.api(f"/cms/v2/users/{item.account}/application-passwords/{item.uuid}")


def _links(call: Call, item: AppPassword) -> dict[str, Any]:
    # Who may read one of them may do all with it.
    return {"self": [link(_address(call, item), targetHints={"allow": _ITEM_METHODS})]}
