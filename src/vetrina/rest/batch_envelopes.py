"""Requests inside one request: how they are declared, and how each is answered in an envelope of its own.

Rules: docs/rules/batches.md, 1, 3 and 6. The batches themselves: system/batch/routes.py, and that of shop visitors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.json_text import iterate_json_pieces
from vetrina.rest.call import Call, Response, Result
from vetrina.rest.error_statuses import build_member_error_response
from vetrina.rest.fields import AnyOf, Array, Field, Integer, Object, String
from vetrina.rest.response_fields import Free, build_map_field

MAX_BATCH_REQUESTS: Final = 25  # requests in a batch


class BatchTooLarge(ApiError):
    """The responses to earlier members of a batch have used up the bytes that a batch may have."""

    failure, code = Failure.TOO_LARGE, "rest_batch_too_large"
    message = (
        "The members before this one weigh more than {limit} bytes together, so it was not carried out; send it in"
        " another batch."
    )


class BatchBudget:
    """What the members of a batch may still use: bytes of their responses and of the texts rendered for storage."""

    def __init__(self, call: Call[Any]) -> None:
        self._limit = self._left = call.work.site.profile.limits.batch_bytes
        self._budget = call.work.budget

    def require(self) -> None:
        """Raise BatchTooLarge when nothing is left."""
        if self._left - self._budget.saved < 0:
            raise BatchTooLarge(limit=self._limit)

    def spend(self, body: Any) -> None:
        """Take the bytes of a member's response."""
        # Other threads may run between the items of a list; the text of a record is in one member of it anyway.
        self._left -= sum(map(len, iterate_json_pieces(body, 1 if isinstance(body, list) else 0)))

    def answer(self, ask: Callable[[], Response]) -> Response:
        """Return the response to a member, or its refusal when the budget is used up."""
        try:
            self.require()
        except BatchTooLarge as error:
            return build_member_error_response(error)
        answer = ask()
        self.spend(answer.body)
        return answer


_BATCH_MEMBER: Final = Object(
    properties={
        "method": String(enum=("POST", "PUT", "PATCH", "DELETE"), default="POST"),
        "path": String(required=True),
        "body": Object(additional=True, extra={"properties": {}, "additionalProperties": True}),
        "headers": Object(additional=AnyOf(kinds=(String(), Array(items=String()))), extra={"properties": {}}),
    }
)
BATCH_ARGUMENTS: Final[Mapping[str, Field]] = {
    "validation": String(
        "Whether a member that cannot be valid keeps all others from running.",
        enum=("require-all-validate", "normal"),
        default="normal",
        null="keep",
    ),
    "requests": Array(
        "The requests, in the order in which they run.",
        items=_BATCH_MEMBER,
        max_items=MAX_BATCH_REQUESTS,
        required=True,
    ),
}
BATCH_RESPONSE: Final = Object(
    properties={
        "failed": String("What kept all of them from running.", enum=("validation",), optional=True),
        "responses": Array(
            "What each was answered, in their order; null for one that could have run where another could not.",
            items=Object(
                properties={
                    "body": Free("What the lone request would be answered.", of=()),
                    "status": Integer(),
                    "headers": build_map_field(AnyOf("", (String(), Integer())), "Headers by name."),
                },
                extra={"type": ["object", "null"]},
            ),
        ),
    }
)


class BatchNotAllowed(ApiError):
    """The route of a member takes no batch."""

    code = "rest_batch_not_allowed"
    message = "The route {path} does not support batch requests; send this request by itself."


def build_member_headers(member: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers that a member sets for itself."""
    return {
        name.lower().replace("_", "-"): ", ".join(value) if isinstance(value, list) else str(value)
        for name, value in (member.get("headers") or {}).items()
    }


def build_batch_result(answers: list[Response]) -> Result:
    """Return the result of a batch whose members ran."""
    return Result({"responses": [_build_envelope(one) for one in answers]}, status=207)


def build_unrun_result(faults: list[Response | None]) -> Result:
    """Return the result of a batch of which no member ran, because some are invalid."""
    return Result({"failed": "validation", "responses": [one and _build_envelope(one) for one in faults]}, status=207)


def _build_envelope(answer: Response) -> dict[str, Any]:
    named = {**answer.headers, **({"Link": ", ".join(answer.links)} if answer.links else {})}
    return {"body": answer.body, "status": answer.status, "headers": named}
