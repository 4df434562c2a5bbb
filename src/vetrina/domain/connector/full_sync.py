"""A full sync: everything of some modules, sent in chunks from the highest number down.

What was sent is kept after each chunk; a chunk that nobody acknowledged is made again, with the same id. It is pulled
as the queue `full_sync` (acknowledged) or step by step as `immediate` (not acknowledged). Nothing lies in a queue.
Not here: the objects (objects.py). Rules: facts of the connector, 13, "Full sync".
"""

from __future__ import annotations

import copy
import zlib
from collections.abc import Callable, Sequence
from typing import Any, Final

import orjson
from sqlalchemy import Table, bindparam, func, select

from vetrina.backends.database import Statement
from vetrina.backends.tables import account, comment, record, term
from vetrina.backends.tables_orders import shop_order
from vetrina.domain.work import Work
from vetrina.kernel.packing import packed

from . import items, objects, queue, state, sync_settings

__all__ = ["DEFAULT", "acknowledge", "checkout", "clear", "progress", "start", "step"]

DEFAULT: Final = (
    "constants", "functions", "options", "terms", "themes", "users", "posts", "comments", "updates",
    "term_relationships",
)  # fmt: skip
_SHOP: Final = "shop_orders"
_STATE, _BUFFER = "full_sync", "full_sync_buffer"
_FEW: Final = 100  # accounts of `initial`

_WHOLE: Final[dict[str, Callable[[Work], Any]]] = {
    "constants": objects.constants,
    "functions": objects.functions,
    "options": lambda work: objects.options(work, objects.OPTION_NAMES),
    "themes": objects.theme,
    "updates": objects.updates,
}
_LOADERS: Final[dict[str, items.Loader]] = {
    "terms": objects.terms, "users": objects.users_of, "posts": objects.posts, "comments": objects.comments,
    "term_relationships": objects.relationships, _SHOP: objects.orders,
}  # fmt: skip
_TABLES: Final[dict[str, Table]] = {
    "terms": term, "users": account, "posts": record, "comments": comment, "term_relationships": record,
    _SHOP: shop_order,
}  # fmt: skip
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
    if not queue.is_allowed(work):
        return False
    config = wanted or dict.fromkeys((*DEFAULT, *((_SHOP,) if "shop" in work.frame.profile.modules else ())), 1)
    if config.get("users") == "initial":
        found = work.tx.all(_BELOW["users"], below=1 << 62, most=_FEW)
        config["users"] = [int(number) for number, user in objects.users_of(work, [row[0] for row in found]).items()
                           if user["has_level"]]  # fmt: skip
    begun: dict[str, Any] = {}
    for name in config:
        if name in _TABLES:
            top, low, count = work.tx.first(_RANGE[name]) or (0, 0, 0)
            begun[name] = {"max": str(top or 0), "min": str(low or 0), "count": str(count)}
    # Ids name the moment of the start, so no two full syncs have the same.
    before = int((state.get(work, _STATE) or {}).get("started", 0))
    state.put(work, _STATE, {
        "started": max(work.now, before + 1), "finished": None, "config": config, "context": context,
        "ranges": begun, "number": 0, "progress": {}, "said": False,
    })  # fmt: skip
    state.drop(work, _BUFFER)
    return True


def clear(work: Work) -> None:
    """Forget the full sync."""
    state.drop(work, _STATE, _BUFFER)


def progress(work: Work) -> dict[str, Any]:
    """Return what a status says of the full sync."""
    kept = state.get(work, _STATE)
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
    order = [name for name in config if name in _WHOLE] + [name for name in config if name in _LOADERS]
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
    if "posts" in config:
        sync_settings.set_health(work, sync_settings.IN_SYNC)
    return _named(kept, "connector_full_sync_end", ["", kept["ranges"], kept["context"]])


def _begun(kept: dict[str, Any], name: str) -> dict[str, Any]:
    told = kept["config"][name]
    total: Any = len(told) if isinstance(told, list) else kept["ranges"][name]["count"] if name in _LOADERS else 1
    return {"total": total, "sent": 0, "finished": False, "last_sent": None, "below": None}


def _chunk(work: Work, name: str, told: Any, one: dict[str, Any]) -> list[Any] | None:
    limits = sync_settings.read(work)["full_sync_limits"]
    most = int((limits.get(name) or {}).get("chunk_size", 100))
    below = one["below"] if one["below"] is not None else 1 << 62
    if isinstance(told, list):
        numbers = sorted((number for number in told if isinstance(number, int) and number < below), reverse=True)[:most]
    else:
        numbers = [row[0] for row in work.tx.all(_BELOW[name], below=below, most=most)]
    if not numbers:
        one["finished"] = True
        return None
    found = _LOADERS[name](work, numbers)
    before = one["last_sent"]
    one |= {"sent": one["sent"] + len(numbers), "last_sent": str(numbers[-1]), "below": numbers[-1]}
    return [list(found.values()), [], [], before]


def _named(kept: dict[str, Any], action: str, arguments: list[Any], last: Any = None) -> tuple[str, str, list[Any]]:
    kept["number"] += 1
    mark = zlib.crc32(orjson.dumps([action, last]))
    name = f"jpsq_{queue.FULL}-{kept['started']}.{kept['number']:06d}-{1 + mark % 1_000_000}-{kept['number']}"
    return name, action, arguments


def checkout(work: Work, most: int, *, force: bool = False, pop: bool = False, encode: bool = True) -> dict[str, Any]:
    """Hand out the next chunks. Raises QueueEmpty, BufferOpen."""
    if force:
        queue.unlock(work, queue.FULL)
    elif queue.is_locked(work, queue.FULL):
        raise queue.BufferOpen
    kept = state.get(work, _STATE)
    if kept is None or not queue.is_allowed(work) or kept["finished"]:
        raise queue.QueueEmpty
    kept = copy.deepcopy(kept)
    made = _made(work, kept, most, encode)
    if pop:
        state.put(work, _STATE, kept)
    else:
        state.put(work, _BUFFER, {"ids": list(made), "then": kept})
    return {
        "buffer_id": "pop" if pop else queue.lock(work, queue.FULL), "items": made, "skipped_items": [],
        "codec": "deflate-json-array" if encode else None, "sent_timestamp": work.now, "queue_size": len(made),
    }  # fmt: skip


def _made(work: Work, kept: dict[str, Any], most: int, encode: bool) -> dict[str, Any]:
    room = sync_settings.number(work, "upload_max_bytes")
    made: dict[str, Any] = {}
    while len(made) < most and room > 0:
        found = _next(work, kept)
        if found is None:
            break
        name, action, arguments = found
        whole = items.item(action, arguments, work.now)
        made[name] = packed(whole) if encode else whole
        room -= len(made[name]) if encode else 10_000
    return made


def acknowledge(work: Work, names: Sequence[Any]) -> None:
    """Take the chunks of the buffer as received, all of them or none."""
    held = state.get(work, _BUFFER)
    if held is not None and set(held["ids"]) <= {name for name in names if isinstance(name, str)}:
        state.put(work, _STATE, held["then"])
        state.drop(work, _BUFFER)


def step(work: Work) -> dict[str, Any]:
    """Return the next chunk, which is taken as received; none when nothing runs."""
    kept = copy.deepcopy(state.get(work, _STATE))
    if kept is None or not queue.is_allowed(work):
        return {}
    made = _made(work, kept, 1, True)
    state.put(work, _STATE, kept)
    return made
