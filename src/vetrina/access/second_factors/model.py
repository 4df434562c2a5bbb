"""The values of second factors, and their errors. Rules: docs/rules/second_factors.md."""

from __future__ import annotations

import msgspec

from vetrina.kernel.errors import ApiError, Failure


class SecondFactorRequired(ApiError):
    """The password is right, and the account has a second factor that was not given."""

    failure, code = Failure.UNAUTHENTICATED, "rest_second_factor_required"
    message = "The account has a second factor. Send its one-time code, or a recovery code, as `code`."


class PasskeyRequired(SecondFactorRequired):
    """The password is right, and passkeys are the account's only second factor: a browser asks for them on a page."""

    code = "rest_passkey_required"
    message = (
        "The account has passkeys alone. Sign in at {address} and ask for a token with that session, "
        "or send a recovery code as `code`."
    )


class IncorrectCode(ApiError):
    """The code is neither the one-time code of now, nor a recovery code that was not used yet."""

    failure, code = Failure.FORBIDDEN, "rest_incorrect_code"
    message = "The code is wrong, too old, or was used before. Send the code that the app shows now."


class SecondFactorSetupRequired(ApiError):
    """A role of the account requires a second factor, and it has none yet."""

    failure, code = Failure.FORBIDDEN, "rest_second_factor_setup_required"
    message = "Your role requires a second factor. Set up one-time codes or a passkey at {address} first."


class OneTimeCodesInUse(ApiError):
    """The account has one-time codes already."""

    failure, code = Failure.CONFLICT, "rest_one_time_codes_in_use"
    message = "The account has one-time codes already. Remove them before you set up new ones."


class NoEnrolment(ApiError):
    """Nothing was begun that a first code could confirm, or it is too old."""

    failure, code = Failure.CONFLICT, "rest_no_one_time_codes_begun"
    message = "No set-up of one-time codes is waiting for its first code. Begin one."


class NoSecondFactor(ApiError):
    """The account has no second factor of this kind."""

    failure, code = Failure.NOT_FOUND, "rest_no_second_factor"
    message = "The account has no such second factor."


class OneTimeCodeState(msgspec.Struct, frozen=True):
    """The one-time codes of an account as they are stored. The fields are the columns; times: seconds since 1970."""

    account: int
    secret: str
    created: int
    confirmed: int | None
    last_step: int


class Enrolment(msgspec.Struct, frozen=True):
    """What an app needs to show one-time codes. secret: in base32. uri: the same as apps read it."""

    secret: str
    uri: str


class FactorSummary(msgspec.Struct, frozen=True):
    """Which second factors an account has.

    required: whether a role of it requires one. confirmed: since when it has one-time codes, None where it has none.
    recovery_codes: how many are left. passkeys: how many it has.
    """

    required: bool
    confirmed: int | None
    recovery_codes: int
    passkeys: int
