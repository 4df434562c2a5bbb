"""Routes of sync: state, settings, objects, ranges and checksums. Not here: queues (connector/sync/queue_routes.py)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, Final

from vetrina.connector import permissions as connector_permissions, responses as connector_responses
from vetrina.connector.checksums import id_ranges, rules as checksums
from vetrina.connector.sync import (
    full_sync,
    health,
    modules,
    queue as sync_queue,
    requested_objects,
    settings as sync_settings,
    site_values,
    status,
)
from vetrina.connector.sync.codec import CODEC, encode_payload
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Fault, InvalidParam
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Boolean, Field, String, Untyped
from vetrina.rest.route import CHANGE, READ, Route

PATH: Final = "/connector/v4/sync"
_NUMBER = re.compile(r"\s*[+-]?\d+(\.\d*)?\s*")


def build_sync_route(
    methods: tuple[str, ...], name: str, handler: Callable[[Call], Result], told: Field,
    args: dict[str, Any] | None = None, *errors: type[ApiError], **words: Any,
) -> Route:  # fmt: skip
    """Return a route of sync, with the permission that all of them require. name: the path below PATH."""
    return Route(
        methods,
        f"{PATH}/{name}",
        handler,
        args or {},
        connector_permissions.require_sync_permission,
        errors=errors,
        answers=told,
        **words,
    )


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of state, settings, objects and checksums."""
    return (
        build_sync_route(
            CHANGE,
            "full-sync",
            _start_full_sync,
            connector_responses.SCHEDULED,
            {
                "modules": Array("Modules to send whole; all of them when empty."),
                "users": Untyped("Numbers of accounts, or the word initial."),
                "posts": Array("Numbers of records.", long=True),
                "comments": Array("Numbers of comments.", long=True),
                "context": String("Why it was asked for."),
            },
        ),
        build_sync_route(
            READ,
            "status",
            _read_status,
            connector_responses.SYNC,
            {"fields": String("Further members, parted by commas.", parted=True)},
        ),
        build_sync_route(
            CHANGE,
            "health",
            _update_health,
            connector_responses.HEALTH,
            {"status": String("in_sync or out_of_sync.", required=True)},
            health.InvalidSyncHealth,
        ),
        build_sync_route(READ, "settings", _read_settings, connector_responses.SETTINGS),
        build_sync_route(CHANGE, "settings", _update_settings, connector_responses.SETTINGS),
        build_sync_route(
            ("GET", "POST", "PUT", "PATCH", "DELETE"),
            "object",
            _read_objects,
            connector_responses.OBJECTS,
            {
                "module_name": String("The module."),
                "object_type": String("The kind of object."),
                "object_ids": Array("Numbers, names, or pairs of id and meta_key."),
            },
            modules.InvalidSyncModule,
            read=True,
        ),
        build_sync_route(
            READ,
            "object-id-range",
            _list_ranges,
            connector_responses.RANGES,
            {
                "sync_module": String("comments, posts, terms, term_relationships or users.", required=True),
                "batch_size": Untyped("Rows of a batch.", required=True, extra={"type": "integer"}),
            },
            modules.InvalidSyncModule,
        ),
        build_sync_route(
            READ,
            "data-check",
            _read_checksums,
            connector_responses.CHECKSUMS,
            {"perform_text_conversion": Boolean("Sum texts in Latin-1.")},
        ),
        build_sync_route(
            CHANGE,
            "data-histogram",
            _read_histogram,
            connector_responses.HISTOGRAM,
            {
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
            },
            read=True,
        ),
    )


# -- state


def _read_status(call: Call) -> Result:
    """Read how far the service is behind the site, and what is queued."""
    fields = [word.strip() for word in (call.args.get("fields") or "").split(",")]
    return Result(status.build_sync_status(call.work, fields))


def _update_health(call: Call) -> Result:
    """Set whether the service is in sync with the site."""
    health.set_sync_health(call.work, call.args["status"])
    return Result({"success": call.args["status"]})


def _read_settings(call: Call) -> Result:
    """Read the settings of the synchronization."""
    return Result(sync_settings.load_sync_settings(call.work))


def _update_settings(call: Call) -> Result:
    """Change settings of the synchronization; members that are not sent stay."""
    work = call.work
    before = sync_settings.get_sync_number(work, "disable")
    settings = sync_settings.update_sync_settings(
        work, {name: value for name, value in call.raw.items() if name != "mlang_language"}
    )
    if sync_settings.get_sync_number(work, "disable") and not before:
        sync_queue.clear_queue(work)
        full_sync.clear_full_sync(work)
    elif before and not sync_settings.get_sync_number(work, "disable"):
        sync_queue.begin_queue(work)
        site_values.save_checksums(work)
    return Result(settings)


def _start_full_sync(call: Call) -> Result:
    """Start sending the whole site, or some of its modules, to the service."""
    args = call.args
    wanted: dict[str, Any] = {str(name): 1 for name in args.get("modules") or ()}
    for name in ("posts", "comments"):
        if args.get(name):
            wanted[name] = _parse_numbers(args[name])
    users = call.raw.get("users")
    if users == "initial":
        wanted["users"] = "initial"
    elif users:
        wanted["users"] = _parse_numbers(users if isinstance(users, list) else str(users).split(","))
    begun = full_sync.start_full_sync(call.work, wanted, args.get("context") or "")
    return Result({"scheduled": begun})


def _parse_numbers(values: list[Any]) -> list[int]:
    return [int(one) for one in values if str(one).strip().isdecimal() and len(str(one)) < 16]


# -- objects and checksums


def parse_whole(value: Any) -> int:
    """Return the whole part of a number, also of one in a text; 0 for anything else."""
    if isinstance(value, bool) or value is None:
        return 0
    try:
        return int(float(str(value)[:20]))
    except (ValueError, OverflowError):
        return 0


def _is_number(value: Any) -> bool:
    """Say whether a value is a number, also as text; None is accepted too."""
    return value is None or (isinstance(value, int | float | str) and not isinstance(value, bool) and _is_finite(value))


def _is_finite(value: float | str) -> bool:
    try:
        return math.isfinite(float(value))
    except (ValueError, OverflowError):
        return False


def _read_objects(call: Call) -> Result:
    """Read objects of the site as they would be sent to the service."""
    args = call.args
    found = requested_objects.load_objects(
        call.work, args.get("module_name") or "", args.get("object_type") or "", args.get("object_ids") or []
    )
    return Result({"objects": encode_payload(found or []), "codec": CODEC})


def _list_ranges(call: Call) -> Result:
    """Split the ids of a table into ranges of a given length."""
    given = call.raw.get("batch_size")
    word = isinstance(given, str) and _NUMBER.fullmatch(given) is None
    return Result(
        {"ranges": id_ranges.list_ranges(call.work, call.args["sync_module"], parse_whole(given), plain=word)}
    )


def _read_checksums(call: Call) -> Result:
    """Read a checksum of every table, by which the service sees what differs."""
    return Result(checksums.compute_checksums(call.work, bool(call.args.get("perform_text_conversion"))))


def _read_histogram(call: Call) -> Result:
    """Read checksums of ranges of one table, by which the service finds the rows that differ."""
    args, raw = call.args, call.raw
    faults = {
        name: Fault("rest_invalid_type", f"{name} is not of type integer.")
        for name in ("buckets", "start_id", "end_id")
        if not _is_number(raw.get(name))
    }
    if faults:
        raise InvalidParam(faults)
    found = checksums.compute_histogram(
        call.work, args.get("object_type") or "", buckets=parse_whole(raw.get("buckets")),
        first=parse_whole(raw.get("start_id")) or None, last=parse_whole(raw.get("end_id")) or None,
        columns=[str(one) for one in args.get("columns") or ()], salt=args.get("shared_salt") or "",
        edges=bool(args.get("only_range_edges")), detailed=bool(args.get("detailed_drilldown")),
        latin=bool(args.get("perform_text_conversion")),
    )  # fmt: skip
    return Result({"histogram": found or [], "type": "sum"})
