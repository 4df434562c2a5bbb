"""The status of sync: how far each queue is, and why nothing is sent.

Not here: buffers (connector/sync/buffers.py), sending (connector/sync/sender.py), checksums
(connector/checksums/rules.py). Rules: docs/rules/connector_tables.md, 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from vetrina.connector import stored_values
from vetrina.connector.checksums import rules as checksums
from vetrina.connector.connection import state as connection_state
from vetrina.connector.identity import rules as identity
from vetrina.connector.sync import (
    full_sync,
    health,
    queue as sync_queue,
    queue_locks as sync_locks,
    sender,
    settings as sync_settings,
)
from vetrina.core.unit_of_work import UnitOfWork

_CHECKSUMS: Final = {
    "posts_checksum": "posts", "comments_checksum": "comments", "post_meta_checksum": "post_meta",
    "comment_meta_checksum": "comment_meta",
}  # fmt: skip


def build_sync_status(work: UnitOfWork, fields: Iterable[str] = ()) -> dict[str, Any]:
    """Return the status of sync; fields: further members."""
    work.mark_time_dependent()
    progress = full_sync.get_progress(work)
    size = sync_queue.count_waiting_changes(work)
    out: dict[str, Any] = {
        "start_action_processed": progress["said"], "cancelled_action_processed": True, "started": progress["started"],
        "finished": progress["finished"], "progress": progress["progress"], "config": progress["config"],
        "context": progress["context"], "cron_size": 0, "next_cron": 0, "queue_size": size,
        "queue_lag": sync_queue.compute_lag(work) if size else 0,
        "queue_next_sync": float(sync_locks.get_next_send_time(work, sync_queue.SYNC) - work.now),
        "full_queue_next_sync": float(sync_locks.get_next_send_time(work, sync_queue.FULL) - work.now),
    }  # fmt: skip
    wanted = set(fields)
    for name, table in _CHECKSUMS.items():
        if name in wanted:
            out[name] = checksums.compute_checksums(work, only=(table,))[table]
    if "debug_details" in wanted:
        out["debug_details"] = _build_debug_details(work)
    return out


def _build_debug_details(work: UnitOfWork) -> dict[str, Any]:
    allowed = sync_queue.is_sync_allowed(work)
    out: dict[str, Any] = {"sync_allowed": allowed, "sync_health": health.get_sync_health(work)}
    if not allowed:
        if connection_state.is_offline(work.site):
            out["is_offline_mode"] = True
        if identity.is_in_crisis(work):
            out["in_safe_mode"] = True
        if not connection_state.is_registered(work):
            out["active_connection"] = False
        if sync_settings.get_sync_number(work, "disable"):
            out["is_sync_enabled"] = False
            out["sync_disabled_value"] = sync_settings.get_sync_number(work, "disable")
            out["sync_network_disabled_value"] = 0
    times: dict[str, Any] = {}
    for label, read in (("retry_time", sync_locks.get_retry_time), ("next_sync_time", sync_locks.get_next_send_time)):
        times |= {f"{label}_{name}": read(work, name) or False for name in (sync_queue.SYNC, sync_queue.FULL)}
    out |= {
        "dedicated_sync_enabled": False,
        "sync_locks": {
            **times,
            **{f"queue_locked_{name}": sync_locks.is_locked(work, name) for name in (sync_queue.SYNC, sync_queue.FULL)},
            "dedicated_sync_last_requested": False,
            "dedicated_sync_temporary_disable_flag": False,
        },
        "last_succesful_sync": stored_values.get_value(work, sender.LAST, False),
        # Why each queue could not be sent the last time; what was sent since has none.
        "sync_error_log": [
            {"queue": name, **failure}
            for name in (sync_queue.SYNC, sync_queue.FULL)
            if (failure := stored_values.get_value(work, sender.FAILURE + name)) is not None
        ],
    }
    return out
