"""Webhooks for content: create and change, with their topics and addresses checked.

Rules: docs/rules/webhooks.md, 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.webhooks import deliveries, store
from vetrina.core.webhooks.model import SITE, Webhook, WebhookDelivery
from vetrina.kernel.errors import ApiError, Failure, Fault, InvalidParam
from vetrina.system.webhooks.topics import list_topics, suggest_topics

MAX_WEBHOOKS: Final = 50  # of a site, since each is asked about at every change


class WebhookNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_webhook_invalid_id"
    message = "There is no webhook with the number {id}."


class DeliveryNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_webhook_delivery_invalid_id"
    message = "This webhook has no delivery with the number {id}; the log goes back 30 days."


class TooManyWebhooks(ApiError):
    code = "rest_webhook_too_many"
    message = "A site has {most} webhooks at most; delete one, or give one of them more `topics`."


class WebhookNotActive(ApiError):
    code = "rest_webhook_not_active"
    message = "The webhook is {status}, so nothing is sent; set its `status` to active first."


def get_webhook(work: UnitOfWork, id: int) -> Webhook:
    """Return a webhook. Raises WebhookNotFound."""
    found = store.find_webhook(work, id, SITE)
    if found is None:
        raise WebhookNotFound(id=id)
    return found


def get_active_webhook(work: UnitOfWork, id: int) -> Webhook:
    """Return a webhook that is active. Raises WebhookNotFound, WebhookNotActive."""
    found = get_webhook(work, id)
    if found.status != "active":
        raise WebhookNotActive(status=found.status)
    return found


def get_delivery(work: UnitOfWork, hook: Webhook, id: int) -> WebhookDelivery:
    """Return a delivery of a webhook. Raises DeliveryNotFound."""
    found = deliveries.find_delivery(work, hook.id, id)
    if found is None:
        raise DeliveryNotFound(id=id)
    return found


def create_webhook(work: UnitOfWork, given: Mapping[str, Any]) -> Webhook:
    """Create a webhook of the calling account. given: topics, delivery_url, and name, secret and status where sent.

    Raises InvalidParam, TooManyWebhooks.
    """
    members = _read_members(work, given)
    if len(store.list_webhooks(work, SITE)) >= MAX_WEBHOOKS:
        raise TooManyWebhooks(most=MAX_WEBHOOKS)
    made = store.insert_webhook(
        work, SITE, name=members.get("name", ""), topic=members["topic"], url=members["delivery_url"],
        secret=members.get("secret", ""),
    )  # fmt: skip
    status = members.get("status", made.status)
    return made if status == made.status else store.update_webhook(work, made, {"status": status})


def update_webhook(work: UnitOfWork, old: Webhook, given: Mapping[str, Any]) -> Webhook:
    """Change a webhook. Raises InvalidParam."""
    return store.update_webhook(work, old, _read_members(work, given))


def _read_members(work: UnitOfWork, given: Mapping[str, Any]) -> dict[str, Any]:
    members: dict[str, Any] = {name: given[name] for name in ("name", "status") if name in given}
    if given.get("secret"):
        members["secret"] = given["secret"]
    if "topics" in given:
        members["topic"] = " ".join(_check_topics(work, given["topics"]))
    if "delivery_url" in given:
        members["delivery_url"] = given["delivery_url"].strip()
        if not store.is_delivery_url(members["delivery_url"]):
            message = f"{given['delivery_url']!r} is no address to deliver to; it begins with http:// or https://."
            raise InvalidParam({"delivery_url": Fault("rest_webhook_invalid_delivery_url", message)})
    return members


def _check_topics(work: UnitOfWork, given: Sequence[str]) -> list[str]:
    known = list_topics(work.site)
    topics = list(dict.fromkeys(one.strip().lower() for one in given))
    for topic in topics:
        if topic not in known:
            near = suggest_topics(work.site, topic)
            hint = f"Nearest: {', '.join(near)}." if near else "GET /cms/v2/webhooks/topics lists all."
            message = f"{topic!r} is no topic: nothing is ever told of it. {hint}"
            raise InvalidParam({"topics": Fault("rest_webhook_invalid_topic", message)})
    return topics
