"""Who holds a queue, and until when the site itself sends nothing from it.

A buffer that is handed out locks its queue for two minutes; meanwhile, and for a while after a failure, the site's own
sender keeps quiet. Not here: what a queue holds (connector/sync/queue.py, connector/sync/full_sync.py), sending
(connector/sync/sender.py). Rules: facts of the connector, 13, "Queue routes".
"""

from __future__ import annotations

import secrets
from typing import Final

from vetrina.connector.connection import state as connection_state
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError

__all__ = [
    "HELD_SECONDS", "LOCK_SECONDS", "BufferMismatch", "BufferOpen", "NotCheckedOut", "close", "drop_all", "hold",
    "is_locked", "lock", "next_time", "release", "retry_time", "unlock",
]  # fmt: skip

LOCK_SECONDS: Final = 120
HELD_SECONDS: Final = 60  # that a checkout keeps the site's own sender quiet

_LOCK: Final = "queue_lock_"
_NEXT: Final = "queue_next_"
_RETRY: Final = "queue_retry_"


class BufferOpen(ApiError):
    """Somebody holds the queue."""

    status, code = 409, "buffer_open"
    message = "The queue is handed out to another buffer. Close that one, wait two minutes, or send force."


class NotCheckedOut(ApiError):
    """Nobody holds the queue."""

    status, code = 409, "buffer_not_checked_out"
    message = "No buffer is handed out. The items are taken as received all the same."


class BufferMismatch(ApiError):
    """Somebody else holds the queue."""

    status, code = 409, "buffer_mismatch"
    message = "Another buffer is handed out. The items are taken as received all the same."


def lock(work: Work, queue: str) -> str:
    """Hand a queue out and return the buffer's id."""
    buffer = f"{secrets.token_hex(7)}.{secrets.token_hex(4)}"
    connection_state.put(work, _LOCK + queue, {"id": buffer, "until": work.now + LOCK_SECONDS})
    return buffer


def is_locked(work: Work, queue: str) -> bool:
    """Say whether a queue is handed out."""
    kept = connection_state.get(work, _LOCK + queue)
    return kept is not None and kept["until"] > work.now


def unlock(work: Work, queue: str) -> bool:
    """Take a queue back and say whether it was handed out."""
    held = is_locked(work, queue)
    connection_state.drop(work, _LOCK + queue)
    return held


def close(work: Work, queue: str, buffer: str) -> ApiError | None:
    """Take a buffer back; return what is wrong with that, for the items are taken as received all the same."""
    kept = connection_state.get(work, _LOCK + queue)
    if kept is None or kept["until"] <= work.now:
        return NotCheckedOut()
    if kept["id"] != buffer:
        return BufferMismatch()
    connection_state.drop(work, _LOCK + queue)
    return None


def hold(work: Work, queue: str, seconds: int, asked: bool = False) -> None:
    """Let the site's own sender keep quiet for a while; asked: whether the service asked for it."""
    until = work.now + seconds
    if until > next_time(work, queue):
        connection_state.put(work, _NEXT + queue, until)
    if asked:
        connection_state.put(work, _RETRY + queue, until)


def release(work: Work, queue: str) -> None:
    """Let the site's own sender speak again."""
    connection_state.drop(work, _NEXT + queue, _RETRY + queue)


def next_time(work: Work, queue: str) -> int:
    """Return the moment before which the site's own sender keeps quiet, 0 for none."""
    return int(connection_state.get(work, _NEXT + queue, 0))


def retry_time(work: Work, queue: str) -> int:
    """Return the moment before which the service wants to be left alone, 0 for none."""
    return int(connection_state.get(work, _RETRY + queue, 0))


def drop_all(work: Work, *queues: str) -> None:
    """Forget every lock and every time of waiting."""
    for queue in queues:
        unlock(work, queue)
        release(work, queue)
