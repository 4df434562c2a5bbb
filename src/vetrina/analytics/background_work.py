"""Background work of the reports: fact tables that follow the orders, rebuilds, CSV exports and stored sums."""

from __future__ import annotations

from vetrina.analytics.exports import rules as exports
from vetrina.analytics.facts import rebuilding, updates as facts
from vetrina.analytics.notes import rules as notes
from vetrina.analytics.rollups import category_jobs, jobs as rollup_jobs, product_jobs
from vetrina.backends.tables.rollups import ROLLUP_JOB
from vetrina.core.background_work import BackgroundTasks

BACKGROUND = BackgroundTasks(
    handlers={rebuilding.JOB: rebuilding.run_rebuild_job, exports.JOB: exports.run_export},
    external_tasks={ROLLUP_JOB: product_jobs.TASK, category_jobs.JOB: category_jobs.TASK},
    periodic_jobs=(rollup_jobs.save_some_rollups, product_jobs.enqueue_counting, category_jobs.enqueue_check),
    expect_hook_reads=(facts.expect_reads,),
    before_commit=(facts.update_touched_facts, rebuilding.rebuild_on_zone_change, notes.note_transaction_events),
)
