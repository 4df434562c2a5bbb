"""Background work of the connector: the daily heartbeat, and sending what the service does not pull."""

from __future__ import annotations

from vetrina.connector.connection import heartbeat
from vetrina.connector.sync import sender
from vetrina.core.background_work import BackgroundTasks, ExternalTask

BACKGROUND = BackgroundTasks(
    external_tasks={
        heartbeat.SEND: ExternalTask(heartbeat.prepare_heartbeat, heartbeat.record_heartbeat),
        sender.SEND: ExternalTask(sender.prepare_sending, sender.record_sending),
    },
    periodic_jobs=(heartbeat.enqueue_heartbeat, sender.enqueue_sending),
)
