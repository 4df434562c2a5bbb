"""What the service asks of sync as a whole: its state, single objects, buffers of either queue.

Not here: buffers (connector/sync/queue.py, connector/sync/full_sync.py), sending (connector/sync/sender.py), checksums
(connector/checksums/rules.py). Rules: facts of the connector, 13.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import orjson

from vetrina.connector.checksums import rules as checksums
from vetrina.connector.connection import state as connection_state
from vetrina.connector.identity import rules as identity
from vetrina.connector.sync import (
    full_sync,
    named_objects,
    sender,
    shop_objects,
)
from vetrina.connector.sync import (
    items as sync_items,
)
from vetrina.connector.sync import (
    locks as sync_locks,
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
from vetrina.kernel.integers import whole

__all__ = ["checkout", "close", "is_waiting", "object_map", "sync_status"]

_CHECKSUMS: Final = {
    "posts_checksum": "posts", "comments_checksum": "comments", "post_meta_checksum": "post_meta",
    "comment_meta_checksum": "comment_meta",
}  # fmt: skip


def sync_status(work: Work, fields: Iterable[str] = ()) -> dict[str, Any]:
    """Return the state of sync; fields: further members that are asked for."""
    work.passes()
    kept = full_sync.progress(work)
    size = sync_queue.queue_size(work)
    out: dict[str, Any] = {
        "start_action_processed": kept["said"], "cancelled_action_processed": True, "started": kept["started"],
        "finished": kept["finished"], "progress": kept["progress"], "config": kept["config"],
        "context": kept["context"], "cron_size": 0, "next_cron": 0, "queue_size": size,
        "queue_lag": sync_queue.lag(work) if size else 0,
        "queue_next_sync": float(sync_locks.next_time(work, sync_queue.SYNC) - work.now),
        "full_queue_next_sync": float(sync_locks.next_time(work, sync_queue.FULL) - work.now),
    }  # fmt: skip
    wanted = set(fields)
    for name, table in _CHECKSUMS.items():
        if name in wanted:
            out[name] = checksums.checked(work, only=(table,))[table]
    if "debug_details" in wanted:
        out["debug_details"] = _details(work)
    return out


def _details(work: Work) -> dict[str, Any]:
    allowed = sync_queue.is_allowed(work)
    out: dict[str, Any] = {"sync_allowed": allowed, "sync_health": sync_settings.health(work)}
    if not allowed:
        if connection_state.is_offline(work.frame):
            out["is_offline_mode"] = True
        if identity.in_crisis(work):
            out["in_safe_mode"] = True
        if not connection_state.is_registered(work):
            out["active_connection"] = False
        if sync_settings.number(work, "disable"):
            out["is_sync_enabled"] = False
            out["sync_disabled_value"] = sync_settings.number(work, "disable")
            out["sync_network_disabled_value"] = 0
    times: dict[str, Any] = {}
    for label, read in (("retry_time", sync_locks.retry_time), ("next_sync_time", sync_locks.next_time)):
        times |= {f"{label}_{name}": read(work, name) or False for name in (sync_queue.SYNC, sync_queue.FULL)}
    out |= {
        "dedicated_sync_enabled": False,
        "sync_locks": {
            **times,
            **{f"queue_locked_{name}": sync_locks.is_locked(work, name) for name in (sync_queue.SYNC, sync_queue.FULL)},
            "dedicated_sync_last_requested": False,
            "dedicated_sync_temporary_disable_flag": False,
        },
        "last_succesful_sync": connection_state.get(work, sender.LAST, False),
        "sync_error_log": [],
    }
    return out


def checkout(work: Work, name: str, most: int, force: bool, pop: bool, encode: bool) -> dict[str, Any]:
    """Hand out a buffer of a queue. Raises QueueEmpty, BufferOpen."""
    hand_out = sync_queue.checkout if name == sync_queue.SYNC else full_sync.checkout
    return hand_out(work, most, force=force, pop=pop, encode=encode)


def is_waiting(work: Work, name: str) -> bool:
    """Say whether a queue has something to hand out."""
    return sync_queue.queue_size(work) > 0 if name == sync_queue.SYNC else full_sync.is_waiting(work)


def close(work: Work, name: str, names: list[Any]) -> None:
    """Take items of a queue as received."""
    (sync_queue.acknowledge if name == sync_queue.SYNC else full_sync.acknowledge)(work, names)
    connection_state.put(work, sender.LAST, work.now)


def object_map(work: Work, module: str, kind: str, ids: list[Any]) -> dict[str, Any]:
    """Return objects of a module by their ids. Raises InvalidModule."""
    known = {"posts", "constants", "options", "functions", "updates", "stats", "full-sync", "meta"}
    if checksums.is_full(work):
        known |= {"comments", "users", "terms", "term_relationships", "themes", *sync_items.loaders(work.frame)}
    if module not in known:
        raise checksums.InvalidModule(name=module[:40])
    if not kind or not ids:
        return {}
    words = [str(one) for one in ids if isinstance(one, (str, int)) and not isinstance(one, bool)]
    numbers = [int(word) for word in words if word.isdecimal() and len(word) < 16]
    match module, kind:
        case "posts", "post":
            return sync_objects.posts(work, numbers)
        case "comments", "comment":
            return sync_objects.comments(work, numbers)
        case "users", "user":
            return sync_objects.users_of(work, numbers)
        case "terms", ("term" | "term_taxonomy"):
            return sync_objects.terms(work, numbers)
        case (("terms" | "term_relationships"), "term_relationships"):
            return sync_objects.relationships(work, numbers)
        case sync_items.ORDERS, ("order" | "shop_order"):
            return shop_objects.orders(work, numbers)
        case sync_items.COUPONS, ("coupon" | "shop_coupon"):
            return shop_objects.coupons(work, numbers)
        case sync_items.RATES, "tax_rate":
            return shop_objects.tax_rates(work, numbers)
        case sync_items.ATTRIBUTES, "attribute":
            return shop_objects.attributes(work, numbers)
        case "themes", "theme-info":
            return {word: named_objects.theme(work) for word in words}
        case "updates", "update":
            return {word: named_objects.updates(work).get(word) for word in words}
        case "options", "option":
            return named_objects.options(work, named_objects.option_names(work.frame) if "all" in words else words)
        case "constants", "constant":
            kept = named_objects.constants(work)
            return kept if "all" in words else {word: kept.get(word, False) for word in words}
        case "functions", "callable":
            return named_objects.functions(work, None if "all" in words else words)
        case "meta", ("post" | "comment" | "postmeta" | "commentmeta"):
            return _meta(work, kind.removesuffix("meta"), ids)
    return {}


def _meta(work: Work, kind: str, ids: list[Any]) -> dict[str, Any]:
    pairs = [
        (number, str(one["meta_key"]))
        for one in ids
        if isinstance(one, dict) and (number := whole(str(one.get("id", "")))) is not None and "meta_key" in one
    ]
    load = sync_objects.posts if kind == "post" else sync_objects.comments
    found = load(work, [number for number, _ in pairs])
    out: dict[str, Any] = {}
    for number, name in pairs:
        thing = found.get(str(number))
        if thing is not None and name in thing["meta"]:
            value = thing["meta"][name]
            out[f"{number}-{name}"] = [{
                "meta_type": kind, "meta_id": 0, "meta_key": name,
                "meta_value": value if isinstance(value, str) else orjson.dumps(value).decode(), "object_id": number,
            }]  # fmt: skip
    return out
