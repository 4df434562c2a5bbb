"""Routes of edit locks: see who edits a record, say that one does, stop.

Rules: docs/rules/edit_locks.md, 1 and 2.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.roles.capabilities import may_edit_record
from vetrina.access.users import rules as users
from vetrina.content.edit_locks import rules as edit_locks
from vetrina.content.edit_locks.store import EditLock
from vetrina.content.records.model import find_record
from vetrina.content.records.rules import RecordNotFound
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import PermissionDenied
from vetrina.kernel.times import format_iso
from vetrina.rest.call import Result
from vetrina.rest.fields import Boolean, Field, Integer, Object, String
from vetrina.rest.route import READ, REMOVE, WRITE, Route

PATH: Final = "/cms/v2/edit-locks/{id}"


class CannotLockRecord(PermissionDenied):
    code = "rest_cannot_edit"
    message = "You may not change this record, nor ask who does."


_ANSWER: Final = Object(
    "Who edits a record.",
    properties={
        "record": Integer("Number of the record."),
        "mine": Boolean("Whether the caller edits it."),
        "editor": Integer("Number of the account that edits it, 0 for nobody."),
        "editor_name": String("Its name, empty for nobody."),
        "since": String("Since when, in GMT; null where nobody does.", format="date-time", nullable=True),
        "expires": String("When that ends unless it is renewed, in GMT.", format="date-time", nullable=True),
    },
)
_RECORD: Final[dict[str, Field]] = {"id": Integer("Number of the record.", early=True, null="keep")}
_TAKE_OVER: Final[dict[str, Field]] = {
    "take_over": Boolean("Whether to take the lock of another account.", default=False, null="keep")
}


def _require_edit_permission(call: Call) -> None:
    """Those who may change the record."""
    number = call.args.get("id")
    user, record = call.work.user, find_record(call.work.tx, number) if isinstance(number, int) else None
    type = None if record is None else call.work.site.types.get(record.type)
    if not user:
        raise CannotLockRecord(False)
    if record is None or type is None:
        raise RecordNotFound
    if not may_edit_record(user, type, record):
        raise CannotLockRecord(True)


def _read_lock(call: Call) -> Result:
    """Tell who edits a record."""
    call.work.forbid_storing()
    return _build_result(call, edit_locks.find_lock(call.work, call.args["id"]))


def _acquire_lock(call: Call) -> Result:
    """Say that one edits a record, and again every twenty seconds; the answer tells whether somebody else does."""
    return _build_result(
        call, edit_locks.acquire_lock(call.work, call.args["id"], take_over=bool(call.args["take_over"]))
    )


def _release_lock(call: Call) -> Result:
    """Say that one edits a record no longer."""
    edit_locks.release_lock(call.work, call.args["id"])
    return _build_result(call, edit_locks.find_lock(call.work, call.args["id"]))


def _build_result(call: Call, lock: EditLock | None) -> Result:
    body: dict[str, Any] = {"record": call.args["id"]}
    if lock is None:
        return Result({**body, "mine": False, "editor": 0, "editor_name": "", "since": None, "expires": None})
    editor = users.find_user(call.work.tx, lock.account)
    return Result(
        {
            **body,
            "mine": lock.account == call.work.user.id,
            "editor": lock.account,
            "editor_name": editor.name if editor is not None else "",
            "since": format_iso(lock.since),
            "expires": format_iso(lock.until),
        }
    )


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of edit locks."""
    errors = (CannotLockRecord, RecordNotFound)
    return (
        Route(READ, PATH, _read_lock, _RECORD, _require_edit_permission, errors=errors, answers=_ANSWER),
        Route(
            WRITE, PATH, _acquire_lock, {**_RECORD, **_TAKE_OVER}, _require_edit_permission, errors=errors,
            answers=_ANSWER,
        ),
        Route(REMOVE, PATH, _release_lock, _RECORD, _require_edit_permission, errors=errors, answers=_ANSWER),
    )  # fmt: skip
