"""The queue `sync`: the change log from a mark on, handed out in buffers and forgotten when the other side has it.

Nothing is copied into a queue: a change is one row of the log, an item's id is made from that row, and so the same
change has the same id however often it is handed out. The receiver that passes over ids it knows has every change
exactly once. An item shows its object as it is when it is handed out.
Back-pressure: a queue both longer and older than its settings allow takes no further changes until it is drained; what
it did not take is lost to it, health says so, and a full sync mends it. A site that nobody asks does nothing.
Not here: what an item holds (items.py), the queue of a full sync (full_sync.py). Rules: facts of the connector, 13.
"""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import bindparam, delete, func, insert, select

from vetrina.backends import journal
from vetrina.backends.database import Statement
from vetrina.backends.shapes import Among, listed
from vetrina.backends.tables import change
from vetrina.backends.tables_connector import connector_done
from vetrina.domain.work import Frame, Work
from vetrina.kernel.errors import ApiError
from vetrina.kernel.packing import packed

from . import identity, items, state, sync_settings

__all__ = [
    "FULL", "LOCK_SECONDS", "SYNC", "BufferMismatch", "BufferOpen", "NotCheckedOut", "QueueEmpty", "acknowledge",
    "begin", "checkout", "clear", "close", "is_allowed", "is_locked", "lag", "lock", "queue_size", "unlock",
]  # fmt: skip

SYNC, FULL = "sync", "full_sync"
LOCK_SECONDS: Final = 120

_STATE: Final = "queue_sync"
_LOCK: Final = "queue_lock_"

_WAITING = (
    change.c.sequence > bindparam("mark"), change.c.sequence <= bindparam("until"), Among(change.c.kind, "kinds"),
    change.c.sequence.not_in(select(connector_done.c.sequence)),
)  # fmt: skip
_ROWS = Statement(
    select(change.c.sequence, change.c.kind, change.c.item, change.c.action, change.c.at)
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


# -- what waits


def is_allowed(work: Work) -> bool:
    """Say whether changes are handed out at all."""
    return (
        state.is_registered(work)
        and not state.is_offline(work.frame)
        and not sync_settings.number(work, "disable")
        and not identity.in_crisis(work)
    )


def begin(work: Work) -> None:
    """Begin the queue with the next change."""
    state.put(work, _STATE, {"mark": journal.latest(work.tx), "until": None})
    work.tx.run(_UNDO_ALL)


def clear(work: Work) -> None:
    """Forget the queue and its locks."""
    state.drop(work, _STATE, _LOCK + SYNC, _LOCK + FULL)
    work.tx.run(_UNDO_ALL)


def _bounds(work: Work) -> dict[str, Any]:
    kept: dict[str, Any] | None = state.get(work, _STATE)
    mark = kept["mark"] if kept is not None else journal.latest(work.tx)
    until = kept["until"] if kept is not None and kept["until"] is not None else journal.latest(work.tx)
    return {"mark": mark, "until": until, "kinds": _kinds(work.frame)}


def _kinds(frame: Frame) -> str:
    return listed(items.kinds(frame))


def queue_size(work: Work) -> int:
    """Return how many changes wait."""
    return int(work.tx.value(_COUNT, **_bounds(work)) or 0) if is_allowed(work) else 0


def lag(work: Work) -> int:
    """Return for how many seconds the oldest change has waited."""
    first = work.tx.first(_FIRST, **_bounds(work)) if is_allowed(work) else None
    return max(0, work.now - int(first[1])) if first else 0


def bound(work: Work) -> None:
    """Let the queue take no further changes while it is too long and too old; take them again when it is drained."""
    kept = state.get(work, _STATE)
    if kept is None or not is_allowed(work):
        return
    if kept["until"] is not None:
        if work.tx.first(_FIRST, **_bounds(work)) is None:
            begin(work)
        return
    if lag(work) <= sync_settings.number(work, "max_queue_lag"):
        return
    if queue_size(work) > sync_settings.number(work, "max_queue_size"):
        state.put(work, _STATE, {**kept, "until": journal.latest(work.tx)})
        sync_settings.set_health(work, sync_settings.OUT_OF_SYNC)


# -- locks


def lock(work: Work, queue: str) -> str:
    """Hand a queue out and return the buffer's id."""
    buffer = f"{secrets.token_hex(7)}.{secrets.token_hex(4)}"
    state.put(work, _LOCK + queue, {"id": buffer, "until": work.now + LOCK_SECONDS})
    return buffer


def is_locked(work: Work, queue: str) -> bool:
    """Say whether a queue is handed out."""
    kept = state.get(work, _LOCK + queue)
    return kept is not None and kept["until"] > work.now


def unlock(work: Work, queue: str) -> bool:
    """Take a queue back and say whether it was handed out."""
    held = is_locked(work, queue)
    state.drop(work, _LOCK + queue)
    return held


def close(work: Work, queue: str, buffer: str) -> ApiError | None:
    """Take a buffer back; return what is wrong with that, for the items are taken as received all the same."""
    kept = state.get(work, _LOCK + queue)
    if kept is None or kept["until"] <= work.now:
        return NotCheckedOut()
    if kept["id"] != buffer:
        return BufferMismatch()
    state.drop(work, _LOCK + queue)
    return None


# -- buffers


def checkout(work: Work, most: int, *, force: bool = False, pop: bool = False, encode: bool = True) -> dict[str, Any]:
    """Hand out the oldest changes. Raises QueueEmpty, BufferOpen.

    most: items at most; fewer where they are large. pop: they are gone at once and nothing is locked.
    """
    bound(work)
    if force:
        unlock(work, SYNC)
    elif is_locked(work, SYNC):
        raise BufferOpen
    if not is_allowed(work):
        raise QueueEmpty
    rows = work.tx.all(_ROWS, most=most, **_bounds(work))
    if not rows:
        raise QueueEmpty
    size, room = queue_size(work), sync_settings.number(work, "upload_max_bytes")
    number = state.site_id(work)
    made: dict[str, Any] = {}
    skipped: list[str] = []
    for row, item in zip(rows, items.of_changes(work, rows), strict=True):
        name = _name(number, row[0], row[4])
        if item is None:
            skipped.append(name)
            continue
        shown: Any = packed(item) if encode else item
        room -= len(shown) if encode else 1000
        if room < 0 and made:
            break
        made[name] = shown
    if pop:
        acknowledge(work, [*made, *skipped])
    return {
        "buffer_id": "pop" if pop else lock(work, SYNC), "items": made, "skipped_items": skipped,
        "codec": "deflate-json-array" if encode else None, "sent_timestamp": work.now, "queue_size": size,
    }  # fmt: skip


def _name(site: int | None, sequence: int, at: int) -> str:
    """Return the id of a change: the same each time."""
    random = 1 + zlib.crc32(f"{site} {sequence}".encode()) % 1_000_000
    return f"jpsq_{SYNC}-{at}.{sequence % 1_000_000:06d}-{random}-{sequence}"


def acknowledge(work: Work, names: Sequence[Any]) -> None:
    """Take changes as received; the mark moves past those before which none waits."""
    given = {number for name in names if (number := _sequence(name)) is not None}
    kept = state.get(work, _STATE)
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
    state.put(work, _STATE, {**kept, "mark": mark})
    # Here, because an empty queue is told by an error, which undoes what came with it.
    bound(work)


def _sequence(name: Any) -> int | None:
    if not isinstance(name, str) or not name.startswith(f"jpsq_{SYNC}-"):
        return None
    tail = name.rpartition("-")[2]
    return int(tail) if tail.isdecimal() and len(tail) < 16 else None
