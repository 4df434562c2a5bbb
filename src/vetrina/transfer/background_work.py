"""What is moved in the background: imports and comparisons that were started from a browser."""

from __future__ import annotations

from vetrina.core.background_work import BackgroundTasks, ExternalTask
from vetrina.system.jobs.long_jobs import SITE_COMPARISON_JOB, SITE_IMPORT_JOB
from vetrina.transfer.site_comparison import running as comparisons
from vetrina.transfer.site_import import running as imports

BACKGROUND = BackgroundTasks(
    external_tasks={
        SITE_IMPORT_JOB: ExternalTask(imports.prepare_import, imports.save_import),
        SITE_COMPARISON_JOB: ExternalTask(comparisons.prepare_comparison, comparisons.save_comparison),
    },
    periodic_jobs=(imports.delete_old_uploads,),
)
