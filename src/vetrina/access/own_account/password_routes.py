"""Passwords over the interface: resetting a lost one by a link in a mail, and changing one's own.

Rules: docs/rules/registration.md, 7.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Final

from vetrina.access.own_account.model import PasswordResetLinkOver
from vetrina.access.own_account.permissions import require_account
from vetrina.access.own_account.schema import build_key_argument, check_password
from vetrina.access.password_proofs import rules as password_proofs
from vetrina.access.password_proofs.arguments import CURRENT_PASSWORD, PROOF_ERRORS, read_claim
from vetrina.access.password_proofs.model import PasswordClaim, PasswordProof
from vetrina.access.passwords import hashing, reset as password_reset
from vetrina.access.passwords.hashing import HashedPassword
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.access.users import rules as users
from vetrina.access.users.permissions import ACCOUNT_PATH
from vetrina.access.users.routes import AuthenticationRequired
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest.call import Result, defer
from vetrina.rest.fields import Boolean, Integer, Object, String
from vetrina.rest.response_fields import Nothing
from vetrina.rest.route import WRITE, Route, allow_anyone

_ROOT: Final = "/access/v1/passwords"
_NEW: Final = String("The new password.", required=True, null="keep", check=check_password, secret=True)
_ACCEPTED: Final = Object(properties={"accepted": Boolean("True, whether there is such an account or not.")})
_CHANGED: Final = Object(properties={"changed": Boolean("True.")})


def _request_link(call: Call) -> Result:
    """Ask for a link to a new password; who has an account gets it by mail."""
    password_reset.request_password_reset(call.work, call.args["login"])
    return Result({"accepted": True}, status=202)


def _hash_chosen(call: Call) -> AbstractContextManager[Any]:
    return defer(hashing.hash_password, call.args["password"])


def _reset_password(call: Call) -> Result:
    """Choose a new password by the link in a mail; the sessions of the account end."""
    work, args = call.work, call.args
    user = password_reset.find_reset_account(work, args["account"], args["key"])
    if user is None:
        raise PasswordResetLinkOver
    password_reset.reset_password(work, user, HashedPassword(call.prepared))
    return Result({"changed": True})


def _prove_and_hash(claim: PasswordClaim, chosen: str) -> tuple[PasswordProof, HashedPassword]:
    """Return the proof of the present password, and the chosen one hashed; both take long."""
    proof = password_proofs.compare_password(claim)
    return proof, HashedPassword(hashing.hash_password(chosen) if proof.is_right else "")


def _prepare_change(call: Call) -> AbstractContextManager[Any]:
    return defer(_prove_and_hash, read_claim(call), call.args["password"])


def _change_password(call: Call) -> Result:
    """Change the password of one's own account; its other sessions end."""
    work, (proof, chosen) = call.work, call.prepared
    password_proofs.require_own_password(work, proof)
    users.update_user(work, work.user, password=chosen)
    return Result(None, status=204)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of passwords."""
    return (
        Route(
            WRITE, f"{_ROOT}/lost", _request_link,
            {"login": String("User name or e-mail address.", required=True, min_length=1, max_length=200)},
            allow_anyone, answers=_ACCEPTED, status=202, errors=(TooManyGuesses,),
        ),
        Route(
            WRITE, f"{_ROOT}/reset", _reset_password,
            {
                "account": Integer("Number of the account, from the link.", required=True, minimum=1),
                "key": build_key_argument(),
                "password": _NEW,
            },
            allow_anyone, prepare=_hash_chosen, answers=_CHANGED, status=200,
            errors=(TooManyGuesses, PasswordResetLinkOver),
        ),
        Route(
            ("PUT",), f"{ACCOUNT_PATH}/password", _change_password, {**CURRENT_PASSWORD, "password": _NEW},
            require_account, prepare=_prepare_change, answers=Nothing("Nothing."), status=204,
            errors=(AuthenticationRequired, *PROOF_ERRORS),
        ),
    )  # fmt: skip
