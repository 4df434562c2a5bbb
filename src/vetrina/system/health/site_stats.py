"""Figures of a site that its operator watches: jobs, how far the search index is behind, bytes of the database.

Not here: whether a figure is bad (system/health/checks.py, for people), requests (http/metrics.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from vetrina.backends import job_queue, search_index
from vetrina.core.disk_usage import sizes as sizes_of
from vetrina.core.unit_of_work import Work

__all__ = ["Vitals", "vitals"]


@dataclass(frozen=True, slots=True)
class Vitals:
    """jobs: how many by state; those that wait are `due` or `scheduled` for later. late: seconds of the longest due.

    search_lag: changes that the search index has not read. database: bytes. uploads: bytes, without the sizes made.
    """

    jobs: dict[str, int]
    late: int
    search_lag: int
    database: int
    uploads: int


def vitals(work: Work) -> Vitals:
    """Return the figures of a site as they are now."""
    sizes = sizes_of(work)
    counted, late = job_queue.counted(work.tx, work.now)
    return Vitals(counted, late, search_index.backlog(work.tx), sizes.database, sizes.uploads)
