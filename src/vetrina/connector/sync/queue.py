"""The queue `sync`: the change log after a mark, handed out in buffers until the service acknowledges them.

Nothing is copied into a queue: a change is one row of the log, and the item's id is derived from it, so a change always
has the same id. A receiver that skips known ids gets every change exactly once. An item contains its object at the time
of the checkout. Back-pressure: a queue that is both longer and older than its settings allow takes no further changes
until it is drained; those are lost to it, health reports it, and a full sync repairs it. A site that nobody polls does
nothing. Not here: the contents of items (connector/sync/change_items.py), full syncs (connector/sync/full_sync.py).
Rules: docs/rules/connector_sync.md, 1, 7 and 10.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, delete, func, insert, select

from vetrina.backends import change_log
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.change_log import change
from vetrina.backends.tables.connector import connector_done
from vetrina.connector import stored_values
from vetrina.connector.connection import state as connection_state
from vetrina.connector.identity import rules as identity
from vetrina.connector.sync import (
    change_items as sync_items,
    health,
    modules,
    queue_locks as sync_locks,
    settings as sync_settings,
    site_values,
)
from vetrina.connector.sync.codec import CODEC, encode_json_payload
from vetrina.connector.sync.queue_locks import BufferOpen
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError

SYNC, FULL = "sync", "full_sync"

_ANY: Final = 1 << 62  # bytes, for no limit
_STATE: Final = "queue_sync"

_WAITING = (
    change.c.sequence > bindparam("mark"), change.c.sequence <= bindparam("until"), InList(change.c.kind, "kinds"),
    change.c.sequence.not_in(select(connector_done.c.sequence)),
)  # fmt: skip
_ROWS = Statement(
    select(change.c.sequence, change.c.kind, change.c.item, change.c.action, change.c.at, change.c.by)
    .where(*_WAITING)
    .order_by(change.c.sequence)
    .limit(bindparam("most"))
)
_COUNT = Statement(select(func.count()).select_from(change).where(*_WAITING))
_FIRST = Statement(select(change.c.sequence, change.c.at).where(*_WAITING).order_by(change.c.sequence).limit(1))
_BETWEEN = Statement(select(change.c.sequence).where(*_WAITING).order_by(change.c.sequence))
_INSERT_DONE = Statement(insert(connector_done).values(sequence=bindparam("sequence")))
_DELETE_DONE = Statement(delete(connector_done).where(connector_done.c.sequence <= bindparam("mark")))
_DELETE_ALL_DONE = Statement(delete(connector_done))


class QueueEmpty(ApiError):
    """The queue is empty."""

    code = "queue_size"
    message = "Nothing waits in the queue."


# -- waiting changes


def is_sync_allowed(work: UnitOfWork) -> bool:
    """Say whether changes are handed out at all."""
    return (
        connection_state.is_registered(work)
        and not connection_state.is_offline(work.site)
        and not sync_settings.get_sync_number(work, "disable")
        and not identity.is_in_crisis(work)
    )


def begin_queue(work: UnitOfWork) -> None:
    """Start the queue with the next change."""
    stored_values.save_value(work, _STATE, {"mark": change_log.get_latest_sequence(work.tx), "until": None})
    work.tx.run(_DELETE_ALL_DONE)


def clear_queue(work: UnitOfWork) -> None:
    """Delete the queue and its locks."""
    stored_values.delete_values(work, _STATE)
    sync_locks.delete_all_locks(work, SYNC, FULL)
    work.tx.run(_DELETE_ALL_DONE)


def find_mark(work: UnitOfWork) -> int | None:
    """Return the sequence up to which changes are acknowledged, None for a queue that has not started."""
    state = stored_values.get_value(work, _STATE)
    return int(state["mark"]) if state is not None else None


def _get_bounds(work: UnitOfWork) -> dict[str, Any]:
    state: dict[str, Any] | None = stored_values.get_value(work, _STATE)
    mark = state["mark"] if state is not None else change_log.get_latest_sequence(work.tx)
    until = (
        state["until"] if state is not None and state["until"] is not None else change_log.get_latest_sequence(work.tx)
    )
    return {"mark": mark, "until": until, "kinds": _encode_kinds(work.site)}


def _encode_kinds(site: SiteContext) -> str:
    return encode_list(modules.list_synced_kinds(site))


def count_waiting_changes(work: UnitOfWork) -> int:
    """Return the number of waiting changes."""
    return int(work.tx.value(_COUNT, **_get_bounds(work)) or 0) if is_sync_allowed(work) else 0


def compute_lag(work: UnitOfWork) -> int:
    """Return the age of the oldest waiting change, in seconds."""
    first = work.tx.first(_FIRST, **_get_bounds(work)) if is_sync_allowed(work) else None
    return max(0, work.now - int(first[1])) if first else 0


def limit_queue(work: UnitOfWork) -> None:
    """Stop taking changes while the queue is too long and too old; start again when it is drained."""
    state = stored_values.get_value(work, _STATE)
    if state is None or not is_sync_allowed(work):
        return
    if state["until"] is not None:
        if work.tx.first(_FIRST, **_get_bounds(work)) is None:
            begin_queue(work)
        return
    if compute_lag(work) <= sync_settings.get_sync_number(work, "max_queue_lag"):
        return
    if count_waiting_changes(work) > sync_settings.get_sync_number(work, "max_queue_size"):
        stored_values.save_value(work, _STATE, {**state, "until": change_log.get_latest_sequence(work.tx)})
        health.set_sync_health(work, health.OUT_OF_SYNC)


# -- buffers


def checkout_changes(
    work: UnitOfWork, most: int, *, force: bool = False, pop: bool = False, encode: bool = True
) -> dict[str, Any]:
    """Check out the oldest changes. Raises QueueEmpty, BufferOpen.

    most: limit of items; fewer where they are large. pop: acknowledge them at once, without a lock.
    """
    limit_queue(work)
    if force:
        sync_locks.unlock_queue(work, SYNC)
    elif sync_locks.is_locked(work, SYNC):
        raise BufferOpen
    if is_sync_allowed(work):
        site_values.note_changes(work)
    size = count_waiting_changes(work)
    made, skipped = build_change_batch(work, most, encode)
    if not made and not skipped:
        raise QueueEmpty
    if pop:
        acknowledge_changes(work, [*made, *skipped])
    sync_locks.hold_sender(work, SYNC, sync_locks.HELD_SECONDS)
    return {
        "buffer_id": "pop" if pop else sync_locks.lock_queue(work, SYNC), "items": made, "skipped_items": skipped,
        "codec": CODEC if encode else None, "sent_timestamp": work.now, "queue_size": size,
    }  # fmt: skip


def build_change_batch(
    work: UnitOfWork, most: int, encode: bool = True, read: int = _ANY
) -> tuple[dict[str, Any], list[str]]:
    """Return the oldest changes by id, and the ids of changes without an item; fewer where they are large.

    read: limit in bytes of all items before encoding; encoded they have `upload_max_bytes` at most.
    """
    rows = work.tx.all(_ROWS, most=most, **_get_bounds(work)) if is_sync_allowed(work) else []
    sent = sync_settings.get_sync_number(work, "upload_max_bytes")
    number = connection_state.find_site_id(work)
    made: dict[str, Any] = {}
    skipped: list[str] = []
    for row, item in zip(rows, sync_items.build_change_items(work, rows), strict=True):
        name = _build_change_id(number, row[0], row[4])
        if item is None:
            skipped.append(name)
            continue
        content = orjson.dumps(item)
        payload: Any = encode_json_payload(content) if encode else item
        read -= len(content)
        sent -= len(payload) if encode else len(content)
        # At least one: otherwise a large one would never be sent.
        if made and (read < 0 or sent < 0):
            break
        made[name] = payload
    return made, skipped


def _build_change_id(site: int | None, sequence: int, at: int) -> str:
    """Return the id of a change: the same each time."""
    random = 1 + zlib.crc32(f"{site} {sequence}".encode()) % 1_000_000
    return f"jpsq_{SYNC}-{at}.{sequence % 1_000_000:06d}-{random}-{sequence}"


def acknowledge_changes(work: UnitOfWork, names: Sequence[Any]) -> None:
    """Acknowledge changes; the mark moves up to the first one still waiting."""
    given = {number for name in names if (number := _parse_sequence(name)) is not None}
    state = stored_values.get_value(work, _STATE)
    if not given or state is None:
        return
    bounds = _get_bounds(work)
    last = min(max(given), bounds["until"])
    waiting = [row[0] for row in work.tx.all(_BETWEEN, **{**bounds, "until": last})]
    left = [number for number in waiting if number not in given]
    mark = left[0] - 1 if left else max(last, bounds["mark"])
    done = [number for number in waiting if number in given and number > mark]
    if done:
        work.tx.run_each(_INSERT_DONE, [{"sequence": number} for number in done])
    work.tx.run(_DELETE_DONE, mark=mark)
    stored_values.save_value(work, _STATE, {**state, "mark": mark})
    # Done here, because an empty queue is reported by an error, which rolls back.
    limit_queue(work)


def _parse_sequence(name: Any) -> int | None:
    if not isinstance(name, str) or not name.startswith(f"jpsq_{SYNC}-"):
        return None
    tail = name.rpartition("-")[2]
    return int(tail) if tail.isdecimal() and len(tail) < 16 else None
