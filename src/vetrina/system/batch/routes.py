"""Several writes in one call; each goes through the same table and the same checks as a lone request.

All members are matched and validated first, then run one after the other in one transaction; a member that fails is
undone by itself. Rules: interface.md, "Root and batch"; facts, "Batch".
"""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import urlsplit

from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import ApiError, InvalidParam, MissingParam
from vetrina.rest import batches, query_strings
from vetrina.rest.batches import BatchNotAllowed
from vetrina.rest.call import Answer, Call, Request, Result
from vetrina.rest.route import WRITE, Route

__all__ = ["PathUnreadable", "routes"]


class PathUnreadable(ApiError):
    """The path of a member is no path."""

    code = "parse_path_failed"
    message = "The path {path!r} cannot be read."


_OF_ARGUMENTS = frozenset({InvalidParam.code, MissingParam.code})


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the batch route."""
    return (
        Route(
            WRITE,
            "/batch/v1",
            _batch,
            args=batches.ARGUMENTS,
            answers=batches.ANSWERED,
            status=207,
            carries=("requests",),
        ),
    )


def _batch(call: Call) -> Result:
    """Carry out several writes in one call; each is answered in its own envelope."""
    members = [_prepared(call, member) for member in call.args["requests"]]
    faults = [_fault(call, member) for member in members]
    if call.args["validation"] == "require-all-validate" and any(faults):
        return batches.none_ran(faults)
    answers = []
    room = batches.Room(call)
    for member, fault in zip(members, faults, strict=True):
        # Wrong arguments are told once more by their route, which says in `Allow` what the caller may do there.
        wrong = fault is not None and fault.body["code"] in _OF_ARGUMENTS
        if isinstance(member, Request) and (fault is None or wrong):
            answers.append(room.answer(partial(call.ask.answer_within, member, call.work)))
        elif fault is not None:
            answers.append(fault)
    return batches.answered(answers)


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
        query=query_strings.parse(parts.query),
        form=member.get("body") or {},
        headers=batches.headers_of(member),
        remote=outer.remote,
        inner=True,
    )  # fmt: skip


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
