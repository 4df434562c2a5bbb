"""Payment gateways: list, read, change; what they report by themselves.

Not here: what they are (shop/payments/gateways.py), what a report does (shop/payments/gateway_events.py).
Rules: facts, "Taxes, settings, shipping, gateways, data".
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import EDIT, VIEW, Array, Boolean, Field, Integer, Object, String
from vetrina.rest.paging import page_headers
from vetrina.rest.route import CHANGE, READ, WRITE, Route
from vetrina.rest.serializer import Shape, choice
from vetrina.shop import list_arguments
from vetrina.shop import permissions as shop_permissions
from vetrina.shop.payments import gateway_events, gateways
from vetrina.shop.payments.gateways import Held
from vetrina.shop.settings import rules as settings
from vetrina.shop.shipping.methods import KINDS
from vetrina.shop.shipping.routes import setting_body

__all__ = ["routes"]

_PATH: Final = "/shop/v3/payment_gateways"
_BOTH: Final = (VIEW, EDIT)
_REPORT_BYTES: Final = 64 << 10
_TAKEN: Final = Object(properties={"received": Boolean("Always true: a report that came before is no failure.")})


class WrongReport(ApiError):
    code = "shop_rest_payment_report_unreadable"
    message = "Send the report by itself, as the gateway signed it: one request, its body untouched."


class ReportTooLarge(ApiError):
    status, code = 413, "shop_rest_payment_report_too_large"
    message = "A report has {most} bytes at most."


_MEMBERS: dict[str, Field] = {
    "id": String("Name of the gateway.", context=_BOTH, readonly=True),
    "title": String("What customers see.", context=_BOTH),
    "description": String("What customers read about it.", context=_BOTH),
    "order": Integer("Place among the gateways.", context=_BOTH),
    "enabled": Boolean("Whether it can be chosen.", context=_BOTH),
    "method_title": String("What the administration calls it.", context=_BOTH, readonly=True),
    "method_description": String("What it does.", context=_BOTH, readonly=True),
    "method_supports": Array("What it can do.", items=String(), context=_BOTH, readonly=True),
    "settings": Object("What is set about it.", context=_BOTH),
    "needs_setup": Boolean("Whether something must be set before it works.", context=_BOTH, readonly=True),
    "post_install_scripts": Array("Scripts that its setup loads.", items=String(), context=_BOTH, readonly=True),
    "settings_url": String("Where it is set up.", context=_BOTH, readonly=True),
    "connection_url": String("Where it is connected.", context=_BOTH, readonly=True, nullable=True),
    "setup_help_text": String("What helps to set it up.", context=_BOTH, readonly=True, nullable=True),
    "required_settings_keys": Array("What must be set.", items=String(), context=_BOTH, readonly=True),
}


def _settings(one: Held, work: Work) -> dict[str, Any]:
    out = {name: setting_body(setting, one.values[name]) for name, setting in one.of.settings.items()}
    if "enable_for_methods" in out:
        out["enable_for_methods"]["options"] = {
            kind.title: {kind.id: f"Any &quot;{kind.title}&quot; method"} for kind in KINDS.values()
        }
    return out


_SHAPE: Final = Shape(
    _MEMBERS,
    {
        "id": lambda one, work: one.of.id,
        "title": lambda one, work: one.title,
        "description": lambda one, work: one.description,
        "order": lambda one, work: "" if one.order is None else one.order,
        "enabled": lambda one, work: one.enabled,
        "method_title": lambda one, work: one.of.method_title,
        "method_description": lambda one, work: one.of.method_description,
        "method_supports": lambda one, work: list(one.of.supports),
        "settings": _settings,
        "needs_setup": lambda one, work: one.needs_setup,
        "post_install_scripts": lambda one, work: [],
        "settings_url": lambda one, work: (
            f"{work.origin}/admin/admin.php?page=shop-settings&tab=checkout&path=/offline/{one.of.id}"
        ),
        "connection_url": lambda one, work: None,
        "setup_help_text": lambda one, work: None,
        "required_settings_keys": lambda one, work: list(one.of.required),
    },
)


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of payment gateways."""
    id = {"id": String("Name of the gateway.")}
    writes: dict[str, Field] = {
        "title": String("What customers see.", null="keep"),
        "description": String("What customers read about it.", null="keep"),
        "order": Integer("Place among the gateways.", null="keep"),
        "enabled": Boolean("Whether it can be chosen.", null="keep"),
        "settings": Object("What is set about it.", null="keep"),
    }
    reporter = {"payment_gateway_id": String("Name of the gateway.")}
    unknown = (gateways.GatewayUnknown,)
    path = f"{_PATH}/{{id:[\\w-]+}}"
    seen = {"context": list_arguments.context()}
    return (
        Route(READ, _PATH, _listed, seen, shop_permissions.viewing, _schema, answers="many"),
        Route(READ, path, _read, {**id, **seen}, shop_permissions.viewing, _schema, errors=unknown),
        Route(
            CHANGE, path, _changed, {**id, **writes}, shop_permissions.editing, _schema,
            errors=(*unknown, settings.InvalidValue),
        ),
        Route(
            WRITE, f"{_PATH}/{{payment_gateway_id:[\\w-]+}}/webhook", _reported, reporter,
            errors=(
                *unknown, gateway_events.ReportRefused, gateway_events.ReportTooEarly, WrongReport, ReportTooLarge,
            ),
            answers=_TAKEN, status=200,
        ),
    )  # fmt: skip


def _schema() -> dict[str, Any]:
    return _SHAPE.schema("payment_gateway")


def _links(call: Call, one: Held) -> dict[str, Any]:
    hints = {"allow": ["GET", "POST", "PUT", "PATCH"]}
    return {
        "self": [{"href": call.work.api(f"{_PATH}/{one.of.id}"), "targetHints": hints}],
        "collection": [{"href": call.work.api(_PATH)}],
    }


def _body(call: Call, one: Held) -> dict[str, Any]:
    context = call.args.get("context") or "view"
    return _SHAPE.members(one, call.work, context, choice(call.request.raw("_fields")))


def _listed(call: Call) -> Result:
    every = gateways.listed(call.work)
    headers, links = page_headers(call, len(every), None)
    body = [{**_body(call, one), "_links": _links(call, one)} for one in every]
    return Result(body, headers=headers, links=links)


def _read(call: Call) -> Result:
    one = gateways.existing(call.work, call.args["id"])
    return Result(_body(call, one), rels=_links(call, one), keeps_links=True)


def _changed(call: Call) -> Result:
    one = gateways.change(call.work, gateways.existing(call.work, call.args["id"]), call.args)
    return Result(_body(call, one), rels=_links(call, one), keeps_links=True)


def _reported(call: Call) -> Result:
    """Take what a gateway reports by itself, signed by it; an event that came before changes nothing."""
    request = call.request
    if request.inner or not request.body:
        raise WrongReport
    if len(request.body) > _REPORT_BYTES:
        raise ReportTooLarge(most=_REPORT_BYTES)
    # A member of the body would stand before the hole of the same name.
    gateway = request.path.rstrip("/").split("/")[-2]
    gateway_events.take(call.work, gateway, request.headers, request.body)
    return Result({"received": True})
