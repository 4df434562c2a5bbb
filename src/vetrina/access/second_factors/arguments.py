"""The proof of the caller's password that routes ask for before they change what proves an account.

Rules: docs/rules/second_factors.md, 5.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Final

from vetrina.access.second_factors import rules
from vetrina.access.second_factors.model import IncorrectOwnPassword, NoOwnPassword
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.access.users.routes import AuthenticationRequired
from vetrina.access.users.rules import load_password_hash
from vetrina.core.call import Call
from vetrina.rest.call import defer
from vetrina.rest.fields import Field, String

_MAX_PASSWORD_LENGTH: Final = 1000  # characters
_MAX_CODE_LENGTH: Final = 100

PASSWORD: Final[dict[str, Field]] = {
    "password": String(
        "The caller's own password, once more: a session alone changes nothing of what proves the account.",
        required=True, max_length=_MAX_PASSWORD_LENGTH, secret=True,
    )
}  # fmt: skip
CODE: Final[dict[str, Field]] = {
    "code": String(
        "The one-time code that the app shows now, or a recovery code.", required=True, max_length=_MAX_CODE_LENGTH,
        secret=True,
    )
}  # fmt: skip
PROOF_ERRORS: Final = (AuthenticationRequired, IncorrectOwnPassword, NoOwnPassword, TooManyGuesses)


def require_account(call: Call) -> None:
    """Every account, about itself."""
    if not call.work.user:
        raise AuthenticationRequired


def prepare_password_proof(call: Call) -> AbstractContextManager[Any]:
    """Return the comparison of the caller's password, which takes long on purpose."""
    stored = load_password_hash(call.work.tx, call.work.user.id)
    return defer(rules.verify_password, stored, str(call.args["password"]))


def require_password(call: Call) -> None:
    """Require that the caller proved the password. Raises NoOwnPassword, IncorrectOwnPassword, TooManyGuesses."""
    rules.require_own_password(call.work, str(call.args["password"]), call.prepared)
