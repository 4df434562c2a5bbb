"""What reports do in the background: tables that follow the orders, rebuilding, files, sums that are kept."""

from __future__ import annotations

from vetrina.analytics.exports import rules as exports
from vetrina.analytics.facts import rebuilding
from vetrina.analytics.facts import rules as facts
from vetrina.analytics.notes import rules as notes
from vetrina.analytics.rollups import jobs as rollup_jobs
from vetrina.analytics.rollups import product_month_jobs
from vetrina.core.background_work import Background

__all__ = ["BACKGROUND"]

BACKGROUND = Background(
    handlers={rebuilding.JOB: rebuilding.carry_on, exports.JOB: exports.carry_out},
    errands={product_month_jobs.JOB: product_month_jobs.ERRAND},
    sweeps=(rollup_jobs.sweep, product_month_jobs.ask_for),
    settling=(facts.settle, rebuilding.settle, notes.settle),
)
