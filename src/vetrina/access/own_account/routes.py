"""One's own account over the interface: read, change names and language, close it.

Reading and changing are those of the users' routes (access/users/routes.py), for fewer members. Password and mail
address: access/own_account/password_routes.py, access/own_account/email_routes.py. Rules: docs/rules/registration.md, 7
and docs/rules/personal_data.md, 2.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.own_account.permissions import require_account
from vetrina.access.password_proofs.arguments import (
    CURRENT_PASSWORD,
    PROOF_ERRORS,
    prepare_password_proof,
    require_password,
)
from vetrina.access.personal_data import rules as personal_data
from vetrina.access.personal_data.model import ManagersStay, NoClosing, PersonalDataRequest
from vetrina.access.users import routes as user_routes
from vetrina.access.users.permissions import ACCOUNT_PATH, UserNotFound
from vetrina.access.users.routes import AuthenticationRequired
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.times import format_iso
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import build_context_argument
from vetrina.rest.fields import EDIT, Object, String
from vetrina.rest.response_fields import Nothing
from vetrina.rest.route import READ, REMOVE, WRITE, Route

_CLOSING_PATH: Final = f"{ACCOUNT_PATH}/closing"
# What people change here; the address and the password have routes of their own, which ask for the password.
_WRITABLE: Final = ("name", "first_name", "last_name", "nickname", "description", "url", "locale", "meta", "ext")
_CLOSING: Final = Object(
    properties={
        "requested_gmt": String("When its owner wished it, in GMT.", format="date-time"),
        "due_gmt": String("When the account is erased, in GMT.", format="date-time"),
    }
)


def _read_closing(call: Call) -> Result:
    """Tell when the account will be closed."""
    return _show_closing(personal_data.get_closing(call.work, call.work.user))


def _close_account(call: Call) -> Result:
    """Let the account be closed and its personal data erased, some days from now."""
    require_password(call)
    result = _show_closing(personal_data.close_account(call.work, call.work.user))
    result.status = 202
    return result


def _keep_account(call: Call) -> Result:
    """Keep an account that was to be closed."""
    personal_data.withdraw_request(call.work, personal_data.get_closing(call.work, call.work.user))
    return Result(None, status=204)


def _show_closing(one: PersonalDataRequest) -> Result:
    confirmed, due = one.confirmed or one.created, one.due or one.created
    return Result({"requested_gmt": format_iso(confirmed), "due_gmt": format_iso(due)})


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of one's own account."""
    of = user_routes.build_resource(site).build_routes_by_operation()
    context = build_context_argument(default=EDIT)
    return (
        of["read"].replace(
            path=ACCOUNT_PATH, args={"context": context}, allow=require_account, batch=None,
            errors=(AuthenticationRequired, UserNotFound), summary="Read one's own account.",
        ),
        of["update"].replace(
            path=ACCOUNT_PATH, methods=("PATCH",), allow=require_account, batch=None,
            args={name: arg for name, arg in of["update"].args.items() if name in _WRITABLE},
            errors=(AuthenticationRequired, *of["update"].errors), summary="Change one's own names and language.",
        ),
        Route(
            READ, _CLOSING_PATH, _read_closing, {}, require_account, answers=_CLOSING,
            errors=(AuthenticationRequired, NoClosing),
        ),
        Route(
            WRITE, _CLOSING_PATH, _close_account, CURRENT_PASSWORD, require_account, answers=_CLOSING, status=202,
            prepare=prepare_password_proof, errors=(AuthenticationRequired, *PROOF_ERRORS, ManagersStay),
        ),
        Route(
            REMOVE, _CLOSING_PATH, _keep_account, {}, require_account, status=204, answers=Nothing("Nothing."),
            errors=(AuthenticationRequired, NoClosing),
        ),
    )  # fmt: skip
