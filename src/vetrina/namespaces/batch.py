"""Several writes in one call; each goes through the same table and the same checks as a lone request.

All members are matched and validated first, then run one after the other in one transaction; a member that fails is
undone by itself. Rules: interface.md, "Root and batch"; facts, "Batch".
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from vetrina.declare import query
from vetrina.declare.call import Answer, Call, Request, Result
from vetrina.declare.fields import AnyOf, Array, Integer, Object, String
from vetrina.declare.route import WRITE, Route
from vetrina.declare.shown import Free, by_name
from vetrina.domain.work import Frame
from vetrina.kernel.errors import ApiError, InvalidParam, MissingParam

__all__ = ["BatchNotAllowed", "PathUnreadable", "routes"]

MOST_REQUESTS = 25


class BatchNotAllowed(ApiError):
    """The route of a member takes no batch."""

    code = "rest_batch_not_allowed"
    message = "The route {path} does not support batch requests; send this request by itself."


class PathUnreadable(ApiError):
    """The path of a member is no path."""

    code = "parse_path_failed"
    message = "The path {path!r} cannot be read."


_OF_ARGUMENTS = frozenset({InvalidParam.code, MissingParam.code})
_MEMBER = Object(
    properties={
        "method": String(enum=("POST", "PUT", "PATCH", "DELETE"), default="POST"),
        "path": String(required=True),
        "body": Object(additional=True, extra={"properties": {}, "additionalProperties": True}),
        "headers": Object(additional=AnyOf(kinds=(String(), Array(items=String()))), extra={"properties": {}}),
    }
)

_ANSWERED = Object(
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


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the batch route."""
    return (
        Route(
            WRITE,
            "/batch/v1",
            _batch,
            args={
                "validation": String(
                    "Whether a member that cannot be valid keeps all others from running.",
                    enum=("require-all-validate", "normal"),
                    default="normal",
                    null="keep",
                ),
                "requests": Array(
                    "The requests, in the order in which they run.", items=_MEMBER, max_items=25, required=True
                ),
            },
            answers=_ANSWERED,
            status=207,
            carries=("requests",),
        ),
    )


def _batch(call: Call) -> Result:
    """Carry out several writes in one call; each is answered in its own envelope."""
    members = [_prepared(call, member) for member in call.args["requests"]]
    faults = [_fault(call, member) for member in members]
    if call.args["validation"] == "require-all-validate" and any(faults):
        return Result(
            {"failed": "validation", "responses": [fault and _envelope(fault) for fault in faults]}, status=207
        )
    responses = []
    for member, fault in zip(members, faults, strict=True):
        # Wrong arguments are told once more by their route, which says in `Allow` what the caller may do there.
        wrong = fault is not None and fault.body["code"] in _OF_ARGUMENTS
        if isinstance(member, Request) and (fault is None or wrong):
            fault = call.ask.answer_within(member, call.work)
        responses.append(fault and _envelope(fault))
    return Result({"responses": responses}, status=207)


def _prepared(call: Call, member: dict[str, Any]) -> Request | ApiError:
    """Return the request that a member describes, or why its path cannot be read."""
    outer, path = call.request, member["path"]
    try:
        parts = urlsplit(path)
        readable = not path.startswith("//") and not (parts.scheme and not parts.netloc and "//" in path)
    except ValueError:
        readable = False
    if not readable:
        return PathUnreadable(path=path)
    return Request(
        member["method"], parts.path, outer.root, outer.origin, outer.language,
        query=query.parse(parts.query),
        form=member.get("body") or {},
        headers=_headers(member.get("headers") or {}),
        remote=outer.remote,
        inner=True,
    )  # fmt: skip


def _headers(given: dict[str, Any]) -> dict[str, str]:
    return {
        name.lower().replace("_", "-"): ", ".join(value) if isinstance(value, list) else str(value)
        for name, value in given.items()
    }


def _fault(call: Call, member: Request | ApiError) -> Answer | None:
    """Return what a member is refused with before it runs, or None."""
    try:
        if isinstance(member, ApiError):
            raise member
        route = call.ask.locate(member)[2]
        if not route.batch:
            raise BatchNotAllowed(path=member.path)
        call.ask.check(member, call.work)
    except ApiError as error:
        return Answer(error.answer_status, error.body(), {}, [], failed=True)
    return None


def _envelope(answer: Answer) -> dict[str, Any]:
    named = {**answer.headers, **({"Link": ", ".join(answer.links)} if answer.links else {})}
    return {"body": answer.body, "status": answer.status, "headers": named}
