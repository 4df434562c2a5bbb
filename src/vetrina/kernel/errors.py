"""Errors of the interface: one class per code, raised where the rule is implemented.

Rules: docs/rules/errors.md, 1, 2, 3 and 4. Not here: the HTTP status of each failure (rest/error_statuses.py).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from enum import Enum, auto
from typing import Any, ClassVar


class WriteNeeded(Exception):
    """A read turned out to need a write; it is run again as a write."""


class InlineBudgetExceeded(Exception):
    """A request takes longer than it may hold the event loop; it is rolled back and run again in a thread."""


class OtherWriterActive(InlineBudgetExceeded):
    """A request would have to wait for another writer, which the event loop must not."""


class PrecomputationNeeded(Exception):
    """Long work that needs no transaction has to be done before one; the request is run again with its result.

    key: identifies the result within the request. make: computes it.
    """

    def __init__(self, key: Hashable, make: Callable[[], Any]) -> None:
        super().__init__()
        self.key, self.make = key, make


class Failure(Enum):
    """What kind of failure an error is."""

    INVALID = auto()
    UNAUTHENTICATED = auto()
    FORBIDDEN = auto()
    NOT_FOUND = auto()
    WRONG_METHOD = auto()
    CONFLICT = auto()
    GONE = auto()
    PRECONDITION_FAILED = auto()
    TOO_LARGE = auto()
    ADDRESS_TOO_LONG = auto()
    UNPROCESSABLE = auto()
    LOCKED = auto()
    DEPENDENCY_FAILED = auto()
    TOO_MANY = auto()
    NOT_IMPLEMENTED = auto()
    UNAVAILABLE = auto()


class ApiError(Exception):
    """A request that cannot be carried out: what kind of failure it is, a stable code and a helpful message.

    facts: values for the placeholders of the class's message.
    data: further members of the error's `data`, beside `status`.
    headers: response headers that this error adds.
    failures, codes: every failure it may be and every code it may have, where the raising code chooses one; empty for
    `failure` and `code` alone.
    """

    failure: Failure = Failure.INVALID
    failures: ClassVar[tuple[Failure, ...]] = ()
    code: ClassVar[str] = "rest_error"
    codes: ClassVar[tuple[str, ...]] = ()
    message: ClassVar[str] = "The request cannot be carried out."

    def __init__(self, /, *, data: Mapping[str, Any] | None = None, **facts: object) -> None:
        self.data = dict(data or {})
        self.headers: dict[str, str] = {}
        self._facts = facts
        super().__init__()

    def __str__(self) -> str:
        return self.text

    @classmethod
    def list_codes(cls) -> tuple[str, ...]:
        """Return every code that the error may have."""
        return cls.codes or (cls.code,)

    @property
    def text(self) -> str:
        """Return the message; formatted only on demand, since most errors are raised to be caught."""
        return type(self).message.format(**self._facts)

    def body(self) -> dict[str, Any]:
        """Return the error as a response body whose failures are not yet written as statuses."""
        return {"code": self.code, "message": self.text, "data": {"status": self.failure, **self.data}}


class PermissionDenied(ApiError):
    """A right is missing: an account is needed, where the caller has none."""

    failure = Failure.FORBIDDEN
    failures = (Failure.UNAUTHENTICATED, Failure.FORBIDDEN)

    def __init__(self, signed_in: bool, /, *, data: Mapping[str, Any] | None = None, **facts: object) -> None:
        super().__init__(data=data, **facts)
        self.failure = Failure.FORBIDDEN if signed_in else Failure.UNAUTHENTICATED


class NoRoute(ApiError):
    """No route has this path with this method."""

    failure, code = Failure.NOT_FOUND, "rest_no_route"
    message = "No route answers {method} {path}. GET / lists every route with its methods."


class TooManyImages(ApiError):
    """The queue of requests that wait for memory to decode images is full."""

    failure, code = Failure.TOO_MANY, "rest_too_many_images"
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


class SecretInUrl(ApiError):
    """A secret stands in the address, which is written to logs and histories."""

    code = "rest_secret_in_url"
    message = "Send {name} in the body of the request, never in its address."


class Fault:
    """Why one value was refused.

    data: of the detail; `param` is the dotted or bracketed position inside the parameter, `status` a Failure where the
    rule is about a right.
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
