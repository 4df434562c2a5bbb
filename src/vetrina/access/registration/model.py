"""A registration that waits for its address to be confirmed, and what may be wrong with one."""

from __future__ import annotations

import msgspec

from vetrina.kernel.errors import ApiError, Failure, PermissionDenied


class AccountRegistrationClosed(PermissionDenied):
    code = "rest_registration_closed"
    message = "This site makes no accounts on request. Ask those who run it."


class EmailDomainRefused(ApiError):
    code = "rest_registration_domain"
    message = "Addresses of {domain} may not register here. Use another address."


class InvalidRegistrationEmail(ApiError):
    code = "rest_registration_email"
    message = "{email!r} is no mail address."


class RegistrationLinkOver(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_registration_link_over"
    message = "This link was used, is older than a day, or is not complete. Register again."


class RegistrationPasswordMissing(ApiError):
    code = "rest_registration_password"
    message = "Send a `password` that is not empty and has no backslash; this registration brought none."


class PendingRegistration(msgspec.Struct, frozen=True):
    """An account to be. password: its hash, empty where it is chosen later. until: seconds since 1970."""

    id: str
    email: str
    email_key: str
    login: str
    name: str
    locale: str
    password: str
    digest: str
    created: int
    until: int
