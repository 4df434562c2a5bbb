"""Routes of the queues of sync: send now, check out, close, unlock.

Rules: docs/rules/connector_sync.md, 12.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from vetrina.connector import permissions as connector_permissions, responses as connector_responses
from vetrina.connector.checksums import rules as checksums
from vetrina.connector.sync import buffers, full_sync, queue as sync_queue, queue_locks as sync_locks, sender, status
from vetrina.connector.sync.buffers import InvalidItemCount, InvalidSyncQueue, MissingBufferId, MissingItemIds
from vetrina.connector.sync.codec import CODEC
from vetrina.connector.sync.routes import PATH, build_sync_route, parse_whole
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.fields import String
from vetrina.rest.response_fields import Nothing
from vetrina.rest.route import CHANGE, READ, REMOVE, Route, allow_anyone


class DedicatedSyncDisabled(ApiError):
    failure, code = Failure.UNPROCESSABLE, "dedicated_sync_disabled"
    message = "This site has no process of its own for sync; what waits is sent by the one that carries out all jobs."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the queues."""
    names = {"queue": String("sync or full_sync.", required=True)}
    return (
        build_sync_route(
            CHANGE,
            "now",
            _return_prepared,
            connector_responses.SENT_NOW,
            names,
            InvalidSyncQueue,
            slow=True,
            read=True,
            prepare=_send_now,
            summary=_send_now.__doc__ or "",
        ),
        build_sync_route(
            CHANGE,
            "checkout",
            _checkout_buffer,
            connector_responses.CHECKOUT,
            None,
            InvalidSyncQueue,
            InvalidItemCount,
            sync_queue.QueueEmpty,
            sync_locks.BufferOpen,
            slow=True,
            prepare=_wait_for_queue,
        ),
        build_sync_route(
            CHANGE,
            "close",
            _return_prepared,
            connector_responses.CLOSED_BUFFER,
            None,
            InvalidSyncQueue,
            MissingBufferId,
            MissingItemIds,
            sync_locks.BufferNotCheckedOut,
            sync_locks.BufferMismatch,
            slow=True,
            read=True,
            prepare=_close_buffer,
            summary=_close_buffer.__doc__ or "",
        ),
        build_sync_route(CHANGE, "unlock", _unlock_queue, connector_responses.UNLOCKED, names, InvalidSyncQueue),
        Route(
            READ, f"{PATH}/spawn-sync", _refuse_spawn, {}, allow_anyone, errors=(DedicatedSyncDisabled,),
            answers=Nothing(),
        ),
        build_sync_route(REMOVE, "locks", _delete_locks, connector_responses.SUCCESS),
    )  # fmt: skip


def _return_prepared(call: Call) -> Result:
    return call.prepared if isinstance(call.prepared, Result) else Result(call.prepared)


def _get_queue_name(call: Call, *names: str) -> str:
    wanted = call.raw.get("queue")
    if not isinstance(wanted, str) or wanted not in names:
        raise InvalidSyncQueue
    return wanted


def _is_on(value: Any, default: bool = False) -> bool:
    return default if value is None else value not in (False, 0, "", "0", "false", [])


@contextmanager
def _wait_for_queue(call: Call) -> Iterator[None]:
    """Wait some time for a locked queue; if it is empty, the site's own sender is resumed."""
    assert call.open is not None
    name = call.raw.get("queue")
    if name not in (sync_queue.SYNC, sync_queue.FULL) or _is_on(call.raw.get("force")):
        yield
        return
    buffers.wait_for_queue(call.open, name)
    yield


def _checkout_buffer(call: Call) -> Result:
    """Check out the next part of a queue, which locks it until the buffer is closed."""
    work = call.work
    name = _get_queue_name(call, sync_queue.SYNC, sync_queue.FULL, "immediate")
    if name == "immediate":
        return Result({
            "items": full_sync.build_step_chunks(work) or [], "codec": CODEC, "sent_timestamp": work.now,
            "status": status.build_sync_status(work),
        })  # fmt: skip
    raw = call.raw
    return Result(
        buffers.checkout_buffer(
            work, name, parse_whole(raw.get("number_of_items")),
            by_service=connector_permissions.is_signed_by_site(call),
            force=_is_on(raw.get("force")), pop=_is_on(raw.get("pop")), encode=_is_on(raw.get("encode"), True),
        )
    )  # fmt: skip


@contextmanager
def _close_buffer(call: Call) -> Iterator[Any]:
    """Close a buffer and acknowledge its items.

    Acknowledging has its own transaction, which a wrong buffer does not roll back.
    """
    assert call.open is not None
    raw = call.raw
    name = _get_queue_name(call, sync_queue.SYNC, sync_queue.FULL)
    with call.open(False) as work:
        wrong = buffers.close_buffer(work, name, raw.get("buffer_id"), raw.get("item_ids"))
        status_members = status.build_sync_status(work)
    if wrong is not None:
        raise wrong
    if _is_on(raw.get("continue")):
        sender.send_queue_now(call.work.site, call.open, name)
    yield {"success": True, "status": status_members}


@contextmanager
def _send_now(call: Call) -> Iterator[Any]:
    """Send the next part of a queue to the service."""
    assert call.open is not None
    name = _get_queue_name(call, sync_queue.SYNC, sync_queue.FULL)
    code, text = sender.send_queue_now(call.work.site, call.open, name)
    yield {"response": checksums.build_error(code, text) if code else True}


def _unlock_queue(call: Call) -> Result:
    """Unlock a queue whose buffer was not closed."""
    name = _get_queue_name(call, sync_queue.SYNC, sync_queue.FULL)
    return Result({"success": int(sync_locks.unlock_queue(call.work, name))})


def _delete_locks(call: Call) -> Result:
    """Delete the locks of both queues."""
    sync_locks.delete_all_locks(call.work, sync_queue.SYNC, sync_queue.FULL)
    return Result({"success": True})


def _refuse_spawn(call: Call) -> Result:
    """Refuse, since this site has no separate process for the synchronization."""
    raise DedicatedSyncDisabled
