"""The proof of the caller's password that routes ask for before something important.

Rules: docs/rules/second_factors.md, 5; docs/rules/registration.md, 7; docs/rules/server.md, 5.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Final

from vetrina.access.password_proofs import rules
from vetrina.access.password_proofs.model import IncorrectOwnPassword, NoOwnPassword, PasswordClaim
from vetrina.access.sign_in.guess_limiter import TooManyFailedSignIns
from vetrina.core.call import Call
from vetrina.rest.call import defer
from vetrina.rest.fields import Field, String

MAX_PASSWORD_LENGTH: Final = 4096  # characters
_CURRENT: Final = "current_password"

PASSWORD: Final[dict[str, Field]] = {
    "password": String(
        "The caller's own password, once more: a session alone is not enough.", required=True,
        max_length=MAX_PASSWORD_LENGTH, secret=True,
    )
}  # fmt: skip
# Its name where `password` could be taken for a new one.
CURRENT_PASSWORD: Final[dict[str, Field]] = {
    _CURRENT: String(
        "Password of the account, as it is now.", required=True, max_length=MAX_PASSWORD_LENGTH, secret=True
    )
}  # fmt: skip
PROOF_ERRORS: Final = (IncorrectOwnPassword, NoOwnPassword, TooManyFailedSignIns)


def read_claim(call: Call) -> PasswordClaim:
    """Return the claim that a request's password is the caller's. Raises NoOwnPassword, TooManyFailedSignIns."""
    name = _CURRENT if _CURRENT in call.route.args else "password"
    return rules.read_own_claim(call.work, str(call.args[name]))


def prepare_password_proof(call: Call) -> AbstractContextManager[Any]:
    """Return the comparison of the caller's password, which takes long on purpose."""
    return defer(rules.compare_password, read_claim(call))


def require_password(call: Call) -> None:
    """Require that the caller proved the password. Raises IncorrectOwnPassword, TooManyFailedSignIns."""
    rules.require_own_password(call.work, call.prepared)
