"""Sync: its state and settings, the queues, objects, ranges and checksums. Rules: facts of the connector, 13."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from vetrina.connector import permissions as connector_permissions
from vetrina.connector import responses as connector_responses
from vetrina.connector.checksums import rules as checksums
from vetrina.connector.sync import (
    full_sync,
    sender,
    site_values,
    status,
)
from vetrina.connector.sync import (
    locks as sync_locks,
)
from vetrina.connector.sync import (
    queue as sync_queue,
)
from vetrina.connector.sync import (
    settings as sync_settings,
)
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.codec import CODEC, packed
from vetrina.kernel.errors import ApiError, Fault, InvalidParam
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Boolean, Field, String, Untyped
from vetrina.rest.response_fields import Nothing
from vetrina.rest.route import CHANGE, READ, REMOVE, Route, anyone

__all__ = ["PATIENCE", "routes"]

_MOST: Final = 100  # items of a buffer
_MOST_FOR_SERVICE: Final = 500
PATIENCE = 5.0  # seconds that a checkout waits for a queue that is handed out
_LOOK: Final = 0.25  # seconds between two looks at it
_NUMBER = re.compile(r"\s*[+-]?\d+(\.\d*)?\s*")
_UNKNOWN = re.compile(r"[^A-Za-z0-9_.-]")


class InvalidQueue(ApiError):
    code = "invalid_queue"
    message = "The queue is not known: sync, full_sync, or immediate where steps can be taken."


class InvalidNumber(ApiError):
    code = "invalid_number_of_items"
    message = "number_of_items lies between 1 and {most}."


class MissingBuffer(ApiError):
    code = "missing_buffer_id"
    message = "buffer_id is missing."


class MissingItems(ApiError):
    code = "missing_item_ids"
    message = "item_ids is missing, or no list."


class NoDedicatedSync(ApiError):
    status, code = 422, "dedicated_sync_disabled"
    message = "This site has no process of its own for sync; what waits is sent by the one that carries out all jobs."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of sync."""
    path = "/connector/v4/sync"

    def route(
        methods: tuple[str, ...], name: str, handler: Callable[[Call], Result], told: Field,
        args: dict[str, Any] | None = None, *errors: type[ApiError], **words: Any,
    ) -> Route:  # fmt: skip
        return Route(
            methods,
            f"{path}/{name}",
            handler,
            args or {},
            connector_permissions.syncing,
            errors=errors,
            answers=told,
            **words,
        )

    names = {"queue": String("sync or full_sync.", required=True)}
    return (
        route(CHANGE, "full-sync", _full_sync, connector_responses.SCHEDULED, {
            "modules": Array("Modules to send whole; all of them when empty."),
            "users": Untyped("Numbers of accounts, or the word initial."),
            "posts": Array("Numbers of records.", long=True), "comments": Array("Numbers of comments.", long=True),
            "context": String("Why it was asked for."),
        }),
        route(READ, "status", _status, connector_responses.SYNC,
              {"fields": String("Further members, parted by commas.", parted=True)}),
        route(CHANGE, "health", _health, connector_responses.HEALTH,
              {"status": String("in_sync or out_of_sync.", required=True)}, sync_settings.InvalidStatus),
        route(READ, "settings", _settings, connector_responses.SETTINGS),
        route(CHANGE, "settings", _change_settings, connector_responses.SETTINGS),
        route(("GET", "POST", "PUT", "PATCH", "DELETE"), "object", _object, connector_responses.OBJECTS, {
            "module_name": String("The module."), "object_type": String("The kind of object."),
            "object_ids": Array("Numbers, names, or pairs of id and meta_key."),
        }, checksums.InvalidModule, read=True),
        route(CHANGE, "now", _told, connector_responses.NOW, names, InvalidQueue, slow=True, read=True, prepare=_now,
              says=_now.__doc__ or ""),
        route(CHANGE, "checkout", _checkout, connector_responses.CHECKOUT, None, InvalidQueue, InvalidNumber,
              sync_queue.QueueEmpty, sync_queue.BufferOpen, slow=True, prepare=_waited),
        route(CHANGE, "close", _told, connector_responses.CLOSED, None, InvalidQueue, MissingBuffer, MissingItems,
              sync_locks.NotCheckedOut, sync_locks.BufferMismatch, slow=True, read=True, prepare=_close,
              says=_close.__doc__ or ""),
        route(CHANGE, "unlock", _unlock, connector_responses.UNLOCKED, names, InvalidQueue),
        route(READ, "object-id-range", _ranges, connector_responses.RANGES, {
            "sync_module": String("comments, posts, terms, term_relationships or users.", required=True),
            "batch_size": Untyped("Rows of a batch.", required=True, extra={"type": "integer"}),
        }, checksums.InvalidModule),
        route(READ, "data-check", _check, connector_responses.CHECKED,
              {"perform_text_conversion": Boolean("Sum texts in Latin-1.")}),
        route(CHANGE, "data-histogram", _histogram, connector_responses.HISTOGRAM, {
            "columns": Array("Columns beyond the usual ones.", items=Untyped()),
            "object_type": String("The table."),
            "buckets": Untyped("How many ranges.", extra={"type": "integer"}),
            "start_id": Untyped("The first number.", extra={"type": "integer"}),
            "end_id": Untyped("The last number.", extra={"type": "integer"}),
            "strip_non_ascii": Boolean("Has no effect any more."),
            "shared_salt": String("Put around each row."),
            "only_range_edges": Boolean("Tell first, last and number instead."),
            "detailed_drilldown": Boolean("Tell each row's checksum."),
            "perform_text_conversion": Boolean("Sum texts in Latin-1."),
        }, read=True),
        Route(READ, f"{path}/spawn-sync", _spawn, {}, anyone, errors=(NoDedicatedSync,), answers=Nothing()),
        route(REMOVE, "locks", _drop_locks, connector_responses.SUCCESS),
    )  # fmt: skip


def _told(call: Call) -> Result:
    return call.prepared if isinstance(call.prepared, Result) else Result(call.prepared)


# -- state


def _status(call: Call) -> Result:
    """Tell how far the service is behind the site, and what is queued."""
    fields = [word.strip() for word in (call.args.get("fields") or "").split(",")]
    return Result(status.sync_status(call.work, fields))


def _health(call: Call) -> Result:
    """Set whether the service holds itself to be in step with the site."""
    sync_settings.set_health(call.work, call.args["status"])
    return Result({"success": call.args["status"]})


def _settings(call: Call) -> Result:
    """Read the settings of the synchronisation."""
    return Result(sync_settings.read(call.work))


def _change_settings(call: Call) -> Result:
    """Change settings of the synchronisation; what is not sent stays."""
    work: Work = call.work
    before = sync_settings.number(work, "disable")
    told = sync_settings.change(work, {name: value for name, value in call.raw.items() if name != "mlang_language"})
    if sync_settings.number(work, "disable") and not before:
        sync_queue.clear(work)
        full_sync.clear(work)
    elif before and not sync_settings.number(work, "disable"):
        sync_queue.begin(work)
        site_values.remember(work)
    return Result(told)


def _full_sync(call: Call) -> Result:
    """Have the whole site, or some of its modules, sent to the service."""
    args = call.args
    wanted: dict[str, Any] = {str(name): 1 for name in args.get("modules") or ()}
    for name in ("posts", "comments"):
        if args.get(name):
            wanted[name] = _numbers(args[name])
    told = call.raw.get("users")
    if told == "initial":
        wanted["users"] = "initial"
    elif told:
        wanted["users"] = _numbers(told if isinstance(told, list) else str(told).split(","))
    begun = full_sync.start(call.work, wanted, args.get("context") or "")
    return Result({"scheduled": begun})


def _numbers(values: list[Any]) -> list[int]:
    return [int(one) for one in values if str(one).strip().isdecimal() and len(str(one)) < 16]


# -- queues


def _queue(call: Call, *names: str) -> str:
    wanted = call.raw.get("queue")
    if not isinstance(wanted, str) or wanted not in names:
        raise InvalidQueue
    return wanted


def _is_number(value: Any) -> bool:
    """Say whether a value is a number, as itself or as text; what is missing is as good."""
    return value is None or (isinstance(value, int | float | str) and not isinstance(value, bool) and _finite(value))


def _finite(value: float | str) -> bool:
    try:
        return math.isfinite(float(value))
    except (ValueError, OverflowError):
        return False


def _whole(value: Any) -> int:
    if isinstance(value, bool) or value is None:
        return 0
    try:
        return int(float(str(value)[:20]))
    except (ValueError, OverflowError):
        return 0


def _on(value: Any, default: bool = False) -> bool:
    return default if value is None else value not in (False, 0, "", "0", "false", [])


@contextmanager
def _waited(call: Call) -> Iterator[None]:
    """Wait a while for a queue that somebody holds; an empty one lets the site's own sender speak again."""
    assert call.open is not None
    name = call.raw.get("queue")
    if name not in (sync_queue.SYNC, sync_queue.FULL) or _on(call.raw.get("force")):
        yield
        return
    end = time.monotonic() + PATIENCE
    while True:
        with call.open(True) as work:
            held = sync_locks.is_locked(work, name)
            quiet = bool(sync_locks.next_time(work, name)) and not held and not status.is_waiting(work, name)
        if not held or time.monotonic() >= end:
            break
        time.sleep(min(_LOOK, PATIENCE))
    if quiet:
        with call.open(False) as work:
            sync_locks.release(work, name)
    yield


def _checkout(call: Call) -> Result:
    """Hand out the next part of a queue; nobody else gets it until it is closed."""
    work: Work = call.work
    name = _queue(call, sync_queue.SYNC, sync_queue.FULL, "immediate")
    if name == "immediate":
        return Result({
            "items": full_sync.step(work) or [], "codec": CODEC, "sent_timestamp": work.now,
            "status": status.sync_status(work),
        })  # fmt: skip
    most = _MOST_FOR_SERVICE if connector_permissions.signed(call) else _MOST
    count = _whole(call.raw.get("number_of_items"))
    if not 1 <= count <= most:
        raise InvalidNumber(most=most)
    raw = call.raw
    return Result(
        status.checkout(work, name, count, _on(raw.get("force")), _on(raw.get("pop")), _on(raw.get("encode"), True))
    )


@contextmanager
def _close(call: Call) -> Iterator[Any]:
    """Take what was handed out as received, and forget it.

    That is a transaction of its own, which a wrong buffer does not undo.
    """
    assert call.open is not None
    raw = call.raw
    name = _queue(call, sync_queue.SYNC, sync_queue.FULL)
    if not raw.get("buffer_id"):
        raise MissingBuffer
    names = raw.get("item_ids")
    if not isinstance(names, list):
        raise MissingItems
    buffer = _UNKNOWN.sub("", str(raw["buffer_id"]))
    with call.open(False) as work:
        wrong = sync_locks.close(work, name, buffer)
        status.close(work, name, names)
        told = status.sync_status(work)
    if wrong is not None:
        raise wrong
    if _on(raw.get("continue")):
        sender.send_now(call.work.frame, call.open, name)
    yield {"success": True, "status": told}


@contextmanager
def _now(call: Call) -> Iterator[Any]:
    """Send the next part of a queue to the service."""
    assert call.open is not None
    name = _queue(call, sync_queue.SYNC, sync_queue.FULL)
    code, text = sender.send_now(call.work.frame, call.open, name)
    yield {"response": checksums.error(code, text) if code else True}


def _unlock(call: Call) -> Result:
    """Take back what was handed out and not closed."""
    name = _queue(call, sync_queue.SYNC, sync_queue.FULL)
    return Result({"success": int(sync_locks.unlock(call.work, name))})


def _drop_locks(call: Call) -> Result:
    """Free the locks of both queues."""
    sync_locks.drop_all(call.work, sync_queue.SYNC, sync_queue.FULL)
    return Result({"success": True})


def _spawn(call: Call) -> Result:
    """Answer that this site has no process of its own for the synchronisation."""
    raise NoDedicatedSync


# -- objects and checksums


def _object(call: Call) -> Result:
    """Tell objects of the site as they would be sent to the service."""
    args = call.args
    found = status.object_map(
        call.work, args.get("module_name") or "", args.get("object_type") or "", args.get("object_ids") or []
    )
    return Result({"objects": packed(found or []), "codec": CODEC})


def _ranges(call: Call) -> Result:
    """Cut the numbers of a table into ranges of a given length."""
    given = call.raw.get("batch_size")
    word = isinstance(given, str) and _NUMBER.fullmatch(given) is None
    return Result({"ranges": checksums.ranges(call.work, call.args["sync_module"], _whole(given), plain=word)})


def _check(call: Call) -> Result:
    """Tell a checksum of every table, by which the service sees what differs."""
    return Result(checksums.checked(call.work, bool(call.args.get("perform_text_conversion"))))


def _histogram(call: Call) -> Result:
    """Tell checksums of ranges of one table, by which the service finds the rows that differ."""
    args, raw = call.args, call.raw
    faults = {
        name: Fault("rest_invalid_type", f"{name} is not of type integer.")
        for name in ("buckets", "start_id", "end_id")
        if not _is_number(raw.get(name))
    }
    if faults:
        raise InvalidParam(faults)
    found = checksums.histogram(
        call.work, args.get("object_type") or "", buckets=_whole(raw.get("buckets")),
        first=_whole(raw.get("start_id")) or None, last=_whole(raw.get("end_id")) or None,
        columns=[str(one) for one in args.get("columns") or ()], salt=args.get("shared_salt") or "",
        edges=bool(args.get("only_range_edges")), detailed=bool(args.get("detailed_drilldown")),
        latin=bool(args.get("perform_text_conversion")),
    )  # fmt: skip
    return Result({"histogram": found or [], "type": "sum"})
