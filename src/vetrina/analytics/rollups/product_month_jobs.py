"""Sums by product of months and years that are over are kept by a job, which counts while writers go on.

A month of a few products that everybody buys takes half a second to count, which no writer should have to wait for. So
a ticket is left, the rows are read in a transaction that locks nothing, and what was found is kept if the ticket is
still there: an order of that time that changed meanwhile took it away. The running month and year are not kept: each
order would spoil them again. Not here: what is counted (analytics/rollups/jobs.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from vetrina.analytics.facts.reportable_orders import Dates
from vetrina.analytics.facts.rows import month_of
from vetrina.analytics.rollups import jobs as rollup_jobs
from vetrina.analytics.rollups import product_spans
from vetrina.analytics.rollups import store as rollup_store
from vetrina.analytics.rollups.jobs import Texts
from vetrina.analytics.rollups.store import COUNTING_MONTH, COUNTING_YEAR, YEAR
from vetrina.backends import job_queue
from vetrina.core.background_work import Errand
from vetrina.core.unit_of_work import Work

__all__ = ["ERRAND", "JOB", "ask_for"]

JOB: Final = "analytics.keep"


def ask_for(work: Work) -> None:
    """Ask for the job that counts the newest month or year that needs it; called every minute, and by the job."""
    found = next(_due(work), None)
    if found is None:
        return
    ticket, dates, unit = found
    rollup_store.keep(work, ticket, dates, unit, "")
    job_queue.put(
        work.tx, JOB, {"ticket": ticket, "dates": dates, "unit": unit}, due=work.now, now=work.now, key=JOB
    )  # fmt: skip


def _due(work: Work) -> Iterator[tuple[str, Dates, int]]:
    """Yield what is missing or marked of what is over: kind of ticket, date, month or year."""
    running = month_of(work.local_now)
    for dates, month in rollup_jobs.marked_months(work):
        if month < running:
            yield COUNTING_MONTH, dates, month
    for kind, dates in rollup_jobs.by_product(work):
        ticket, now = (COUNTING_YEAR, running // 12) if kind == YEAR else (COUNTING_MONTH, running)
        yield from ((ticket, dates, unit) for unit in rollup_jobs.missing(work, kind, dates) if unit < now)


def _count(work: Work, arguments: Mapping[str, Any]) -> Callable[[], Texts] | None:
    ticket, dates, unit = arguments["ticket"], arguments["dates"], arguments["unit"]
    if rollup_store.text_of(work, ticket, dates, unit) is None:
        return None
    found = _year(work, dates, unit) if ticket == COUNTING_YEAR else _month(work, dates, unit)
    return lambda: found


def _month(work: Work, dates: Dates, month: int) -> Texts:
    found = rollup_jobs.renewed(work, dates, month)
    for kind, by in rollup_jobs.by_product(work):
        if by == dates and kind != YEAR and (kind, month) not in found:
            rows = product_spans.computed(work, kind, dates, [month]).get(month, {})
            found |= rollup_jobs.texts(kind, month, rows)
    return found


def _year(work: Work, dates: Dates, year: int) -> Texts:
    return {(YEAR, year): product_spans.year_text(work, dates, year)}


def _keep(work: Work, arguments: Mapping[str, Any], found: Texts) -> None:
    ticket, dates, unit = arguments["ticket"], arguments["dates"], arguments["unit"]
    if rollup_store.text_of(work, ticket, dates, unit) is None:
        return
    for (kind, at), text in found.items():
        rollup_store.keep(work, kind, dates, at, text)
    if ticket == COUNTING_MONTH:
        rollup_store.unmark(work, dates, unit)
    rollup_store.forget(work, ticket, dates, unit)
    ask_for(work)


ERRAND: Final = Errand(_count, _keep)
