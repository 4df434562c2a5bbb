"""Statuses and dates: which ones a record may get. Which status follows from a date: content/records/scheduling.py.

Rules: docs/rules/dates.md, 1, 2, 4 and 5; docs/rules/statuses.md, 1 to 3; docs/rules/kinds.md, 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vetrina.access.roles.capabilities import may_publish_records
from vetrina.content.records.model import Record
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Failure, PermissionDenied

WRITABLE_STATUSES = ("publish", "future", "draft", "pending", "private", "ext-disabled")
STORED_STATUSES = (
    "publish", "future", "draft", "pending", "private", "trash", "auto-draft", "inherit", "request-pending",
    "request-confirmed", "request-failed", "request-completed", "ext-disabled",
)  # fmt: skip
FILTERABLE_STATUSES = (*STORED_STATUSES, "any")
ANY_STATUSES = ("publish", "future", "draft", "pending", "private")  # what the status filter `any` means
PUBLISHED_STATUSES = ("publish", "future", "private")  # those of records that are finished
FLOATING_STATUSES = frozenset({"draft", "pending"})  # statuses whose records have no date until one is chosen


class CannotPublishRecord(PermissionDenied):
    code = "rest_cannot_publish"
    message = "You may not give records of this type the status {status}; save it as draft or pending."


class RecordAlreadyTrashed(ApiError):
    failure, code = Failure.GONE, "rest_already_trashed"
    message = "This record is in the trash already; send force=true to remove it for good."


class InvalidDate(ApiError):
    code = "invalid_date"
    message = "The date {value!r} does not exist."


def require_status(work: UnitOfWork, type: ContentType, status: str, language: str) -> None:
    """Raise CannotPublishRecord when the caller may not set this status on a record in a language."""
    if status in ("publish", "future", "private") and not may_publish_records(work.user, type, language):
        raise CannotPublishRecord(bool(work.user), status=status)


def resolve_dates(work: UnitOfWork, given: Mapping[str, Any], old: Record | None, status: str) -> tuple[int, int, bool]:
    """Return local date, GMT date and whether the date floats, after a write.

    given: the written members; `date` and `date_gmt` are ISO 8601 text or None. status: the new one.
    Raises InvalidDate for a date that is in no calendar.
    """
    floats = status in FLOATING_STATUSES
    now = (work.local_now, work.now)
    given_dates = [name for name in ("date", "date_gmt") if name in given]
    if any(given[name] is None for name in given_dates):
        return *now, floats
    for name in given_dates:
        zone = work.zone
        try:
            written = times.parse_date_time(given[name])
            resolved = zone.resolve_local(written) if name == "date" else zone.resolve_gmt(written)
        except times.DateTimeOutOfRange:
            raise InvalidDate(value=given[name]) from None
        if old is not None and name == "date" and resolved[0] == old.date:
            # The client sent back what it had read; that does not choose a floating date.
            break
        return *resolved, False
    if old is None or old.floating:
        return *now, floats
    return old.date, old.date_gmt, False
