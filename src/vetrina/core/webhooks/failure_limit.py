"""How often deliveries of a webhook may fail in a row before it is disabled. Rules: docs/rules/webhooks.md, 5."""

from __future__ import annotations

from typing import Final

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.webhooks import store
from vetrina.core.webhooks.model import ACTIVE, DISABLED, Webhook

MAX_FAILURES: Final = 5  # failed deliveries in a row after which a webhook is disabled


def reset_failures(work: UnitOfWork, hook: Webhook) -> None:
    """Record a successful delivery."""
    store.save_failures(work, hook, msgspec.structs.replace(hook, failures=0))


def record_failure(work: UnitOfWork, hook: Webhook, error: str) -> None:
    """Record a failed delivery; after several in a row the webhook is disabled."""
    new = msgspec.structs.replace(hook, failures=hook.failures + 1)
    if new.failures >= MAX_FAILURES and hook.status == ACTIVE:
        reason = f"{new.failures} deliveries in a row failed; the last one: {error}"
        new = msgspec.structs.replace(new, status=DISABLED, reason=reason)
    store.save_failures(work, hook, new)
