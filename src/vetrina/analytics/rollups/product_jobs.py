"""Keeps sums by product of past months and years by jobs, which count while writers go on.

A month of a few products that everybody buys takes half a second to count, too long to hold off writers. So a job reads
the rows in a transaction that takes no lock, and what it counted is kept in the one that marks it done. An order of
that time that changes meanwhile starts the job again, and the run that was overtaken writes nothing
(backends/job_queue.py). The current month and year are not kept: each order would change them. Not here: what is
counted (analytics/rollups/product_counts.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from vetrina.analytics.facts.reportable_orders import OrderDate
from vetrina.analytics.facts.rows import compute_month
from vetrina.analytics.rollups import jobs as rollup_jobs, product_counts, product_store
from vetrina.analytics.rollups.periods import MONTH, YEAR
from vetrina.analytics.rollups.product_counts import ProductCount
from vetrina.backends import job_queue
from vetrina.backends.tables.rollups import ROLLUP_JOB
from vetrina.core.background_work import ExternalTask
from vetrina.core.unit_of_work import UnitOfWork

_PAUSE: Final = 60  # seconds from a change until what it overtook is counted again


def enqueue_counting(work: UnitOfWork) -> None:
    """Enqueue a job for each past month and year that is not kept or has marked products; called every minute."""
    for kind, dates, unit in dict.fromkeys(_iterate_due_units(work)):
        job_queue.enqueue_missing_job(
            work.tx, ROLLUP_JOB, {"kind": kind, "dates": dates, "unit": unit}, due=work.now, now=work.now,
            key=_build_key(kind, dates, unit),
        )  # fmt: skip


def restart_counting(work: UnitOfWork, months: Iterable[tuple[str, int]]) -> None:
    """Let the jobs that are counting start again whose month, or a month of whose year, has changed; by date, month."""
    keys = {
        key for dates, month in months
        for key in (_build_key(MONTH, dates, month), _build_key(YEAR, dates, month // 12))
    }  # fmt: skip
    job_queue.restart_running_jobs(work.tx, ROLLUP_JOB, work.now + _PAUSE, keys)


def _build_key(kind: str, dates: str, unit: int) -> str:
    return f"{ROLLUP_JOB} {kind} {dates} {unit}"


def _iterate_due_units(work: UnitOfWork) -> Iterator[tuple[str, OrderDate, int]]:
    """Yield past months and years that are missing or marked: MONTH or YEAR, date, month or year."""
    running = compute_month(work.local_now)
    for dates, month in product_store.list_marked_months(work):
        if month < running:
            yield MONTH, dates, month
    for kind, dates in product_counts.list_product_kinds(work):
        period, now = (YEAR, running // 12) if kind == YEAR else (MONTH, running)
        yield from ((period, dates, unit) for unit in rollup_jobs.list_missing_units(work, kind, dates) if unit < now)


def _prepare_counting(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], ProductCount] | None:
    dates, unit = arguments["dates"], arguments["unit"]
    count = (
        product_counts.count_year(work, dates, unit) if arguments["kind"] == YEAR else _count_month(work, dates, unit)
    )
    return lambda: count


def _count_month(work: UnitOfWork, dates: OrderDate, month: int) -> ProductCount:
    """Count marked products where the month is kept, and the whole of it where it is not."""
    out = product_counts.recount_marked_month(work, dates, month)
    missing = [
        kind for kind, by in product_counts.list_product_kinds(work)
        if by == dates and kind != YEAR and (kind, month) not in out.months
    ]  # fmt: skip
    out.months |= product_counts.count_month(work, missing, dates, month).months
    return out


def _save_counted(work: UnitOfWork, arguments: Mapping[str, Any], count: ProductCount) -> None:
    product_counts.save_count(work, count)
    if arguments["kind"] == MONTH:
        product_store.unmark_month(work, count.dates, arguments["unit"])


TASK: Final = ExternalTask(_prepare_counting, _save_counted)
