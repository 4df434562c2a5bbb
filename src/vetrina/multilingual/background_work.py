"""Background work of translation: jobs are exchanged with services, and texts of the site become strings."""

from __future__ import annotations

from vetrina.core.background_work import BackgroundTasks, ExternalTask, discard_result
from vetrina.multilingual.jobs import event_sources, mails as job_mails, outdated
from vetrina.multilingual.services import dispatch
from vetrina.multilingual.strings import site_texts

BACKGROUND = BackgroundTasks(
    external_tasks={
        dispatch.SEND: ExternalTask(dispatch.prepare_sending, dispatch.record_sending),
        dispatch.FILL: ExternalTask(dispatch.prepare_machine_filling, dispatch.record_machine_filling),
        dispatch.CALL_OFF: ExternalTask(dispatch.prepare_calling_off, discard_result),
        job_mails.MAIL: ExternalTask(job_mails.prepare_job_mail, discard_result),
    },
    before_commit=(site_texts.register_written_texts, outdated.flag_outdated_translations),
    expect_hook_reads=(outdated.expect_reads,),
    periodic_jobs=(site_texts.run_text_registration,),
    webhook_resources=(event_sources.build_job_resources,),
)
