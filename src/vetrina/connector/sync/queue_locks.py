"""Locks of the queues: which buffer is checked out, and until when the site itself must not send.

Checking out a buffer locks its queue for two minutes; meanwhile, and for some time after a failure, the site's own
sender pauses. Not here: contents of queues (connector/sync/queue.py, connector/sync/full_sync.py), sending
(connector/sync/sender.py). Rules: docs/rules/connector_sync.md, 9.
"""

from __future__ import annotations

import secrets
from typing import Final

from vetrina.connector import stored_values
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure

LOCK_SECONDS: Final = 120
HELD_SECONDS: Final = 60  # seconds for which a checkout pauses the site's own sender

_LOCK: Final = "queue_lock_"
_NEXT: Final = "queue_next_"
_RETRY: Final = "queue_retry_"


class BufferOpen(ApiError):
    """A buffer of the queue is already checked out."""

    failure, code = Failure.CONFLICT, "buffer_open"
    message = "The queue is handed out to another buffer. Close that one, wait two minutes, or send force."


class BufferNotCheckedOut(ApiError):
    """No buffer of the queue is checked out."""

    failure, code = Failure.CONFLICT, "buffer_not_checked_out"
    message = "No buffer is handed out. The items are taken as received all the same."


class BufferMismatch(ApiError):
    """Another buffer of the queue is checked out."""

    failure, code = Failure.CONFLICT, "buffer_mismatch"
    message = "Another buffer is handed out. The items are taken as received all the same."


def lock_queue(work: UnitOfWork, queue: str) -> str:
    """Lock a queue, and return the id of the new buffer."""
    buffer = f"{secrets.token_hex(7)}.{secrets.token_hex(4)}"
    stored_values.save_value(work, _LOCK + queue, {"id": buffer, "until": work.now + LOCK_SECONDS})
    return buffer


def is_locked(work: UnitOfWork, queue: str) -> bool:
    """Say whether a buffer of a queue is checked out."""
    lock = stored_values.get_value(work, _LOCK + queue)
    return lock is not None and lock["until"] > work.now


def unlock_queue(work: UnitOfWork, queue: str) -> bool:
    """Unlock a queue, and say whether it was locked."""
    held = is_locked(work, queue)
    stored_values.delete_values(work, _LOCK + queue)
    return held


def close_buffer(work: UnitOfWork, queue: str, buffer: str) -> ApiError | None:
    """Close a buffer; an error is returned, not raised, because its items are acknowledged all the same."""
    lock = stored_values.get_value(work, _LOCK + queue)
    if lock is None or lock["until"] <= work.now:
        return BufferNotCheckedOut()
    if lock["id"] != buffer:
        return BufferMismatch()
    stored_values.delete_values(work, _LOCK + queue)
    return None


def hold_sender(work: UnitOfWork, queue: str, seconds: int, asked: bool = False) -> None:
    """Pause the site's own sender; asked: whether the service requested it."""
    until = work.now + seconds
    if until > get_next_send_time(work, queue):
        stored_values.save_value(work, _NEXT + queue, until)
    if asked:
        stored_values.save_value(work, _RETRY + queue, until)


def release_sender(work: UnitOfWork, queue: str) -> None:
    """End the pause of the site's own sender."""
    stored_values.delete_values(work, _NEXT + queue, _RETRY + queue)


def get_next_send_time(work: UnitOfWork, queue: str) -> int:
    """Return the time until which the site's own sender pauses, 0 for none."""
    return int(stored_values.get_value(work, _NEXT + queue, 0))


def get_retry_time(work: UnitOfWork, queue: str) -> int:
    """Return the time until which the service must not be called, 0 for none."""
    return int(stored_values.get_value(work, _RETRY + queue, 0))


def delete_all_locks(work: UnitOfWork, *queues: str) -> None:
    """Delete all locks and pauses."""
    for queue in queues:
        unlock_queue(work, queue)
        release_sender(work, queue)
