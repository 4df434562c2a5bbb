"""Webhooks: list, read, create, change, remove, batch.

Not here: what they are told (shop/webhooks/deliveries.py). Rules: facts, "Taxes, settings, shipping, gateways,
data" (webhooks); the recording of webhooks.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import ABSENT, EDIT, VIEW, Array, Field, Integer, String
from vetrina.rest.paging import page_headers, start_of
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Shape, choice
from vetrina.shop import list_arguments
from vetrina.shop.batch_routes import batch_route
from vetrina.shop.permissions import creating, viewing
from vetrina.shop.rights import CannotDelete, CannotEdit, CannotView, require
from vetrina.shop.webhooks import deliveries as webhook_deliveries
from vetrina.shop.webhooks import rules as webhooks
from vetrina.shop.webhooks import topics as webhook_topics
from vetrina.shop.webhooks.rules import Webhook, WebhookUnknown

__all__ = ["routes"]

_PATH: Final = "/shop/v3/webhooks"
_ITEM: Final = f"{_PATH}/{{id}}"
_BOTH: Final = (VIEW, EDIT)
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]
_ORDERS: Final = ("date", "id", "title")


class TrashNotSupported(ApiError):
    status, code = 501, "shop_rest_trash_not_supported"
    message = "Webhooks have no trash; send force as true to remove one for good."


class NoSuchWebhook(WebhookUnknown):
    """A webhook that somebody wants to change is not there."""

    status = 400


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


def _local(moment: int | None, work: Work) -> str | None:
    return None if moment is None else times.iso(work.zone.to_local(moment))


def _gmt(moment: int | None) -> str | None:
    return None if moment is None else times.iso(moment)


_SHAPE: Final = Shape(
    _MEMBERS,
    {
        "id": lambda one, work: one.id,
        "name": lambda one, work: one.name,
        "status": lambda one, work: one.status,
        "topic": lambda one, work: one.topic,
        "resource": lambda one, work: webhook_topics.resource_and_event(one.topic)[0],
        "event": lambda one, work: webhook_topics.resource_and_event(one.topic)[1],
        "hooks": lambda one, work: webhook_topics.hooks(one.topic),
        "delivery_url": lambda one, work: one.delivery_url,
        "date_created": lambda one, work: _local(one.created, work),
        "date_created_gmt": lambda one, work: _gmt(one.created),
        "date_modified": lambda one, work: _local(one.modified, work),
        "date_modified_gmt": lambda one, work: _gmt(one.modified),
    },
)


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of webhooks."""
    id = {"id": Integer("Number of the webhook.")}
    writes: dict[str, Field] = {
        "name": String("What people call it.", null="keep"),
        "status": String("Whether it is told.", enum=webhooks.STATUSES, null="keep"),
        "topic": String("What it is told of: a resource and an event.", null="keep"),
        "secret": String("What messages are signed with.", null="keep"),
        "delivery_url": String("Address that it is told at.", null="keep"),
    }
    needed = {name: writes[name].but(required=True) for name in ("topic", "delivery_url")}
    refused = (webhooks.InvalidTopic, webhooks.InvalidDeliveryUrl)
    create = Route(WRITE, _PATH, _created, {**writes, **needed}, creating, _schema, errors=refused)
    change = Route(CHANGE, _ITEM, _changed, {**id, **writes}, _may_edit, _schema, errors=(NoSuchWebhook, *refused))
    remove = Route(
        REMOVE, _ITEM, _removed, {**id, "force": list_arguments.force(trash=False)}, _may_remove, _schema,
        errors=(WebhookUnknown, TrashNotSupported),
    )  # fmt: skip
    listing = {
        "context": list_arguments.context(),
        **list_arguments.paging(),
        "after": String("Only what was made after this moment.", format="date-time", null="keep"),
        "before": String("Only what was made before this moment.", format="date-time", null="keep"),
        "exclude": list_arguments.numbers("Webhooks that are left out."),
        "include": list_arguments.numbers("Only these webhooks."),
        "offset": Integer("Leave out so many from the start.", null="keep"),
        **list_arguments.ordering(_ORDERS),
        "status": String("Only webhooks with this status.", default="all", enum=("all", *webhooks.STATUSES)),
    }
    return (
        Route(READ, _PATH, _listed, listing, viewing, _schema, answers="many"),
        create,
        Route(
            READ,
            _ITEM,
            _read,
            {**id, "context": list_arguments.context()},
            _may_read,
            _schema,
            errors=(WebhookUnknown,),
        ),
        change,
        remove,
        batch_route(f"{_PATH}/batch", create=create, update=change, delete=remove),
    )


def _schema() -> dict[str, Any]:
    return _SHAPE.schema("webhook")


# -- rights


def _may_read(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require(call.work.user, CannotView)


def _may_edit(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require(call.work.user, CannotEdit)


def _may_remove(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require(call.work.user, CannotDelete)


# -- handlers


def _links(call: Call, one: Webhook) -> dict[str, Any]:
    return {
        "self": [{"href": call.work.api(f"{_PATH}/{one.id}"), "targetHints": {"allow": _METHODS}}],
        "collection": [{"href": call.work.api(_PATH)}],
    }


def _listed(call: Call) -> Result:
    args = call.args
    size, page, start = args["per_page"], args["page"], start_of(args, zero_counts=False)
    found = _ordered(args, [one for one in webhooks.listed(call.work) if _fits(call, one)])
    wanted, context = choice(call.request.raw("_fields")), args.get("context") or VIEW
    body = [
        {**_SHAPE.members(one, call.work, context, wanted), "_links": _links(call, one)}
        for one in found[start : start + size]
    ]
    headers, links = page_headers(call, len(found), size, page)
    return Result(body, headers=headers, links=links)


def _fits(call: Call, one: Webhook) -> bool:
    args, local = call.args, call.work.zone.to_local(one.created)
    after, before = list_arguments.moment(call, "after"), list_arguments.moment(call, "before")
    return (
        (args["status"] in ("all", one.status))
        and (args.get("search") or "").lower() in one.name.lower()
        and (not args.get("include") or one.id in args["include"])
        and one.id not in (args.get("exclude") or ())
        and (after is None or local > after)
        and (before is None or local < before)
    )


def _ordered(args: Any, found: list[Webhook]) -> list[Webhook]:
    def key(one: Webhook) -> tuple[Any, int]:
        return {"date": one.created, "id": one.id, "title": one.name.lower()}[args["orderby"]], one.id

    return sorted(found, key=key, reverse=args["order"] == "desc")


def _item(call: Call, one: Webhook, status: int = 200) -> Result:
    context = call.args.get("context") or VIEW
    body = _SHAPE.members(one, call.work, context, choice(call.request.raw("_fields")))
    return Result(body, status, rels=_links(call, one), keeps_links=True)


def _read(call: Call) -> Result:
    return _item(call, webhooks.existing(call.work, call.args.get("id")))


def _created(call: Call) -> Result:
    work: Work = call.work
    for name in ("topic", "delivery_url"):
        if call.args.get(name) in (None, ABSENT):
            # A batch asks for no required members.
            call.args[name] = ""
    moment = times.iso(work.local_now)
    made = webhooks.create(work, call.args, f"Webhook created on {moment[:10]} at {moment[11:]}")
    webhook_deliveries.ping(work, made)
    result = _item(call, made, 201)
    result.headers["Location"] = work.api(f"{_PATH}/{made.id}")
    return result


def _changed(call: Call) -> Result:
    id = call.args.get("id")
    old = webhooks.by_id(call.work, id) if isinstance(id, int) else None
    if old is None:
        raise NoSuchWebhook(id=id)
    return _item(call, webhooks.change(call.work, old, call.args))


def _removed(call: Call) -> Result:
    old = webhooks.existing(call.work, call.args.get("id"))
    if not call.args.get("force"):
        raise TrashNotSupported
    result = _item(call, old)
    webhooks.remove(call.work, old)
    return result
