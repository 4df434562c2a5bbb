"""Computes rollups by product of past months and years in a job, which counts while writers go on.

A month of a few products that everybody buys takes half a second to count, too long to hold off writers. So a ticket is
written, the rows are read in a transaction that takes no lock, and the result is stored if the ticket is still there:
an order of that time that changed meanwhile deleted it. The current month and year are not stored: each order would
invalidate them. Not here: what is counted (analytics/rollups/jobs.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from vetrina.analytics.facts.reportable_orders import OrderDate
from vetrina.analytics.facts.rows import compute_month
from vetrina.analytics.rollups import jobs as rollup_jobs, product_spans, store as rollup_store
from vetrina.analytics.rollups.jobs import RollupTexts
from vetrina.analytics.rollups.store import COUNTING_MONTH, COUNTING_YEAR, YEAR
from vetrina.backends import job_queue
from vetrina.core.background_work import ExternalTask
from vetrina.core.unit_of_work import UnitOfWork

JOB: Final = "analytics.keep"


def enqueue_counting(work: UnitOfWork) -> None:
    """Enqueue the job that counts the newest month or year that needs it; called every minute, and by the job."""
    found = next(_iterate_due_units(work), None)
    if found is None:
        return
    ticket, dates, unit = found
    rollup_store.save_rollup(work, ticket, dates, unit, "")
    job_queue.enqueue_job(
        work.tx, JOB, {"ticket": ticket, "dates": dates, "unit": unit}, due=work.now, now=work.now, key=JOB
    )  # fmt: skip


def _iterate_due_units(work: UnitOfWork) -> Iterator[tuple[str, OrderDate, int]]:
    """Yield past months and years that are missing or marked: kind of ticket, date, month or year."""
    running = compute_month(work.local_now)
    for dates, month in rollup_jobs.list_marked_months(work):
        if month < running:
            yield COUNTING_MONTH, dates, month
    for kind, dates in rollup_jobs.list_product_rollups(work):
        ticket, now = (COUNTING_YEAR, running // 12) if kind == YEAR else (COUNTING_MONTH, running)
        yield from ((ticket, dates, unit) for unit in rollup_jobs.list_missing_units(work, kind, dates) if unit < now)


def _prepare_counting(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], RollupTexts] | None:
    ticket, dates, unit = arguments["ticket"], arguments["dates"], arguments["unit"]
    if rollup_store.find_rollup(work, ticket, dates, unit) is None:
        return None
    found = (
        _compute_year_texts(work, dates, unit) if ticket == COUNTING_YEAR else _compute_month_texts(work, dates, unit)
    )
    return lambda: found


def _compute_month_texts(work: UnitOfWork, dates: OrderDate, month: int) -> RollupTexts:
    found = rollup_jobs.recompute_marked_month(work, dates, month)
    for kind, by in rollup_jobs.list_product_rollups(work):
        if by == dates and kind != YEAR and (kind, month) not in found:
            rows = product_spans.compute_months(work, kind, dates, [month]).get(month, {})
            found |= rollup_jobs.build_month_texts(kind, month, rows)
    return found


def _compute_year_texts(work: UnitOfWork, dates: OrderDate, year: int) -> RollupTexts:
    return {(YEAR, year): product_spans.build_year_text(work, dates, year)}


def _save_counted(work: UnitOfWork, arguments: Mapping[str, Any], texts: RollupTexts) -> None:
    ticket, dates, unit = arguments["ticket"], arguments["dates"], arguments["unit"]
    if rollup_store.find_rollup(work, ticket, dates, unit) is None:
        return
    for (kind, at), text in texts.items():
        rollup_store.save_rollup(work, kind, dates, at, text)
    if ticket == COUNTING_MONTH:
        rollup_store.unmark_month(work, dates, unit)
    rollup_store.delete_rollup(work, ticket, dates, unit)
    enqueue_counting(work)


ERRAND: Final = ExternalTask(_prepare_counting, _save_counted)
