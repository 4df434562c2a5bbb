"""Full sync: all objects of some modules, sent in chunks from the highest id down.

Progress is stored after each chunk; a chunk that was not acknowledged is built again with the same id. Chunks are
pulled from the queue `full_sync` (acknowledged), or one step at a time as `immediate` (not acknowledged); they are
never stored. Not here: the objects (connector/sync/objects.py). Rules: docs/rules/connector_sync.md, 13 and 14.
"""

from __future__ import annotations

import copy
import time
import zlib
from collections.abc import Callable, Sequence
from typing import Any, Final

import orjson
from sqlalchemy import Table, bindparam, func, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.catalogue import product_attribute
from vetrina.backends.tables.comments import comment
from vetrina.backends.tables.orders import coupon, shop_order
from vetrina.backends.tables.records import record
from vetrina.backends.tables.taxes_shipping import tax_rate
from vetrina.backends.tables.terms import term
from vetrina.connector import stored_values
from vetrina.connector.sync import (
    change_items as sync_items,
    health,
    modules,
    named_objects,
    objects as sync_objects,
    queue as sync_queue,
    queue_locks as sync_locks,
    settings as sync_settings,
)
from vetrina.connector.sync.codec import CODEC, encode_json_payload, encode_payload
from vetrina.core.unit_of_work import UnitOfWork

DEFAULT: Final = (
    "constants", "functions", "options", "terms", "themes", "users", "posts", "comments", "updates",
    "term_relationships",
)  # fmt: skip
_STATE, _BUFFER = "full_sync", "full_sync_buffer"
_MOST: Final = 5_000  # objects in a chunk, whatever a setting says
_ANY: Final = 1 << 62  # bytes, for no limit
_FEW: Final = 100  # accounts in `initial`

_WHOLE: Final[dict[str, Callable[[UnitOfWork], Any]]] = {
    "constants": named_objects.build_constants,
    "functions": named_objects.compute_functions,
    "options": lambda work: named_objects.load_options(work, named_objects.list_option_names(work.site)),
    "themes": named_objects.build_theme,
    "updates": named_objects.build_updates,
}
_LOADERS: Final[dict[str, modules.ObjectLoader]] = {"term_relationships": sync_objects.load_relationships}
_TABLES: Final[dict[str, Table]] = {
    "terms": term,
    "users": account,
    "posts": record,
    "comments": comment,
    "term_relationships": record,
    modules.ORDERS: shop_order,
    modules.COUPONS: coupon,
    modules.RATES: tax_rate,
    modules.ATTRIBUTES: product_attribute,
}
_RANGE = {
    name: Statement(select(func.max(table.c.id), func.min(table.c.id), func.count()).select_from(table))
    for name, table in _TABLES.items()
}
_BELOW = {
    name: Statement(
        select(table.c.id).where(table.c.id < bindparam("below")).order_by(table.c.id.desc()).limit(bindparam("most"))
    )
    for name, table in _TABLES.items()
}


def start_full_sync(work: UnitOfWork, wanted: dict[str, Any], context: str = "") -> bool:
    """Start a full sync, cancelling one that runs, and return whether sync is allowed.

    wanted: module → 1 for all of it, or a list of ids. Unknown modules are stored and skipped.
    """
    if not sync_queue.is_sync_allowed(work):
        return False
    config = wanted or dict.fromkeys((*DEFAULT, *(name for name in _get_loaders(work) if name not in DEFAULT)), 1)
    if config.get("users") == "initial":
        found = work.tx.all(_BELOW["users"], below=1 << 62, most=_FEW)
        config["users"] = [
            int(number)
            for number, user in sync_objects.load_users(work, [row[0] for row in found]).items()
            if user["has_level"]
        ]
    begun: dict[str, Any] = {}
    for name in config:
        if name in _TABLES:
            top, low, count = work.tx.first(_RANGE[name]) or (0, 0, 0)
            begun[name] = {"max": str(top or 0), "min": str(low or 0), "count": str(count)}
    # Chunk ids contain the start time, so no two full syncs may start in the same second.
    before = int((stored_values.get_value(work, _STATE) or {}).get("started", 0))
    stored_values.save_value(work, _STATE, {
        "started": max(work.now, before + 1), "finished": None, "config": config, "context": context,
        "ranges": begun, "number": 0, "progress": {}, "said": False,
    })  # fmt: skip
    stored_values.delete_values(work, _BUFFER)
    return True


def _get_loaders(work: UnitOfWork) -> dict[str, modules.ObjectLoader]:
    return {**modules.get_module_loaders(work.site), **_LOADERS}


def clear_full_sync(work: UnitOfWork) -> None:
    """Delete the full sync."""
    stored_values.delete_values(work, _STATE, _BUFFER)


def get_progress(work: UnitOfWork) -> dict[str, Any]:
    """Return the progress of the full sync, as in the sync status."""
    state = stored_values.get_value(work, _STATE)
    if state is None:
        return {"started": False, "finished": False, "progress": [], "config": [], "context": "", "said": False}
    progress = {
        name: {member: value for member, value in one.items() if member != "below"}
        for name, one in state["progress"].items()
    }
    return {
        "started": state["started"], "finished": state["finished"] or False, "progress": progress or [],
        "config": state["config"] or [], "context": state["context"], "said": state["said"],
    }  # fmt: skip


# -- chunks


def _build_next_chunk(work: UnitOfWork, state: dict[str, Any]) -> tuple[str, str, list[Any]] | None:
    """Return id, action and arguments of the next chunk, and mark it as sent in `state`; None at the end."""
    if state["finished"]:
        return None
    if not state["said"]:
        state["said"] = True
        return _name_chunk(state, "connector_full_sync_start", [state["config"], state["ranges"], state["context"]])
    config: dict[str, Any] = state["config"]
    order = [name for name in config if name in _WHOLE] + [name for name in config if name in _get_loaders(work)]
    for name in order:
        one = state["progress"].setdefault(name, _build_module_progress(state, name))
        if one["finished"]:
            continue
        if name in _WHOLE:
            one |= {"sent": 1, "finished": True}
            return _name_chunk(state, f"connector_full_sync_{name}", [_WHOLE[name](work)])
        found = _load_chunk(work, name, config[name], one)
        if found is not None:
            return _name_chunk(state, f"connector_full_sync_{name}", found, one["last_sent"])
    state["finished"] = work.now
    return _name_chunk(state, "connector_full_sync_end", ["", state["ranges"], state["context"]])


def _build_module_progress(state: dict[str, Any], name: str) -> dict[str, Any]:
    wanted = state["config"][name]
    total: Any = len(wanted) if isinstance(wanted, list) else state["ranges"][name]["count"] if name in _TABLES else 1
    return {"total": total, "sent": 0, "finished": False, "last_sent": None, "below": None}


def _load_chunk(work: UnitOfWork, name: str, ids: Any, progress: dict[str, Any]) -> list[Any] | None:
    most, _ = _get_limits(work, name)
    below = progress["below"] if progress["below"] is not None else 1 << 62
    if isinstance(ids, list):
        numbers = sorted((number for number in ids if isinstance(number, int) and number < below), reverse=True)[:most]
    else:
        numbers = [row[0] for row in work.tx.all(_BELOW[name], below=below, most=most)]
    if not numbers:
        progress["finished"] = True
        return None
    found = _get_loaders(work)[name](work, numbers)
    before = progress["last_sent"]
    progress |= {"sent": progress["sent"] + len(numbers), "last_sent": str(numbers[-1]), "below": numbers[-1]}
    return [list(found.values()), [], [], before]


def _get_limits(work: UnitOfWork, name: str) -> tuple[int, int]:
    """Return a module's objects per chunk and chunks per step; values that are not numbers give the defaults."""
    limits = sync_settings.load_sync_settings(work)["full_sync_limits"]
    own = limits.get(name) if isinstance(limits, dict) else None
    sizes = [own.get(word) if isinstance(own, dict) else None for word in ("chunk_size", "max_chunks")]
    few = (
        sync_settings.get_sync_number(work, "term_relationships_full_sync_item_size")
        if name == "term_relationships"
        else 100
    )
    size, chunks = (one if isinstance(one, int) and not isinstance(one, bool) and one > 0 else 0 for one in sizes)
    return min(size or few, _MOST), chunks or 1


def _name_chunk(
    state: dict[str, Any], action: str, arguments: list[Any], last: Any = None
) -> tuple[str, str, list[Any]]:
    state["number"] += 1
    mark = zlib.crc32(orjson.dumps([action, last]))
    name = f"jpsq_{sync_queue.FULL}-{state['started']}.{state['number']:06d}-{1 + mark % 1_000_000}-{state['number']}"
    return name, action, arguments


def build_chunk_batch(
    work: UnitOfWork, most: int, encode: bool = True, read: int = _ANY
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the next chunks by id, and the state to store when they are received.

    read: limit in bytes of all chunks before encoding; encoded they have `upload_max_bytes` at most.
    """
    state = stored_values.get_value(work, _STATE)
    if state is None or not sync_queue.is_sync_allowed(work) or state["finished"]:
        return {}, {}
    reached = copy.deepcopy(state)
    most = min(most, sync_settings.get_sync_number(work, "max_enqueue_full_sync") or most)
    most = min(most, sync_settings.get_sync_number(work, "max_queue_size_full_sync") or most)
    sent = sync_settings.get_sync_number(work, "upload_max_bytes")
    made: dict[str, Any] = {}
    while len(made) < most and read > 0 and sent > 0:
        found = _build_next_chunk(work, reached)
        if found is None:
            break
        name, action, arguments = found
        content = orjson.dumps(sync_items.build_item(action, arguments, float(work.now)))
        made[name] = encode_json_payload(content) if encode else orjson.loads(content)
        read -= len(content)
        sent -= len(made[name]) if encode else len(content)
    return made, reached


def has_pending_chunks(work: UnitOfWork) -> bool:
    """Say whether a full sync has more to send."""
    state = stored_values.get_value(work, _STATE)
    return state is not None and not state["finished"] and sync_queue.is_sync_allowed(work)


def checkout_chunks(
    work: UnitOfWork, most: int, *, force: bool = False, pop: bool = False, encode: bool = True
) -> dict[str, Any]:
    """Check out the next chunks. Raises QueueEmpty, BufferOpen."""
    if force:
        sync_locks.unlock_queue(work, sync_queue.FULL)
    elif sync_locks.is_locked(work, sync_queue.FULL):
        raise sync_locks.BufferOpen
    made, then = build_chunk_batch(work, most, encode)
    if not made:
        raise sync_queue.QueueEmpty
    if pop:
        save_reached_state(work, then)
    else:
        stored_values.save_value(work, _BUFFER, {"ids": list(made), "then": then})
    sync_locks.hold_sender(work, sync_queue.FULL, sync_locks.HELD_SECONDS)
    return {
        "buffer_id": "pop" if pop else sync_locks.lock_queue(work, sync_queue.FULL), "items": made, "skipped_items": [],
        "codec": CODEC if encode else None, "sent_timestamp": work.now, "queue_size": len(made),
    }  # fmt: skip


def save_reached_state(work: UnitOfWork, reached: dict[str, Any]) -> None:
    """Store that chunks were received, unless a new full sync has started, or they were received before."""
    state = stored_values.get_value(work, _STATE)
    if state is None or state["started"] != reached["started"] or state["number"] > reached["number"]:
        return
    stored_values.save_value(work, _STATE, reached)
    if reached["finished"] and "posts" in reached["config"]:
        health.set_sync_health(work, health.IN_SYNC)


def acknowledge_chunks(work: UnitOfWork, names: Sequence[Any]) -> None:
    """Acknowledge the chunks of the buffer, all of them or none."""
    held = stored_values.get_value(work, _BUFFER)
    if held is not None and set(held["ids"]) <= {name for name in names if isinstance(name, str)}:
        save_reached_state(work, held["then"])
        stored_values.delete_values(work, _BUFFER)


def build_step_chunks(work: UnitOfWork) -> dict[str, Any]:
    """Return the next chunks of one module, acknowledged at once; none when no full sync runs.

    Their number is limited by the module's settings and `full_sync_send_duration`.
    """
    state = stored_values.get_value(work, _STATE)
    if state is None or not sync_queue.is_sync_allowed(work):
        return {}
    state = copy.deepcopy(state)
    end = time.monotonic() + max(1, sync_settings.get_sync_number(work, "full_sync_send_duration"))
    made: dict[str, Any] = {}
    module, left = "", 1
    while left > 0 and time.monotonic() < end:
        before = copy.deepcopy(state)
        found = _build_next_chunk(work, state)
        if found is None:
            break
        _, action, arguments = found
        now = action.removeprefix("connector_full_sync_")
        if module and now != module:
            state = before
            break
        if not module:
            module, left = now, _get_limits(work, now)[1] if now in _TABLES else 1
        last = (state["progress"].get(now) or {}).get("last_sent")
        name = f"connector_full_sync_{now}_{zlib.crc32(orjson.dumps(last))}"
        made[name] = encode_payload(sync_items.build_item(action, arguments, float(work.now)))
        left -= 1
    save_reached_state(work, state)
    return made
