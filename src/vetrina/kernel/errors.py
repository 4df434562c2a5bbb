"""Errors of the interface: one class per code, raised where the rule is implemented.

Rules: docs/rules/errors.md, 1, 2, 3 and 4. How an error becomes a response: http/responses.py.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, ClassVar

__all__ = [
    "ApiError",
    "Fault",
    "InlineBudgetExceeded",
    "InvalidParam",
    "MissingParam",
    "NoRoute",
    "PermissionDenied",
    "PrecomputationNeeded",
    "TooManyImages",
    "WriteNeeded",
]  # fmt: skip


class WriteNeeded(Exception):
    """A read turned out to need a write; it is run again as a write."""


class InlineBudgetExceeded(Exception):
    """A request takes longer than it may hold the event loop; it is rolled back and run again in a thread."""


class PrecomputationNeeded(Exception):
    """Long work that needs no transaction has to be done before one; the request is run again with its result.

    key: identifies the result within the request. make: computes it.
    """

    def __init__(self, key: Hashable, make: Callable[[], Any]) -> None:
        super().__init__()
        self.key, self.make = key, make


class ApiError(Exception):
    """A failure that the client caused: an HTTP status, a stable code and a helpful message.

    facts: values for the placeholders of the class's message.
    data: further members of the error's `data`, beside `status`.
    headers: response headers that this error adds.
    statuses: every status it may have, where the raising code chooses one; empty for `status` alone.
    """

    status: ClassVar[int] = 400
    statuses: ClassVar[tuple[int, ...]] = ()
    code: ClassVar[str] = "rest_error"
    message: ClassVar[str] = "The request cannot be carried out."

    def __init__(self, /, *, data: Mapping[str, Any] | None = None, **facts: object) -> None:
        self.answer_status = type(self).status
        self.data = dict(data or {})
        self.headers: dict[str, str] = {}
        self._facts = facts
        super().__init__()

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """Return the message; formatted only on demand, since most errors are raised to be caught."""
        return type(self).message.format(**self._facts)

    def body(self) -> dict[str, Any]:
        """Return the error as a response body: code, message and data with the status."""
        return {"code": self.code, "message": self.text, "data": {"status": self.answer_status, **self.data}}


class PermissionDenied(ApiError):
    """A right is missing: 401 for a caller without an account, 403 for one with an account."""

    status = 403

    def __init__(self, signed_in: bool, /, *, data: Mapping[str, Any] | None = None, **facts: object) -> None:
        super().__init__(data=data, **facts)
        self.answer_status = 403 if signed_in else 401


class NoRoute(ApiError):
    """No route has this path with this method (the interface has no 405)."""

    status, code = 404, "rest_no_route"
    message = "No route answers {method} {path}. GET / lists every route with its methods."


class TooManyImages(ApiError):
    """The queue of requests that wait for memory to decode images is full."""

    status, code = 429, "rest_too_many_images"
    message = "{count} requests with images are waiting for their turn. Send this one again in {wait} seconds."

    def __init__(self, count: int, wait: int) -> None:
        super().__init__(count=count, wait=wait)
        self.headers["Retry-After"] = str(wait)


class MissingParam(ApiError):
    """Required parameters are absent everywhere; `data.params` lists their names."""

    code = "rest_missing_callback_param"
    message = "Missing parameter(s): {names}."

    def __init__(self, names: list[str]) -> None:
        super().__init__(names=", ".join(names), data={"params": names})


class Fault:
    """Why one value was refused.

    data: of the detail; `param` is the dotted or bracketed position inside the parameter, `status` stands there where
    the rule is about a right.
    """

    __slots__ = ("code", "data", "message")

    def __init__(self, code: str, message: str, data: Mapping[str, Any] | None = None) -> None:
        self.code, self.message = code, message
        self.data = dict(data) if data is not None else None

    def detail(self) -> dict[str, Any]:
        return {"code": self.code, "message": self.message, "data": self.data}


class InvalidParam(ApiError):
    """One or more parameters were refused; all of the round are named."""

    code = "rest_invalid_param"
    message = "Invalid parameter(s): {names}."

    def __init__(self, faults: Mapping[str, Fault]) -> None:
        super().__init__(
            names=", ".join(faults),
            data={
                "params": {name: fault.message for name, fault in faults.items()},
                "details": {name: fault.detail() for name, fault in faults.items() if fault.code},
            },
        )
