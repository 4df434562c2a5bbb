"""The exceptions of the client.

VetrinaError
├── NoAnswer                 the site could not be reached, or did not respond in time
├── NotUnderstood            the response is not one of the interface
├── BatchFailed              parts of a batch were refused; `errors` has each
├── NotRun                   a part of a batch was not run, because of another one
└── ApiError                 the interface refused: `code`, `status`, `params`, `data`
    ├── InvalidParameters    400 that names parameters
    ├── NotSignedIn          401
    ├── Forbidden            403
    ├── NotFound             404
    ├── Conflict             409
    ├── TooManyRequests      429; `retry_after` seconds
    └── ServerError          5xx
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = [
    "ApiError",
    "BatchFailed",
    "Conflict",
    "Forbidden",
    "InvalidParameters",
    "NoAnswer",
    "NotFound",
    "NotRun",
    "NotSignedIn",
    "NotUnderstood",
    "ServerError",
    "TooManyRequests",
    "VetrinaError",
    "refusal",
]  # fmt: skip


class VetrinaError(Exception):
    """The base class of this client's exceptions."""


class NoAnswer(VetrinaError):
    """The site could not be reached, or did not respond in time; whether a write was carried out is unknown."""


class NotUnderstood(VetrinaError):
    """The response is not one of the interface: no JSON, a redirect, another URL."""


class NotRun(VetrinaError):
    """A part of a batch was not run: another one is invalid, or the batch was not sent."""


class ApiError(VetrinaError):
    """The interface refused a request.

    code: stable, in the dialect's names. message: for people. status: of HTTP. data: further members of the error.
    params: the refused parameters, each with the reason; empty if none is named.
    retry_after: seconds after which it may be sent again, None if the site does not say.
    """

    def __init__(
        self, status: int, code: str, message: str, data: Mapping[str, Any], retry_after: float | None = None
    ) -> None:
        super().__init__(status, code, message, data, retry_after)
        self.status, self.code, self.message, self.data, self.retry_after = status, code, message, data, retry_after
        self.params = _params(data.get("params"))

    def __str__(self) -> str:
        return f"{self.message} ({self.status} {self.code})"


class InvalidParameters(ApiError):
    """Parameters are missing or wrong; `params` names each."""


class NotSignedIn(ApiError):
    """401: the credentials are missing or wrong."""


class Forbidden(ApiError):
    """403: the account may not do this."""


class NotFound(ApiError):
    """404: there is no such record, or no such route."""


class Conflict(ApiError):
    """409: the request conflicts with what is stored now."""


class TooManyRequests(ApiError):
    """429: wait for `retry_after` seconds."""


class ServerError(ApiError):
    """5xx: the site failed to handle the request."""


class BatchFailed(VetrinaError):
    """Parts of a batch were refused; the others were run. errors: of the parts, in order."""

    def __init__(self, errors: Sequence[VetrinaError], of: int) -> None:
        super().__init__(errors, of)
        self.errors = tuple(errors)
        self._of = of

    def __str__(self) -> str:
        return f"{len(self.errors)} of {self._of} parts of the batch failed; the first: {self.errors[0]}"


_BY_STATUS: dict[int, type[ApiError]] = {
    401: NotSignedIn, 403: Forbidden, 404: NotFound, 409: Conflict, 429: TooManyRequests,
}  # fmt: skip


def refusal(status: int, body: Any, retry_after: float | None = None) -> ApiError:
    """Return the exception for an error response; body: its JSON, whatever that is."""
    members = body if isinstance(body, dict) else {}
    data = members.get("data")
    data = data if isinstance(data, dict) else {}
    kind = ServerError if status >= 500 else _BY_STATUS.get(status, ApiError)
    if status == 400 and data.get("params"):
        kind = InvalidParameters
    message = members.get("message") or f"The site answered {status}."
    return kind(status, str(members.get("code", "")), str(message), data, retry_after)


def _params(params: Any) -> dict[str, str]:
    """Return the refused parameters with their reasons; of missing ones the response has the names only."""
    if isinstance(params, dict):
        return {str(name): str(reason) for name, reason in params.items()}
    if isinstance(params, list):
        return {str(name): "missing" for name in params}
    return {}
