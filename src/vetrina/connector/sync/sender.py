"""The site's own sender: posts a batch of a queue to the service, on demand, or once a minute if nobody pulls.

A batch in transit is not locked: items that arrive twice have the same ids, and the service skips known ones. Not here:
the contents of a batch (connector/sync/queue.py, connector/sync/full_sync.py), pauses (connector/sync/queue_locks.py).
Rules: docs/rules/connector_sync.md, 11 and 12.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import orjson

from vetrina.backends import job_queue
from vetrina.backends.http_client import OutboundResponse
from vetrina.connector import stored_values
from vetrina.connector.connection import remote as connection_remote
from vetrina.connector.connection.remote import ConnectorServiceFailed, OpenUnitOfWork
from vetrina.connector.identity import rules as identity
from vetrina.connector.sync import full_sync, queue as sync_queue, queue_locks as sync_locks, settings as sync_settings
from vetrina.connector.sync.codec import CODEC
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork

SEND: Final = "connector.send"  # kind of the background job
LAST: Final = "sync_last"
FAILURE: Final = "sync_failure_"  # before the name of a queue: when it was not sent, and why

_FAILED_SECONDS: Final = 60
_ASKED_SECONDS: Final = 180  # where the service asks for a pause without saying how long
_LOCKED_SECONDS: Final = 10
_LONGEST_WAIT: Final = 86_400
_SWITCHES: Final = {sync_queue.SYNC: "sync_sender_enabled", sync_queue.FULL: "full_sync_sender_enabled"}


class _SendBatch(NamedTuple):
    items: dict[str, str]
    skipped: list[str]
    then: dict[str, Any]  # the state of a full sync after this batch


class SendOutcome(NamedTuple):
    """The outcome of sending a batch.

    received: ids that the service acknowledged. failure: why there are none. wait: seconds to pause; asked: whether the
    service asked for it. address_answer: what the service responded about the site's URL.
    """

    batch: _SendBatch
    received: list[str]
    failure: str
    wait: int
    asked: bool
    address_answer: dict[str, Any]


def _build_batch(work: UnitOfWork, name: str) -> _SendBatch:
    most, read = (
        max(1, sync_settings.get_sync_number(work, name)) for name in ("upload_max_rows", "dequeue_max_bytes")
    )
    if name == sync_queue.FULL:
        items, then = full_sync.build_chunk_batch(work, most, read=read)
        return _SendBatch(items, [], then)
    items, skipped = sync_queue.build_change_batch(work, most, read=read)
    return _SendBatch(items, skipped, {})


def _prepare_call(work: UnitOfWork, name: str, batch: _SendBatch) -> Callable[[], SendOutcome]:
    """Return the call that sends a batch."""
    lines = b"".join(orjson.dumps({id: text}) + b"\n" for id, text in batch.items.items())
    query = {
        "sync": "1",
        "codec": CODEC,
        "timestamp": work.now,
        "queue": name,
        "cd": "0",
        "pd": "0",
        "queue_size": sync_queue.count_waiting_changes(work) if name == sync_queue.SYNC else len(batch.items),
        "buffer_id": "",
        "sync_flow_type": "default",
        "storage_type": "log",
        "timeout": str(int(work.site.profile.connector.seconds)),
    }
    rest, threshold = (sync_settings.get_sync_number(work, f"sync_wait_{word}") for word in ("time", "threshold"))
    call = connection_remote.prepare_request(work, "/sync", lines, user=0, query=query) if lines else None

    def carried() -> SendOutcome:
        if call is None:
            return SendOutcome(batch, batch.skipped, "", 0, False, {})
        begun = time.monotonic()
        try:
            reply = call()
        except ConnectorServiceFailed as error:
            return SendOutcome(batch, [], error.text, _FAILED_SECONDS, False, {})
        wait, asked = _parse_retry_after(reply)
        try:
            answer = connection_remote.parse_reply(reply)
        except ConnectorServiceFailed as error:
            return SendOutcome(batch, [], error.text, wait or _FAILED_SECONDS, asked, {})
        done = answer.get("processed_items")
        if not isinstance(done, list):
            return SendOutcome(batch, [], "The service took nothing.", wait or _FAILED_SECONDS, asked, answer)
        slow = time.monotonic() - begun > threshold
        return SendOutcome(batch, [*done, *batch.skipped], "", wait or (rest if slow else 0), asked, answer)

    return carried


def _parse_retry_after(reply: OutboundResponse) -> tuple[int, bool]:
    """Return the pause that the service asks for in seconds, and whether it asks for one."""
    text = reply.headers.get("retry-after", "").strip()
    if not text:
        return 0, False
    number = int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else _ASKED_SECONDS
    return min(number, _LONGEST_WAIT), True


def _record_outcome(work: UnitOfWork, name: str, outcome: SendOutcome) -> None:
    identity.record_address_answer(work, outcome.address_answer)
    if outcome.wait:
        sync_locks.hold_sender(work, name, outcome.wait, outcome.asked)
    if outcome.failure:
        stored_values.save_value(work, FAILURE + name, {"time": work.now, "message": outcome.failure})
        return
    stored_values.delete_values(work, FAILURE + name)
    if name == sync_queue.SYNC:
        sync_queue.acknowledge_changes(work, outcome.received)
    elif set(outcome.batch.items) <= set(outcome.received):
        full_sync.save_reached_state(work, outcome.batch.then)
    stored_values.save_value(work, LAST, work.now)


# -- on demand


def send_queue_now(site: SiteContext, open: OpenUnitOfWork, name: str) -> tuple[str, str]:
    """Send one batch of a queue; return code and message of the failure, both empty when it was sent."""
    with open(False) as work:
        if sync_locks.is_locked(work, name):
            sync_locks.hold_sender(work, name, _LOCKED_SECONDS)
            return "unclosed_buffer", "The queue is handed out to a buffer that is not closed."
        sync_queue.limit_queue(work)
        batch = _build_batch(work, name)
        if not batch.items and not batch.skipped:
            return f"empty_queue_{name}", "Nothing waits in the queue."
        try:
            call = _prepare_call(work, name, batch)
        except ConnectorServiceFailed as error:
            return "wpcom_error", error.text
    found = call()
    with open(False) as work:
        _record_outcome(work, name, found)
    return ("wpcom_error", found.failure) if found.failure else ("", "")


# -- in the background


def enqueue_sending(work: UnitOfWork) -> None:
    """Enqueue sending where changes wait that nobody has pulled for some time."""
    for name in _SWITCHES:
        if _may_send(work, name) and _is_waiting(work, name):
            job_queue.enqueue_missing_job(
                work.tx, SEND, {"queue": name, "begun": work.now}, due=work.now, now=work.now, key=f"{SEND}:{name}"
            )


def prepare_sending(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], SendOutcome] | None:
    """Return the call that sends a batch, None when there is nothing to send now."""
    name = str(arguments["queue"])
    if not _may_send(work, name):
        return None
    batch = _build_batch(work, name)
    return _prepare_call(work, name, batch) if batch.items or batch.skipped else None


def record_sending(work: UnitOfWork, arguments: Mapping[str, Any], outcome: SendOutcome) -> None:
    """Store the outcome of a batch, and continue while there is time."""
    name, begun = str(arguments["queue"]), int(arguments["begun"])
    _record_outcome(work, name, outcome)
    in_time = work.now - begun < sync_settings.get_sync_number(work, "cron_sync_time_limit")
    if in_time and _may_send(work, name) and _is_waiting(work, name):
        job_queue.enqueue_job(work.tx, SEND, dict(arguments), due=work.now, now=work.now, key=f"{SEND}:{name}")


def _may_send(work: UnitOfWork, name: str) -> bool:
    return bool(
        sync_queue.is_sync_allowed(work)
        and sync_settings.get_sync_number(work, "sync_via_cron")
        and sync_settings.get_sync_number(work, _SWITCHES[name])
        and sync_locks.get_next_send_time(work, name) <= work.now
        and not sync_locks.is_locked(work, name)
    )


def _is_waiting(work: UnitOfWork, name: str) -> bool:
    return sync_queue.count_waiting_changes(work) > 0 if name == sync_queue.SYNC else full_sync.has_pending_chunks(work)
