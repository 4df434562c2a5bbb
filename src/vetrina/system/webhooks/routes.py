"""Webhooks for content: list, read, create, change, delete; their topics; a ping.

Not here: the log of deliveries (system/webhooks/delivery_routes.py). Rules: docs/rules/webhooks.md, 6.
"""

from __future__ import annotations

from typing import Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.webhooks import store
from vetrina.core.webhooks.model import ACTIVE, SITE, STATUSES, Webhook
from vetrina.kernel import times
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import build_paging_arguments
from vetrina.rest.fields import EDIT, VIEW, Array, Field, Integer, String
from vetrina.rest.paging import compute_page_offset
from vetrina.rest.resource import ListPage, Operation, Resource, TrashUnsupported, build_write_arguments
from vetrina.rest.route import READ, WRITE, Route
from vetrina.rest.serializer import Serializer, read_attributes
from vetrina.system.webhooks import deliveries, rules
from vetrina.system.webhooks.delivery_routes import DELIVERIES
from vetrina.system.webhooks.permissions import CannotManageWebhooks, require_manage_permission
from vetrina.system.webhooks.topics import list_topics

_BOTH: Final = (VIEW, EDIT)
_PATH: Final = "/cms/v2/webhooks"
_KEY: Final = {"id": Integer("Number of the webhook.")}
_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the webhook.", context=_BOTH, readonly=True),
    "name": String("What people call it.", context=_BOTH, max_length=200),
    "status": String(
        "Whether it is told: active, paused, or disabled after failures; `active` lets it be told again.",
        context=_BOTH, enum=STATUSES,
    ),
    "reason": String("Why it was disabled.", context=_BOTH, readonly=True),
    "topics": Array(
        "What it is told of; `post.*` is everything about posts, `*` everything.", items=String(), context=_BOTH,
        min_items=1,
    ),
    "delivery_url": String("Address that it is told at.", context=_BOTH, format="uri", max_length=2000),
    "secret": String("What messages are signed with; it is never shown.", context=(), min_length=16, max_length=200),
    "author": Integer("Account that made it; records are told as it sees them.", context=_BOTH, readonly=True),
    "failures": Integer("Deliveries in a row that failed.", context=_BOTH, readonly=True),
    "date_gmt": String("When it was made, in GMT.", context=_BOTH, format="date-time", readonly=True),
    "modified_gmt": String("When it was last changed, in GMT.", context=_BOTH, format="date-time", readonly=True),
}  # fmt: skip
_WRITES: Final = build_write_arguments(_FIELDS)
_CREATES: Final = build_write_arguments(_FIELDS, required=("topics", "delivery_url", "secret"))
_FILTERS: Final = {
    **build_paging_arguments(),
    "status": String("Only webhooks with this status.", enum=STATUSES),
}

_SERIALIZER: Final = Serializer(
    {name: member for name, member in _FIELDS.items() if name != "secret"},
    {
        **read_attributes("id", "name", "status", "reason", "delivery_url", "failures"),
        "topics": lambda one, work: one.topic.split(" "),
        "author": lambda one, work: one.account,
        "date_gmt": lambda one, work: times.format_iso(one.created),
        "modified_gmt": lambda one, work: times.format_iso(one.created if one.modified is None else one.modified),
    },
)


def _get_webhook(call: Call) -> Webhook:
    return rules.get_webhook(call.work, call.args["id"])


def _list_webhooks(call: Call) -> ListPage[Webhook]:
    args = call.args
    status, text = args.get("status"), (args.get("search") or "").lower()
    found = [
        one for one in store.list_webhooks(call.work, SITE) if status in (None, one.status) and text in one.name.lower()
    ]
    start = compute_page_offset(args)
    return ListPage(found[start : start + args["per_page"]], len(found))


def _create_webhook(call: Call) -> Webhook:
    made = rules.create_webhook(call.work, call.args)
    if made.status == ACTIVE:
        deliveries.enqueue_ping(call.work, made)
    return made


def _update_webhook(call: Call, old: Webhook) -> Webhook:
    return rules.update_webhook(call.work, old, call.args)


def _delete_webhook(call: Call, old: Webhook) -> None:
    store.delete_webhook(call.work, old)


def _list_topics(call: Call) -> Result:
    return Result(list(list_topics(call.work.site)))


def _ping_webhook(call: Call) -> Result:
    sent = deliveries.enqueue_ping(call.work, rules.get_active_webhook(call.work, call.args["id"]))
    return DELIVERIES.build_result(call, sent, status=202)


_WEBHOOKS: Final = Resource[Webhook](
    title="webhook",
    path=_PATH,
    key=_KEY,
    serializer=_SERIALIZER,
    find=_get_webhook,
    list=Operation(_list_webhooks, require_manage_permission, _FILTERS, (CannotManageWebhooks,)),
    create=Operation(
        _create_webhook, require_manage_permission, _CREATES, (CannotManageWebhooks, rules.TooManyWebhooks)
    ),
    read=Operation(_get_webhook, require_manage_permission, errors=(CannotManageWebhooks, rules.WebhookNotFound)),
    update=Operation(
        _update_webhook, require_manage_permission, _WRITES, (CannotManageWebhooks, rules.WebhookNotFound)
    ),
    delete=Operation(_delete_webhook, require_manage_permission, errors=(CannotManageWebhooks, rules.WebhookNotFound)),
    trash_unsupported=TrashUnsupported,
    deleted="previous",
    batch=True,
)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of webhooks for content."""
    return (
        Route(
            READ, f"{_PATH}/topics", _list_topics, {}, require_manage_permission, errors=(CannotManageWebhooks,),
            answers=Array("What a webhook can be told of.", items=String()), summary="List the topics of webhooks.",
        ),
        *_WEBHOOKS.build_routes(),
        Route(
            WRITE, f"{_PATH}/{{id}}/ping", _ping_webhook, _KEY, require_manage_permission, DELIVERIES.build_schema,
            errors=(CannotManageWebhooks, rules.WebhookNotFound, rules.WebhookNotActive), status=202,
            summary="Send a webhook a message to try it.",
        ),
    )  # fmt: skip
