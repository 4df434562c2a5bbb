"""Requests about personal data: a copy of it, or its erasure; their states, and what may be wrong with them."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from vetrina.kernel.errors import ApiError, Failure, PermissionDenied


class RequestKind(StrEnum):
    """What is asked for."""

    EXPORT = "export"
    ERASURE = "erasure"


class RequestState(StrEnum):
    """How far a request is."""

    UNCONFIRMED = "unconfirmed"  # its link was not followed yet
    CONFIRMED = "confirmed"  # it will be done when it is due
    DONE = "done"
    WITHDRAWN = "withdrawn"


class PersonalDataRequestNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_personal_data_invalid_id"
    message = "There is no such request of yours."


class PersonalDataLinkOver(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_personal_data_link_over"
    message = "This link was used, is too old, or is not complete. Ask again."


class PersonalDataRequestOver(ApiError):
    failure, code = Failure.CONFLICT, "rest_personal_data_over"
    message = "This request is {state}, and cannot be changed any more."


class NoPersonalDataFile(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_personal_data_no_file"
    message = "This request has no file: it is not ready, or its time has run out."


class PersonalDataEmailMissing(ApiError):
    code = "rest_personal_data_email"
    message = "Say by `email` whose data it is about."


class ForeignPersonalData(PermissionDenied):
    code = "rest_personal_data_foreign"
    message = "Those who are signed in ask about their own address alone; leave `email` out."


class ManagersStay(ApiError):
    failure, code = Failure.CONFLICT, "rest_cannot_close_account"
    message = "This account manages others. Another such account removes it, so that a site never loses the last one."


class NoClosing(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_no_closing"
    message = "This account is not about to be closed."


class PersonalDataRequest(msgspec.Struct, frozen=True):
    """A request. account: 0 for a person without one. email: empty once the person is erased.

    due: when it is done, None while it is not confirmed. until: seconds since 1970 after which it is forgotten.
    """

    id: str
    kind: str
    state: str
    email: str
    email_key: str
    account: int
    language: str
    digest: str
    file_digest: str
    created: int
    confirmed: int | None
    due: int | None
    finished: int | None
    until: int
