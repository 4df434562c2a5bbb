"""The mail address of one's own account over the interface: whether it is confirmed, and its change.

Rules: docs/rules/registration.md, 5 and 8.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.own_account import email_changes
from vetrina.access.own_account.model import (
    EmailChange,
    EmailChangeLinkOver,
    NoEmailChange,
    SameEmail,
)
from vetrina.access.own_account.permissions import require_account
from vetrina.access.own_account.schema import build_key_argument
from vetrina.access.password_proofs.arguments import (
    CURRENT_PASSWORD,
    PROOF_ERRORS,
    prepare_password_proof,
    require_password,
)
from vetrina.access.registration import confirmed_emails
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.access.users import rules as users
from vetrina.access.users.permissions import ACCOUNT_PATH
from vetrina.access.users.routes import AuthenticationRequired
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.times import format_iso
from vetrina.rest.call import Result
from vetrina.rest.fields import Boolean, Object, String
from vetrina.rest.response_fields import Nothing
from vetrina.rest.route import READ, REMOVE, WRITE, Route, allow_anyone

_PATH: Final = f"{ACCOUNT_PATH}/email"
_MAX_EMAIL_LENGTH: Final = 100  # characters
_CHANGE: Final = {
    "email": String("Address that the account is to have.", format="email"),
    "new_agreed": Boolean("Whether the new address has agreed."),
    "old_agreed": Boolean("Whether the present address has agreed."),
    "expires_gmt": String("When the change is given up, in GMT.", format="date-time"),
}
_STATE: Final = Object(
    properties={
        "email": String("Address of the account.", format="email"),
        "confirmed": Boolean("Whether its owner has proved to read it."),
        "waits": Boolean("Whether a change waits."),
    }
)
_ANSWERED: Final = Object(
    properties={
        "changed": Boolean("Whether the account has the new address now."),
        "refused": Boolean("Whether the change was refused."),
    }
)


def _read_email(call: Call) -> Result:
    """Read the mail address of one's own account, and whether it is confirmed."""
    work = call.work
    work.forbid_storing()
    try:
        email_changes.get_email_change(work, work.user)
        waits = True
    except NoEmailChange:
        waits = False
    confirmed = confirmed_emails.has_confirmed_email(work, work.user)
    return Result({"email": work.user.email, "confirmed": confirmed, "waits": waits})


def _start_change(call: Call) -> Result:
    """Ask both addresses whether the account may have another one."""
    require_password(call)
    return Result(_show_change(email_changes.start_email_change(call.work, call.work.user, call.args["email"])), 202)


def _withdraw_change(call: Call) -> Result:
    """Withdraw a change of the mail address that waits."""
    email_changes.withdraw_email_change(call.work, email_changes.get_email_change(call.work, call.work.user))
    return Result(None, status=204)


def _answer_change(call: Call) -> Result:
    """Agree to a change of a mail address, or refuse it, by the link that one of both addresses got."""
    refused = bool(call.args["refuse"])
    change = email_changes.answer_email_change(call.work, call.args["key"], refused=refused)
    return Result({"changed": not refused and email_changes.is_finished(change), "refused": refused})


def _show_change(change: EmailChange) -> dict[str, object]:
    return {
        "email": change.email,
        "new_agreed": change.new_agreed is not None,
        "old_agreed": change.old_agreed is not None,
        "expires_gmt": format_iso(change.until),
    }


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the mail address of one's own account."""
    return (
        Route(READ, _PATH, _read_email, {}, require_account, answers=_STATE, errors=(AuthenticationRequired,)),
        Route(
            WRITE, _PATH, _start_change,
            {
                "email": String("The new address.", format="email", required=True, max_length=_MAX_EMAIL_LENGTH),
                **CURRENT_PASSWORD,
            },
            require_account, prepare=prepare_password_proof, answers=Object(properties=_CHANGE), status=202,
            errors=(AuthenticationRequired, *PROOF_ERRORS, SameEmail, TooManyGuesses),
        ),
        Route(
            REMOVE, _PATH, _withdraw_change, {}, require_account, answers=Nothing("Nothing."), status=204,
            errors=(AuthenticationRequired, NoEmailChange),
        ),
        Route(
            WRITE, f"{_PATH}/confirm", _answer_change,
            {"key": build_key_argument(), "refuse": Boolean("True to refuse the change.", default=False)},
            allow_anyone, answers=_ANSWERED, status=200,
            errors=(TooManyGuesses, EmailChangeLinkOver, users.ChangedEmailTaken),
        ),
    )  # fmt: skip
