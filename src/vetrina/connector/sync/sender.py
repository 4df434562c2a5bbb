"""The site's own sending: a batch of a queue to the service, on demand or, where nobody pulls, once a minute.

A batch is not locked while it is on its way: what the service takes twice has the same ids, and it passes over those it
knows. Not here: what a batch holds (connector/sync/queue.py, connector/sync/full_sync.py), times of waiting
(connector/sync/locks.py). Rules: facts of the connector, 13, "Sending to the remote".
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import orjson

from vetrina.backends import job_queue
from vetrina.backends.http_client import Reply
from vetrina.connector.connection import remote as connection_remote
from vetrina.connector.connection import state as connection_state
from vetrina.connector.connection.remote import Failed, Open
from vetrina.connector.identity import rules as identity
from vetrina.connector.sync import full_sync
from vetrina.connector.sync import locks as sync_locks
from vetrina.connector.sync import queue as sync_queue
from vetrina.connector.sync import settings as sync_settings
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.codec import CODEC

__all__ = ["LAST", "SEND", "Outcome", "keep", "send_now", "sent", "sweep"]

SEND: Final = "connector.send"  # kind of the job
LAST: Final = "sync_last"

_FAILED_SECONDS: Final = 60
_ASKED_SECONDS: Final = 180  # where the service asks to wait and does not say for how long
_LOCKED_SECONDS: Final = 10
_LONGEST_WAIT: Final = 86_400
_SWITCHES: Final = {sync_queue.SYNC: "sync_sender_enabled", sync_queue.FULL: "full_sync_sender_enabled"}


class _Batch(NamedTuple):
    items: dict[str, str]
    skipped: list[str]
    then: dict[str, Any]  # what a full sync has reached with it


class Outcome(NamedTuple):
    """What became of a batch: its items that were received, why none was, seconds to wait, and whether that was asked.

    told: what the service said of the site's address.
    """

    batch: _Batch
    received: list[str]
    failure: str
    wait: int
    asked: bool
    told: dict[str, Any]


def _batch(work: Work, name: str) -> _Batch:
    most, read = (max(1, sync_settings.number(work, name)) for name in ("upload_max_rows", "dequeue_max_bytes"))
    if name == sync_queue.FULL:
        items, then = full_sync.batch(work, most, read=read)
        return _Batch(items, [], then)
    items, skipped = sync_queue.batch(work, most, read=read)
    return _Batch(items, skipped, {})


def _call(work: Work, name: str, batch: _Batch) -> Callable[[], Outcome]:
    """Return the call that sends a batch."""
    lines = b"".join(orjson.dumps({id: text}) + b"\n" for id, text in batch.items.items())
    query = {
        "sync": "1", "codec": CODEC, "timestamp": work.now, "queue": name, "cd": "0", "pd": "0",
        "queue_size": sync_queue.queue_size(work) if name == sync_queue.SYNC else len(batch.items), "buffer_id": "",
        "sync_flow_type": "default", "storage_type": "log",
        "timeout": str(int(work.frame.profile.connector.seconds)),
    }  # fmt: skip
    rest, threshold = (sync_settings.number(work, f"sync_wait_{word}") for word in ("time", "threshold"))
    call = connection_remote.prepared(work, "/sync", lines, user=0, query=query) if lines else None

    def carried() -> Outcome:
        if call is None:
            return Outcome(batch, batch.skipped, "", 0, False, {})
        begun = time.monotonic()
        try:
            reply = call()
        except Failed as error:
            return Outcome(batch, [], error.text, _FAILED_SECONDS, False, {})
        wait, asked = _wait(reply)
        try:
            told = connection_remote.refused(reply)
        except Failed as error:
            return Outcome(batch, [], error.text, wait or _FAILED_SECONDS, asked, {})
        done = told.get("processed_items")
        if not isinstance(done, list):
            return Outcome(batch, [], "The service took nothing.", wait or _FAILED_SECONDS, asked, told)
        slow = time.monotonic() - begun > threshold
        return Outcome(batch, [*done, *batch.skipped], "", wait or (rest if slow else 0), asked, told)

    return carried


def _wait(reply: Reply) -> tuple[int, bool]:
    """Return for how long the service wants to be left alone, and whether it does."""
    text = reply.headers.get("retry-after", "").strip()
    if not text:
        return 0, False
    number = int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else _ASKED_SECONDS
    return min(number, _LONGEST_WAIT), True


def _keep(work: Work, name: str, found: Outcome) -> None:
    identity.heard(work, found.told)
    if found.wait:
        sync_locks.hold(work, name, found.wait, found.asked)
    if found.failure:
        return
    if name == sync_queue.SYNC:
        sync_queue.acknowledge(work, found.received)
    elif set(found.batch.items) <= set(found.received):
        full_sync.reach(work, found.batch.then)
    connection_state.put(work, LAST, work.now)


# -- on demand


def send_now(frame: Frame, open: Open, name: str) -> tuple[str, str]:
    """Send one batch of a queue; return the code and the text of why not, both empty when it was sent."""
    with open(False) as work:
        if sync_locks.is_locked(work, name):
            sync_locks.hold(work, name, _LOCKED_SECONDS)
            return "unclosed_buffer", "The queue is handed out to a buffer that is not closed."
        sync_queue.bound(work)
        batch = _batch(work, name)
        if not batch.items and not batch.skipped:
            return f"empty_queue_{name}", "Nothing waits in the queue."
        try:
            call = _call(work, name, batch)
        except Failed as error:
            return "wpcom_error", error.text
    found = call()
    with open(False) as work:
        _keep(work, name, found)
    return ("wpcom_error", found.failure) if found.failure else ("", "")


# -- by itself


def sweep(work: Work) -> None:
    """Note that something waits which nobody has pulled for a while."""
    for name in _SWITCHES:
        if _may_send(work, name) and _is_waiting(work, name):
            job_queue.bring_forward(
                work.tx, SEND, {"queue": name, "begun": work.now}, due=work.now, now=work.now, key=f"{SEND}:{name}"
            )


def sent(work: Work, arguments: Mapping[str, Any]) -> Callable[[], Outcome] | None:
    """Return the call that sends a batch, None when there is nothing to send now."""
    name = str(arguments["queue"])
    if not _may_send(work, name):
        return None
    batch = _batch(work, name)
    return _call(work, name, batch) if batch.items or batch.skipped else None


def keep(work: Work, arguments: Mapping[str, Any], found: Outcome) -> None:
    """Keep what became of a batch, and go on while there is time."""
    name, begun = str(arguments["queue"]), int(arguments["begun"])
    _keep(work, name, found)
    in_time = work.now - begun < sync_settings.number(work, "cron_sync_time_limit")
    if in_time and _may_send(work, name) and _is_waiting(work, name):
        job_queue.put(work.tx, SEND, dict(arguments), due=work.now, now=work.now, key=f"{SEND}:{name}")


def _may_send(work: Work, name: str) -> bool:
    return bool(
        sync_queue.is_allowed(work)
        and sync_settings.number(work, "sync_via_cron")
        and sync_settings.number(work, _SWITCHES[name])
        and sync_locks.next_time(work, name) <= work.now
        and not sync_locks.is_locked(work, name)
    )


def _is_waiting(work: Work, name: str) -> bool:
    return sync_queue.queue_size(work) > 0 if name == sync_queue.SYNC else full_sync.is_waiting(work)
