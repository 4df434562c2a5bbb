"""Statuses and dates: which a record may be given, and how they move each other.

Rules: interface.md, "States and transitions"; facts of the interface, "Dates" and "Statuses".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vetrina.access.roles.capabilities import may_publish
from vetrina.backends import job_queue
from vetrina.content.records.model import Record
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import Work
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Refused

__all__ = [
    "ANY",
    "FILTERABLE",
    "FLOATING",
    "PUBLISH",
    "WRITABLE",
    "AlreadyTrashed",
    "CannotPublish",
    "InvalidDate",
    "await_date",
    "dated",
    "require_status",
    "settled",
]  # fmt: skip

WRITABLE = ("publish", "future", "draft", "pending", "private", "ext-disabled")
FILTERABLE = (
    "publish", "future", "draft", "pending", "private", "trash", "auto-draft", "inherit", "request-pending",
    "request-confirmed", "request-failed", "request-completed", "ext-disabled", "any",
)  # fmt: skip
ANY = ("publish", "future", "draft", "pending", "private")  # what the status filter `any` means
FLOATING = frozenset({"draft", "pending"})  # statuses whose records have no date until they get one
PUBLISH = "publish"  # the kind of job that publishes a record at its date (content/records/scheduling.py)

_AHEAD = 60  # seconds; a date that is nearer is now


class CannotPublish(Refused):
    code = "rest_cannot_publish"
    message = "You may not give records of this type the status {status}; save it as draft or pending."


class AlreadyTrashed(ApiError):
    status, code = 410, "rest_already_trashed"
    message = "This record is in the trash already; send force=true to remove it for good."


class InvalidDate(ApiError):
    code = "invalid_date"
    message = "The date {value!r} does not exist."


def require_status(work: Work, type: ContentType, status: str) -> None:
    """Raise CannotPublish when the caller may not give this status."""
    if status in ("publish", "future", "private") and not may_publish(work.user, type):
        raise CannotPublish(bool(work.user), status=status)


def settled(status: str, date_gmt: int, now: int) -> str:
    """Return the status that a date leaves: published ones wait for a date ahead, waiting ones end with it."""
    if status not in ("publish", "future"):
        return status
    return "future" if date_gmt - now >= _AHEAD else "publish"


def dated(work: Work, given: Mapping[str, Any], old: Record | None, status: str) -> tuple[int, int, bool]:
    """Return local date, GMT date and whether the date floats, after a write.

    given: the written members; `date` and `date_gmt` are ISO 8601 text or None. status: the new one.
    Raises InvalidDate for a date that no calendar has.
    """
    floats = status in FLOATING
    now = (work.local_now, work.now)
    asked = [name for name in ("date", "date_gmt") if name in given]
    if any(given[name] is None for name in asked):
        return *now, floats
    for name in asked:
        zone = work.zone
        try:
            written = times.parse(given[name])
            settled = zone.settle(written) if name == "date" else zone.settle_gmt(written)
        except times.Impossible:
            raise InvalidDate(value=given[name]) from None
        if old is not None and name == "date" and settled[0] == old.date:
            # Sent back as it was shown; a date that floats was not chosen by that.
            break
        return *settled, False
    if old is None or old.floating:
        return *now, floats
    return old.date, old.date_gmt, False


def await_date(work: Work, old: Record | None, new: Record) -> None:
    """Note the job that publishes a record at its date, when a save made it wait or moved its date.

    A record that stops waiting keeps its job, which then finds nothing to do.
    """
    if new.status == "future" and (old is None or (old.status, old.date_gmt) != (new.status, new.date_gmt)):
        job_queue.put(work.tx, PUBLISH, {"record": new.id}, due=new.date_gmt, now=work.now, key=f"{PUBLISH}:{new.id}")
