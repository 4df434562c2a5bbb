"""Sync as a whole: its status, single objects, buffers of either queue.

Not here: buffers (connector/sync/queue.py, connector/sync/full_sync.py), sending (connector/sync/sender.py), checksums
(connector/checksums/rules.py). Rules: docs/rules/connector_tables.md, 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import orjson

from vetrina.connector import stored_values
from vetrina.connector.checksums import rules as checksums
from vetrina.connector.connection import state as connection_state
from vetrina.connector.identity import rules as identity
from vetrina.connector.sync import (
    change_items as sync_items,
    full_sync,
    named_objects,
    objects as sync_objects,
    queue as sync_queue,
    queue_locks as sync_locks,
    sender,
    settings as sync_settings,
    shop_objects,
)
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.integers import parse_digits

_CHECKSUMS: Final = {
    "posts_checksum": "posts", "comments_checksum": "comments", "post_meta_checksum": "post_meta",
    "comment_meta_checksum": "comment_meta",
}  # fmt: skip


def build_sync_status(work: UnitOfWork, fields: Iterable[str] = ()) -> dict[str, Any]:
    """Return the status of sync; fields: further members."""
    work.mark_time_dependent()
    progress = full_sync.get_progress(work)
    size = sync_queue.count_waiting_changes(work)
    out: dict[str, Any] = {
        "start_action_processed": progress["said"], "cancelled_action_processed": True, "started": progress["started"],
        "finished": progress["finished"], "progress": progress["progress"], "config": progress["config"],
        "context": progress["context"], "cron_size": 0, "next_cron": 0, "queue_size": size,
        "queue_lag": sync_queue.compute_lag(work) if size else 0,
        "queue_next_sync": float(sync_locks.get_next_send_time(work, sync_queue.SYNC) - work.now),
        "full_queue_next_sync": float(sync_locks.get_next_send_time(work, sync_queue.FULL) - work.now),
    }  # fmt: skip
    wanted = set(fields)
    for name, table in _CHECKSUMS.items():
        if name in wanted:
            out[name] = checksums.compute_checksums(work, only=(table,))[table]
    if "debug_details" in wanted:
        out["debug_details"] = _build_debug_details(work)
    return out


def _build_debug_details(work: UnitOfWork) -> dict[str, Any]:
    allowed = sync_queue.is_sync_allowed(work)
    out: dict[str, Any] = {"sync_allowed": allowed, "sync_health": sync_settings.get_sync_health(work)}
    if not allowed:
        if connection_state.is_offline(work.site):
            out["is_offline_mode"] = True
        if identity.is_in_crisis(work):
            out["in_safe_mode"] = True
        if not connection_state.is_registered(work):
            out["active_connection"] = False
        if sync_settings.get_sync_number(work, "disable"):
            out["is_sync_enabled"] = False
            out["sync_disabled_value"] = sync_settings.get_sync_number(work, "disable")
            out["sync_network_disabled_value"] = 0
    times: dict[str, Any] = {}
    for label, read in (("retry_time", sync_locks.get_retry_time), ("next_sync_time", sync_locks.get_next_send_time)):
        times |= {f"{label}_{name}": read(work, name) or False for name in (sync_queue.SYNC, sync_queue.FULL)}
    out |= {
        "dedicated_sync_enabled": False,
        "sync_locks": {
            **times,
            **{f"queue_locked_{name}": sync_locks.is_locked(work, name) for name in (sync_queue.SYNC, sync_queue.FULL)},
            "dedicated_sync_last_requested": False,
            "dedicated_sync_temporary_disable_flag": False,
        },
        "last_succesful_sync": stored_values.get_value(work, sender.LAST, False),
        # Why each queue could not be sent the last time; what was sent since has none.
        "sync_error_log": [
            {"queue": name, **failure}
            for name in (sync_queue.SYNC, sync_queue.FULL)
            if (failure := stored_values.get_value(work, sender.FAILURE + name)) is not None
        ],
    }
    return out


def checkout_buffer(work: UnitOfWork, name: str, most: int, force: bool, pop: bool, encode: bool) -> dict[str, Any]:
    """Check out a buffer of a queue. Raises QueueEmpty, BufferOpen."""
    hand_out = sync_queue.checkout_changes if name == sync_queue.SYNC else full_sync.checkout_chunks
    return hand_out(work, most, force=force, pop=pop, encode=encode)


def has_pending_items(work: UnitOfWork, name: str) -> bool:
    """Say whether a queue has items to check out."""
    return sync_queue.count_waiting_changes(work) > 0 if name == sync_queue.SYNC else full_sync.has_pending_chunks(work)


def acknowledge_items(work: UnitOfWork, name: str, names: list[Any]) -> None:
    """Acknowledge items of a queue."""
    (sync_queue.acknowledge_changes if name == sync_queue.SYNC else full_sync.acknowledge_chunks)(work, names)
    stored_values.save_value(work, sender.LAST, work.now)


def load_objects(work: UnitOfWork, module: str, kind: str, ids: list[Any]) -> dict[str, Any]:
    """Return objects of a module by their ids. Raises InvalidSyncModule."""
    known = {"posts", "constants", "options", "functions", "updates", "stats", "full-sync", "meta"}
    if checksums.has_all_modules(work):
        known |= {
            "comments",
            "users",
            "terms",
            "term_relationships",
            "themes",
            *sync_items.get_module_loaders(work.site),
        }
    if module not in known:
        raise checksums.InvalidSyncModule(name=module[:40])
    if not kind or not ids:
        return {}
    words = [str(one) for one in ids if isinstance(one, (str, int)) and not isinstance(one, bool)]
    numbers = [int(word) for word in words if word.isdecimal() and len(word) < 16]
    match module, kind:
        case "posts", "post":
            return sync_objects.load_posts(work, numbers)
        case "comments", "comment":
            return sync_objects.load_comments(work, numbers)
        case "users", "user":
            return sync_objects.load_users(work, numbers)
        case "terms", ("term" | "term_taxonomy"):
            return sync_objects.load_terms(work, numbers)
        case (("terms" | "term_relationships"), "term_relationships"):
            return sync_objects.load_relationships(work, numbers)
        case sync_items.ORDERS, ("order" | "shop_order"):
            return shop_objects.load_orders(work, numbers)
        case sync_items.COUPONS, ("coupon" | "shop_coupon"):
            return shop_objects.load_coupons(work, numbers)
        case sync_items.RATES, "tax_rate":
            return shop_objects.load_tax_rates(work, numbers)
        case sync_items.ATTRIBUTES, "attribute":
            return shop_objects.load_attributes(work, numbers)
        case "themes", "theme-info":
            return {word: named_objects.build_theme(work) for word in words}
        case "updates", "update":
            return {word: named_objects.build_updates(work).get(word) for word in words}
        case "options", "option":
            return named_objects.load_options(
                work, named_objects.list_option_names(work.site) if "all" in words else words
            )
        case "constants", "constant":
            constants = named_objects.build_constants(work)
            return constants if "all" in words else {word: constants.get(word, False) for word in words}
        case "functions", "callable":
            return named_objects.compute_functions(work, None if "all" in words else words)
        case "meta", ("post" | "comment" | "postmeta" | "commentmeta"):
            return _load_meta(work, kind.removesuffix("meta"), ids)
    return {}


def _load_meta(work: UnitOfWork, kind: str, ids: list[Any]) -> dict[str, Any]:
    pairs = [
        (number, str(one["meta_key"]))
        for one in ids
        if isinstance(one, dict) and (number := parse_digits(str(one.get("id", "")))) is not None and "meta_key" in one
    ]
    load = sync_objects.load_posts if kind == "post" else sync_objects.load_comments
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
