"""Forgets what is kept by category once a product that was sold is in other categories, so that it is counted again.

What is kept and what categories have is compared by a job in a transaction that takes no lock: a shop of many products
has tens of thousands of sales to look at. Nothing depends on it but speed, as reports do not read what has become
invalid (analytics/rollups/category_sums.py). Not here: when days and months are kept (analytics/rollups/jobs.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from vetrina.analytics.facts.reportable_orders import OrderDate
from vetrina.analytics.rollups import category_members, category_sums, periods
from vetrina.analytics.rollups.periods import CATEGORY_DAY, CATEGORY_MONTH
from vetrina.backends import job_queue
from vetrina.core.background_work import ExternalTask
from vetrina.core.unit_of_work import UnitOfWork

JOB: Final = "analytics.check_categories"


class _Invalid(NamedTuple):
    digest: str
    found: list[tuple[str, OrderDate, int]]


def enqueue_check(work: UnitOfWork) -> None:
    """Enqueue a job when categories have other products than at the last one, if any sums are kept; every minute."""
    checked = category_sums.find_checked_digest(work)
    if checked is not None and category_members.load_members(work).compute_digest() != checked:
        job_queue.enqueue_missing_job(work.tx, JOB, {}, due=work.now, now=work.now, key=JOB)


def _prepare_check(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], _Invalid]:
    found = [one for one in periods.list_periods(work) if one[0] in (CATEGORY_DAY, CATEGORY_MONTH)]
    valid = {
        (kind, dates, unit)
        for kind, dates in {(kind, dates) for kind, dates, _ in found}
        for unit in category_sums.list_valid_units(work, kind, dates)
    }
    digest = category_members.load_members(work).compute_digest()
    return lambda: _Invalid(digest, [one for one in found if one not in valid])


def _forget_invalid(work: UnitOfWork, arguments: Mapping[str, Any], invalid: _Invalid) -> None:
    for kind, dates, unit in invalid.found:
        category_sums.delete_period(work, kind, dates, unit)
    category_sums.save_checked_digest(work, invalid.digest)


TASK: Final = ExternalTask(_prepare_check, _forget_invalid)
