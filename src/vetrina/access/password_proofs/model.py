"""A password that is to be proved, what came of it, and the refusals."""

from __future__ import annotations

import msgspec

from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure


class IncorrectOwnPassword(ApiError):
    """The password that proves the caller once more is wrong."""

    failure, code = Failure.FORBIDDEN, "rest_incorrect_password"
    message = "This is not the password of your account."


class NoOwnPassword(ApiError):
    """The account signs in without a password of its own, so that none can prove it once more."""

    failure, code = Failure.CONFLICT, "rest_no_own_password"
    message = "Your account has no password yet. Set one first: the page for lost passwords sends a link."


class PasswordClaim(msgspec.Struct, frozen=True):
    """A password that somebody gave, and what it is compared with.

    user: whose it is to be, NOBODY for an unknown login. login: by which guesses are counted. stored: its hash, empty
    where there is none.
    """

    user: User
    login: str
    given: str
    stored: str


class PasswordProof(msgspec.Struct, frozen=True):
    """What the comparison of a password found."""

    claim: PasswordClaim
    is_right: bool
