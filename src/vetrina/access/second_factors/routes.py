"""Routes of second factors: which there are, one-time codes on and off, recovery codes, and removing somebody else's.

Passkeys: access/passkeys/routes.py. Rules: docs/rules/second_factors.md, 7.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.own_account.permissions import require_account
from vetrina.access.passkeys.rules import find_relying_party
from vetrina.access.password_proofs.arguments import (
    PASSWORD,
    PROOF_ERRORS,
    prepare_password_proof,
    require_password,
)
from vetrina.access.second_factors import one_time_codes, removal, rules
from vetrina.access.second_factors.arguments import CODE
from vetrina.access.second_factors.model import IncorrectCode, NoEnrolment, NoSecondFactor, OneTimeCodesInUse
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.access.users import rights as user_rights, rules as users
from vetrina.access.users.permissions import UserNotFound
from vetrina.access.users.routes import AuthenticationRequired
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.user import User
from vetrina.kernel.errors import PermissionDenied
from vetrina.kernel.times import format_iso
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String
from vetrina.rest.route import READ, REMOVE, WRITE, Route

PATH: Final = "/access/v1/second-factors"
_OF_USER: Final = "/access/v1/users/{id}/second-factors"
_CODES: Final = f"{PATH}/one-time-codes"


class CannotHandleFactors(PermissionDenied):
    """Another's second factors are removed by those who may edit the account; one's own by other routes."""

    code = "rest_cannot_edit"
    message = "You may not remove the second factors of this user; remove your own at /access/v1/second-factors."


SUMMARY: Final = Object(
    "Which second factors an account has.",
    properties={
        "required": Boolean("Whether a role of the account requires one."),
        "one_time_codes": Boolean("Whether one-time codes are on."),
        "one_time_codes_since": String("Since when, in GMT; null for never.", format="date-time", nullable=True),
        "recovery_codes": Integer("How many recovery codes are left."),
        "passkeys": Integer("How many passkeys there are."),
        "passkeys_available": Boolean("Whether browsers have passkeys for the address of this site."),
    },
)
_ENROLMENT: Final = Object(
    "What an app needs to show one-time codes; nothing is on before its first code.",
    properties={
        "secret": String("The secret in base32, for apps without a camera."),
        "uri": String("The same as apps read it.", format="uri"),
        "qr_code": String("The same as a picture for their camera, in SVG."),
    },
)
RECOVERY_CODES: Final = Array(
    "New recovery codes, shown this once: each is good for one sign-in.", items=String(), max_items=10
)
_NEW_CODES: Final = Object(properties={"recovery_codes": RECOVERY_CODES})
_USER: Final[dict[str, Field]] = {"id": Integer("Number of the account.", early=True, null="keep")}


def _find_user(call: Call) -> User:
    id = call.args.get("id")
    found = users.find_user(call.work.tx, id, call.work.site.roles) if isinstance(id, int) and id > 0 else None
    if found is None:
        raise UserNotFound(id=id)
    return found


def _require_removal_permission(call: Call) -> None:
    """Those who may edit the account (`edit_users`), of others than themselves."""
    caller = call.work.user
    if not caller:
        raise CannotHandleFactors(False)
    user = _find_user(call)
    if user.id == caller.id or not user_rights.may_edit_user(caller, user):
        raise CannotHandleFactors(True)


def _describe(call: Call, user: User) -> dict[str, Any]:
    found = rules.summarize_factors(call.work, user)
    return {
        "required": found.required,
        "one_time_codes": found.confirmed is not None,
        "one_time_codes_since": None if found.confirmed is None else format_iso(found.confirmed),
        "recovery_codes": found.recovery_codes,
        "passkeys": found.passkeys,
        "passkeys_available": find_relying_party(call.work.site) is not None,
    }


def _read_factors(call: Call) -> Result:
    """Tell which second factors the caller's account has."""
    return Result(_describe(call, call.work.user))


def _begin_codes(call: Call) -> Result:
    """Begin to set up one-time codes: the secret for an app, which its first code turns on."""
    require_password(call)
    found = rules.begin_one_time_codes(call.work, call.work.user)
    return Result({"secret": found.secret, "uri": found.uri, "qr_code": one_time_codes.draw_qr_code(found.uri)})


def _confirm_codes(call: Call) -> Result:
    """Turn on one-time codes by a first code; answers the recovery codes, where there were none before."""
    codes = rules.confirm_one_time_codes(call.work, call.work.user, call.args["code"])
    return Result({"recovery_codes": list(codes)})


def _remove_codes(call: Call) -> Result:
    """Turn off one-time codes, with the password and a code."""
    require_password(call)
    rules.remove_one_time_codes(call.work, call.work.user, call.args["code"])
    return Result(_describe(call, call.work.user))


def _replace_recovery_codes(call: Call) -> Result:
    """Make new recovery codes in place of the old ones."""
    require_password(call)
    return Result({"recovery_codes": list(rules.replace_recovery_codes(call.work, call.work.user))})


def _read_factors_of_user(call: Call) -> Result:
    """Tell which second factors another account has."""
    return Result(_describe(call, _find_user(call)))


def _remove_factors_of_user(call: Call) -> Result:
    """Remove every second factor of another account, for somebody who lost the phone."""
    user = _find_user(call)
    removal.remove_all_factors(call.work, user)
    return Result(_describe(call, user))


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of second factors."""
    others = (UserNotFound, CannotHandleFactors)
    return (
        Route(READ, PATH, _read_factors, {}, require_account, errors=(AuthenticationRequired,), answers=SUMMARY),
        Route(
            WRITE, _CODES, _begin_codes, PASSWORD, require_account, prepare=prepare_password_proof,
            errors=(AuthenticationRequired, *PROOF_ERRORS, OneTimeCodesInUse), answers=_ENROLMENT,
        ),
        Route(
            REMOVE, _CODES, _remove_codes, {**PASSWORD, **CODE}, require_account, prepare=prepare_password_proof,
            errors=(AuthenticationRequired, *PROOF_ERRORS, NoSecondFactor, IncorrectCode, TooManyGuesses),
            answers=SUMMARY,
        ),
        Route(
            WRITE, f"{_CODES}/confirm", _confirm_codes, CODE, require_account,
            errors=(AuthenticationRequired, NoEnrolment, IncorrectCode, TooManyGuesses), answers=_NEW_CODES,
        ),
        Route(
            WRITE, f"{PATH}/recovery-codes", _replace_recovery_codes, PASSWORD, require_account,
            prepare=prepare_password_proof, errors=(AuthenticationRequired, *PROOF_ERRORS, NoSecondFactor),
            answers=_NEW_CODES,
        ),
        Route(
            READ, _OF_USER, _read_factors_of_user, _USER, _require_removal_permission, errors=others, answers=SUMMARY
        ),
        Route(
            REMOVE, _OF_USER, _remove_factors_of_user, _USER, _require_removal_permission,
            errors=(*others, NoSecondFactor), answers=SUMMARY,
        ),
    )  # fmt: skip
