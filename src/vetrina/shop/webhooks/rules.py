"""Webhooks of the shop: create, change, find.

Not here: rows, secrets and failures (core/webhooks/store.py), deliveries (shop/webhooks/deliveries.py), topics
(shop/webhooks/topics.py). Rules: docs/rules/webhooks.md, 1 and 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.webhooks import store
from vetrina.core.webhooks.model import ACTIVE, SHOP, Webhook
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.webhooks.topics import is_webhook_topic


class WebhookNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_shop_webhook_invalid_id"
    message = "There is no webhook with the number {id}."


class InvalidWebhookTopic(ApiError):
    code = "shop_rest_shop_webhook_invalid_topic"
    message = "{topic!r} is no topic; write a resource and an event, such as order.created."


class InvalidWebhookDeliveryUrl(ApiError):
    code = "shop_rest_shop_webhook_invalid_delivery_url"
    message = "{url!r} is no address to deliver to; it begins with http:// or https://."


def list_webhooks(work: UnitOfWork) -> list[Webhook]:
    """Return all webhooks of the shop, the oldest first."""
    return store.list_webhooks(work, SHOP)


def find_webhook(work: UnitOfWork, id: int) -> Webhook | None:
    """Return a webhook of the shop, None where there is none."""
    return store.find_webhook(work, id, SHOP)


def get_webhook(work: UnitOfWork, id: object) -> Webhook:
    """Return a webhook. Raises WebhookNotFound."""
    found = find_webhook(work, id) if isinstance(id, int) else None
    if found is None:
        raise WebhookNotFound(id=id)
    return found


def is_webhook_id_taken(work: UnitOfWork, id: int) -> bool:
    """Return whether a webhook of any kind has an id."""
    return store.find_webhook(work, id) is not None


def create_webhook(
    work: UnitOfWork, given: Mapping[str, Any], name: str, *, status: str = ACTIVE, id: int = 0,
    created: int | None = None,
) -> Webhook:  # fmt: skip
    """Create a webhook of the calling account; it is active, whatever status was sent.

    given: name, topic, delivery_url, secret. name: the default name. status, id, created: of one that was elsewhere.
    Raises InvalidWebhookTopic, InvalidWebhookDeliveryUrl.
    """
    topic, url = _validate_topic(given["topic"]), _validate_delivery_url(given["delivery_url"])
    return store.insert_webhook(
        work,
        SHOP,
        name=given.get("name") or name,
        topic=topic,
        url=url,
        secret=given.get("secret") or "",
        status=status,
        id=id,
        created=created,
    )


def update_webhook(work: UnitOfWork, old: Webhook, given: Mapping[str, Any]) -> Webhook:
    """Change a webhook; empty texts change nothing, and activating it resets its failures.

    Raises InvalidWebhookTopic, InvalidWebhookDeliveryUrl.
    """
    members: dict[str, Any] = {name: given[name] for name in ("name", "status", "secret") if given.get(name)}
    if given.get("topic"):
        members["topic"] = _validate_topic(given["topic"])
    if given.get("delivery_url"):
        members["delivery_url"] = _validate_delivery_url(given["delivery_url"])
    return store.update_webhook(work, old, members)


def _validate_topic(topic: str) -> str:
    topic = topic.strip().lower() if not topic.startswith("action.") else topic.strip()
    if not is_webhook_topic(topic):
        raise InvalidWebhookTopic(topic=topic)
    return topic


def _validate_delivery_url(url: str) -> str:
    url = url.strip()
    if not store.is_delivery_url(url):
        raise InvalidWebhookDeliveryUrl(url=url)
    return url
