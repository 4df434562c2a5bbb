"""Requests about personal data over the interface: ask, list, confirm, withdraw, fetch the copy.

Rules: docs/rules/personal_data.md, 1 and 2.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.own_account.schema import MAX_KEY_LENGTH
from vetrina.access.personal_data import rules as personal_data, store
from vetrina.access.personal_data.model import (
    ForeignPersonalData,
    ManagersStay,
    NoPersonalDataFile,
    PersonalDataEmailMissing,
    PersonalDataLinkOver,
    PersonalDataRequest,
    PersonalDataRequestNotFound,
    PersonalDataRequestOver,
    RequestKind,
    RequestState,
)
from vetrina.access.personal_data.permissions import require_own_requests, require_request_permission
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.access.users.routes import AuthenticationRequired
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.times import format_iso
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import build_paging_arguments
from vetrina.rest.fields import EDIT, EMBED, VIEW, Field, String
from vetrina.rest.paging import compute_page_offset
from vetrina.rest.resource import ListPage, Operation, Resource
from vetrina.rest.response_fields import Nothing
from vetrina.rest.route import READ, WRITE, Route, allow_anyone
from vetrina.rest.serializer import Serializer, read_attributes

_PATH: Final = "/access/v1/personal-data-requests"
_ITEM: Final = r"{id:[\w\-]+}"
_EVERY: Final = (VIEW, EDIT, EMBED)
_FILE_TYPE: Final = "application/zip"
_KEY: Final = {"id": String("Id of the request.")}
_KINDS: Final = tuple(kind.value for kind in RequestKind)


def _instant(help: str) -> String:
    return String(help, format="date-time", nullable=True, context=_EVERY, readonly=True)


_FIELDS: Final[dict[str, Field]] = {
    "id": String("Id of the request.", format="uuid", context=_EVERY, readonly=True),
    "kind": String("What is asked for: a copy, or the erasure.", enum=_KINDS, context=_EVERY, readonly=True),
    "state": String(
        "How far it is.", enum=tuple(state.value for state in RequestState), context=_EVERY, readonly=True
    ),
    "email": String("Address of the person; empty once the data is erased.", context=_EVERY, readonly=True),
    "created_gmt": _instant("When it was asked for, in GMT."),
    "confirmed_gmt": _instant("When the person confirmed it, in GMT."),
    "due_gmt": _instant("When it is done, in GMT."),
    "finished_gmt": _instant("When it was done, in GMT."),
    "expires_gmt": _instant("When the request, and the copy, are deleted, in GMT."),
}  # fmt: skip
_CREATES: Final[dict[str, Field]] = {
    "kind": String("What is asked for: a copy, or the erasure.", enum=_KINDS, required=True),
    "email": String(
        "Whose data it is about; one's own without it.", format="email", max_length=100, null="keep"
    ),
}  # fmt: skip


def _format(at: int | None) -> str | None:
    return None if at is None else format_iso(at)


_SERIALIZER: Final = Serializer(
    _FIELDS,
    {
        **read_attributes("id", "kind", "state", "email"),
        "created_gmt": lambda one, work: _format(one.created),
        "confirmed_gmt": lambda one, work: _format(one.confirmed),
        "due_gmt": lambda one, work: _format(one.due),
        "finished_gmt": lambda one, work: _format(one.finished),
        "expires_gmt": lambda one, work: _format(one.until),
    },
)


def _list_requests(call: Call) -> ListPage[PersonalDataRequest]:
    work, args = call.work, call.args
    work.forbid_storing()
    account = None if personal_data.may_manage_requests(work.user) else work.user.id
    found, total = store.list_requests(work.tx, account, args["per_page"], compute_page_offset(args))
    return ListPage(found, total)


def _create_request(call: Call) -> PersonalDataRequest:
    email = call.args.get("email") or call.work.user.email
    return personal_data.create_request(call.work, call.args["kind"], email)


def _get_request(call: Call) -> PersonalDataRequest:
    return personal_data.get_request(call.work, call.args["id"])


def _withdraw_request(call: Call, one: PersonalDataRequest) -> PersonalDataRequest:
    return personal_data.withdraw_request(call.work, one)


def _confirm_request(call: Call) -> Result:
    """Confirm a request by the key of its mail; those who remove accounts may do so for the person."""
    work, key = call.work, call.args.get("key")
    if not key and personal_data.may_manage_requests(work.user):
        done = personal_data.confirm_in_place(work, _get_request(call))
    else:
        done = personal_data.confirm_by_key(work, call.args["id"], key or "")
    return REQUESTS.build_result(call, done, context=VIEW)


def _fetch_file(call: Call) -> Result:
    """Fetch the copy of personal data, a ZIP, by the key of its mail or as its owner."""
    content = personal_data.read_file(call.work, call.args["id"], call.args.get("key") or "")
    headers = {"Content-Disposition": 'attachment; filename="personal-data.zip"'}
    return Result(None, headers=headers, raw_content=(_FILE_TYPE, content))


REQUESTS: Final = Resource[PersonalDataRequest](
    title="personal-data-request",
    path=_PATH,
    item=_ITEM,
    key=_KEY,
    serializer=_SERIALIZER,
    find=_get_request,
    context=None,
    force=None,
    written_context=VIEW,
    methods=("GET", "DELETE"),
    list=Operation(
        _list_requests, require_own_requests,
        {name: arg for name, arg in build_paging_arguments().items() if name != "search"}, (AuthenticationRequired,),
    ),
    create=Operation(
        _create_request, require_request_permission, _CREATES,
        (PersonalDataEmailMissing, ForeignPersonalData, TooManyGuesses),
        summary="Ask for a copy of personal data, or for its erasure; the person confirms it by mail.",
    ),
    read=Operation(_get_request, require_own_requests, errors=(AuthenticationRequired, PersonalDataRequestNotFound)),
    delete=Operation(
        _withdraw_request, require_own_requests,
        errors=(AuthenticationRequired, PersonalDataRequestNotFound, PersonalDataRequestOver),
        summary="Withdraw a request that is not done yet.",
    ),
)  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of requests about personal data."""
    key = String("Key from the link in the mail.", max_length=MAX_KEY_LENGTH, null="keep", secret=True)
    return (
        *REQUESTS.build_routes(),
        Route(
            WRITE, f"{_PATH}/{_ITEM}/confirm", _confirm_request, {**_KEY, "key": key}, allow_anyone,
            REQUESTS.build_schema, answers="one", status=200,
            errors=(
                PersonalDataRequestNotFound, PersonalDataLinkOver, PersonalDataRequestOver, ManagersStay,
                TooManyGuesses,
            ),
        ),
        Route(
            READ, f"{_PATH}/{_ITEM}/file", _fetch_file, {**_KEY, "key": key.replace(secret=False)}, allow_anyone,
            kinds=(_FILE_TYPE,),
            answers=Nothing("The file is no JSON."),
            errors=(PersonalDataRequestNotFound, PersonalDataLinkOver, NoPersonalDataFile, TooManyGuesses),
        ),
    )  # fmt: skip
