"""What every site does in the background: records are published in time, feeds are fetched, passwords are reset."""

from __future__ import annotations

from vetrina.access.account_mails import sending as account_mails, tasks as account_mail_tasks
from vetrina.access.audit import recording as audit_recording, retention as audit_retention
from vetrina.access.notices import devices, mails as notice_mails, rules as notices
from vetrina.access.own_account import email_changes
from vetrina.access.passwords import reset as password_reset, reset_mail
from vetrina.access.personal_data import erasure, export, rules as personal_data
from vetrina.access.registration import rules as registrations
from vetrina.access.sessions import rules as sessions
from vetrina.access.tokens import rules as tokens, signing_keys
from vetrina.content.comments import mails as comment_mails
from vetrina.content.custom_fields import reindexing
from vetrina.content.edit_locks import rules as edit_locks
from vetrina.content.feeds import rules as feeds
from vetrina.content.previews import rules as previews
from vetrina.content.records import due_publishing, rerendering, scheduling
from vetrina.core.background_work import BackgroundTasks, ExternalTask, discard_result
from vetrina.core.webhooks import deliveries
from vetrina.core.webhooks.model import SITE
from vetrina.system.backups import making as backups
from vetrina.system.jobs.long_jobs import SITE_BACKUP_JOB, SITE_CHECK_JOB
from vetrina.system.site_check import running as site_check
from vetrina.system.webhooks import deliveries as site_deliveries, event_sources

BACKGROUND = BackgroundTasks(
    handlers={
        scheduling.PUBLISH_RECORD_JOB: due_publishing.publish_due_record,
        rerendering.RENDER_TEXTS_JOB: rerendering.run_rerender_job,
        reindexing.REINDEX_FIELDS_JOB: reindexing.run_reindex_job,
        registrations.REGISTRATION_JOB: registrations.run_registration_job,
    },
    external_tasks={
        feeds.FETCH_FEED_JOB: ExternalTask(feeds.prepare_fetch, feeds.save_fetched_feed),
        # A shop has a task of its own in its place.
        password_reset.LOST_PASSWORD_JOB: ExternalTask(reset_mail.prepare_reset_mail, password_reset.save_reset_link),
        notices.NOTICE_JOB: ExternalTask(notice_mails.prepare_account_notice, discard_result),
        account_mails.ACCOUNT_MAIL_JOB: account_mail_tasks.ACCOUNT_MAIL_TASK,
        personal_data.EXPORT_JOB: export.EXPORT_TASK,
        personal_data.ERASURE_JOB: erasure.ERASURE_TASK,
        comment_mails.COMMENT_MAIL_JOB: ExternalTask(comment_mails.prepare_comment_mail, discard_result),
        SITE_BACKUP_JOB: ExternalTask(backups.prepare_backup, backups.save_backup),
        SITE_CHECK_JOB: ExternalTask(site_check.prepare_check, site_check.save_check),
        deliveries.name_job(SITE): ExternalTask(site_deliveries.build_delivery_call, deliveries.save_delivery_result),
    },
    before_commit=(audit_recording.record_changes,),
    expect_hook_reads=(site_deliveries.expect_reads,),
    last_before_commit=(notices.enqueue_account_notices, site_deliveries.enqueue_change_deliveries),
    periodic_jobs=(
        due_publishing.enqueue_overdue_records,
        feeds.enqueue_due_feeds,
        rerendering.rerender_outdated_texts,
        reindexing.enqueue_stale_fields,
        previews.delete_expired_links,
        registrations.delete_expired_registrations,
        email_changes.delete_expired_changes,
        personal_data.delete_expired_requests,
        sessions.delete_expired_sessions,
        devices.delete_old_devices,
        tokens.delete_old_refresh_tokens,
        signing_keys.rotate_old_signing_key,
        edit_locks.delete_expired_locks,
        deliveries.run_delivery_cleanup,
        audit_retention.delete_old_entries,
    ),
    webhook_resources=(event_sources.build_resources,),
)
