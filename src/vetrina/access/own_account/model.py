"""A change of a mail address that waits for both addresses, and what may be wrong with what people do."""

from __future__ import annotations

import msgspec

from vetrina.kernel.errors import ApiError, Failure


class EmailChangeLinkOver(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_email_change_link_over"
    message = "This link was used, is older than a day, or the change was withdrawn."


class NoEmailChange(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_no_email_change"
    message = "No change of the mail address of this account waits."


class SameEmail(ApiError):
    code = "rest_email_change_same"
    message = "The account has this address already."


class PasswordResetLinkOver(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_password_link_over"
    message = "This link was used, is older than a day, or a newer one was sent. Ask for another."


class EmailChange(msgspec.Struct, frozen=True):
    """A change that waits. new_agreed, old_agreed: when the addresses agreed, None for not yet."""

    account: int
    id: str
    email: str
    old_email: str
    new_agreed: int | None
    old_agreed: int | None
    created: int
    until: int
