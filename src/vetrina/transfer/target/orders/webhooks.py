"""Webhooks on their way in: they come paused and with a new secret, so that the new site tells nobody by surprise."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from vetrina.core.webhooks.model import DISABLED, PAUSED, Webhook
from vetrina.shop.webhooks import rules as webhooks
from vetrina.transfer.target.incoming_record import IncomingRecord
from vetrina.transfer.target.member_values import read_moment, read_text
from vetrina.transfer.target.outcome import Written

_MEMBERS: Final = ("name", "topic", "delivery_url")


def write_webhook(one: IncomingRecord) -> Written:
    """Write a webhook. Raises InvalidWebhookTopic, InvalidWebhookDeliveryUrl."""
    work = one.work
    given: dict[str, Any] = {name: read_text(one.values.get(name)) for name in _MEMBERS}
    old = webhooks.find_webhook(work, one.target) if one.target else None
    if old is not None:
        # Whether it is told, and its secret, are this site's to say by now.
        return Written(webhooks.update_webhook(work, old, given).id)
    same = next((hook for hook in webhooks.list_webhooks(work) if _list_names(hook) == tuple(given.values())), None)
    if same is not None:
        return Written(same.id, adopted=True)
    status = DISABLED if one.values.get("status") == DISABLED else PAUSED
    one.notes["webhooks come paused and with a new secret: tell it to the receiver, then switch them on"] += 1
    new = webhooks.create_webhook(
        work, given, given["topic"], status=status, id=one.choose_id(partial(webhooks.is_webhook_id_taken, work)),
        created=read_moment(one, "date_created"),
    )  # fmt: skip
    return Written(new.id)


def _list_names(hook: Webhook) -> tuple[str, str, str]:
    return hook.name, hook.topic, hook.delivery_url
