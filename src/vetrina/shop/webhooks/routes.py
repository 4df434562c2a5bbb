"""Webhooks: list, read, create, change, remove, batch.

Not here: deliveries (shop/webhooks/deliveries.py). Rules: docs/rules/webhooks.md, 1.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.webhooks import store as webhook_store
from vetrina.core.webhooks.model import ACTIVE, STATUSES, Webhook
from vetrina.kernel import times
from vetrina.kernel.errors import Failure
from vetrina.rest.fields import ABSENT, EDIT, VIEW, Array, Field, Integer, String
from vetrina.rest.paging import compute_page_offset
from vetrina.rest.resource import ListPage, Operation
from vetrina.rest.route import Route
from vetrina.rest.serializer import Serializer, read_attributes
from vetrina.shop import list_arguments, permissions as shop_permissions
from vetrina.shop.resource import ShopResource, ShopTrashUnsupported
from vetrina.shop.webhooks import deliveries as webhook_deliveries, rules as webhooks, topics as webhook_topics
from vetrina.shop.webhooks.rules import WebhookNotFound

_BOTH: Final = (VIEW, EDIT)


class WebhookToUpdateNotFound(WebhookNotFound):
    """The webhook to change does not exist."""

    failure = Failure.INVALID


_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the webhook.", context=_BOTH, readonly=True),
    "name": String("What people call it.", context=_BOTH),
    "status": String("Whether it is told.", context=_BOTH, default=ACTIVE, enum=STATUSES),
    "topic": String("What it is told of: a resource and an event.", context=_BOTH),
    "resource": String("First part of the topic.", context=_BOTH, readonly=True),
    "event": String("Second part of the topic.", context=_BOTH, readonly=True),
    "hooks": Array("What happens when it is told.", items=String(), context=_BOTH, readonly=True),
    "delivery_url": String("Address that it is told at.", context=_BOTH, format="uri", readonly=True),
    "secret": String("What messages are signed with; it is never shown.", context=(EDIT,)),
    "date_created": String("When it was made, in the site's time.", context=_BOTH, format="date-time", readonly=True),
    "date_created_gmt": String("When it was made, in GMT.", context=_BOTH, format="date-time", readonly=True),
    "date_modified": String(
        "When it was last changed, in the site's time.",
        context=_BOTH,
        format="date-time",
        readonly=True,
        unset=(None,),
    ),
    "date_modified_gmt": String(
        "When it was last changed, in GMT.", context=_BOTH, format="date-time", readonly=True, unset=(None,)
    ),
}


_WRITES: Final[dict[str, Field]] = {
    "name": String("What people call it.", null="keep"),
    "status": String("Whether it is told.", enum=STATUSES, null="keep"),
    "topic": String("What it is told of: a resource and an event.", null="keep"),
    "secret": String("What messages are signed with.", null="keep"),
    "delivery_url": String("Address that it is told at.", null="keep"),
}
_REQUIRED: Final = {name: _WRITES[name].replace(required=True) for name in ("topic", "delivery_url")}
_FILTERS: Final[dict[str, Field]] = {
    "context": list_arguments.build_context_argument(),
    **list_arguments.build_paging_arguments(),
    "after": String("Only what was made after this moment.", format="date-time", null="keep"),
    "before": String("Only what was made before this moment.", format="date-time", null="keep"),
    "exclude": list_arguments.build_id_filter("Webhooks that are left out."),
    "include": list_arguments.build_id_filter("Only these webhooks."),
    "offset": Integer("Leave out so many from the start.", null="keep"),
    **list_arguments.build_sort_arguments(("date", "id", "title")),
    "status": String("Only webhooks with this status.", default="all", enum=("all", *STATUSES)),
}


def _format_local_time(moment: int | None, work: UnitOfWork) -> str | None:
    return None if moment is None else times.format_iso(work.zone.to_local(moment))


def _format_gmt_time(moment: int | None) -> str | None:
    return None if moment is None else times.format_iso(moment)


_SERIALIZER: Final = Serializer(
    _FIELDS,
    {
        **read_attributes("id", "name", "status", "topic", "delivery_url"),
        "resource": lambda one, work: webhook_topics.split_topic(one.topic)[0],
        "event": lambda one, work: webhook_topics.split_topic(one.topic)[1],
        "hooks": lambda one, work: webhook_topics.list_topic_hooks(one.topic),
        "date_created": lambda one, work: _format_local_time(one.created, work),
        "date_created_gmt": lambda one, work: _format_gmt_time(one.created),
        "date_modified": lambda one, work: _format_local_time(one.modified, work),
        "date_modified_gmt": lambda one, work: _format_gmt_time(one.modified),
    },
)


def _get_webhook(call: Call) -> Webhook:
    return webhooks.get_webhook(call.work, call.args.get("id"))


def _get_webhook_to_update(call: Call) -> Webhook:
    id = call.args.get("id")
    found = webhooks.find_webhook(call.work, id) if isinstance(id, int) else None
    if found is None:
        raise WebhookToUpdateNotFound(id=id)
    return found


def _list_webhooks(call: Call) -> ListPage[Webhook]:
    args = call.args
    offset = compute_page_offset(args, zero_counts=False)
    found = _sort_webhooks(args, [one for one in webhooks.list_webhooks(call.work) if _is_within_filters(call, one)])
    return ListPage(found[offset : offset + args["per_page"]], len(found))


def _is_within_filters(call: Call, hook: Webhook) -> bool:
    args, local = call.args, call.work.zone.to_local(hook.created)
    after, before = (
        list_arguments.parse_local_timestamp(call, "after"),
        list_arguments.parse_local_timestamp(call, "before"),
    )
    return (
        (args["status"] in ("all", hook.status))
        and (args.get("search") or "").lower() in hook.name.lower()
        and (not args.get("include") or hook.id in args["include"])
        and hook.id not in (args.get("exclude") or ())
        and (after is None or local > after)
        and (before is None or local < before)
    )


def _sort_webhooks(args: Any, hooks: list[Webhook]) -> list[Webhook]:
    def key(hook: Webhook) -> tuple[Any, int]:
        return {"date": hook.created, "id": hook.id, "title": hook.name.lower()}[args["orderby"]], hook.id

    return sorted(hooks, key=key, reverse=args["order"] == "desc")


def _create_webhook(call: Call) -> Webhook:
    work = call.work
    for name in _REQUIRED:
        if call.args.get(name) in (None, ABSENT):
            # A batch does not check required members.
            call.args[name] = ""
    moment = times.format_iso(work.local_now)
    made = webhooks.create_webhook(work, call.args, f"Webhook created on {moment[:10]} at {moment[11:]}")
    webhook_deliveries.enqueue_ping(work, made)
    return made


def _update_webhook(call: Call, old: Webhook) -> Webhook:
    return webhooks.update_webhook(call.work, old, call.args)


def _delete_webhook(call: Call, old: Webhook) -> None:
    webhook_store.delete_webhook(call.work, old)


_REFUSALS: Final = (webhooks.InvalidWebhookTopic, webhooks.InvalidWebhookDeliveryUrl)
_WEBHOOKS: Final = ShopResource(
    title="webhook",
    path="/shop/v3/webhooks",
    key={"id": Integer("Number of the webhook.")},
    serializer=_SERIALIZER,
    find=_get_webhook,
    list=Operation(_list_webhooks, shop_permissions.require_view_permission, _FILTERS),
    create=Operation(
        _create_webhook, shop_permissions.require_create_permission, {**_WRITES, **_REQUIRED}, _REFUSALS
    ),
    read=Operation(_get_webhook, shop_permissions.require_view_permission, errors=(WebhookNotFound,)),
    update=Operation(
        _update_webhook, shop_permissions.require_edit_permission, _WRITES, (WebhookToUpdateNotFound, *_REFUSALS),
        find=_get_webhook_to_update,
    ),
    delete=Operation(_delete_webhook, shop_permissions.require_delete_permission, errors=(WebhookNotFound,)),
    force=list_arguments.build_force_argument(trash=False),
    trash_unsupported=ShopTrashUnsupported,
    written_context=VIEW,
)  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of webhooks."""
    return _WEBHOOKS.build_routes()
