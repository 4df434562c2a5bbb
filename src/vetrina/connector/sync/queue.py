"""The queue `sync`: the change log from a mark on, handed out in buffers and forgotten when the other side has it.

Nothing is copied into a queue: a change is one row of the log, an item's id is made from that row, and so the same
change has the same id however often it is handed out. The receiver that passes over ids it knows has every change
exactly once. An item shows its object as it is when it is handed out. Back-pressure: a queue both longer and older than
its settings allow takes no further changes until it is drained; what it did not take is lost to it, health says so, and
a full sync mends it. A site that nobody asks does nothing. Not here: what an item holds (connector/sync/items.py), the
queue of a full sync (connector/sync/full_sync.py). Rules: facts of the connector, 13.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, delete, func, insert, select

from vetrina.backends import change_log
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.connector import connector_done
from vetrina.backends.tables.core import change
from vetrina.connector.connection import state as connection_state
from vetrina.connector.identity import rules as identity
from vetrina.connector.sync import items as sync_items
from vetrina.connector.sync import locks as sync_locks
from vetrina.connector.sync import settings as sync_settings
from vetrina.connector.sync import site_values
from vetrina.connector.sync.locks import BufferOpen
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.codec import CODEC, packed_json
from vetrina.kernel.errors import ApiError

__all__ = [
    "FULL", "SYNC", "BufferOpen", "QueueEmpty", "acknowledge", "batch", "begin", "bound", "checkout", "clear",
    "is_allowed", "lag", "mark", "queue_size",
]  # fmt: skip

SYNC, FULL = "sync", "full_sync"

_ANY: Final = 1 << 62  # bytes, where nobody bounds them
_STATE: Final = "queue_sync"

_WAITING = (
    change.c.sequence > bindparam("mark"), change.c.sequence <= bindparam("until"), Among(change.c.kind, "kinds"),
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
_DO = Statement(insert(connector_done).values(sequence=bindparam("sequence")))
_UNDO = Statement(delete(connector_done).where(connector_done.c.sequence <= bindparam("mark")))
_UNDO_ALL = Statement(delete(connector_done))


class QueueEmpty(ApiError):
    """Nothing waits."""

    code = "queue_size"
    message = "Nothing waits in the queue."


# -- what waits


def is_allowed(work: Work) -> bool:
    """Say whether changes are handed out at all."""
    return (
        connection_state.is_registered(work)
        and not connection_state.is_offline(work.frame)
        and not sync_settings.number(work, "disable")
        and not identity.in_crisis(work)
    )


def begin(work: Work) -> None:
    """Begin the queue with the next change."""
    connection_state.put(work, _STATE, {"mark": change_log.latest(work.tx), "until": None})
    work.tx.run(_UNDO_ALL)


def clear(work: Work) -> None:
    """Forget the queue and its locks."""
    connection_state.drop(work, _STATE)
    sync_locks.drop_all(work, SYNC, FULL)
    work.tx.run(_UNDO_ALL)


def mark(work: Work) -> int | None:
    """Return the change up to which everything was told, None for a queue that has not begun."""
    kept = connection_state.get(work, _STATE)
    return int(kept["mark"]) if kept is not None else None


def _bounds(work: Work) -> dict[str, Any]:
    kept: dict[str, Any] | None = connection_state.get(work, _STATE)
    mark = kept["mark"] if kept is not None else change_log.latest(work.tx)
    until = kept["until"] if kept is not None and kept["until"] is not None else change_log.latest(work.tx)
    return {"mark": mark, "until": until, "kinds": _kinds(work.frame)}


def _kinds(frame: Frame) -> str:
    return listed(sync_items.kinds(frame))


def queue_size(work: Work) -> int:
    """Return how many changes wait."""
    return int(work.tx.value(_COUNT, **_bounds(work)) or 0) if is_allowed(work) else 0


def lag(work: Work) -> int:
    """Return for how many seconds the oldest change has waited."""
    first = work.tx.first(_FIRST, **_bounds(work)) if is_allowed(work) else None
    return max(0, work.now - int(first[1])) if first else 0


def bound(work: Work) -> None:
    """Let the queue take no further changes while it is too long and too old; take them again when it is drained."""
    kept = connection_state.get(work, _STATE)
    if kept is None or not is_allowed(work):
        return
    if kept["until"] is not None:
        if work.tx.first(_FIRST, **_bounds(work)) is None:
            begin(work)
        return
    if lag(work) <= sync_settings.number(work, "max_queue_lag"):
        return
    if queue_size(work) > sync_settings.number(work, "max_queue_size"):
        connection_state.put(work, _STATE, {**kept, "until": change_log.latest(work.tx)})
        sync_settings.set_health(work, sync_settings.OUT_OF_SYNC)


# -- buffers


def checkout(work: Work, most: int, *, force: bool = False, pop: bool = False, encode: bool = True) -> dict[str, Any]:
    """Hand out the oldest changes. Raises QueueEmpty, BufferOpen.

    most: items at most; fewer where they are large. pop: they are gone at once and nothing is locked.
    """
    bound(work)
    if force:
        sync_locks.unlock(work, SYNC)
    elif sync_locks.is_locked(work, SYNC):
        raise BufferOpen
    if is_allowed(work):
        site_values.look(work)
    size = queue_size(work)
    made, skipped = batch(work, most, encode)
    if not made and not skipped:
        raise QueueEmpty
    if pop:
        acknowledge(work, [*made, *skipped])
    sync_locks.hold(work, SYNC, sync_locks.HELD_SECONDS)
    return {
        "buffer_id": "pop" if pop else sync_locks.lock(work, SYNC), "items": made, "skipped_items": skipped,
        "codec": CODEC if encode else None, "sent_timestamp": work.now, "queue_size": size,
    }  # fmt: skip


def batch(work: Work, most: int, encode: bool = True, read: int = _ANY) -> tuple[dict[str, Any], list[str]]:
    """Return the oldest changes by their ids, and the ids of those that make no item; fewer where they are large.

    read: bytes of all of them before they are packed; packed they have `upload_max_bytes` at most.
    """
    rows = work.tx.all(_ROWS, most=most, **_bounds(work)) if is_allowed(work) else []
    sent = sync_settings.number(work, "upload_max_bytes")
    number = connection_state.site_id(work)
    made: dict[str, Any] = {}
    skipped: list[str] = []
    for row, item in zip(rows, sync_items.of_changes(work, rows), strict=True):
        name = _name(number, row[0], row[4])
        if item is None:
            skipped.append(name)
            continue
        content = orjson.dumps(item)
        shown: Any = packed_json(content) if encode else item
        read -= len(content)
        sent -= len(shown) if encode else len(content)
        # One at least: else a large one would never be sent.
        if made and (read < 0 or sent < 0):
            break
        made[name] = shown
    return made, skipped


def _name(site: int | None, sequence: int, at: int) -> str:
    """Return the id of a change: the same each time."""
    random = 1 + zlib.crc32(f"{site} {sequence}".encode()) % 1_000_000
    return f"jpsq_{SYNC}-{at}.{sequence % 1_000_000:06d}-{random}-{sequence}"


def acknowledge(work: Work, names: Sequence[Any]) -> None:
    """Take changes as received; the mark moves past those before which none waits."""
    given = {number for name in names if (number := _sequence(name)) is not None}
    kept = connection_state.get(work, _STATE)
    if not given or kept is None:
        return
    bounds = _bounds(work)
    last = min(max(given), bounds["until"])
    waiting = [row[0] for row in work.tx.all(_BETWEEN, **{**bounds, "until": last})]
    left = [number for number in waiting if number not in given]
    mark = left[0] - 1 if left else max(last, bounds["mark"])
    done = [number for number in waiting if number in given and number > mark]
    if done:
        work.tx.run_each(_DO, [{"sequence": number} for number in done])
    work.tx.run(_UNDO, mark=mark)
    connection_state.put(work, _STATE, {**kept, "mark": mark})
    # Here, because an empty queue is told by an error, which undoes what came with it.
    bound(work)


def _sequence(name: Any) -> int | None:
    if not isinstance(name, str) or not name.startswith(f"jpsq_{SYNC}-"):
        return None
    tail = name.rpartition("-")[2]
    return int(tail) if tail.isdecimal() and len(tail) < 16 else None
