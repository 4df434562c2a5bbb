"""Conditional writes of records: what identifies the state of one."""

from __future__ import annotations

from vetrina.content.records.model import Record
from vetrina.core.call import Call
from vetrina.rest.preconditions import check_request_preconditions


def build_state_tag(record: Record) -> str:
    """Return the part of an entity tag that identifies a record's state: it changes with every save."""
    return f"{record.id}-{record.version}"


def check_preconditions(call: Call, record: Record) -> None:
    """Raise PreconditionFailed when a condition of the request does not hold for the record."""
    check_request_preconditions(call.request, lambda: build_state_tag(record), record.modified_gmt)
