"""Conditional writes: If-Match and If-Unmodified-Since (RFC 9110, 13.1).

Rules: docs/rules/global_parameters.md, 9.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC
from email.utils import parsedate_to_datetime

from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Request


class PreconditionFailed(ApiError):
    failure, code = Failure.PRECONDITION_FAILED, "rest_precondition_failed"
    message = "The record was changed since you read it; read it again and repeat your change."


def check_request_preconditions(request: Request, load_state: Callable[[], str], modified: int) -> None:
    """Raise PreconditionFailed when a condition of a request does not hold for a record.

    load_state: returns the word that leads the record's entity tags (`Result.state`); asked only where a condition
    needs it. modified: when the record was changed, in seconds since 1970.
    """
    wanted = request.headers.get("if-match")
    if wanted is not None:
        if wanted.strip() != "*":
            # The rest of a tag depends on the reader and the format; for a write only the state of the record matters.
            known = {tag.strip().removeprefix("W/").strip('"').partition(".")[0] for tag in wanted.split(",")}
            if load_state() not in known:
                raise PreconditionFailed
        return
    since = request.headers.get("if-unmodified-since")
    if since is None:
        return
    try:
        moment = parsedate_to_datetime(since)
    except (ValueError, OverflowError):
        return
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if modified > int(moment.timestamp()):
        raise PreconditionFailed
