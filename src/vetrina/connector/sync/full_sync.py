"""A full sync: everything of some modules, sent in chunks from the highest number down.

What was sent is kept after each chunk; a chunk that nobody acknowledged is made again, with the same id. It is pulled
as the queue `full_sync` (acknowledged) or step by step as `immediate` (not acknowledged). Nothing lies in a queue.
Not here: the objects (connector/sync/objects.py). Rules: facts of the connector, 13, "Full sync".
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
from vetrina.backends.tables.catalogue import product_attribute
from vetrina.backends.tables.core import account, comment, record, term
from vetrina.backends.tables.orders import coupon, shop_order
from vetrina.backends.tables.taxes_shipping import tax_rate
from vetrina.connector.connection import state as connection_state
from vetrina.connector.sync import (
    items as sync_items,
)
from vetrina.connector.sync import (
    locks as sync_locks,
)
from vetrina.connector.sync import (
    named_objects,
)
from vetrina.connector.sync import (
    objects as sync_objects,
)
from vetrina.connector.sync import (
    queue as sync_queue,
)
from vetrina.connector.sync import (
    settings as sync_settings,
)
from vetrina.core.unit_of_work import Work
from vetrina.kernel.codec import CODEC, packed, packed_json

__all__ = [
    "DEFAULT", "acknowledge", "batch", "checkout", "clear", "is_waiting", "progress", "reach", "start", "step",
]  # fmt: skip

DEFAULT: Final = (
    "constants", "functions", "options", "terms", "themes", "users", "posts", "comments", "updates",
    "term_relationships",
)  # fmt: skip
_STATE, _BUFFER = "full_sync", "full_sync_buffer"
_MOST: Final = 5_000  # things of a chunk, whatever a setting says
_ANY: Final = 1 << 62  # bytes, where nobody bounds them
_FEW: Final = 100  # accounts of `initial`

_WHOLE: Final[dict[str, Callable[[Work], Any]]] = {
    "constants": named_objects.constants,
    "functions": named_objects.functions,
    "options": lambda work: named_objects.options(work, named_objects.option_names(work.frame)),
    "themes": named_objects.theme,
    "updates": named_objects.updates,
}
_LOADERS: Final[dict[str, sync_items.Loader]] = {"term_relationships": sync_objects.relationships}
_TABLES: Final[dict[str, Table]] = {
    "terms": term,
    "users": account,
    "posts": record,
    "comments": comment,
    "term_relationships": record,
    sync_items.ORDERS: shop_order,
    sync_items.COUPONS: coupon,
    sync_items.RATES: tax_rate,
    sync_items.ATTRIBUTES: product_attribute,
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


def start(work: Work, wanted: dict[str, Any], context: str = "") -> bool:
    """Begin a full sync; one that runs is called off. Return whether sync is allowed.

    wanted: module → 1 for all of it, or a list of numbers. Unknown modules are kept and passed over.
    """
    if not sync_queue.is_allowed(work):
        return False
    config = wanted or dict.fromkeys((*DEFAULT, *(name for name in _loaders(work) if name not in DEFAULT)), 1)
    if config.get("users") == "initial":
        found = work.tx.all(_BELOW["users"], below=1 << 62, most=_FEW)
        config["users"] = [
            int(number)
            for number, user in sync_objects.users_of(work, [row[0] for row in found]).items()
            if user["has_level"]
        ]
    begun: dict[str, Any] = {}
    for name in config:
        if name in _TABLES:
            top, low, count = work.tx.first(_RANGE[name]) or (0, 0, 0)
            begun[name] = {"max": str(top or 0), "min": str(low or 0), "count": str(count)}
    # Ids name the moment of the start, so no two full syncs have the same.
    before = int((connection_state.get(work, _STATE) or {}).get("started", 0))
    connection_state.put(work, _STATE, {
        "started": max(work.now, before + 1), "finished": None, "config": config, "context": context,
        "ranges": begun, "number": 0, "progress": {}, "said": False,
    })  # fmt: skip
    connection_state.drop(work, _BUFFER)
    return True


def _loaders(work: Work) -> dict[str, sync_items.Loader]:
    return {**sync_items.loaders(work.frame), **_LOADERS}


def clear(work: Work) -> None:
    """Forget the full sync."""
    connection_state.drop(work, _STATE, _BUFFER)


def progress(work: Work) -> dict[str, Any]:
    """Return what a status says of the full sync."""
    kept = connection_state.get(work, _STATE)
    if kept is None:
        return {"started": False, "finished": False, "progress": [], "config": [], "context": "", "said": False}
    shown = {
        name: {member: value for member, value in one.items() if member != "below"}
        for name, one in kept["progress"].items()
    }
    return {
        "started": kept["started"], "finished": kept["finished"] or False, "progress": shown or [],
        "config": kept["config"] or [], "context": kept["context"], "said": kept["said"],
    }  # fmt: skip


# -- one chunk after the other


def _next(work: Work, kept: dict[str, Any]) -> tuple[str, str, list[Any]] | None:
    """Return id, action and arguments of the next chunk and note in `kept` that it is sent; None at the end."""
    if kept["finished"]:
        return None
    if not kept["said"]:
        kept["said"] = True
        return _named(kept, "connector_full_sync_start", [kept["config"], kept["ranges"], kept["context"]])
    config: dict[str, Any] = kept["config"]
    order = [name for name in config if name in _WHOLE] + [name for name in config if name in _loaders(work)]
    for name in order:
        one = kept["progress"].setdefault(name, _begun(kept, name))
        if one["finished"]:
            continue
        if name in _WHOLE:
            one |= {"sent": 1, "finished": True}
            return _named(kept, f"connector_full_sync_{name}", [_WHOLE[name](work)])
        found = _chunk(work, name, config[name], one)
        if found is not None:
            return _named(kept, f"connector_full_sync_{name}", found, one["last_sent"])
    kept["finished"] = work.now
    return _named(kept, "connector_full_sync_end", ["", kept["ranges"], kept["context"]])


def _begun(kept: dict[str, Any], name: str) -> dict[str, Any]:
    told = kept["config"][name]
    total: Any = len(told) if isinstance(told, list) else kept["ranges"][name]["count"] if name in _TABLES else 1
    return {"total": total, "sent": 0, "finished": False, "last_sent": None, "below": None}


def _chunk(work: Work, name: str, told: Any, one: dict[str, Any]) -> list[Any] | None:
    most, _ = _limits(work, name)
    below = one["below"] if one["below"] is not None else 1 << 62
    if isinstance(told, list):
        numbers = sorted((number for number in told if isinstance(number, int) and number < below), reverse=True)[:most]
    else:
        numbers = [row[0] for row in work.tx.all(_BELOW[name], below=below, most=most)]
    if not numbers:
        one["finished"] = True
        return None
    found = _loaders(work)[name](work, numbers)
    before = one["last_sent"]
    one |= {"sent": one["sent"] + len(numbers), "last_sent": str(numbers[-1]), "below": numbers[-1]}
    return [list(found.values()), [], [], before]


def _limits(work: Work, name: str) -> tuple[int, int]:
    """Return how many things a chunk of a module has, and how many chunks a step; what is no number is the default."""
    told = sync_settings.read(work)["full_sync_limits"]
    own = told.get(name) if isinstance(told, dict) else None
    sizes = [own.get(word) if isinstance(own, dict) else None for word in ("chunk_size", "max_chunks")]
    few = sync_settings.number(work, "term_relationships_full_sync_item_size") if name == "term_relationships" else 100
    size, chunks = (one if isinstance(one, int) and not isinstance(one, bool) and one > 0 else 0 for one in sizes)
    return min(size or few, _MOST), chunks or 1


def _named(kept: dict[str, Any], action: str, arguments: list[Any], last: Any = None) -> tuple[str, str, list[Any]]:
    kept["number"] += 1
    mark = zlib.crc32(orjson.dumps([action, last]))
    name = f"jpsq_{sync_queue.FULL}-{kept['started']}.{kept['number']:06d}-{1 + mark % 1_000_000}-{kept['number']}"
    return name, action, arguments


def batch(work: Work, most: int, encode: bool = True, read: int = _ANY) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the next chunks by their ids, and the state that is reached when they are received.

    read: bytes of all of them before they are packed; packed they have `upload_max_bytes` at most.
    """
    kept = connection_state.get(work, _STATE)
    if kept is None or not sync_queue.is_allowed(work) or kept["finished"]:
        return {}, {}
    then = copy.deepcopy(kept)
    most = min(most, sync_settings.number(work, "max_enqueue_full_sync") or most)
    most = min(most, sync_settings.number(work, "max_queue_size_full_sync") or most)
    sent = sync_settings.number(work, "upload_max_bytes")
    made: dict[str, Any] = {}
    while len(made) < most and read > 0 and sent > 0:
        found = _next(work, then)
        if found is None:
            break
        name, action, arguments = found
        content = orjson.dumps(sync_items.item(action, arguments, float(work.now)))
        made[name] = packed_json(content) if encode else orjson.loads(content)
        read -= len(content)
        sent -= len(made[name]) if encode else len(content)
    return made, then


def is_waiting(work: Work) -> bool:
    """Say whether a full sync has more to send."""
    kept = connection_state.get(work, _STATE)
    return kept is not None and not kept["finished"] and sync_queue.is_allowed(work)


def checkout(work: Work, most: int, *, force: bool = False, pop: bool = False, encode: bool = True) -> dict[str, Any]:
    """Hand out the next chunks. Raises QueueEmpty, BufferOpen."""
    if force:
        sync_locks.unlock(work, sync_queue.FULL)
    elif sync_locks.is_locked(work, sync_queue.FULL):
        raise sync_queue.BufferOpen
    made, then = batch(work, most, encode)
    if not made:
        raise sync_queue.QueueEmpty
    if pop:
        reach(work, then)
    else:
        connection_state.put(work, _BUFFER, {"ids": list(made), "then": then})
    sync_locks.hold(work, sync_queue.FULL, sync_locks.HELD_SECONDS)
    return {
        "buffer_id": "pop" if pop else sync_locks.lock(work, sync_queue.FULL), "items": made, "skipped_items": [],
        "codec": CODEC if encode else None, "sent_timestamp": work.now, "queue_size": len(made),
    }  # fmt: skip


def reach(work: Work, then: dict[str, Any]) -> None:
    """Keep that chunks were received, unless another full sync was begun, or they were received before."""
    kept = connection_state.get(work, _STATE)
    if kept is None or kept["started"] != then["started"] or kept["number"] > then["number"]:
        return
    connection_state.put(work, _STATE, then)
    if then["finished"] and "posts" in then["config"]:
        sync_settings.set_health(work, sync_settings.IN_SYNC)


def acknowledge(work: Work, names: Sequence[Any]) -> None:
    """Take the chunks of the buffer as received, all of them or none."""
    held = connection_state.get(work, _BUFFER)
    if held is not None and set(held["ids"]) <= {name for name in names if isinstance(name, str)}:
        reach(work, held["then"])
        connection_state.drop(work, _BUFFER)


def step(work: Work) -> dict[str, Any]:
    """Return the next chunks of one module, which are taken as received; none when nothing runs.

    As many as the module's limits and `full_sync_send_duration` allow.
    """
    kept = connection_state.get(work, _STATE)
    if kept is None or not sync_queue.is_allowed(work):
        return {}
    kept = copy.deepcopy(kept)
    end = time.monotonic() + max(1, sync_settings.number(work, "full_sync_send_duration"))
    made: dict[str, Any] = {}
    module, left = "", 1
    while left > 0 and time.monotonic() < end:
        before = copy.deepcopy(kept)
        found = _next(work, kept)
        if found is None:
            break
        _, action, arguments = found
        now = action.removeprefix("connector_full_sync_")
        if module and now != module:
            kept = before
            break
        if not module:
            module, left = now, _limits(work, now)[1] if now in _TABLES else 1
        last = (kept["progress"].get(now) or {}).get("last_sent")
        name = f"connector_full_sync_{now}_{zlib.crc32(orjson.dumps(last))}"
        made[name] = packed(sync_items.item(action, arguments, float(work.now)))
        left -= 1
    reach(work, kept)
    return made
