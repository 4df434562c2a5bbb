"""The HTTP status of each failure, and how an error becomes a response.

Rules: docs/rules/errors.md, 1 and 2. Not here: headers and bytes (http/responses.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Response, Result

STATUSES: Final[Mapping[Failure, int]] = {
    Failure.INVALID: 400,
    Failure.UNAUTHENTICATED: 401,
    Failure.FORBIDDEN: 403,
    Failure.NOT_FOUND: 404,
    Failure.WRONG_METHOD: 405,
    Failure.CONFLICT: 409,
    Failure.GONE: 410,
    Failure.PRECONDITION_FAILED: 412,
    Failure.TOO_LARGE: 413,
    Failure.ADDRESS_TOO_LONG: 414,
    Failure.UNPROCESSABLE: 422,
    Failure.LOCKED: 423,
    Failure.DEPENDENCY_FAILED: 424,
    Failure.TOO_MANY: 429,
    Failure.NOT_IMPLEMENTED: 501,
    Failure.UNAVAILABLE: 503,
}


def list_error_statuses(error: type[ApiError]) -> list[int]:
    """Return every status that an error may have."""
    return [STATUSES[failure] for failure in error.failures or (error.failure,)]


def serialize_error(error: ApiError) -> dict[str, Any]:
    """Return an error as a response body: code, message and data with the status."""
    body: dict[str, Any] = _write_statuses(error.body())
    return body


def build_error_response(error: ApiError) -> Response:
    """Return the response to a request that an error ends."""
    return Response(STATUSES[error.failure], serialize_error(error), dict(error.headers), [], failed=True)


def build_member_error_response(error: ApiError) -> Response:
    """Return the response to a member of a batch that is refused before it runs; it has no headers of its own."""
    return Response(STATUSES[error.failure], serialize_error(error), {}, [], failed=True)


def build_error_result(error: ApiError) -> Result:
    """Return what a handler returns that tells an error and has written something all the same."""
    return Result(serialize_error(error), STATUSES[error.failure])


def _write_statuses(value: Any) -> Any:
    """Return a value of an error's body with the status of each failure in its place."""
    if isinstance(value, Failure):
        return STATUSES[value]
    if isinstance(value, dict):
        return {name: _write_statuses(one) for name, one in value.items()}
    return [_write_statuses(one) for one in value] if isinstance(value, list) else value
