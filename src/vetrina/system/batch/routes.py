"""Several writes in one request; each passes the same route table and checks as a single request.

All members are matched and validated first, then run in order in one transaction; a member that fails is rolled back
by itself. Rules: docs/rules/batches.md, 1, 2, 4, 5, 6 and 7.
"""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import urlsplit

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, InvalidParam, MissingParam
from vetrina.rest import batch_envelopes, query_strings
from vetrina.rest.batch_envelopes import BatchNotAllowed
from vetrina.rest.call import Request, Response, Result
from vetrina.rest.error_statuses import build_member_error_response
from vetrina.rest.route import WRITE, Route


class BatchPathUnreadable(ApiError):
    """The path of a member is no path."""

    code = "parse_path_failed"
    message = "The path {path!r} cannot be read."


_ARGUMENT_CODES = frozenset({InvalidParam.code, MissingParam.code})


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the batch route."""
    return (
        Route(
            WRITE,
            "/batch/v1",
            _run_batch,
            args=batch_envelopes.BATCH_ARGUMENTS,
            answers=batch_envelopes.BATCH_RESPONSE,
            status=207,
            batch_arguments=("requests",),
        ),
    )


def _run_batch(call: Call) -> Result:
    """Carry out several writes in one call; each is answered in its own envelope."""
    members = [_build_member_request(call, member) for member in call.args["requests"]]
    faults = [_find_fault(call, member) for member in members]
    if call.args["validation"] == "require-all-validate" and any(faults):
        return batch_envelopes.build_unrun_result(faults)
    answers = []
    budget = batch_envelopes.BatchBudget(call)
    following: list[Request | ApiError | None] = [*members[1:], None]
    # One more than members where there are none.
    for member, fault, after in zip(members, faults, following, strict=False):
        if isinstance(after, Request) and after.expect is not None:
            after.expect()
            after.is_expected = True
        # Invalid arguments are reported once more by their route, whose `Allow` lists what the caller may do there.
        wrong = fault is not None and fault.body["code"] in _ARGUMENT_CODES
        if isinstance(member, Request) and (fault is None or wrong):
            answers.append(budget.answer(partial(call.ask.answer_within, member, call.work)))
        elif fault is not None:
            answers.append(fault)
    return batch_envelopes.build_batch_result(answers)


def _build_member_request(call: Call, member: dict[str, Any]) -> Request | ApiError:
    """Return the request that a member describes, or the error of an invalid path."""
    outer, path = call.request, member["path"]
    try:
        parts = urlsplit(path)
        readable = not path.startswith("//") and not (parts.scheme and not parts.netloc and "//" in path)
    except ValueError:
        readable = False
    if not readable:
        return BatchPathUnreadable(path=path)
    return Request(
        member["method"], parts.path, outer.root, outer.origin, outer.language,
        query=query_strings.parse_query(parts.query),
        form=member.get("body") or {},
        headers=batch_envelopes.build_member_headers(member),
        remote=outer.remote,
        inner=True,
    )  # fmt: skip


def _find_fault(call: Call, member: Request | ApiError) -> Response | None:
    """Return the error response of a member that is refused before it runs, or None."""
    try:
        if isinstance(member, ApiError):
            raise member
        route = call.ask.locate(member)[2]
        if not route.batch:
            raise BatchNotAllowed(path=member.path)
        call.ask.check(member, call.work)
    except ApiError as error:
        return build_member_error_response(error)
    return None
