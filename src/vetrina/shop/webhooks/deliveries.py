"""Webhook deliveries: written in the transaction of the event, sent by a job, signed, retried, logged.

A message contains its record as the webhook's account sees it at the time of the event, in the naming of the namespace
that the webhook was created in; a deleted record is represented by its id. Anything but 2xx and 3xx is a failure: it is
retried with growing delays, then given up; a webhook that fails too often is disabled (shop/webhooks/rules.py).
Rules: docs/rules/webhooks.md, 3, 4 and 5.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, delete, select

from vetrina.access.users import rules as users
from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.http_client_urls import OutboundError
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.store import Store
from vetrina.backends.tables.webhooks import webhook_delivery as table
from vetrina.core.unit_of_work import SerializedRecord, UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.keys import generate_letters
from vetrina.shop.webhooks import rules as webhooks
from vetrina.shop.webhooks.rules import Webhook
from vetrina.shop.webhooks.topics import ACTION_RESOURCE, TOPIC_RESOURCES, list_topic_hooks, split_topic

DELIVERY_JOB: Final = "shop.deliver"  # kind of the job
MAX_ATTEMPTS: Final = 5
WAITING, DELIVERED, FAILED = "waiting", "delivered", "failed"
RETENTION_SECONDS: Final = 30 * 86_400  # seconds that deliveries stay in the log

_FIRST_RETRY_DELAY: Final = 60  # seconds; each further one is five times as long
_JSON, _FORM = "application/json", "application/x-www-form-urlencoded"
_DEFAULT_NAMESPACE: Final = "shop"
_MAX_ERROR_LENGTH: Final = 500  # characters
_PATH_BY_RESOURCE: Final = {"order": "orders", "product": "products", "coupon": "coupons", "customer": "customers"}
_EVENT_BY_ACTION: Final = {"created": "created", "changed": "updated", "removed": "deleted", "trashed": "deleted"}
# The highest one is sent where one transaction did several things to a record.
_EVENT_RANKS: Final = ("updated", "restored", "deleted", "created")


class WebhookDelivery(msgspec.Struct, frozen=True):
    """One message."""

    id: int
    webhook: int
    uid: str
    topic: str
    space: str
    kind: str
    body: str
    state: str
    attempts: int
    answer: int
    error: str
    created: int
    finished: int | None


class WebhookDeliveryResult(msgspec.Struct, frozen=True):
    """Outcome of an attempt. answer: the receiver's status, 0 for none; error: empty when it was delivered."""

    answer: int
    error: str = ""


_STORE: Final = Store(table, WebhookDelivery)
_OF_WEBHOOK = Statement(
    select(*_STORE.columns).where(table.c.webhook == bindparam("webhook")).order_by(table.c.id.desc())
)
_DELETE_OLD_DELIVERIES = Statement(delete(table).where(table.c.finished < bindparam("before")))


# -- events


def enqueue_change_deliveries(work: UnitOfWork) -> None:
    """Enqueue the deliveries for the changes of a unit of work."""
    happened = _collect_events(work)
    if not happened:
        return
    for hook in webhooks.list_active_webhooks(work):
        subject, name = split_topic(hook.topic)
        for (resource, item), event in happened.items():
            topic = f"{resource}.{event}"
            if hook.topic == topic:
                _enqueue_event_delivery(work, hook, resource, item, event)
            elif subject == ACTION_RESOURCE and name in list_topic_hooks(topic):
                _insert_delivery(work, hook, orjson.dumps({"action": name, "arg": item}), _DEFAULT_NAMESPACE)


def enqueue_ping(work: UnitOfWork, hook: Webhook) -> None:
    """Enqueue the ping of a new webhook; its failure has no effect."""
    _insert_delivery(work, hook, f"webhook_id={hook.id}".encode(), _find_namespace(work, hook, ""), kind=_FORM)


def _collect_events(work: UnitOfWork) -> dict[tuple[str, int], str]:
    """Return the events of changed records, one for each record."""
    events: dict[tuple[str, int], str] = {}
    gone: set[tuple[str, int]] = set()
    for kind, item, action in work.changes:
        resource = TOPIC_RESOURCES.get(kind)
        if resource is None or not item.isdecimal() or item == "0":
            continue
        key = (resource, int(item))
        event = _EVENT_BY_ACTION.get(action, action)
        before = events.get(key)
        if action == "removed" and before == "created":
            gone.add(key)
        if before is None or _EVENT_RANKS.index(event) > _EVENT_RANKS.index(before):
            events[key] = event
    return {key: event for key, event in events.items() if key not in gone}


def _enqueue_event_delivery(work: UnitOfWork, hook: Webhook, resource: str, item: int, event: str) -> None:
    if event == "deleted":
        _insert_delivery(work, hook, orjson.dumps({"id": item}), _find_namespace(work, hook, resource))
        return
    shown = _serialize_record(work, hook, f"/shop/v3/{_PATH_BY_RESOURCE[resource]}/{item}")
    if shown is not None:
        _insert_delivery(work, hook, shown.content, shown.space)


def _serialize_record(work: UnitOfWork, hook: Webhook, path: str) -> SerializedRecord | None:
    """Return a record as a webhook's account sees it, None where it does not."""
    user = users.find_user(work.tx, hook.account, work.site.administrator_capabilities)
    show = work.site.serialize_record
    return show(_build_impersonated_work(work, hook, user), path) if show is not None and user is not None else None


def _find_namespace(work: UnitOfWork, hook: Webhook, resource: str) -> str:
    """Return the first segment of the shop's namespace in the naming that the webhook was created in."""
    show = work.site.serialize_record
    user = users.find_user(work.tx, hook.account, work.site.administrator_capabilities)
    if show is None or user is None:
        return _DEFAULT_NAMESPACE
    found = show(_build_impersonated_work(work, hook, user), "")
    return found.space if found is not None else _DEFAULT_NAMESPACE


def _build_impersonated_work(work: UnitOfWork, hook: Webhook, user: User) -> UnitOfWork:
    """Return a unit of work in the same transaction as the webhook's account, under the API root it was created at."""
    origin = "/".join(hook.root.split("/")[:3]) if "://" in hook.root else work.origin
    return UnitOfWork(work.site, work.tx, user, root=hook.root or work.root, origin=origin)


def _insert_delivery(work: UnitOfWork, hook: Webhook, body: bytes, space: str, kind: str = _JSON) -> None:
    id = allocate_id(work.tx, "webhook_delivery")
    made = WebhookDelivery(
        id, hook.id, generate_letters(32).lower(), hook.topic, space, kind, body.decode(), WAITING, 0, 0, "", work.now,
        None,
    )  # fmt: skip
    _STORE.insert(work.tx, made)
    job_queue.enqueue_job(work.tx, DELIVERY_JOB, {"delivery": id}, due=work.now, now=work.now)


# -- the log


def list_webhook_deliveries(work: UnitOfWork, id: int) -> list[WebhookDelivery]:
    """Return the deliveries of a webhook, latest first."""
    return _STORE.of_rows(work.tx.all(_OF_WEBHOOK, webhook=id))


def run_delivery_cleanup(work: UnitOfWork) -> None:
    """Delete old deliveries."""
    delete_old_deliveries(work)


def delete_old_deliveries(work: UnitOfWork) -> int:
    """Delete old deliveries, and return how many there were."""
    return work.tx.run(_DELETE_OLD_DELIVERIES, before=work.now - RETENTION_SECONDS)


# -- the external task


def build_delivery_call(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], WebhookDeliveryResult] | None:
    """Return the call that sends a message, None when it is not due any more."""
    one = _STORE.find(work.tx, arguments["delivery"])
    hook = webhooks.find_webhook(work, one.webhook) if one is not None else None
    if one is None or one.state != WAITING or hook is None or hook.status != webhooks.ACTIVE:
        return None
    body = one.body.encode()
    headers = {
        "Content-Type": one.kind,
        **(_build_delivery_headers(work, hook, one, body) if one.kind == _JSON else {}),
    }
    outbound = work.site.outbound.with_allowed_servers(*work.site.profile.webhook_servers)
    url = hook.delivery_url

    def call() -> WebhookDeliveryResult:
        try:
            reply = outbound.ask("POST", url, body=body, headers=headers, cut=True)
        except OutboundError as error:
            return WebhookDeliveryResult(0, str(error)[:_MAX_ERROR_LENGTH])
        good = 200 <= reply.status < 400
        return WebhookDeliveryResult(
            reply.status, "" if good else reply.text()[:_MAX_ERROR_LENGTH] or f"answered {reply.status}"
        )

    return call


def save_delivery_result(work: UnitOfWork, arguments: Mapping[str, Any], result: WebhookDeliveryResult) -> None:
    """Store the outcome of a delivery, and schedule a retry where it failed."""
    one = _STORE.find(work.tx, arguments["delivery"])
    if one is None:
        return
    hook = webhooks.find_webhook(work, one.webhook)
    attempts = one.attempts + 1
    over = attempts >= MAX_ATTEMPTS or one.kind != _JSON
    state = DELIVERED if not result.error else FAILED if over else WAITING
    finished = None if state == WAITING else work.now
    new = msgspec.structs.replace(
        one, state=state, attempts=attempts, answer=result.answer, error=result.error, finished=finished
    )
    _STORE.update(work.tx, one, new)
    if state == WAITING:
        due = work.now + _FIRST_RETRY_DELAY * 5 ** (attempts - 1)
        job_queue.enqueue_job(work.tx, DELIVERY_JOB, dict(arguments), due=due, now=work.now)
    elif hook is not None and one.kind == _JSON:
        if result.error:
            webhooks.record_webhook_failure(work, hook)
        else:
            webhooks.reset_webhook_failures(work, hook)


def _build_delivery_headers(work: UnitOfWork, hook: Webhook, delivery: WebhookDelivery, body: bytes) -> dict[str, str]:
    resource, event = split_topic(hook.topic)
    secret = webhooks.decrypt_webhook_secret(work, hook).encode()
    values = {
        "Source": f"{work.origin}/",
        "Topic": hook.topic,
        "Resource": resource,
        "Event": event,
        "Signature": base64.b64encode(hmac.new(secret, body, hashlib.sha256).digest()).decode(),
        "ID": str(hook.id),
        "Delivery-ID": delivery.uid,
    }
    return {f"X-{delivery.space.upper()}-Webhook-{name}": value for name, value in values.items()}
