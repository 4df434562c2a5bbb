"""Webhook deliveries of the shop: what happened, and what is told of it.

A message contains its record as the webhook's account sees it at the time of the event, in the naming of the namespace
that the webhook was created in; a deleted record is represented by its id. Not here: how a message is stored, sent,
retried and logged (core/webhooks/deliveries.py). Rules: docs/rules/webhooks.md, 3 and 4.
"""

from __future__ import annotations

from typing import Final

import orjson

from vetrina.access.users import rules as users
from vetrina.core.site_context import SerializedRecord
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.webhooks import deliveries, store as webhooks
from vetrina.core.webhooks.model import FORM, JSON, SHOP, Webhook
from vetrina.shop.webhooks.topics import ACTION_RESOURCE, TOPIC_RESOURCES, list_topic_hooks, split_topic

_DEFAULT_NAMESPACE: Final = "shop"
_PATH_BY_RESOURCE: Final = {"order": "orders", "product": "products", "coupon": "coupons", "customer": "customers"}
_EVENT_BY_ACTION: Final = {"created": "created", "changed": "updated", "removed": "deleted", "trashed": "deleted"}
# The highest one is sent where one transaction did several things to a record.
_EVENT_RANKS: Final = ("updated", "restored", "deleted", "created")


def expect_reads(work: UnitOfWork, kind: str, item: str) -> None:
    """Expect what `enqueue_change_deliveries` reads after a change of something that webhooks are told of."""
    if kind in TOPIC_RESOURCES and item.isdecimal():
        webhooks.expect_active_webhooks(work, SHOP)


def enqueue_change_deliveries(work: UnitOfWork) -> None:
    """Enqueue the deliveries for the changes of a unit of work."""
    happened = _collect_events(work)
    if not happened:
        return
    for hook in webhooks.list_active_webhooks(work, SHOP):
        subject, name = split_topic(hook.topic)
        for (resource, item), event in happened.items():
            topic = f"{resource}.{event}"
            if hook.topic == topic:
                _enqueue_event_delivery(work, hook, resource, item, event)
            elif subject == ACTION_RESOURCE and name in list_topic_hooks(topic):
                _insert_delivery(work, hook, orjson.dumps({"action": name, "arg": item}), _DEFAULT_NAMESPACE)


def enqueue_ping(work: UnitOfWork, hook: Webhook) -> None:
    """Enqueue the ping of a new webhook; its failure has no effect."""
    _insert_delivery(work, hook, f"webhook_id={hook.id}".encode(), _find_namespace(work, hook), kind=FORM)


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
        if event not in _EVENT_RANKS:
            continue
        before = events.get(key)
        if action == "removed" and before == "created":
            gone.add(key)
        if before is None or _EVENT_RANKS.index(event) > _EVENT_RANKS.index(before):
            events[key] = event
    return {key: event for key, event in events.items() if key not in gone}


def _enqueue_event_delivery(work: UnitOfWork, hook: Webhook, resource: str, item: int, event: str) -> None:
    if event == "deleted":
        _insert_delivery(work, hook, orjson.dumps({"id": item}), _find_namespace(work, hook))
        return
    shown = _serialize_record(work, hook, f"/shop/v3/{_PATH_BY_RESOURCE[resource]}/{item}")
    if shown is not None:
        _insert_delivery(work, hook, shown.content, shown.space)


def _serialize_record(work: UnitOfWork, hook: Webhook, path: str) -> SerializedRecord | None:
    """Return a record as a webhook's account sees it, None where it does not."""
    user = users.find_user(work.tx, hook.account, work.site.roles)
    show = work.site.serialize_record
    if show is None or user is None:
        return None
    return show(deliveries.build_impersonated_work(work, hook, user), path)


def _find_namespace(work: UnitOfWork, hook: Webhook) -> str:
    """Return the first segment of the shop's namespace in the naming that the webhook was created in."""
    show = work.site.serialize_record
    user = users.find_user(work.tx, hook.account, work.site.roles)
    if show is None or user is None:
        return _DEFAULT_NAMESPACE
    found = show(deliveries.build_impersonated_work(work, hook, user), "")
    return found.space if found is not None else _DEFAULT_NAMESPACE


def _insert_delivery(work: UnitOfWork, hook: Webhook, body: bytes, space: str, kind: str = JSON) -> None:
    deliveries.insert_delivery(work, hook, body, topic=hook.topic, space=space, kind=kind)
