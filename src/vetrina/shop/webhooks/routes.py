"""Webhooks: list, read, create, change, remove, batch.

Not here: deliveries (shop/webhooks/deliveries.py). Rules: docs/rules/webhooks.md, 1.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.fields import ABSENT, EDIT, VIEW, Array, Field, Integer, String
from vetrina.rest.paging import build_page_headers, compute_page_offset
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Serializer, parse_field_selection
from vetrina.shop import list_arguments
from vetrina.shop.batch_routes import build_batch_route
from vetrina.shop.permissions import require_create_permission, require_view_permission
from vetrina.shop.rights import CannotDeleteShopItem, CannotEditShopItem, CannotViewShop, require_shop_capability
from vetrina.shop.webhooks import deliveries as webhook_deliveries, rules as webhooks, topics as webhook_topics
from vetrina.shop.webhooks.rules import Webhook, WebhookNotFound

__all__ = ["build_routes"]

_PATH: Final = "/shop/v3/webhooks"
_ITEM: Final = f"{_PATH}/{{id}}"
_BOTH: Final = (VIEW, EDIT)
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]
_ORDERS: Final = ("date", "id", "title")


class WebhookTrashUnsupported(ApiError):
    failure, code = Failure.NOT_IMPLEMENTED, "shop_rest_trash_not_supported"
    message = "Webhooks have no trash; send force as true to remove one for good."


class WebhookToUpdateNotFound(WebhookNotFound):
    """The webhook to change does not exist."""

    failure = Failure.INVALID


_MEMBERS: dict[str, Field] = {
    "id": Integer("Number of the webhook.", context=_BOTH, readonly=True),
    "name": String("What people call it.", context=_BOTH),
    "status": String("Whether it is told.", context=_BOTH, default=webhooks.ACTIVE, enum=webhooks.STATUSES),
    "topic": String("What it is told of: a resource and an event.", context=_BOTH),
    "resource": String("First part of the topic.", context=_BOTH, readonly=True),
    "event": String("Second part of the topic.", context=_BOTH, readonly=True),
    "hooks": Array("What happens when it is told.", items=String(), context=_BOTH, readonly=True),
    "delivery_url": String("Address that it is told at.", context=_BOTH, format="uri", readonly=True),
    "secret": String("What messages are signed with; it is never shown.", context=(EDIT,)),
    "date_created": String("When it was made, in the site's time.", context=_BOTH, format="date-time", readonly=True),
    "date_created_gmt": String("When it was made, in GMT.", context=_BOTH, format="date-time", readonly=True),
    "date_modified": String(
        "When it was last changed, in the site's time.", context=_BOTH, format="date-time", readonly=True
    ),
    "date_modified_gmt": String("When it was last changed, in GMT.", context=_BOTH, format="date-time", readonly=True),
}


def _format_local_time(moment: int | None, work: UnitOfWork) -> str | None:
    return None if moment is None else times.format_iso(work.zone.to_local(moment))


def _format_gmt_time(moment: int | None) -> str | None:
    return None if moment is None else times.format_iso(moment)


_SERIALIZER: Final = Serializer(
    _MEMBERS,
    {
        "id": lambda one, work: one.id,
        "name": lambda one, work: one.name,
        "status": lambda one, work: one.status,
        "topic": lambda one, work: one.topic,
        "resource": lambda one, work: webhook_topics.split_topic(one.topic)[0],
        "event": lambda one, work: webhook_topics.split_topic(one.topic)[1],
        "hooks": lambda one, work: webhook_topics.list_topic_hooks(one.topic),
        "delivery_url": lambda one, work: one.delivery_url,
        "date_created": lambda one, work: _format_local_time(one.created, work),
        "date_created_gmt": lambda one, work: _format_gmt_time(one.created),
        "date_modified": lambda one, work: _format_local_time(one.modified, work),
        "date_modified_gmt": lambda one, work: _format_gmt_time(one.modified),
    },
)


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of webhooks."""
    id = {"id": Integer("Number of the webhook.")}
    writes: dict[str, Field] = {
        "name": String("What people call it.", null="keep"),
        "status": String("Whether it is told.", enum=webhooks.STATUSES, null="keep"),
        "topic": String("What it is told of: a resource and an event.", null="keep"),
        "secret": String("What messages are signed with.", null="keep"),
        "delivery_url": String("Address that it is told at.", null="keep"),
    }
    needed = {name: writes[name].replace(required=True) for name in ("topic", "delivery_url")}
    refused = (webhooks.InvalidWebhookTopic, webhooks.InvalidWebhookDeliveryUrl)
    create = Route(
        WRITE,
        _PATH,
        _create_webhook,
        {**writes, **needed},
        require_create_permission,
        _build_webhook_schema,
        errors=refused,
    )
    change = Route(
        CHANGE,
        _ITEM,
        _update_webhook,
        {**id, **writes},
        _require_webhook_edit_permission,
        _build_webhook_schema,
        errors=(WebhookToUpdateNotFound, *refused),
    )
    remove = Route(
        REMOVE,
        _ITEM,
        _delete_webhook,
        {**id, "force": list_arguments.build_force_argument(trash=False)},
        _require_webhook_delete_permission,
        _build_webhook_schema,
        errors=(WebhookNotFound, WebhookTrashUnsupported),
    )
    listing = {
        "context": list_arguments.build_context_argument(),
        **list_arguments.build_paging_arguments(),
        "after": String("Only what was made after this moment.", format="date-time", null="keep"),
        "before": String("Only what was made before this moment.", format="date-time", null="keep"),
        "exclude": list_arguments.build_id_filter("Webhooks that are left out."),
        "include": list_arguments.build_id_filter("Only these webhooks."),
        "offset": Integer("Leave out so many from the start.", null="keep"),
        **list_arguments.build_sort_arguments(_ORDERS),
        "status": String("Only webhooks with this status.", default="all", enum=("all", *webhooks.STATUSES)),
    }
    return (
        Route(READ, _PATH, _list_webhooks, listing, require_view_permission, _build_webhook_schema, answers="many"),
        create,
        Route(
            READ,
            _ITEM,
            _read_webhook,
            {**id, "context": list_arguments.build_context_argument()},
            _require_webhook_view_permission,
            _build_webhook_schema,
            errors=(WebhookNotFound,),
        ),
        change,
        remove,
        build_batch_route(f"{_PATH}/batch", create=create, update=change, delete=remove),
    )


def _build_webhook_schema() -> dict[str, Any]:
    return _SERIALIZER.schema("webhook")


# -- permissions


def _require_webhook_view_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require_shop_capability(call.work.user, CannotViewShop)


def _require_webhook_edit_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require_shop_capability(call.work.user, CannotEditShopItem)


def _require_webhook_delete_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require_shop_capability(call.work.user, CannotDeleteShopItem)


# -- handlers


def _build_links(call: Call, hook: Webhook) -> dict[str, Any]:
    return {
        "self": [{"href": call.work.api(f"{_PATH}/{hook.id}"), "targetHints": {"allow": _METHODS}}],
        "collection": [{"href": call.work.api(_PATH)}],
    }


def _list_webhooks(call: Call) -> Result:
    args = call.args
    size, page, start = args["per_page"], args["page"], compute_page_offset(args, zero_counts=False)
    found = _sort_webhooks(args, [one for one in webhooks.list_webhooks(call.work) if _is_within_filters(call, one)])
    wanted, context = parse_field_selection(call.request.raw("_fields")), args.get("context") or VIEW
    body = [
        {**_SERIALIZER.serialize(one, call.work, context, wanted), "_links": _build_links(call, one)}
        for one in found[start : start + size]
    ]
    headers, links = build_page_headers(call, len(found), size, page)
    return Result(body, headers=headers, links=links)


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


def _build_webhook_result(call: Call, hook: Webhook, status: int = 200) -> Result:
    context = call.args.get("context") or VIEW
    body = _SERIALIZER.serialize(hook, call.work, context, parse_field_selection(call.request.raw("_fields")))
    return Result(body, status, rels=_build_links(call, hook), keeps_links=True)


def _read_webhook(call: Call) -> Result:
    return _build_webhook_result(call, webhooks.get_webhook(call.work, call.args.get("id")))


def _create_webhook(call: Call) -> Result:
    work = call.work
    for name in ("topic", "delivery_url"):
        if call.args.get(name) in (None, ABSENT):
            # A batch does not check required members.
            call.args[name] = ""
    moment = times.format_iso(work.local_now)
    made = webhooks.create_webhook(work, call.args, f"Webhook created on {moment[:10]} at {moment[11:]}")
    webhook_deliveries.enqueue_ping(work, made)
    result = _build_webhook_result(call, made, 201)
    result.headers["Location"] = work.api(f"{_PATH}/{made.id}")
    return result


def _update_webhook(call: Call) -> Result:
    id = call.args.get("id")
    old = webhooks.find_webhook(call.work, id) if isinstance(id, int) else None
    if old is None:
        raise WebhookToUpdateNotFound(id=id)
    return _build_webhook_result(call, webhooks.update_webhook(call.work, old, call.args))


def _delete_webhook(call: Call) -> Result:
    old = webhooks.get_webhook(call.work, call.args.get("id"))
    if not call.args.get("force"):
        raise WebhookTrashUnsupported
    result = _build_webhook_result(call, old)
    webhooks.delete_webhook(call.work, old)
    return result
