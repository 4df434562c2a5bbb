"""Deliveries of webhooks for content: what is told of an event, and to whom.

A message holds the record as the webhook's account sees it when the event happens; it is only sent while that account
may still manage the site. Not here: how it is stored, sent, retried and logged (core/webhooks/deliveries.py).
Rules: docs/rules/webhooks.md, 7.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import orjson

from vetrina.access.users import rules as users
from vetrina.core.site_context import SerializedRecord
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.core.webhooks import deliveries, store
from vetrina.core.webhooks.model import SITE, Webhook, WebhookDelivery, WebhookDeliveryResult
from vetrina.kernel.times import format_iso
from vetrina.system.changes.tags import ChangeTags
from vetrina.system.webhooks import topics
from vetrina.system.webhooks.topics import ContentEvent

# The capability that webhooks for content need, of whoever makes one and of the account it belongs to.
MANAGE: Final = "manage_options"
_SPACE: Final = "cms"
_OWNER_GONE: Final = "the account that made this webhook may no longer manage the site"


def expect_reads(work: UnitOfWork, kind: str, item: str) -> None:
    """Expect what `enqueue_change_deliveries` reads after a change of something that webhooks are told of."""
    if topics.is_told(work.site, kind):
        store.expect_active_webhooks(work, SITE)


def enqueue_change_deliveries(work: UnitOfWork) -> None:
    """Enqueue the deliveries for the changes of a unit of work."""
    events = topics.collect_events(work)
    if not events:
        return
    for hook in store.list_active_webhooks(work, SITE):
        wanted = hook.topic.split(" ")
        told = [event for event in events if topics.matches(wanted, event.topic)]
        user = _find_owner(work, hook) if told else None
        if user is None:
            continue
        own = deliveries.build_impersonated_work(work, hook, user)
        shown: dict[str, SerializedRecord | None] = {}
        tags = ChangeTags(work, ((event.kind, event.number) for event in told))
        for event in told:
            removed = event.topic.endswith(".deleted")
            if not removed and event.path not in shown:
                shown[event.path] = work.site.serialize_record(own, event.path) if work.site.serialize_record else None
            record = shown.get(event.path)
            if removed or record is not None:
                content = None if record is None or removed else record.content
                _enqueue_event(work, hook, event, content, _list_event_tags(work, tags, event, content))


def enqueue_ping(work: UnitOfWork, hook: Webhook) -> WebhookDelivery:
    """Enqueue a message that says nothing but that the webhook exists."""
    uid = deliveries.generate_uid()
    body = orjson.dumps(_build_head(work, hook, topics.PING, uid))
    return deliveries.insert_delivery(work, hook, body, topic=topics.PING, space=_SPACE, uid=uid)


def redeliver(work: UnitOfWork, hook: Webhook, old: WebhookDelivery) -> WebhookDelivery:
    """Enqueue a message again, under the name that receivers know it by."""
    return deliveries.insert_delivery(
        work, hook, old.body.encode(), topic=old.topic, space=old.space, kind=old.kind, uid=old.uid
    )


def build_delivery_call(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], WebhookDeliveryResult] | None:
    """Return the call that sends a message, None when it is not due any more; its account must still have the right."""
    found = deliveries.find_due_delivery(work, arguments)
    if found is not None and _find_owner(work, found[0]) is None:
        return lambda: WebhookDeliveryResult(0, _OWNER_GONE)
    return deliveries.build_delivery_call(work, arguments)


def _find_owner(work: UnitOfWork, hook: Webhook) -> User | None:
    user = users.find_user(work.tx, hook.account, work.site.roles)
    return user if user is not None and user.can(MANAGE) else None


def _list_event_tags(work: UnitOfWork, tags: ChangeTags, event: ContentEvent, record: bytes | None) -> list[str]:
    """Return the cache tags of what happened in the transaction to the thing that an event is about."""
    steps = (action for kind, item, action in work.changes if (kind, item) == (event.kind, event.item))
    transition = next((action for action in steps if action in topics.TRANSITIONS), "")
    shown = orjson.loads(record) if record is not None else {}
    status = str(shown.get("status", "")) if isinstance(shown, dict) else ""
    return tags.list_tags(event.kind, event.number, {"transition": transition} if transition else {}, status)


def _enqueue_event(work: UnitOfWork, hook: Webhook, event: ContentEvent, record: bytes | None, tags: list[str]) -> None:
    uid = deliveries.generate_uid()
    message = {
        **_build_head(work, hook, event.topic, uid),
        "type": event.kind,
        "id": event.number or event.item,
        "path": event.path,
        "tags": tags,
        "record": None if record is None else orjson.Fragment(record),
    }
    deliveries.insert_delivery(work, hook, orjson.dumps(message), topic=event.topic, space=_SPACE, uid=uid)


def _build_head(work: UnitOfWork, hook: Webhook, topic: str, uid: str) -> dict[str, Any]:
    return {
        "topic": topic, "delivery_id": uid, "webhook_id": hook.id, "time": f"{format_iso(work.now)}Z",
        "site": f"{work.site.origin}/",
    }  # fmt: skip
