"""Routes of sessions: those of the own account, seen and ended.

Rules: docs/rules/sessions.md, 4.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.sessions import rules as sessions
from vetrina.access.sessions.model import Session, SessionKind
from vetrina.access.users.routes import AuthenticationRequired
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.times import format_iso
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import build_context_argument
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, Boolean, Field, Integer, Object, String
from vetrina.rest.resource import ListPage, Operation, Resource
from vetrina.rest.route import REMOVE, Route
from vetrina.rest.serializer import Serializer, read_attributes

PATH: Final = "/access/v1/sessions"
_ALL: Final = (VIEW, EDIT, EMBED)
_ENDED: Final = Object(properties={"deleted": Boolean(), "count": Integer("How many were ended.")})


class SessionNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_session_not_found"
    message = "Your account has no session {id!r}; it may have ended."


_FIELDS: Final[dict[str, Field]] = {
    "id": String("UUID of the session.", format="uuid", context=_ALL, readonly=True),
    "kind": String(
        "How it proves itself: a browser by a cookie, a program by tokens.", enum=tuple(SessionKind), context=_ALL,
        readonly=True,
    ),
    "name": String("What it was called when it began, empty for nothing.", context=_ALL, readonly=True),
    "current": Boolean("Whether this request belongs to it.", context=_ALL, readonly=True),
    "agent": String("The client, as it names itself.", context=_ALL, readonly=True),
    "address": String("IP address of its latest use.", context=_ALL, readonly=True),
    "date_gmt": String("When it began, in GMT.", format="date-time", context=_ALL, readonly=True),
    "last_used_gmt": String(
        "When it was last used, in GMT; a few minutes late.", format="date-time", context=_ALL, readonly=True
    ),
    "expires_gmt": String("When it runs out, in GMT.", format="date-time", context=_ALL, readonly=True),
    "scopes": Array("What it may be used for; empty for everything.", items=String(), context=_ALL, readonly=True),
}  # fmt: skip
_SERIALIZER = Serializer(
    _FIELDS,
    {
        **read_attributes("id", "name", "agent", "address"),
        "kind": lambda one, work: one.kind.value,
        "current": lambda one, work: one.id == work.user.session,
        "date_gmt": lambda one, work: format_iso(one.created),
        "last_used_gmt": lambda one, work: format_iso(one.last_used),
        "expires_gmt": lambda one, work: format_iso(one.until),
        "scopes": lambda one, work: list(one.scopes),
    },
)


def _require_account(call: Call) -> None:
    """Every account, its own sessions."""
    if not call.work.user:
        raise AuthenticationRequired


def _find_session(call: Call) -> Session:
    work, id = call.work, str(call.args.get("id"))
    found = sessions.find_session(work.tx, id, work.now)
    if found is None or found.account != work.user.id:
        raise SessionNotFound(id=id)
    return found


def _list_sessions(call: Call) -> ListPage[Session]:
    call.work.forbid_storing()
    return ListPage(sessions.list_sessions(call.work, call.work.user.id))


def _end_session(call: Call, session: Session) -> None:
    sessions.end_session(call.work, session)


def _end_other_sessions(call: Call) -> Result:
    """End every session of the account but the one that this request belongs to."""
    work = call.work
    keep = "" if call.args.get("own") else work.user.session
    return Result({"deleted": True, "count": sessions.end_sessions(work, work.user.id, keep)})


SESSIONS: Final[Resource[Any]] = Resource(
    title="session",
    path=PATH,
    item=r"{id:[0-9a-f\-]{36}}",
    key={"id": String("UUID of the session.")},
    serializer=_SERIALIZER,
    find=_find_session,
    force=None,
    deleted="previous",
    list=Operation(
        _list_sessions, _require_account, {"context": build_context_argument()}, (AuthenticationRequired,),
        summary="List the sessions of the own account: devices that are signed in, the latest used first.",
    ),
    read=Operation(
        _find_session, _require_account, errors=(AuthenticationRequired, SessionNotFound), summary="Read a session.",
    ),
    delete=Operation(
        _end_session, _require_account, errors=(AuthenticationRequired, SessionNotFound),
        summary="End a session: sign its device out.",
    ),
)  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of sessions."""
    of = SESSIONS.build_routes_by_operation()
    own = {"own": Boolean("Whether the session of this request ends, too.", default=False)}
    return (
        of["list"],
        Route(
            REMOVE, PATH, _end_other_sessions, own, _require_account, SESSIONS.build_schema, answers=_ENDED,
            errors=(AuthenticationRequired,), summary="Sign out everywhere else.",
        ),
        of["read"],
        of["delete"],
    )  # fmt: skip
