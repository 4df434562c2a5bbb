"""What an operation answers when it cannot be done: one class per code, raised where the rule lives.

Not here: the bytes of an error answer (edge/answer.py). Rules: facts of the interface, "Errors".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

__all__ = ["ApiError", "Fault", "InvalidParam", "MissingParam", "NoRoute", "Refused", "WriteNeeded"]


class WriteNeeded(Exception):
    """A read found that it must write first; it is carried out anew as a write."""


class ApiError(Exception):
    """A failure that the client caused: an HTTP status, a stable code and a sentence that helps.

    facts: values for the holes of the class's message.
    data: further members of the answer's `data`, beside `status`.
    headers: headers that the answer carries because of this error.
    statuses: all that it may be answered with where whoever raises it chooses one; empty for `status` alone.
    """

    status: ClassVar[int] = 400
    statuses: ClassVar[tuple[int, ...]] = ()
    code: ClassVar[str] = "rest_error"
    message: ClassVar[str] = "The request cannot be carried out."

    def __init__(self, /, *, data: Mapping[str, Any] | None = None, **facts: object) -> None:
        self.answer_status = type(self).status
        self.data = dict(data or {})
        self.headers: dict[str, str] = {}
        self.text = type(self).message.format(**facts)
        super().__init__(self.text)

    def body(self) -> dict[str, Any]:
        """Return the error as the interface writes it: code, message and data with the status."""
        return {"code": self.code, "message": self.text, "data": {"status": self.answer_status, **self.data}}


class Refused(ApiError):
    """A right is missing: 401 for a caller without an account, 403 for one with an account."""

    status = 403

    def __init__(self, signed_in: bool, /, *, data: Mapping[str, Any] | None = None, **facts: object) -> None:
        super().__init__(data=data, **facts)
        self.answer_status = 403 if signed_in else 401


class NoRoute(ApiError):
    """No route has this path with this method (the interface has no 405)."""

    status, code = 404, "rest_no_route"
    message = "No route answers {method} {path}. GET / lists every route with its methods."


class MissingParam(ApiError):
    """Required parameters are absent everywhere; `data.params` lists their names."""

    code = "rest_missing_callback_param"
    message = "Missing parameter(s): {names}."

    def __init__(self, names: list[str]) -> None:
        super().__init__(names=", ".join(names), data={"params": names})


class Fault:
    """Why one value was refused.

    param: the dotted or bracketed place inside the parameter, None where the answer names none.
    status: written into the detail's data where the rule is about a right.
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
