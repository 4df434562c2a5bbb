"""Webhooks: who wants to be told of which events. Made, changed, removed, listed.

Not here: what is told and how (shop/webhooks/deliveries.py), topics (shop/webhooks/topics.py).
Rules: facts, "Taxes, settings, shipping, gateways, data" (webhooks).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.tables.webhooks import webhook as table
from vetrina.core.unit_of_work import Work
from vetrina.kernel.encryption import CannotOpen, opened, sealed
from vetrina.kernel.errors import ApiError
from vetrina.kernel.keys import random_letters
from vetrina.shop.webhooks.topics import is_topic

__all__ = [
    "ACTIVE", "DISABLED", "KIND", "STATUSES", "InvalidDeliveryUrl", "InvalidTopic", "Webhook", "WebhookUnknown",
    "active", "by_id", "change", "count_failure", "create", "existing", "listed", "remove", "secret_of", "succeeded",
]  # fmt: skip

KIND: Final = "webhook"
ACTIVE: Final = "active"
DISABLED: Final = "disabled"
STATUSES: Final = (ACTIVE, "paused", DISABLED)
MOST_FAILURES: Final = 5  # deliveries in a row that are given up before a webhook is disabled

SEALED: Final = "webhook"
_SECRET_LETTERS: Final = 50


class WebhookUnknown(ApiError):
    status, code = 404, "shop_rest_shop_webhook_invalid_id"
    message = "There is no webhook with the number {id}."


class InvalidTopic(ApiError):
    code = "shop_rest_shop_webhook_invalid_topic"
    message = "{topic!r} is no topic; write a resource and an event, such as order.created."


class InvalidDeliveryUrl(ApiError):
    code = "shop_rest_shop_webhook_invalid_delivery_url"
    message = "{url!r} is no address to deliver to; it begins with http:// or https://."


class Webhook(msgspec.Struct, frozen=True):
    """A webhook; its members are the columns of its table. secret: sealed; None for never modified."""

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


_NAMES = tuple(column.name for column in table.c)
assert Webhook.__struct_fields__ == _NAMES, "Webhook and its table name the same members in the same order"

_ALL = Statement(select(table).order_by(table.c.id))
_ACTIVE = Statement(select(table).where(table.c.status == ACTIVE).order_by(table.c.id))
_BY_ID = Statement(select(table).where(table.c.id == bindparam("id")))
_INSERT = Statement(insert(table).values({name: bindparam(name) for name in _NAMES}))
_UPDATE = Statement(
    update(table).where(table.c.id == bindparam("of")).values({name: bindparam(name) for name in _NAMES[1:]})
)
_REMOVE = Statement(delete(table).where(table.c.id == bindparam("id")))
_COUNT = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    .values(failures=bindparam("failures"), status=bindparam("status"))
)


def listed(work: Work) -> list[Webhook]:
    """Return all webhooks, the oldest first."""
    work.uses(KIND)
    return [Webhook(*row) for row in work.tx.all(_ALL)]


def active(work: Work) -> list[Webhook]:
    """Return those webhooks that are told."""
    return [Webhook(*row) for row in work.tx.all(_ACTIVE)]


def by_id(work: Work, id: int) -> Webhook | None:
    """Return a webhook, None where there is none."""
    work.uses(KIND)
    row = work.tx.first(_BY_ID, id=id)
    return Webhook(*row) if row else None


def existing(work: Work, id: object) -> Webhook:
    """Return a webhook. Raises WebhookUnknown."""
    found = by_id(work, id) if isinstance(id, int) else None
    if found is None:
        raise WebhookUnknown(id=id)
    return found


def create(work: Work, given: Mapping[str, Any], name: str) -> Webhook:
    """Make a webhook of the caller; it is active, whatever status was sent.

    given: name, topic, delivery_url, secret. name: the one that it gets when none is given.
    Raises InvalidTopic, InvalidDeliveryUrl.
    """
    topic, url = _topic(given["topic"]), _url(given["delivery_url"])
    secret = given.get("secret") or random_letters(_SECRET_LETTERS)
    made = Webhook(
        next_number(work.tx, KIND), work.user.id, given.get("name") or name, ACTIVE, topic, url,
        _sealed(work, secret), work.root, 0, work.now, None,
    )  # fmt: skip
    work.tx.run(_INSERT, **msgspec.structs.asdict(made))
    work.note(KIND, made.id, "created")
    return made


def change(work: Work, old: Webhook, given: Mapping[str, Any]) -> Webhook:
    """Change a webhook; empty texts change nothing, and one that becomes active starts anew.

    Raises InvalidTopic, InvalidDeliveryUrl.
    """
    members: dict[str, Any] = {name: given[name] for name in ("name", "status") if given.get(name)}
    if given.get("topic"):
        members["topic"] = _topic(given["topic"])
    if given.get("delivery_url"):
        members["delivery_url"] = _url(given["delivery_url"])
    if given.get("secret"):
        members["secret"] = _sealed(work, given["secret"])
    if members.get("status") == ACTIVE:
        members["failures"] = 0
    new = msgspec.structs.replace(old, **members, modified=work.now)
    values = msgspec.structs.asdict(new)
    work.tx.run(_UPDATE, of=values.pop("id"), **values)
    work.note(KIND, new.id, "changed")
    return new


def remove(work: Work, one: Webhook) -> None:
    """Remove a webhook with the log of what it was told."""
    work.tx.run(_REMOVE, id=one.id)
    work.note(KIND, one.id, "removed")


def secret_of(work: Work, one: Webhook) -> str:
    """Return what signatures are made with; empty where it cannot be read any more."""
    try:
        return opened(work.frame.settings.secret, SEALED, one.secret)
    except CannotOpen:
        return ""


def succeeded(work: Work, one: Webhook) -> None:
    """Note that a delivery arrived."""
    if one.failures:
        work.tx.run(_COUNT, of=one.id, failures=0, status=one.status)


def count_failure(work: Work, one: Webhook) -> None:
    """Note that a delivery was given up; after several in a row the webhook is disabled."""
    failures = one.failures + 1
    status = DISABLED if failures >= MOST_FAILURES and one.status == ACTIVE else one.status
    work.tx.run(_COUNT, of=one.id, failures=failures, status=status)
    if status != one.status:
        work.note(KIND, one.id, "changed")


def _sealed(work: Work, secret: str) -> str:
    return sealed(work.frame.settings.secret, SEALED, secret)


def _topic(topic: str) -> str:
    topic = topic.strip().lower() if not topic.startswith("action.") else topic.strip()
    if not is_topic(topic):
        raise InvalidTopic(topic=topic)
    return topic


def _url(url: str) -> str:
    url = url.strip()
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and not any(one.isspace() for one in url)
    except ValueError:
        good = False
    if not good:
        raise InvalidDeliveryUrl(url=url)
    return url
