"""Webhook deliveries: written in the transaction of the event, sent by a job, signed, retried, logged.

Anything but 2xx and 3xx is a failure: it is retried with growing delays, then given up; a webhook that fails too often
is disabled (core/webhooks/failure_limit.py). What a message contains is decided by the interface that the webhook
belongs to. Rules: docs/rules/webhooks.md, 4 and 5.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, delete, func, select

from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.http_client_urls import OutboundError
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.store import Store
from vetrina.backends.tables.webhooks import webhook_delivery as table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.core.webhooks import failure_limit, store as webhooks
from vetrina.core.webhooks.model import (
    ACTIVE,
    DELIVERED,
    FAILED,
    JSON,
    WAITING,
    Webhook,
    WebhookDelivery,
    WebhookDeliveryResult,
)  # fmt: skip
from vetrina.kernel.keys import generate_letters

MAX_ATTEMPTS: Final = 5
RETENTION_SECONDS: Final = 30 * 86_400  # seconds that deliveries stay in the log
_FIRST_RETRY_DELAY: Final = 60  # seconds; each further one is five times as long
_MAX_ERROR_LENGTH: Final = 500  # characters

_STORE: Final = Store(table, WebhookDelivery)
_OF_WEBHOOK = Statement(
    select(*_STORE.columns).where(table.c.webhook == bindparam("webhook")).order_by(table.c.id.desc())
)
_PAGE_OF_WEBHOOK = Statement(
    select(*_STORE.columns)
    .where(table.c.webhook == bindparam("webhook"))
    .order_by(table.c.id.desc())
    .limit(bindparam("size"))
    .offset(bindparam("start"))
)
_COUNT_OF_WEBHOOK = Statement(select(func.count()).select_from(table).where(table.c.webhook == bindparam("webhook")))
_DELETE_OLD_DELIVERIES = Statement(delete(table).where(table.c.finished < bindparam("before")))


def name_job(family: str) -> str:
    """Return the kind of the job that sends the deliveries of a family of webhooks."""
    return f"{family}.deliver"


def generate_uid() -> str:
    """Return a name for a new message."""
    return generate_letters(32).lower()


def insert_delivery(
    work: UnitOfWork, hook: Webhook, body: bytes, *, topic: str, space: str, kind: str = JSON, uid: str = ""
) -> WebhookDelivery:
    """Enqueue a message; it is sent once the transaction is committed.

    space: first word of its headers. kind: its media type. uid: its name, if it has one already.
    """
    id = allocate_id(work.tx, "webhook_delivery")
    made = WebhookDelivery(
        id, hook.id, uid or generate_uid(), topic, space, kind, body.decode(), WAITING, 0, 0, "", work.now, None
    )
    _STORE.insert(work.tx, made)
    job_queue.enqueue_job(work.tx, name_job(hook.family), {"delivery": id}, due=work.now, now=work.now)
    return made


def build_impersonated_work(work: UnitOfWork, hook: Webhook, user: User) -> UnitOfWork:
    """Return a unit of work in the same transaction as the webhook's account, under the API root it was created at."""
    own = work.site.settings.url.rstrip("/")
    if own and hook.root.startswith(f"{own}/"):
        origin = own
    else:
        origin = "/".join(hook.root.split("/")[:3]) if "://" in hook.root else work.origin
    return UnitOfWork(work.site, work.tx, user, root=hook.root or work.public_root, origin=origin)


# -- the log


def list_deliveries(work: UnitOfWork, webhook: int) -> list[WebhookDelivery]:
    """Return the deliveries of a webhook, latest first."""
    return _STORE.of_rows(work.tx.all(_OF_WEBHOOK, webhook=webhook))


def list_delivery_page(work: UnitOfWork, webhook: int, start: int, size: int) -> tuple[list[WebhookDelivery], int]:
    """Return deliveries of a webhook, latest first, and how many there are. start: how many come before."""
    found = _STORE.of_rows(work.tx.all(_PAGE_OF_WEBHOOK, webhook=webhook, start=start, size=size))
    return found, int(work.tx.value(_COUNT_OF_WEBHOOK, webhook=webhook) or 0)


def find_delivery(work: UnitOfWork, webhook: int, id: int) -> WebhookDelivery | None:
    """Return a delivery of a webhook, None where it has no such one."""
    found = _STORE.find(work.tx, id)
    return found if found is not None and found.webhook == webhook else None


def run_delivery_cleanup(work: UnitOfWork) -> None:
    """Delete old deliveries."""
    delete_old_deliveries(work)


def delete_old_deliveries(work: UnitOfWork) -> int:
    """Delete old deliveries, and return how many there were."""
    return work.tx.run_and_count(_DELETE_OLD_DELIVERIES, before=work.now - RETENTION_SECONDS)


# -- the external task


def find_due_delivery(work: UnitOfWork, arguments: Mapping[str, Any]) -> tuple[Webhook, WebhookDelivery] | None:
    """Return the message of a job with its webhook, None when it is not due any more."""
    one = _STORE.find(work.tx, arguments["delivery"])
    hook = webhooks.find_webhook(work, one.webhook) if one is not None else None
    if one is None or one.state != WAITING or hook is None or hook.status != ACTIVE:
        return None
    return hook, one


def build_delivery_call(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], WebhookDeliveryResult] | None:
    """Return the call that sends a message, None when it is not due any more."""
    found = find_due_delivery(work, arguments)
    if found is None:
        return None
    hook, one = found
    body = one.body.encode()
    headers = {
        "Content-Type": one.kind,
        **(_build_delivery_headers(work, hook, one, body) if one.kind == JSON else {}),
    }
    outbound = work.site.outbound.with_allowed_servers(*work.site.profile.webhook_servers)
    url = hook.delivery_url

    def call() -> WebhookDeliveryResult:
        try:
            reply = outbound.ask("POST", url, body=body, headers=headers, cut=True)
        except OutboundError as error:
            return WebhookDeliveryResult(0, str(error)[:_MAX_ERROR_LENGTH])
        good, text = 200 <= reply.status < 400, reply.text()[:_MAX_ERROR_LENGTH].replace("\0", "")
        return WebhookDeliveryResult(reply.status, "" if good else text or f"answered {reply.status}", text)

    return call


def save_delivery_result(work: UnitOfWork, arguments: Mapping[str, Any], result: WebhookDeliveryResult) -> None:
    """Store the outcome of a delivery, and schedule a retry where it failed."""
    one = _STORE.find(work.tx, arguments["delivery"])
    if one is None:
        return
    hook = webhooks.find_webhook(work, one.webhook)
    attempts = one.attempts + 1
    over = attempts >= MAX_ATTEMPTS or one.kind != JSON or hook is None
    state = DELIVERED if not result.error else FAILED if over else WAITING
    finished = None if state == WAITING else work.now
    new = msgspec.structs.replace(
        one, state=state, attempts=attempts, answer=result.answer, error=result.error, finished=finished,
        reply=result.reply,
    )  # fmt: skip
    _STORE.update(work.tx, one, new)
    if hook is None or one.kind != JSON:
        return
    if state == WAITING:
        due = work.now + _FIRST_RETRY_DELAY * 5 ** (attempts - 1)
        job_queue.enqueue_job(work.tx, name_job(hook.family), dict(arguments), due=due, now=work.now)
    elif result.error:
        failure_limit.record_failure(work, hook, result.error)
    else:
        failure_limit.reset_failures(work, hook)


def _build_delivery_headers(work: UnitOfWork, hook: Webhook, delivery: WebhookDelivery, body: bytes) -> dict[str, str]:
    resource, _, event = delivery.topic.partition(".")
    secret = webhooks.decrypt_secret(work, hook).encode()
    values = {
        "Source": f"{work.origin}/",
        "Topic": delivery.topic,
        "Resource": resource,
        "Event": event,
        "Signature": base64.b64encode(hmac.new(secret, body, hashlib.sha256).digest()).decode(),
        "ID": str(hook.id),
        "Delivery-ID": delivery.uid,
    }
    return {f"X-{delivery.space.upper()}-Webhook-{name}": value for name, value in values.items()}
