"""Conditional writes: If-Match and If-Unmodified-Since (RFC 9110, 13.1)."""

from __future__ import annotations

from datetime import UTC
from email.utils import parsedate_to_datetime

from vetrina.content.records.model import Record
from vetrina.core.call import Call
from vetrina.kernel.errors import ApiError, Failure


class PreconditionFailed(ApiError):
    failure, code = Failure.PRECONDITION_FAILED, "rest_precondition_failed"
    message = "The record was changed since you read it; read it again and repeat your change."


def build_state_tag(record: Record) -> str:
    """Return the part of an entity tag that identifies a record's state: it changes with every save."""
    return f"{record.id}-{record.version}"


def check_preconditions(call: Call, record: Record) -> None:
    """Raise PreconditionFailed when a condition of the request does not hold for the record."""
    wanted = call.request.headers.get("if-match")
    if wanted is not None and wanted.strip() != "*":
        # The rest of a tag depends on the reader and the format; for a write only the state of the record matters.
        known = {tag.strip().removeprefix("W/").strip('"').partition(".")[0] for tag in wanted.split(",")}
        if build_state_tag(record) not in known:
            raise PreconditionFailed
    since = call.request.headers.get("if-unmodified-since")
    if since is not None and wanted is None:
        try:
            moment = parsedate_to_datetime(since)
        except (ValueError, OverflowError):
            return
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        if record.modified_gmt > int(moment.timestamp()):
            raise PreconditionFailed
