"""The log of a webhook for content: its deliveries, and sending one again.

Rules: docs/rules/webhooks.md, 7.
"""

from __future__ import annotations

from typing import Final

import orjson

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.webhooks import deliveries as log
from vetrina.core.webhooks.model import STATES, WebhookDelivery
from vetrina.kernel import times
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import build_paging_arguments
from vetrina.rest.fields import EDIT, VIEW, Field, Integer, Object, String
from vetrina.rest.paging import compute_page_offset
from vetrina.rest.resource import ListPage, Operation, Resource
from vetrina.rest.route import WRITE, Route
from vetrina.rest.serializer import Serializer, read_attributes
from vetrina.system.webhooks import deliveries, rules
from vetrina.system.webhooks.permissions import CannotManageWebhooks, require_manage_permission

_BOTH: Final = (VIEW, EDIT)
_PATH: Final = "/cms/v2/webhooks/{id}/deliveries"
_ABOVE: Final = {"id": Integer("Number of the webhook.")}
_KEY: Final = {**_ABOVE, "delivery": Integer("Number of the delivery.")}
_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the delivery.", context=_BOTH, readonly=True),
    "webhook": Integer("Number of the webhook.", context=_BOTH, readonly=True),
    "delivery_id": String("Name of the message, the same at each attempt.", context=_BOTH, readonly=True),
    "topic": String("What was told.", context=_BOTH, readonly=True),
    "state": String("How far it is.", context=_BOTH, enum=STATES, readonly=True),
    "attempts": Integer("How often it was tried.", context=_BOTH, readonly=True),
    "response_status": Integer("What the receiver answered last; 0 for no answer.", context=_BOTH, readonly=True),
    "response_body": String("The start of its answer, at most 500 characters.", context=_BOTH, readonly=True),
    "error": String("Why it is not delivered.", context=_BOTH, readonly=True),
    "payload": Object("What was sent.", context=(EDIT,), readonly=True),
    "date_gmt": String("When it happened, in GMT.", context=_BOTH, format="date-time", readonly=True),
    "finished_gmt": String(
        "When it was delivered or given up, in GMT.", context=_BOTH, format="date-time", readonly=True,
        extra={"type": ["string", "null"]},
    ),
}  # fmt: skip
_SERIALIZER: Final = Serializer(
    _FIELDS,
    {
        **read_attributes("id", "webhook", "topic", "state", "attempts", "error"),
        "delivery_id": lambda one, work: one.uid,
        "response_status": lambda one, work: one.answer,
        "response_body": lambda one, work: one.reply,
        "payload": lambda one, work: orjson.loads(one.body),
        "date_gmt": lambda one, work: times.format_iso(one.created),
        "finished_gmt": lambda one, work: None if one.finished is None else times.format_iso(one.finished),
    },
)


def _list_deliveries(call: Call) -> ListPage[WebhookDelivery]:
    hook = rules.get_webhook(call.work, call.args["id"])
    found, total = log.list_delivery_page(call.work, hook.id, compute_page_offset(call.args), call.args["per_page"])
    return ListPage(found, total)


def _get_delivery(call: Call) -> WebhookDelivery:
    hook = rules.get_webhook(call.work, call.args["id"])
    return rules.get_delivery(call.work, hook, call.args["delivery"])


def _redeliver(call: Call) -> Result:
    hook = rules.get_active_webhook(call.work, call.args["id"])
    old = rules.get_delivery(call.work, hook, call.args["delivery"])
    return DELIVERIES.build_result(call, deliveries.redeliver(call.work, hook, old), status=202)


_PAGING: Final = {name: one for name, one in build_paging_arguments().items() if name != "search"}
_REFUSALS: Final = (CannotManageWebhooks, rules.WebhookNotFound)
DELIVERIES: Final = Resource[WebhookDelivery](
    title="webhook-delivery",
    path=_PATH,
    above=_ABOVE,
    key=_KEY,
    item="{delivery}",
    methods=("GET",),
    serializer=_SERIALIZER,
    list=Operation(_list_deliveries, require_manage_permission, _PAGING, _REFUSALS),
    read=Operation(_get_delivery, require_manage_permission, errors=(*_REFUSALS, rules.DeliveryNotFound)),
)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the log of a webhook for content."""
    return (
        *DELIVERIES.build_routes(),
        Route(
            WRITE, f"{_PATH}/{{delivery}}/redeliver", _redeliver, _KEY, require_manage_permission,
            DELIVERIES.build_schema, errors=(*_REFUSALS, rules.DeliveryNotFound, rules.WebhookNotActive), status=202,
            summary="Send a message again.",
        ),
    )  # fmt: skip
