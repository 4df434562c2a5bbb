"""Figures of a site for its operator: jobs, how far the search index is behind, bytes of the database.

Whether a figure is bad: system/health/checks.py. Figures of requests: http/metrics.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from vetrina.backends import job_queue, search_index
from vetrina.core.disk_usage import compute_site_sizes as sizes_of
from vetrina.core.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class SiteStats:
    """jobs: how many by state; waiting ones are `due` or `scheduled` for later. late: seconds of the longest overdue.

    search_lag: changes that are not indexed yet. database: bytes. uploads: bytes, without generated image sizes.
    """

    jobs: dict[str, int]
    late: int
    search_lag: int
    database: int
    uploads: int


def compute_site_stats(work: UnitOfWork) -> SiteStats:
    """Return the current figures of a site."""
    sizes = sizes_of(work)
    counted, late = job_queue.count_jobs(work.tx, work.now)
    return SiteStats(counted, late, search_index.count_unindexed_changes(work.tx), sizes.database, sizes.uploads)
