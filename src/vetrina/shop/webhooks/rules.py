"""Webhooks: create, change, delete, list.

Not here: deliveries (shop/webhooks/deliveries.py), topics (shop/webhooks/topics.py).
Rules: docs/rules/webhooks.md, 1 and 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import select

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.store import Store
from vetrina.backends.tables.webhooks import webhook as table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.encryption import CannotDecrypt, decrypt_text, encrypt_text
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.keys import generate_letters
from vetrina.shop.webhooks.topics import is_webhook_topic

WEBHOOK_KIND: Final = "webhook"
ACTIVE: Final = "active"
DISABLED: Final = "disabled"
STATUSES: Final = (ACTIVE, "paused", DISABLED)
MAX_FAILURES: Final = 5  # failed deliveries in a row after which a webhook is disabled

SECRET_CONTEXT: Final = "webhook"
_SECRET_LENGTH: Final = 50


class WebhookNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_shop_webhook_invalid_id"
    message = "There is no webhook with the number {id}."


class InvalidWebhookTopic(ApiError):
    code = "shop_rest_shop_webhook_invalid_topic"
    message = "{topic!r} is no topic; write a resource and an event, such as order.created."


class InvalidWebhookDeliveryUrl(ApiError):
    code = "shop_rest_shop_webhook_invalid_delivery_url"
    message = "{url!r} is no address to deliver to; it begins with http:// or https://."


class Webhook(msgspec.Struct, frozen=True):
    """A webhook. secret: encrypted; modified: None when never changed."""

    id: int
    account: int
    name: str
    status: str
    topic: str
    delivery_url: str
    secret: str
    root: str
    failures: int
    created: int
    modified: int | None


_STORE: Final = Store(table, Webhook)
_ALL_WEBHOOKS = Statement(select(*_STORE.columns).order_by(table.c.id))
_ACTIVE_WEBHOOKS = Statement(select(*_STORE.columns).where(table.c.status == ACTIVE).order_by(table.c.id))


def list_webhooks(work: UnitOfWork) -> list[Webhook]:
    """Return all webhooks, the oldest first."""
    work.uses(WEBHOOK_KIND)
    return _STORE.of_rows(work.tx.all(_ALL_WEBHOOKS))


def list_active_webhooks(work: UnitOfWork) -> list[Webhook]:
    """Return the active webhooks."""
    return _STORE.of_rows(work.tx.all(_ACTIVE_WEBHOOKS))


def find_webhook(work: UnitOfWork, id: int) -> Webhook | None:
    """Return a webhook, None where there is none."""
    work.uses(WEBHOOK_KIND)
    return _STORE.find(work.tx, id)


def get_webhook(work: UnitOfWork, id: object) -> Webhook:
    """Return a webhook. Raises WebhookNotFound."""
    found = find_webhook(work, id) if isinstance(id, int) else None
    if found is None:
        raise WebhookNotFound(id=id)
    return found


def create_webhook(work: UnitOfWork, given: Mapping[str, Any], name: str) -> Webhook:
    """Create a webhook of the calling account; it is active, whatever status was sent.

    given: name, topic, delivery_url, secret. name: the default name.
    Raises InvalidWebhookTopic, InvalidWebhookDeliveryUrl.
    """
    topic, url = _validate_topic(given["topic"]), _validate_delivery_url(given["delivery_url"])
    secret = given.get("secret") or generate_letters(_SECRET_LENGTH)
    made = Webhook(
        allocate_id(work.tx, WEBHOOK_KIND), work.user.id, given.get("name") or name, ACTIVE, topic, url,
        _encrypt_secret(work, secret), work.root, 0, work.now, None,
    )  # fmt: skip
    _STORE.insert(work.tx, made)
    work.note(WEBHOOK_KIND, made.id, "created")
    return made


def update_webhook(work: UnitOfWork, old: Webhook, given: Mapping[str, Any]) -> Webhook:
    """Change a webhook; empty texts change nothing, and activating it resets its failures.

    Raises InvalidWebhookTopic, InvalidWebhookDeliveryUrl.
    """
    members: dict[str, Any] = {name: given[name] for name in ("name", "status") if given.get(name)}
    if given.get("topic"):
        members["topic"] = _validate_topic(given["topic"])
    if given.get("delivery_url"):
        members["delivery_url"] = _validate_delivery_url(given["delivery_url"])
    if given.get("secret"):
        members["secret"] = _encrypt_secret(work, given["secret"])
    if members.get("status") == ACTIVE:
        members["failures"] = 0
    new = msgspec.structs.replace(old, **members, modified=work.now)
    _STORE.update(work.tx, old, new)
    work.note(WEBHOOK_KIND, new.id, "changed")
    return new


def delete_webhook(work: UnitOfWork, hook: Webhook) -> None:
    """Delete a webhook with its delivery log."""
    _STORE.delete(work.tx, hook.id)
    work.note(WEBHOOK_KIND, hook.id, "removed")


def decrypt_webhook_secret(work: UnitOfWork, hook: Webhook) -> str:
    """Return the signing secret; empty where it cannot be decrypted any more."""
    try:
        return decrypt_text(work.site.settings.secret, SECRET_CONTEXT, hook.secret)
    except CannotDecrypt:
        return ""


def reset_webhook_failures(work: UnitOfWork, hook: Webhook) -> None:
    """Record a successful delivery."""
    _STORE.update(work.tx, hook, msgspec.structs.replace(hook, failures=0))


def record_webhook_failure(work: UnitOfWork, hook: Webhook) -> None:
    """Record a failed delivery; after several in a row the webhook is disabled."""
    failures = hook.failures + 1
    status = DISABLED if failures >= MAX_FAILURES and hook.status == ACTIVE else hook.status
    _STORE.update(work.tx, hook, msgspec.structs.replace(hook, failures=failures, status=status))
    if status != hook.status:
        work.note(WEBHOOK_KIND, hook.id, "changed")


def _encrypt_secret(work: UnitOfWork, secret: str) -> str:
    return encrypt_text(work.site.settings.secret, SECRET_CONTEXT, secret)


def _validate_topic(topic: str) -> str:
    topic = topic.strip().lower() if not topic.startswith("action.") else topic.strip()
    if not is_webhook_topic(topic):
        raise InvalidWebhookTopic(topic=topic)
    return topic


def _validate_delivery_url(url: str) -> str:
    url = url.strip()
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and not any(one.isspace() for one in url)
    except ValueError:
        good = False
    if not good:
        raise InvalidWebhookDeliveryUrl(url=url)
    return url
