"""Requests that one request carries: how they are declared, and how each is answered in an envelope of its own.

Not here: which routes may be carried and in what order they run; the site and the shop's visitors have a batch each.
Rules: interface.md, "Root and batch".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from vetrina.kernel.errors import ApiError
from vetrina.kernel.json_text import pieces
from vetrina.rest.call import Answer, Call, Result
from vetrina.rest.fields import AnyOf, Array, Field, Integer, Object, String
from vetrina.rest.response_fields import Free, by_name

__all__ = [
    "ANSWERED", "ARGUMENTS", "MOST", "BatchNotAllowed", "BatchTooLarge", "Room", "answered", "headers_of", "none_ran",
]  # fmt: skip

MOST: Final = 25  # requests of a batch


class BatchTooLarge(ApiError):
    """The members of a batch before this one weigh all that they may together."""

    status, code = 413, "rest_batch_too_large"
    message = (
        "The members before this one weigh more than {limit} bytes together, so it was not carried out; send it in"
        " another batch."
    )


class Room:
    """What the members of a batch may still weigh together: their answers, and the texts rendered for them."""

    def __init__(self, call: Call) -> None:
        self._limit = self._left = call.work.frame.profile.limits.batch_bytes
        self._budget = call.work.budget

    def require(self) -> None:
        """Raise BatchTooLarge when nothing is left."""
        if self._left - self._budget.saved < 0:
            raise BatchTooLarge(limit=self._limit)

    def take(self, body: Any) -> None:
        """Take the room that a member's answer needs."""
        self._left -= sum(map(len, pieces(body)))

    def answer(self, ask: Callable[[], Answer]) -> Answer:
        """Return the answer of a member, or its refusal where no room is left for it."""
        try:
            self.require()
        except BatchTooLarge as error:
            return Answer(error.answer_status, error.body(), {}, [], failed=True)
        answer = ask()
        self.take(answer.body)
        return answer


_MEMBER: Final = Object(
    properties={
        "method": String(enum=("POST", "PUT", "PATCH", "DELETE"), default="POST"),
        "path": String(required=True),
        "body": Object(additional=True, extra={"properties": {}, "additionalProperties": True}),
        "headers": Object(additional=AnyOf(kinds=(String(), Array(items=String()))), extra={"properties": {}}),
    }
)
ARGUMENTS: Final[Mapping[str, Field]] = {
    "validation": String(
        "Whether a member that cannot be valid keeps all others from running.",
        enum=("require-all-validate", "normal"), default="normal", null="keep",
    ),
    "requests": Array("The requests, in the order in which they run.", items=_MEMBER, max_items=MOST, required=True),
}  # fmt: skip
ANSWERED: Final = Object(
    properties={
        "failed": String("What kept all of them from running.", enum=("validation",)),
        "responses": Array(
            "What each was answered, in their order; null for one that could have run where another could not.",
            items=Object(
                properties={
                    "body": Free("What the lone request would be answered.", of=()),
                    "status": Integer(),
                    "headers": by_name(AnyOf("", (String(), Integer())), "Headers by name."),
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


def headers_of(member: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers that a carried request gives itself."""
    return {
        name.lower().replace("_", "-"): ", ".join(value) if isinstance(value, list) else str(value)
        for name, value in (member.get("headers") or {}).items()
    }


def answered(answers: list[Answer]) -> Result:
    """Return the answer of a batch whose members ran."""
    return Result({"responses": [_envelope(one) for one in answers]}, status=207)


def none_ran(faults: list[Answer | None]) -> Result:
    """Return the answer of a batch of which no member ran, because of the faults of some."""
    return Result({"failed": "validation", "responses": [one and _envelope(one) for one in faults]}, status=207)


def _envelope(answer: Answer) -> dict[str, Any]:
    named = {**answer.headers, **({"Link": ", ".join(answer.links)} if answer.links else {})}
    return {"body": answer.body, "status": answer.status, "headers": named}
