"""The dates of a record: local time and GMT, which of two wins, null, and dates that float.

Not here: the status that follows from a date (content/records/scheduling.py). Rules: docs/rules/dates.md, 1, 2 and 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError

FLOATING_STATUSES = frozenset({"draft", "pending"})  # statuses whose records have no date until one is chosen


class InvalidDate(ApiError):
    code = "invalid_date"
    message = "The date {value!r} does not exist."


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
