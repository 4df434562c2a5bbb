"""What a webhook and a delivery are, whichever interface they belong to.

Rules: docs/rules/webhooks.md, 4, 5 and 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

WEBHOOK_KIND: Final = "webhook"  # in the change log
ACTIVE: Final = "active"
PAUSED: Final = "paused"
DISABLED: Final = "disabled"
STATUSES: Final = (ACTIVE, PAUSED, DISABLED)
WAITING, DELIVERED, FAILED = "waiting", "delivered", "failed"
STATES: Final = (WAITING, DELIVERED, FAILED)
JSON, FORM = "application/json", "application/x-www-form-urlencoded"

# Families: whose routes have the webhook. The jobs of a family have it in their kind.
SHOP: Final = "shop"
SITE: Final = "site"


class Webhook(msgspec.Struct, frozen=True):
    """A webhook. secret: encrypted; modified: None when never changed; reason: why it was disabled, if by failures.

    topic: what it is told of; several in the family `site`, with spaces between them.
    """

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
    family: str
    reason: str = ""


class WebhookDelivery(msgspec.Struct, frozen=True):
    """One message. uid: names it, the same at every attempt; reply: the start of what the receiver answered."""

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
    reply: str = ""


class WebhookDeliveryResult(msgspec.Struct, frozen=True):
    """Outcome of an attempt. answer: the receiver's status, 0 for none; error: empty when it was delivered."""

    answer: int
    error: str = ""
    reply: str = ""


@dataclass(frozen=True)
class WebhookResource:
    """What webhooks for content can be told of; each module names its own (`BackgroundTasks.webhook_resources`).

    name: first part of the topics. paths: by kind in the change log, the path of a record, with `{id}` where that
    stands. events: second parts of the topics. items: the only ids that count; empty for all.
    """

    name: str
    paths: Mapping[str, str]
    events: tuple[str, ...] = ("created", "updated", "deleted")
    items: frozenset[str] = frozenset()

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics of the resource."""
        return tuple(f"{self.name}.{event}" for event in self.events)
