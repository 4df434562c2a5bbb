"""Buffers of either queue: checking one out, and closing it, which acknowledges its items.

Not here: contents of the queues (connector/sync/queue.py, connector/sync/full_sync.py), their locks
(connector/sync/queue_locks.py). Rules: docs/rules/connector_sync.md, 8 and 10.
"""

from __future__ import annotations

import re
import time
from typing import Any, Final

from vetrina.connector import stored_values
from vetrina.connector.connection.remote import OpenUnitOfWork
from vetrina.connector.sync import (
    full_sync,
    queue as sync_queue,
    queue_locks as sync_locks,
    sender,
)
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError

_MOST: Final = 100  # items in a buffer
_MOST_FOR_SERVICE: Final = 500
PATIENCE = 5.0  # seconds for which a checkout waits for a locked queue
_LOOK: Final = 0.25  # seconds between two tries
_UNKNOWN = re.compile(r"[^A-Za-z0-9_.-]")


class InvalidSyncQueue(ApiError):
    code = "invalid_queue"
    message = "The queue is not known: sync, full_sync, or immediate where steps can be taken."


class InvalidItemCount(ApiError):
    code = "invalid_number_of_items"
    message = "number_of_items lies between 1 and {most}."


class MissingBufferId(ApiError):
    code = "missing_buffer_id"
    message = "buffer_id is missing."


class MissingItemIds(ApiError):
    code = "missing_item_ids"
    message = "item_ids is missing, or no list."


def wait_for_queue(open: OpenUnitOfWork, name: str) -> None:
    """Wait some time for a locked queue; if it is empty, the site's own sender is resumed."""
    end = time.monotonic() + PATIENCE
    while True:
        with open(True) as work:
            held = sync_locks.is_locked(work, name)
            quiet = bool(sync_locks.get_next_send_time(work, name)) and not held and not _has_pending_items(work, name)
        if not held or time.monotonic() >= end:
            break
        time.sleep(min(_LOOK, PATIENCE))
    if quiet:
        with open(False) as work:
            sync_locks.release_sender(work, name)


def checkout_buffer(
    work: UnitOfWork, name: str, most: int, *, by_service: bool, force: bool, pop: bool, encode: bool
) -> dict[str, Any]:
    """Check out a buffer of a queue. Raises InvalidItemCount, QueueEmpty, BufferOpen.

    most: items in it. by_service: whether the service asks with the site's own token, which may have more.
    """
    limit = _MOST_FOR_SERVICE if by_service else _MOST
    if not 1 <= most <= limit:
        raise InvalidItemCount(most=limit)
    hand_out = sync_queue.checkout_changes if name == sync_queue.SYNC else full_sync.checkout_chunks
    return hand_out(work, most, force=force, pop=pop, encode=encode)


def _has_pending_items(work: UnitOfWork, name: str) -> bool:
    return sync_queue.count_waiting_changes(work) > 0 if name == sync_queue.SYNC else full_sync.has_pending_chunks(work)


def close_buffer(work: UnitOfWork, name: str, buffer: Any, names: Any) -> ApiError | None:
    """Close a buffer and acknowledge its items. Raises MissingBufferId, MissingItemIds.

    A wrong buffer is returned, not raised: the items are acknowledged all the same.
    """
    if not buffer:
        raise MissingBufferId
    if not isinstance(names, list):
        raise MissingItemIds
    wrong = sync_locks.close_buffer(work, name, _UNKNOWN.sub("", str(buffer)))
    (sync_queue.acknowledge_changes if name == sync_queue.SYNC else full_sync.acknowledge_chunks)(work, names)
    stored_values.save_value(work, sender.LAST, work.now)
    return wrong
